"""A site without a network: any address below its host is a typical page, made in memory in a few microseconds.

Typical is what the manuals are on average: 36 kB, 1,500 tags, 103 anchors, of which 12 lead into the page itself and
91 to 74 other addresses. Most of those are on every page; the rest are pages that were found not long before this one,
pages from anywhere in the crawl, addresses of another site, and one new page, so that as much is found as is fetched
and the frontier keeps its size.
"""

from __future__ import annotations

import time
from random import Random

from dowse.core.model import Failure, Request, Response
from dowse.core.protocols import Sink

NAVIGATION = 55
NEIGHBOURS = 14
ANYWHERE = 2
ELSEWHERE = 2
NEW = 1
REPEATED = 17
WITHIN = 12
FOLDER = 1000
"""Pages in one folder."""

_HOLE = "\0"
_WORDS = [
    "crawl",
    "page",
    "host",
    "link",
    "order",
    "frontier",
    "robots",
    "content",
    "table",
    "state",
    "request",
    "memory",
]
HEADERS = {
    "server": "nginx",
    "content-type": "text/html; charset=utf-8",
    "content-length": "36000",
    "connection": "keep-alive",
    "etag": '"65a1b2c3-8ca0"',
    "last-modified": "Fri, 12 Jan 2024 10:00:00 GMT",
}


def address(origin: str, number: int) -> str:
    """Where page `number` is."""
    return f"{origin}part{number // FOLDER}/page-{number}.html"


def number_of(url: str) -> int:
    """The reverse; 1 for the front page."""
    return int(url.rpartition("-")[2].removesuffix(".html")) if "-" in url else 1


class NullFetcher:
    """Answers with typical pages. `known` pages had been found before the run; page n tells of page `known` + n."""

    def __init__(self, origin: str, known: int) -> None:
        self._origin = origin
        self._known = known
        self._random = Random(9)
        self._parts = [part.encode() for part in _template(origin).split(_HOLE)]
        self.seconds = 0.0

    async def fetch(self, request: Request, sink: Sink | None = None) -> Response | Failure:
        started = time.thread_time()
        body = self.page(number_of(request.url))
        response = Response(request, 200, HEADERS, body, time.time(), 0.001, "127.0.0.1", len(body))
        self.seconds += time.thread_time() - started
        return response

    async def close(self) -> None:
        pass

    def page(self, number: int) -> bytes:
        """The body of one page."""
        choose = self._random.randrange
        numbers = [choose(max(1, number - FOLDER), number + 1) for _ in range(NEIGHBOURS)]
        numbers += [choose(1, self._known) for _ in range(ANYWHERE)]
        addresses = [address(self._origin, each) for each in (*numbers, self._known + number)]
        addresses += [f"http://elsewhere.test/{number}/{each}.html" for each in range(ELSEWHERE)]
        pieces = [self._parts[0]]
        for hole, part in zip(addresses, self._parts[1:], strict=True):
            pieces += (hole.encode(), part)
        return b"".join(pieces)


def _template(origin: str) -> str:
    """The page with a hole for each address that differs from page to page."""
    random = Random(4)
    links = [f'href="{address(origin, number)}"' for number in range(1, NAVIGATION + 1)]
    links += [f'href="{address(origin, number)}#part-{number}"' for number in range(1, REPEATED + 1)]
    links += [f'href="#section-{number}"' for number in range(WITHIN)]
    links += [f'href="{_HOLE}"'] * (NEIGHBOURS + ANYWHERE + NEW + ELSEWHERE)
    sections = []
    for number, link in enumerate(links):
        words = random.choices(_WORDS, k=25)
        sections.append(
            f'<div class="section" id="section-{number}"><h3>{words[0]} {words[1]}</h3><p>{" ".join(words)}</p>'
            f'<p><code>{words[4]}</code> <a class="reference" {link}><em>{words[2]}</em> {words[3]}</a></p></div>'
        )
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>A typical page</title>'
        '<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/style.css"></head>'
        f"<body>{''.join(sections)}</body></html>"
    )
