"""What a page shows of a topic, and what of that is the frame of its site."""

from __future__ import annotations

import numpy as np

from dowse.core.model import Request, Response
from dowse.modes.focus.options import FocusOptions
from dowse.modes.focus.page_signs import PageSigns
from dowse.modes.focus.ranker import build_topic
from dowse.parse.page import Page
from dowse.rank.evidence import HEADING, OPENING, TITLE, TOGETHER, Rows, signs_type
from dowse.rank.frames import Frames, frames_of


class Reader:
    """Reads pages for a topic, by keywords alone."""

    def __init__(self, topic: str) -> None:
        self.topic = build_topic(FocusOptions(topic=topic, by="keywords"))
        self._signs = PageSigns(self.topic)

    def read(self, *pages: str, host: str = "site.example") -> Rows:
        return np.concatenate([self._row(html, host) for html in pages])

    def _row(self, html: str, host: str) -> Rows:
        answer = Response(Request(f"http://{host}/page", 0, host), 200, {}, html.encode(), 0.0, 0.0)
        page = Page(answer, kind="text/html", reads="outline")
        words = self.topic.embedder.vocabulary.read([page.outline.text])
        row: Rows = np.frombuffer(self._signs.read(page, page.outline, words, 0.0), signs_type(len(self.topic.telling)))
        return row


def framed(name: str, text: str) -> str:
    return f"<title>{name} - Search the manual</title><div>Search this manual: words</div><h3>Search</h3><p>{text}</p>"


PLAIN = [framed(f"Page {number}", f"Some {number} words") for number in range(8)]
ABOUT = framed("Full text search", "How a search works")


def test_the_zones_of_words_are_told() -> None:
    (row,) = Reader("heap sort").read(
        f"<title>The heap</title><h2>How to sort</h2><p>{'word ' * 400} sorting with a heap</p>"
    )
    heap, sort = row["zones"].tolist()
    assert heap == TITLE | TOGETHER
    assert sort == HEADING | OPENING | TOGETHER
    assert row["counts"].tolist() == [1, 2]
    assert row["title_share"] == 1


def test_the_frame_of_a_site_says_nothing_of_its_pages() -> None:
    rows = Reader("search").read(*PLAIN, ABOUT)
    *plain, about = frames_of(rows).without(rows)
    assert all(row["counts"].tolist() == row["zones"].tolist() == [0] for row in plain)
    assert not any(row["title_share"] for row in plain)
    assert about["zones"].tolist() == [TITLE | OPENING | TOGETHER]
    assert about["counts"].tolist() == [1]
    assert about["title_share"] == np.float32(1 / 3)


def test_the_first_page_of_a_site_is_judged_by_the_same_frame_as_the_last() -> None:
    reader = Reader("search")
    first, last = (reader.read(*pages) for pages in ([ABOUT, *PLAIN], [*PLAIN, ABOUT]))
    (begun,), (ended,) = frames_of(first).without(first)[:1], frames_of(last).without(last)[-1:]
    assert begun == ended


def test_the_frame_of_one_host_is_not_that_of_another() -> None:
    reader = Reader("search")
    rows = np.concatenate([reader.read(*PLAIN), reader.read(ABOUT, host="other.example")])
    (other,) = frames_of(rows).without(rows)[-1:]
    assert other["zones"].tolist() == [TITLE | HEADING | OPENING | TOGETHER]
    assert other["counts"].tolist() == [3]


def test_a_page_that_comes_is_read_by_the_frame_that_was_seen_before() -> None:
    reader = Reader("search")
    frames = frames_of(reader.read(*PLAIN))
    page = reader.read(ABOUT)
    assert Frames().without(page)["counts"].tolist() == [[3]]
    assert frames.without(page)["counts"].tolist() == [[1]]
    assert frames.without(page)["zones"].tolist() == [[TITLE | OPENING | TOGETHER]]


def test_of_many_words_those_at_both_ends_are_known_for_a_frame() -> None:
    pages = [
        f"<div>Search the manual from here on</div>{many_words(number)}<footer>That was all of the search</footer>"
        for number in range(3)
    ]
    rows = Reader("search").read(*pages)
    assert rows["counts"].tolist() == [[62]] * 3
    assert frames_of(rows).without(rows)["counts"].tolist() == [[60]] * 3


def many_words(page: int) -> str:
    sentences = " ".join(f"The search {page}-{number} differs from all {number}-{page}" for number in range(60))
    return f"<p>Page {page}: {sentences}</p>"


def test_a_section_far_down_counts() -> None:
    (row,) = Reader("heap").read(f"<p>{'word ' * 3000}</p><h2>The heap</h2><p>A heap is a tree. The heap is fast.</p>")
    assert row["zones"].tolist() == [HEADING | TOGETHER]
    assert row["counts"].tolist() == [3]


def test_words_far_from_each_other_are_not_together() -> None:
    gap = "word " * 200
    apart, near = Reader("undo commit").read(
        f"<p>{gap}To undo it.</p><p>{gap}A commit.</p><p>{gap}To undo it again.</p>",
        f"<p>{gap}A commit.</p><p>{gap}To undo it, commit the opposite.</p>",
    )
    assert sum(zones & TOGETHER > 0 for zones in apart["zones"].tolist()) == 1
    assert all(zones & TOGETHER for zones in near["zones"].tolist())


def test_the_nearest_heading_is_told_by_its_meaning_if_it_is_not_of_the_frame() -> None:
    other = "<title>Trees</title><h2>Water</h2><p>Some words</p>"
    far, near, none = Reader("heap sort").read(
        other, f"<h2>Sort by a heap</h2>{other}", "<p>Some words</p>"
    )  # fmt: skip
    assert near["heading_near"] > far["heading_near"] + 0.3
    assert none["heading_near"] == 0
    alike = Reader("heap sort").read(*[f"<h2>Sort by a heap</h2><p>Page {number}</p>" for number in range(8)])
    assert not frames_of(alike).without(alike)["heading_near"].any()


def test_a_section_far_down_a_long_page_is_found() -> None:
    (row,) = Reader("heap sort").read(
        f"<title>Essays</title><p>{'word ' * 20_000}</p><h2>Heaps</h2><p>A heap sorts.</p>"
    )
    assert row["counts"].tolist() == [2, 1]
