"""What a page shows of a topic."""

from __future__ import annotations

import numpy as np

from dowse.core.model import Request, Response
from dowse.modes.focus.options import FocusOptions
from dowse.modes.focus.page_signs import PageSigns
from dowse.modes.focus.ranker import build_topic
from dowse.parse.page import Page
from dowse.rank.evidence import HEADING, TITLE, Rows, signs_type

SITE = "http://site.example/"


class Reader:
    """Reads pages for a topic, by keywords alone."""

    def __init__(self, topic: str) -> None:
        self.topic = build_topic(FocusOptions(topic=topic, by="keywords"))
        self._signs = PageSigns(self.topic)

    def read(self, html: str, name: str = "page") -> Rows:
        answer = Response(Request(f"{SITE}{name}", 0, "site.example"), 200, {}, html.encode(), 0.0, 0.0)
        page = Page(answer, kind="text/html", reads="outline")
        words = self.topic.embedder.vocabulary.read([page.outline.text])
        row: Rows = np.frombuffer(
            self._signs.read(page, page.outline, words, 0.0), signs_type(len(self.topic.telling))
        )[0]
        return row


def test_the_zones_of_words_are_told() -> None:
    row = Reader("heap sort").read(
        f"<title>The heap</title><h2>How to sort</h2><p>{'word ' * 400} sorting with a heap</p>"
    )
    heap, sort = row["zones"].tolist()
    assert heap == TITLE
    assert sort == HEADING
    assert row["counts"].tolist() == [1, 2]


def test_the_template_of_a_site_says_nothing_of_its_pages() -> None:
    reader = Reader("search")
    page = "<title>{name} - Search the manual</title><div>Search this manual: words</div><h3>Search</h3><p>{text}</p>"
    for number in range(8):
        plain = reader.read(page.format(name=f"Page {number}", text=f"Some {number} words"), f"p{number}")
    assert plain["counts"].tolist() == [0]
    assert plain["zones"].tolist() == [0]
    assert plain["title_share"] == 0
    about = reader.read(page.format(name="Full text search", text="How a search works"), "search")
    assert about["zones"].tolist() == [TITLE]
    assert about["counts"].tolist() == [1]


def test_a_section_far_down_counts() -> None:
    row = Reader("heap").read(f"<p>{'word ' * 3000}</p><h2>The heap</h2><p>A heap is a tree. The heap is fast.</p>")
    assert row["zones"].tolist() == [HEADING]
    assert row["counts"].tolist() == [3]
