"""What is read of a forum page before its posts or rows: its elements, its times and what they mean."""

from __future__ import annotations

from typing import NamedTuple

from turbohtml import Document

from dowse.core.urls import Base
from dowse.extract.posts.page_dates import PageDates, zone_of
from dowse.extract.posts.page_language import languages_of
from dowse.extract.posts.page_spots import Spot, read_spots
from dowse.extract.posts.time_marks import Mark, find_marks
from dowse.parse.page import Page


class PageReading(NamedTuple):
    """A page, its elements, its times, and what each time says, by where it stands."""

    tree: Document
    base: Base
    spots: list[Spot]
    marks: list[Mark]
    times: dict[int, str]


def read_page(page: Page | Document, url: str, fetched_at: float) -> PageReading:
    tree = page.tree if isinstance(page, Page) else page
    base = page.base if isinstance(page, Page) else _base(tree, url)
    root = tree.root
    if root is None:
        return PageReading(tree, base, [], [], {})
    spots = read_spots(root)
    language = (root.attr("lang") or "").strip()
    languages = languages_of(language, spots)
    marks = find_marks(spots, languages, fetched_at)
    dates = PageDates((language, *languages) if language else languages, fetched_at, marks, zone_of(spots))
    times = {mark.spot.index: time for mark in marks if (time := dates.read(mark))}
    return PageReading(tree, base, spots, [mark for mark in marks if mark.spot.index in times], times)


def _base(tree: Document, url: str) -> Base:
    written = tree.select_one("base[href]")
    href = written.attr("href") if written is not None else None
    return Base((href and Base(url).join(href)) or url)
