"""Related words: those of the meanings that the topic tells, with their weights."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.machine.wordnet import WordNet
from dowse.score import semantic
from dowse.score.keywords import parse_topic
from dowse.score.language import language
from dowse.score.related import MOST_WORDS, Related, related_words, told
from tests.dictionaries import write_wordnet

ENGLISH = language("en")


@pytest.fixture(scope="module")
def wordnet(tmp_path_factory: pytest.TempPathFactory) -> WordNet:
    return WordNet(write_wordnet(tmp_path_factory.mktemp("wordnet")))


def related(topic: str, wordnet: WordNet | None, *examples: str) -> Related:
    return related_words(parse_topic(topic, ENGLISH), ENGLISH, wordnet, {}, examples)


@pytest.mark.parametrize(
    ("topic", "has", "lacks"),
    [
        ("java, island", {"indonesia", "borneo"}, {"coffee", "beans", "language"}),
        ("java programming", {"language", "object"}, {"coffee", "indonesia"}),
        ("java, coffee", {"beverage", "beans"}, {"indonesia", "language"}),
        ("python snake", {"boa", "warm"}, {"dragon", "apollo"}),
        ("python, greek myths", {"dragon", "apollo"}, {"boa", "rock"}),
        ("python programming", set(), {"boa", "dragon"}),
        ("sort, algorithm", {"operation", "items"}, {"kind", "variety"}),
        ("sort of person", {"kind", "category"}, {"operation", "arrange"}),
        ("heat pumps in winter", {"device", "warms"}, {"shoe", "laces", "energy"}),
        ('"heat pump"', {"device", "warms"}, {"shoe", "laces", "energy"}),
        ("Java^3, island", {"indonesia"}, {"coffee"}),
    ],
)
def test_homonyms_have_the_relatives_of_what_is_meant(
    wordnet: WordNet, topic: str, has: set[str], lacks: set[str]
) -> None:
    words = related(topic, wordnet).words.keys()
    assert has <= words
    assert not lacks & words


def test_what_the_topic_does_not_tell_is_left_to_the_seeds(wordnet: WordNet) -> None:
    found = related("java", wordnet)
    assert found.words == {}
    assert [sense.definition for sense in found.undecided["java"]] == [
        "an island of Indonesia, south of Borneo", "a drink of roasted beans", "an object-oriented language",
    ]  # fmt: skip


def test_examples_tell_what_is_meant(wordnet: WordNet) -> None:
    found = related("java", wordnet, "A class of an object in this language is written like that")
    assert "language" in found.words
    assert not found.undecided


def test_weights_go_by_relation_and_by_the_keyword(wordnet: WordNet) -> None:
    words = related("java, coffee", wordnet).words
    assert words["beverage"] == 0.5
    assert words["beans"] == 0.3
    assert list(words.values()) == sorted(words.values(), reverse=True)
    lighter = related("java^0.5, coffee^0.5, xyz^1", wordnet).words
    assert lighter["beverage"] == 0.25


def test_forms_of_the_keywords_are_not_related_words(wordnet: WordNet) -> None:
    assert not {"sort", "sorting", "sorts"} & related("sort, algorithm", wordnet).words.keys()


def test_without_a_source_there_are_none() -> None:
    assert related("java, island", None) == Related()


def test_neighbours_count_by_how_near_they_are_if_the_dictionary_knows_them(wordnet: WordNet) -> None:
    terms = parse_topic("reptile", ENGLISH)
    near = {"serpent": 0.75, "rept": 0.7, "reptiles": 0.9}
    assert related_words(terms, ENGLISH, None, near).words == {"serpent": 0.6, "rept": 0.56}
    assert related_words(terms, ENGLISH, wordnet, near).words == {"serpent": 0.6}


SIGNATURES = st.lists(st.frozensets(st.integers(0, 20)), max_size=6)


@given(signatures=SIGNATURES, context=st.dictionaries(st.integers(0, 20), st.floats(0.1, 3)))
def test_only_meanings_that_share_words_are_told(signatures: list[frozenset[int]], context: dict[int, float]) -> None:
    meant = told(signatures, context)
    assert all(signatures[number] & context.keys() for number in meant)
    assert meant == sorted(set(meant))
    assert told(signatures, {}) == []


PIECES = st.sampled_from(["java", "island", "heat", "pump", "sort", "python", ",", "^2", '"', "of"])


@given(topic=st.lists(PIECES).map(" ".join))
def test_any_topic_has_a_bounded_number_of_related_words(topic: str, wordnet: WordNet) -> None:
    try:
        terms = parse_topic(topic, ENGLISH)
    except ValueError:
        return
    assert len(related_words(terms, ENGLISH, wordnet).words) <= MOST_WORDS


@pytest.mark.skipif(not semantic.is_installed(), reason="needs the extra semantic")
@pytest.mark.parametrize(
    ("topic", "has", "lacks"),
    [
        ("music", {"songs", "guitar"}, {"music", "money"}),
        ("bank money", {"financial", "currency"}, {"river", "banks", "bank"}),
        ("bank river", set(), {"financial", "currency"}),
        ("regular expression", {"regex"}, {"expres"}),
    ],
)
def test_neighbours_are_near_the_topic(topic: str, has: set[str], lacks: set[str]) -> None:
    from dowse.score.neighbours import MOST, neighbours

    found = neighbours(parse_topic(topic, ENGLISH), ENGLISH)
    assert has <= found.keys()
    assert not lacks & found.keys()
    assert len(found) <= MOST
    assert all(0.5 <= near <= 1 for near in found.values())
