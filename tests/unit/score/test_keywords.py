"""Keywords are found as whole words in any of their forms, and a topic that says nothing is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.score.keywords import Keywords, parse_topic
from dowse.score.language import language, words_of

ENGLISH = language("en")


def keywords(topic: str) -> Keywords:
    return Keywords(parse_topic(topic, ENGLISH), ENGLISH)


@pytest.mark.parametrize(
    ("topic", "terms"),
    [
        ("time, bubble, sort", {"time": 1, "bubble": 1, "sort": 1}),
        ("bubble sort, quick sort", {"bubble sort": 1, "bubble": 0.5, "sort": 0.5, "quick sort": 1, "quick": 0.5}),
        ("how heat pumps work in old houses", {"heat": 1, "pumps": 1, "work": 1, "old": 1, "houses": 1}),
        ('"the who"', {"the who": 1}),
        ("sort^2", {"sort": 2}),
        ("sort^2 quick", {"sort": 2, "quick": 1}),
        ('"heat pump"^3, house', {"heat pump": 3, "house": 1}),
        ("sorting, sorts, sort", {"sorting": 1}),
        ("C3PO", {"c3po": 1}),
        ("naïve café", {"naïve": 1, "café": 1}),
    ],
)
def test_topics_become_terms(topic: str, terms: dict[str, float]) -> None:
    assert {term.text: term.weight for term in parse_topic(topic, ENGLISH)} == terms


@pytest.mark.parametrize("topic", ["", "   ", ",", "the", "how to be", "^2", '""', "!?"])
def test_topics_that_say_nothing_are_refused(topic: str) -> None:
    with pytest.raises(ValueError, match=r"is empty|only words that say nothing"):
        parse_topic(topic, ENGLISH)


@pytest.mark.parametrize(
    ("topic", "text", "counts"),
    [
        ("sort", "Sort, sorts; SORTED sorting.", [4]),
        ("sort", "resort consort sorbet assorted", [0]),
        ("sort", "heap_sort heap-sort (sort)", [3]),
        ('"bubble sort"', "bubble sort, Bubble-sorting, bubble. Sort, bubble the sort", [2]),
        ('"bubble sort"', "bubble\nsort", [0]),
        ("happy", "happiness happily happy", [2]),
        ("strasse", "Straße", [0]),
        ("art", "art party start arts", [2]),
        ('"bubble sort"', "\U0001f600 Ünïcödé — Bubble-Sort, éBubble sort bubble sorté", [1]),
    ],
)
def test_only_whole_words_are_found(topic: str, text: str, counts: list[int]) -> None:
    assert keywords(topic).find(text).counts == counts


def test_other_languages_have_their_own_forms() -> None:
    german = language("de")
    terms = parse_topic("die Häuser", german)
    assert [term.text for term in terms] == ["häuser"]
    assert Keywords(terms, german).find("Haus Hauses Häuser Hausmeister").counts == [3]


def test_a_share_is_by_weight() -> None:
    looked_for = keywords("sort^3, quick")
    assert looked_for.share(looked_for.find("a sort")) == 0.75
    assert looked_for.share(looked_for.find("nothing")) == 0


def test_more_of_it_in_less_text_is_denser() -> None:
    looked_for = keywords("sort")
    once, often = looked_for.find("sort"), looked_for.find("sort " * 9)
    assert looked_for.density(once, 100) < looked_for.density(often, 100) < 1
    assert looked_for.density(once, 5000) < looked_for.density(once, 100)


def test_the_context_is_the_telling_words_beside() -> None:
    looked_for = keywords("bank")
    text = "They sat on the bank of the river and fished"
    assert looked_for.context(text, looked_for.find(text), 10) == ["sat", "river", "fish"]


@given(st.lists(st.text("abs ort-.Q", max_size=20), max_size=8))
def test_texts_searched_in_one_go_are_as_searched_one_by_one(texts: list[str]) -> None:
    looked_for = keywords('"sort bars", sort, bar')
    found = looked_for.terms_in(texts)
    expected = [looked_for.share(looked_for.find(text)) for text in texts]
    assert [looked_for.share_of(found.get(number, ())) for number in range(len(texts))] == pytest.approx(expected)


@given(st.text(max_size=200))
def test_what_is_found_is_what_cutting_the_text_into_words_finds(text: str) -> None:
    looked_for = keywords("sort, bar")
    stems = ENGLISH.stems(words_of(f"{text} sorts {text}"))
    assert looked_for.find(f"{text} sorts {text}").counts == [stems.count("sort"), stems.count("bar")]
