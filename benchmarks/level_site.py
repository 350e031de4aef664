"""A site with as many levels as one likes, for curves over crawl depth and over the number of rules.

    /                               the list: the first level, in an element of the class items; a menu; a footer
    /TOPIC/LEVEL/NUMBER.html        a page: one document of each kind, pages of the next level, pages of other topics
    /about/TOPIC-NUMBER.html        what menus lead to; these pages have documents, too, that nobody wants
    /documents/...                  the documents themselves, which no crawler has to fetch

Wanted are the documents of some kinds of the pages about harbours, down to a level. "Harbour" is in the menu of every
page as well. All comes from the numbers, so that the site is the same every time.
"""

from __future__ import annotations

from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from types import TracebackType
from typing import Any, Self

LEVELS, PAGES = 6, 100
TOPIC = "harbour"
TOPICS = (TOPIC, "railway", "airport", "bridge")
KINDS = ("pdf", "docx", "xlsx", "pptx", "zip", "csv")
"""What the documents of a page end in; each page has one of each."""

_ABOUT = 8
_NEXT = 3


def wanted(url: str, depth: int, kinds: int) -> frozenset[str]:
    """The documents of the first kinds that pages about the topic have, down to a level."""
    return frozenset(
        f"{url}{_document(TOPIC, level, number, kind)[1:]}"
        for level in range(1, depth + 1)
        for number in range(PAGES)
        for kind in KINDS[:kinds]
    )


def rules(url: str, depth: int, kinds: int) -> list[dict[str, str]]:
    """The table that finds them: for each level one rule to go there, and one for each kind."""
    rows = []
    for level in range(1, depth + 1):
        before, here = "base" if level == 1 else f"level{level - 1}", f"level{level}"
        way = {"baseURL": url, "class": "items"}
        rows.append(way | {"ruleType": "follow", "fromType": before, "toType": here, "pattern": f"/{TOPIC}/"})
        keeping = way | {"ruleType": "keep", "fromType": here}
        rows += [keeping | {"pattern": rf"\.{kind}$"} for kind in KINDS[:kinds]]
    return rows


def _page(topic: str, level: int, number: int) -> str:
    return f"/{topic}/{level}/{number}.html"


def _document(topic: str, level: int, number: int, kind: str) -> str:
    return f"/documents/{topic}-{level}-{number}.{kind}"


@cache
def pages() -> dict[str, bytes]:
    """Every page by its path."""
    made = {"/": _html("Plans", [_page(topic, 1, number) for topic in TOPICS for number in range(PAGES)])}
    for topic in TOPICS:
        for level in range(1, LEVELS + 1):
            for number in range(PAGES):
                made[_page(topic, level, number)] = _html(
                    f"{topic} plan {level}-{number}", _items(topic, level, number)
                )
        for number in range(_ABOUT):
            reports = [f"/documents/about-{topic}-{number}.{kind}" for kind in KINDS]
            made[f"/about/{topic}-{number}.html"] = _html(f"About every {topic}", reports)
    return made


def _items(topic: str, level: int, number: int) -> list[str]:
    documents = [_document(topic, level, number, kind) for kind in KINDS]
    if level == LEVELS:
        return documents
    further = [_page(topic, level + 1, (number + step) % PAGES) for step in range(_NEXT)]
    others = [_page(other, level + 1, number) for other in TOPICS if other != topic]
    return [*documents, *further, *others]


def _html(title: str, items: list[str]) -> bytes:
    menu = [f"/about/{topic}-{number}.html" for topic in TOPICS for number in range(_ABOUT)]
    body = f"<nav>{_list(menu)}</nav><main><h1>{title}</h1><p>What is planned for every {title}.</p>"
    return f"<!doctype html><title>{title}</title>{body}<div class=items>{_list(items)}</div></main>".encode()


def _list(paths: list[str]) -> str:
    return "<ul>" + "".join(f'<li><a href="{path}">{path[1:].replace("/", " ")}</a></li>' for path in paths) + "</ul>"


class _Server(ThreadingHTTPServer):
    request_queue_size = 256  # of five, as it comes, most of the connections of a crawler would be lost


class LevelServer:
    """Serves the site from this process."""

    def __init__(self) -> None:
        self._server = _Server(("127.0.0.1", 0), _Answer)
        self.url = f"http://127.0.0.1:{self._server.server_port}/"

    def __enter__(self) -> Self:
        Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._server.shutdown()
        self._server.server_close()


class _Answer(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = 65_536  # headers and body in one packet: the second would wait for the first to be acknowledged

    def do_GET(self) -> None:
        body = pages().get(self.path)
        self.send_response(404 if body is None else 200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body or b"")))
        self.end_headers()
        self.wfile.write(body or b"")

    def log_message(self, *_: Any) -> None:
        pass
