"""The part of a text that shows why it was found."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dowse.score.snippets import LENGTH, Needle, folded, snippet

FILLER = "Other things are told here. " * 30


def words(text: str, marks: list[tuple[int, int]]) -> list[str]:
    return [text[first:last] for first, last in marks]


def heat(word: str) -> bool:
    return word.lower().startswith("heat")


def test_it_is_where_most_of_the_words_are() -> None:
    text = f"Heat is one thing. {FILLER} The heating\n\n of a pump is good. {FILLER}"
    found = snippet(text, [Needle("heat", heat), Needle("pump", lambda word: word == "pump")])
    assert words(*found) == ["heating", "pump"]
    assert found.text.startswith("… The heating of a pump is good. Other things")
    assert found.text.endswith(" …")
    assert len(found.text) <= LENGTH + 4


def test_a_word_that_only_looks_alike_is_not_marked() -> None:
    found = snippet("A cheat and a heater.", [Needle("heat", heat)])
    assert words(*found) == ["heater"]


def test_accents_and_capitals_do_not_matter() -> None:
    found = snippet("Der CAFÉ-Betrieb ist offen.", [Needle("cafe", lambda word: folded(word) == "cafe")])
    assert words(*found) == ["CAFÉ"]


def test_a_syllable_of_korean_is_one_letter() -> None:
    found = snippet("아파치 가상호스트 문서", [Needle("가상호스트")])
    assert words(*found) == ["가상호스트"]


def test_texts_without_spaces_are_cut_between_characters() -> None:
    found = snippet("天" * 400 + "热泵" + "地" * 400, [Needle("热泵")])
    assert words(*found) == ["热泵"]
    assert len(found.text) <= LENGTH + 4


def test_without_the_words_it_is_the_beginning() -> None:
    assert snippet("It begins here. Then.", [Needle("heat", heat)]).text == "It begins here. Then."
    assert snippet("", []).text == ""


@given(st.text(max_size=700) | st.text("abé热泵 .\n", max_size=700), st.text("abé热泵", min_size=1, max_size=3))
def test_marks_are_inside_and_in_order_whatever_the_text(text: str, part: str) -> None:
    found = snippet(text, [Needle(folded(part))])
    assert len(found.text) <= LENGTH + 4
    places = [place for mark in found.marks for place in mark]
    assert places == sorted(places)
    assert all(0 <= first < last <= len(found.text) for first, last in found.marks)
    assert "\n" not in found.text
