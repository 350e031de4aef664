"""Serve a board in the manner of some software, or a mirror of it, in which some pages are missing."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape, unescape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple
from urllib.parse import urldefrag, urljoin, urlsplit
from zlib import crc32

from benchmarks.forum_mirrors.manner import Manner, Shown
from benchmarks.forum_mirrors.names import address_of, named

_HREF = re.compile(r"""(<[aA]\b[^>]*?\s(?:href|HREF)=)(["']?)([^"'\s>]+)\2""")
_GONE = b"<html><head><title>404 Not Found</title></head><body><h1>Not Found</h1></body></html>"


class Mirror(NamedTuple):
    """A board, how its pages are named, and how many in a hundred are missing."""

    manner: Manner
    scheme: str = "live"
    missing: int = 0

    def is_missing(self, address: str) -> bool:
        path = address.partition("?")[0]
        is_entry = address in ("", self.manner.entry) or path in ("", "index.html")
        return not is_entry and crc32(address.encode()) % 100 < self.missing

    def address(self, target: str) -> str | None:
        """The address of the board that a path of the mirror stands for; None if it is outside of it."""
        folder = self.manner.folder
        if not target.startswith(folder):
            return None
        found = address_of(target.removeprefix(folder), self.scheme)
        is_own = self.scheme == "live" or self.manner.show(found) is not None
        return found if is_own else found.removesuffix(".html")

    def shown(self, address: str) -> Shown | None:
        """What a page of the board is; None if there is none."""
        return self.manner.show(address)

    def body(self, address: str) -> bytes | None:
        """What the mirror answers."""
        page = None if self.is_missing(address) else self.shown(address)
        if page is None:
            return None
        return self._renamed(address, page.markup).encode(self.manner.charset, "xmlcharrefreplace")

    def links(self, address: str, markup: str) -> list[str]:
        """The addresses of the board that a page links to."""
        found = [self._inner(address, unescape(href)) for _, _, href in _HREF.findall(markup)]
        return [target for target in found if target is not None]

    def _inner(self, address: str, href: str) -> str | None:
        base = f"http://board{self.manner.folder}"
        target = urldefrag(urljoin(base + address, href))[0]
        return target.removeprefix(base) if target.startswith(base) else None

    def _renamed(self, address: str, markup: str) -> str:
        if self.scheme == "live":
            return markup

        def local(found: re.Match[str]) -> str:
            href = unescape(found[3])
            target = self._inner(address, href)
            if target is None or href.startswith("#"):
                return found[0]
            anchor = "#" + href.partition("#")[2] if "#" in href else ""
            up = "../" * named(address, self.scheme).partition("?")[0].count("/")
            return f'{found[1]}"{escape(up + named(target, self.scheme) + anchor)}"'

        return _HREF.sub(local, markup)


@contextmanager
def served(mirror: Mirror) -> Iterator[str]:
    """Answer on loopback; the address of the server, without its last slash."""

    class Answer(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            address = mirror.address(self.path)
            body = mirror.body(address) if address is not None else None
            self.send_response(200 if body is not None else 404)
            # Files of a mirror are sent without a charset: their pages tell it, or nobody does.
            charset = f"; charset={mirror.manner.charset}" if mirror.scheme == "live" or body is None else ""
            self.send_header("Content-Type", f"text/html{charset}")
            self.send_header("Content-Length", str(len(_GONE if body is None else body)))
            self.end_headers()
            self.wfile.write(_GONE if body is None else body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def target_of(url: str) -> str:
    """Path and parameters of a URL."""
    parts = urlsplit(url)
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
