"""What a page shows of a topic in context."""

from __future__ import annotations

import numpy as np
import pytest

from dowse.core.model import Request, Response
from dowse.modes.focus.like_headings import LikeHeadings
from dowse.modes.focus.options import FocusOptions
from dowse.modes.focus.page_context import PageParts, cut_passages
from dowse.modes.focus.page_signs import PageSigns
from dowse.modes.focus.ranker import build_topic
from dowse.modes.focus.reading_choice import lack_of_context
from dowse.parse.page import Page
from dowse.rank.evidence import NOT_READ, Rows, signs_type
from dowse.rank.frames import frames_of
from dowse.rank.relevance import PageRelevance
from dowse.score.vectors import nearness

UNDO = "<title>Reset</title><h2>Undo a commit</h2><p>git reset moves HEAD back, so that the last commit is undone.</p>"
PUSH = "<title>Push</title><h2>Upload a commit</h2><p>git push uploads the last commit to a server.</p>"
RECIPE = "<title>Soup</title><h2>Carrots</h2><p>Cut the carrots, and boil them for half an hour.</p>"


class Reader:
    """Reads pages for a topic in context."""

    def __init__(self, topic: str) -> None:
        self.topic = build_topic(FocusOptions(topic=topic), reading="context")
        self._signs = PageSigns(self.topic)

    def read(self, *pages: str) -> Rows:
        return np.concatenate([self._row(html) for html in pages])

    def _row(self, html: str) -> Rows:
        answer = Response(Request("http://site.example/page", 0, "site.example"), 200, {}, html.encode(), 0.0, 0.0)
        page = Page(answer, kind="text/html", reads="outline")
        words = self.topic.embedder.vocabulary.read([page.outline.text])
        about = self.topic.vector(self.topic.term_weights)
        near = float(nearness(self.topic.embedder.embed_text(page.outline.text), about))
        made = self._signs.read(page, page.outline, words[: words.argmin()], near)
        row: Rows = np.frombuffer(made, signs_type(len(self.topic.telling)))
        return row


@pytest.fixture
def reader() -> Reader:
    if lack := lack_of_context():
        pytest.skip(lack)
    return Reader("undo the last commit")


def test_a_page_that_says_it_is_nearer_than_one_with_the_words(reader: Reader) -> None:
    undo, push = reader.read(UNDO, PUSH)
    assert undo["passages_near"] > push["passages_near"] + 0.1
    assert undo["closest_near"] > push["closest_near"] + 0.1
    assert undo["in_context"] > push["in_context"]


def test_the_words_of_a_topic_are_found_as_they_are_meant(reader: Reader) -> None:
    undo, other = reader.read(UNDO, "<title>Commit</title><h2>Commit last</h2><p>At last they commit to a plan.</p>")
    assert undo["words_near"].mean() > other["words_near"].mean() + 0.1
    assert undo["words_near"].max() <= 1


def test_words_that_say_nothing_are_not_looked_for(reader: Reader) -> None:
    (undo,) = reader.read(UNDO)
    (more,) = Reader("how to undo the last commit").read(UNDO)
    assert more["words_near"].mean() == pytest.approx(undo["words_near"].mean(), abs=0.1)


def test_an_unlikely_page_is_not_read_in_context(reader: Reader) -> None:
    (soup,) = reader.read(RECIPE)
    assert soup["passages_near"] == soup["closest_near"] == 0
    assert not soup["words_near"].any()
    assert not soup["closest"]["piece"].any()
    assert soup["in_context"] == NOT_READ


def test_what_was_not_read_counts_as_very_unlikely(reader: Reader) -> None:
    relevance = PageRelevance(reader.topic, in_context=True)
    unread, read = relevance.signs(reader.read(RECIPE, UNDO))[:, -1]
    assert unread == 0
    assert 0 < read <= 2


def test_the_nearest_parts_of_a_long_page_are_read(reader: Reader) -> None:
    filling = "Some words about nothing. " * 100
    text = f"{filling} The last commit can be undone by a reset. {filling}"
    headings = [f"Part {number}" for number in range(30)] + ["Undo commits"]
    parts = PageParts(reader.topic, LikeHeadings(reader.topic))
    assert parts.headings("Reset", headings)[0] == "Undo commits"
    assert len(parts.headings("Reset", headings)) == 4
    first, *others = parts.passages(text)
    assert "last commit can be undone" in first
    assert len(others) == 1


def test_a_page_tells_the_same_whatever_was_read_before(reader: Reader) -> None:
    (alone,) = reader.read(UNDO)
    *_, after = Reader("undo the last commit").read(RECIPE, PUSH, UNDO)
    assert after.tobytes() == alone.tobytes()


def test_a_heading_of_the_frame_is_not_the_closest(reader: Reader) -> None:
    menu = "<h3>Undo the last commit</h3>"
    pages = [f"<title>Page {name}</title>{menu}<h2>Commit {name}</h2><p>the last commit</p>" for name in "abcdef"]
    rows = reader.read(*pages)
    assert (rows["closest_near"] > 0.9).all()
    assert (frames_of(rows).without(rows)["closest_near"] < 0.8).all()


def test_a_topic_is_compared_as_it_was_typed() -> None:
    assert build_topic(FocusOptions(topic='how a "heat pump"^2.5 works')).phrase.split() == [
        "how", "a", "heat", "pump", "works",
    ]  # fmt: skip


def test_passages_overlap_and_leave_nothing_out() -> None:
    words = [f"word{number}" for number in range(300)]
    passages = cut_passages(" ".join(words))
    assert len(passages) > 5
    assert all(len(passage) < 350 for passage in passages)
    assert {word for passage in passages for word in passage.split()} == set(words)
    assert passages[0].split()[-6:] == passages[1].split()[:6]
