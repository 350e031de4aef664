"""Word by word: what differs is marked, nothing else is, and both versions can be read from it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dowse.core.revisits.changes import Passage
from dowse.extract.changed_passages import MOST_PASSAGES, passages_of


def marked(passage: Passage) -> str:
    marks = {"same": "{}", "removed": "[-{}-]", "added": "{{+{}+}}"}
    return "".join(marks[piece.kind].format(piece.text) for piece in passage.pieces)


def shown(before: list[str], after: list[str]) -> list[str]:
    return [marked(passage) for passage in passages_of(before, after)]


def test_words_are_marked_and_not_whole_lines() -> None:
    assert shown(["Fees are 12 EUR a night."], ["Fees are 14 EUR a night."]) == ["Fees are [-12-]{+14+} EUR a night."]
    assert shown(["a b c d e f"], ["a x y d e f"]) == ["a [-b c-]{+x y+} d e f"]
    assert shown(["Fish and nets"], ["Fish and large nets"]) == ["Fish and {+large +}nets"]
    assert shown(["川の水は冷たい"], ["川の水は温かい"]) == ["川の水は[-冷た-]{+温か+}い"]


def test_noise_is_left_out() -> None:
    assert shown(["1,204 views", "Fish"], ["1,377 views", "Nets"]) == ["[-Fish-]{+Nets+}"]
    assert shown(["As of 3 March 2024", "x"], ["New here", "As of 4 March 2024", "x"]) == ["{+New here+}"]


def test_a_line_is_shown_with_the_one_it_was_made_from() -> None:
    before = ["The office is open on Monday", "Ask for Ann"]
    after = ["We have a new boat", "The office is open on Sunday", "Ask for Ann"]
    assert shown(before, after) == ["{+We have a new boat+}", "The office is open on [-Monday-]{+Sunday+}"]


def test_places_that_are_never_the_same_are_left_out() -> None:
    from dowse.extract.content_changes import compare_lines

    before, after = ["Top", "Early birds", "Fish"], ["Top", "Still waters", "Fish"]
    restless = compare_lines(before, after).places
    assert list(passages_of(before, after, restless=restless)) == []


def test_the_number_of_lines_is_bounded() -> None:
    assert len(shown([], [f"line {number} x" for number in range(3 * MOST_PASSAGES)])) == MOST_PASSAGES
    long = [" ".join(f"w{number}" for number in range(2_000))], [" ".join(f"v{number}" for number in range(2_000))]
    assert [piece.kind for passage in passages_of(*long) for piece in passage.pieces] == ["removed", "added"]


LINES = st.lists(st.text(alphabet="ab 1.", min_size=1, max_size=12).filter(str.strip), max_size=6)


@given(LINES, LINES)
def test_both_versions_can_be_read_from_the_passages(before: list[str], after: list[str]) -> None:
    for passage in passages_of(before, after):
        assert passage.before in ("", *before)
        assert passage.after in ("", *after)
        assert passage.before != passage.after
