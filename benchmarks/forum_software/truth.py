"""What is in a forum that runs here: its boards, its threads with the addresses of their pages, its posts.

`truth.json` is written by the program that loads a forum:

    entry       the page where the forum begins
    times       how exactly the pages tell times: second, minute, hour or day
    views       which URLs show an index page or a thread page: path (a regular expression whose group `id` names the
                board or the thread, and `page` the page, if it is in the path), page (the parameter of the page) and
                first (the number of the first page)
    boards      name, parent (a name) and url
    threads     title, board (a name), urls of all its pages, posts (author, time in UTC, text, quotes)
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from urllib.parse import quote

from benchmarks.forum_software.content import Content, Thread


@dataclass(frozen=True, slots=True)
class View:
    """Which URLs show pages of a type."""

    type: str
    path: str
    page: str = "page"
    first: int = 1


@dataclass(slots=True)
class Truth:
    software: str
    entry: str
    times: str
    views: Sequence[View]
    boards: list[dict[str, object]] = field(default_factory=list)
    threads: list[dict[str, object]] = field(default_factory=list)

    def add_boards(self, content: Content, url: Callable[[int], str]) -> None:
        for number, board in enumerate(content.boards):
            parent = None if board.parent is None else content.boards[board.parent].name
            self.boards.append({"name": board.name, "parent": parent, "url": quoted(url(number))})

    def add_thread(self, content: Content, thread: Thread, urls: Sequence[str]) -> None:
        posts = [
            {
                "author": post.author,
                "time": post.time.isoformat(),
                "text": post.text,
                "quotes": [{"author": part.author, "text": part.text} for part in post.quotes],
            }
            for post in thread.posts
        ]
        board = content.boards[thread.board].name
        self.threads.append(
            {"title": thread.title, "board": board, "urls": [quoted(url) for url in urls], "posts": posts}
        )

    def write(self, path: Path) -> None:
        path.write_text(json.dumps(asdict(self), ensure_ascii=False, indent=1), encoding="utf-8")


def quoted(url: str) -> str:
    """The address as it is asked for: letters that are not ASCII are escaped."""
    return quote(url, safe=":/?&=%;@,+~")


def pages(posts: int, size: int) -> int:
    """How many pages so many posts fill."""
    return max(1, -(-posts // size))


def paged(url: str, number: int, parameter: str = "page", first: int = 1) -> list[str]:
    """The addresses of all pages of a thread whose first page has none of its own."""
    joint = "&" if "?" in url else "?"
    return [url, *(f"{url}{joint}{parameter}={first + page}" for page in range(1, number))]
