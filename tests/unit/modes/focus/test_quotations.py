"""The lines of a page that a person is shown when asked about it."""

from __future__ import annotations

from dowse.modes.focus.options import FocusOptions
from dowse.modes.focus.quotations import lines_about
from dowse.modes.focus.ranker import build_topic

KEYWORDS = build_topic(FocusOptions(topic="fishing vessels")).keywords


def test_the_two_lines_that_have_most_of_the_topic_in_their_order() -> None:
    text = """Home
        Fishing
        The port is open to a fishing vessel at any time of the day.
        The harbour has a market.
        Fishing in the river needs a licence of its own.
        Vessels of other countries that were fishing are inspected."""
    assert lines_about(text, KEYWORDS, 71) == [
        "The port is open to a fishing vessel at any time of the day.",
        "Vessels of other countries that were fishing are inspected.",
    ]


def test_a_long_line_is_cut_around_the_first_word_of_the_topic_to_two_rows() -> None:
    rows = lines_about(f"{'so many words ' * 20}on a fishing vessel {'and more words ' * 20}", KEYWORDS, 71)
    assert len(rows) == 2
    assert rows[0].startswith("…")
    assert rows[1].endswith("…")
    assert "on a fishing vessel and more" in rows[0]
    assert all(len(row) <= 71 for row in rows)


def test_of_a_page_without_the_words_the_first_sentence_is_shown() -> None:
    text = "Health\nThis page is about the health of schools in the whole country.\nAnd of teachers."
    assert lines_about(text, KEYWORDS, 71) == ["This page is about the health of schools in the whole country."]
    assert lines_about("A page about health.\nAnd schools.", KEYWORDS, 71) == []


def test_a_text_without_spaces_fills_two_rows_too() -> None:
    rows = lines_about("学校の健康について" * 30, KEYWORDS, 71)
    assert [len(row) for row in rows] == [71, 71]
    assert rows[1].endswith("…")
