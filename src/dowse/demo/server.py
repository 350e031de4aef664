"""The sample site as a web server on loopback. Everything is made in memory when it starts; nothing is written."""

from __future__ import annotations

import socket
import threading
import zlib
from collections import Counter
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from types import TracebackType
from typing import Self
from urllib.parse import parse_qsl, urlsplit

from dowse.demo.content import load
from dowse.demo.hard_corners import corner_pages, machine_pages
from dowse.demo.layout import Document, frame, link
from dowse.demo.pages import ordinary_pages, search_page


class DemoSite:
    """A government consultation site: about 150 pages and as many PDFs, the same ones every time.

    `rules` is a rule table for it, as CSV: the papers about "international".

    Use it as a context manager, or call `start` and `stop`. `requests` counts what was asked for by path
    and query. Port 0 takes any free port.
    """

    def __init__(self, port: int = 0) -> None:
        self.requests: Counter[str] = Counter()
        self._content = load()
        self._server = _Server(self, port)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/"
        self.documents: dict[str, Document] = dict(ordinary_pages(self._content)) | dict(corner_pages(self._content))
        public = [path for path in self.documents if path.endswith(("/", ".html")) and "/internal/" not in path]
        self.documents |= dict(machine_pages(self._content, self.url, public))
        self.rules = (files(__package__) / "rules.csv").read_text("utf-8").replace("{site}", self.url)
        self._missing = frame(self._content, "Page not found", f"<p>{link('/', 'Begin again')}</p>").body

    def start(self) -> Self:
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def stop(self) -> None:
        self._server.shutdown()
        self._server.hang_up()
        self._server.server_close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def answer(self, target: str) -> Document:
        """What the site has at a path with its query. A query that means nothing to a page is left aside."""
        path, query = urlsplit(target)[2:4]
        if path == "/search":
            return search_page(self._content, dict(parse_qsl(query)))
        found = self.documents.get(target) or self.documents.get(path)
        return found or Document(self._missing, status=404)


class _Server(ThreadingHTTPServer):
    """Knows its open connections, so that stopping does not wait for clients that keep theirs."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, site: DemoSite, port: int) -> None:
        self.site = site
        self.lock = threading.Lock()
        self.connections: set[socket.socket] = set()
        super().__init__(("127.0.0.1", port), _Connection)

    def hang_up(self) -> None:
        with self.lock:
            for connection in self.connections:
                try:
                    connection.shutdown(socket.SHUT_RDWR)
                except OSError:  # the client was faster
                    continue


class _Connection(BaseHTTPRequestHandler):
    """Reads requests from one client until it goes."""

    protocol_version = "HTTP/1.1"
    server_version = "TarnmoorDemo"
    # One packet for head and body: two of them meet Nagle and delayed acknowledgement, 40 ms a page.
    wbufsize = -1
    disable_nagle_algorithm = True
    server: _Server

    def setup(self) -> None:
        super().setup()
        with self.server.lock:
            self.server.connections.add(self.connection)

    def finish(self) -> None:
        with self.server.lock:
            self.server.connections.discard(self.connection)
        super().finish()

    def do_GET(self) -> None:
        self._send(with_body=True)

    def do_HEAD(self) -> None:
        self._send(with_body=False)

    def _send(self, *, with_body: bool) -> None:
        site = self.server.site
        with self.server.lock:
            site.requests[self.path] += 1
        document = site.answer(self.path)
        etag = f'"{zlib.crc32(document.body):08x}"'
        if document.status == HTTPStatus.OK and self.headers.get("If-None-Match") == etag:
            self.send_response(HTTPStatus.NOT_MODIFIED)
            self.send_header("ETag", etag)
            self.end_headers()
            return
        self.send_response(document.status)
        if document.location:
            self.send_header("Location", document.location)
        elif document.status == HTTPStatus.OK:
            self.send_header("ETag", etag)
        self.send_header("Content-Type", document.media_type)
        self.send_header("Content-Length", str(len(document.body)))
        self.end_headers()
        if with_body:
            self.wfile.write(document.body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """The terminal belongs to the crawl."""
