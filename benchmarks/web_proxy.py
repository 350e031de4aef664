"""A small HTTP proxy on loopback that answers for every host from stored pages, and keeps a log of what was asked for.

Crawlers that are given it as their proxy can crawl a web of many hosts without a name being looked up; what is not
stored is answered by 404, and https by 502.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import NamedTuple, Self

from dowse.fetch.replay import Replayed

_NOT_FOUND = Replayed(404, {"content-type": "text/html"}, b"<title>not found</title>")
_NO_TUNNEL = Replayed(502, {"content-type": "text/plain"}, b"no tunnels here")


class Asked(NamedTuple):
    """A request: its URL, whether a page was the answer, and who asked, by the header User-Agent."""

    url: str
    is_page: bool
    agent: str


class WebProxy:
    """Answers while it is entered. `log` has every request in the order of arrival, `pages` counts those for pages.

    A crawler may ask for more than pages to follow, such as the heads of pages that it thinks about; if `agent` is
    given, only requests whose User-Agent has it are for pages.
    """

    def __init__(self, find: Callable[[str], Replayed | None], agent: str = "") -> None:
        self.log: list[Asked] = []
        self.pages = 0
        self._find, self._agent = find, agent
        self._writing = threading.Lock()

    def answer(self, method: str, url: str, agent: str) -> Replayed:
        """What is sent, once it has been written down."""
        found = _NO_TUNNEL if method == "CONNECT" else self._find(url.partition("#")[0]) or _NOT_FOUND
        is_html = found.status == 200 and found.headers["content-type"].startswith("text/html")
        is_page = is_html and method == "GET" and self._agent in agent
        with self._writing:
            self.log.append(Asked(url, is_page, agent))
            self.pages += is_page
        return found

    def __enter__(self) -> Self:
        self._server = _Server(self)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._server.shutdown()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False  # a crawler that was ended may have left connections open
    request_queue_size = 128

    def __init__(self, proxy: WebProxy) -> None:
        super().__init__(("127.0.0.1", 0), _Connection)
        self.proxy = proxy

    def handle_error(self, request: object, client_address: object) -> None:
        """Crawlers hang up when they have what they want, or when they are ended."""


class _Connection(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def _respond(self) -> None:
        url = self.path if "://" in self.path else f"http://{self.headers.get('Host', '')}{self.path}"
        found = self.server.proxy.answer(self.command, url, self.headers.get("User-Agent", ""))
        self.send_response(found.status)
        self.send_header("Content-Type", found.headers["content-type"])
        self.send_header("Content-Length", str(len(found.body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(found.body)

    do_GET = do_HEAD = do_CONNECT = _respond  # noqa: N815

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """The log is kept by the proxy."""
