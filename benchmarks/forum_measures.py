"""How well a crawl of a forum went: which pages it asked for, which threads it has, which posts are right."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

from benchmarks.forum_posts import is_same_time, words

Identity = tuple[object, ...]


class Fetched(NamedTuple):
    """What was asked for: all pages, those that are index or thread pages, those that came again, threads seen."""

    pages: int
    useful: int
    again: int
    threads: int
    all_threads: int

    @property
    def effectiveness(self) -> float:
        return self.useful / self.pages if self.pages else 0.0

    @property
    def coverage(self) -> float:
        return self.threads / self.all_threads

    @property
    def duplicates(self) -> float:
        return self.again / self.pages if self.pages else 0.0


def identity(url: str, views: Sequence[Mapping[str, Any]]) -> Identity | None:
    """What a page shows: its type, its board or thread, and which page of it; None for all other pages.

    Parameters that are not the number of the page change nothing of that: they are other ways to the same page.
    """
    parts = urlsplit(url)
    for place, view in enumerate(views):
        found = re.fullmatch(view["path"], unquote(parts.path))
        if found is None:
            continue
        number = found.groupdict().get("page") or dict(parse_qsl(parts.query)).get(view["page"])
        named = [text for at, text in enumerate(found.groups(), 1) if at != found.re.groupindex.get("page")]
        return view["type"], place, tuple(named), str(number or view["first"])
    return None


def fetched(urls: Iterable[str], truth: Mapping[str, Any]) -> Fetched:
    """Measure the addresses of all pages that a crawl has got, in any order; a thread counts if all its pages do."""
    views = truth["views"]
    pages = useful = again = 0
    seen = set()
    for url in urls:
        pages += 1
        page = identity(url, views)
        if page is not None:
            useful += 1
            again += page in seen
            seen.add(page)
    there = sum(all(identity(url, views) in seen for url in thread["urls"]) for thread in truth["threads"])
    return Fetched(pages, useful, again, there, len(truth["threads"]))


class Posts(NamedTuple):
    """How many of all posts have the right author, time and text, and all three."""

    author: int
    time: int
    text: int
    right: int
    all: int


def posts(rows: Iterable[Mapping[str, Any]], truth: Mapping[str, Any]) -> Posts:
    """Compare the rows of `posts` with the truth, thread by thread and in order."""
    views = truth["views"]
    threads = {_thread(url, views): number for number, told in enumerate(truth["threads"]) for url in told["urls"]}
    found: dict[int, list[Mapping[str, Any]]] = {}
    for row in rows:
        number = threads.get(_thread(str(row["thread"]), views))
        if number is not None:
            found.setdefault(number, []).append(row)
    author = time = text = right = total = 0
    for number, thread in enumerate(truth["threads"]):
        rows_here = sorted(found.get(number, ()), key=lambda row: int(row["number"]))
        total += len(thread["posts"])
        for told, row in zip(thread["posts"], rows_here, strict=False):
            good = (
                str(row["author"]).strip().casefold() == told["author"].casefold(),
                is_same_time(told["time"], str(row["time"] or ""), truth["times"]),
                words(str(row["text"])) == words(told["text"]),
            )
            author, time, text = author + good[0], time + good[1], text + good[2]
            right += all(good)
    return Posts(author, time, text, right, total)


def _thread(url: str, views: Sequence[Mapping[str, Any]]) -> Identity | None:
    page = identity(url, views)
    return page[:3] if page is not None and page[0] == "thread" else None
