"""The words that pages on a topic have in common."""

from __future__ import annotations

import numpy as np
import pytest

from dowse.modes.focus.strategy import common_words
from dowse.rank.evidence import MOST_WORDS, WORD, Rows
from dowse.rank.shared_words import cut, shared_words
from dowse.score.language import language
from dowse.score.vocabulary import HashedWords, Vocabulary, word_number


def rows(*pages: tuple[str, str]) -> Rows:
    """Pages by their titles and texts."""
    english = language("en")
    vocabulary = Vocabulary(HashedWords(english), english)
    told = b""
    for title, text in pages:
        stems = vocabulary.stem_counts(vocabulary.read([f"{title} {text}"]))
        told += common_words(stems, title, english, 1.0)
    return np.frombuffer(told, np.dtype((WORD, (MOST_WORDS,))))


SORTS = [
    (f"{name} sort", f"sort items of an array by {name}, compare and swap") for name in ("bubble", "heap", "shell")
]
GARDENS = [
    (f"{name}s", f"{name} plants in a garden need water and light") for name in ("rose", "tulip", "lily", "fern")
]


def test_pages_with_the_company_of_the_topics_words_match_without_them() -> None:
    pages = [*SORTS * 2, ("gnome", "compare and swap items of an array"), *GARDENS * 4, ("roses", "a sort of rose")]
    seeming = np.array([0.8] * 6 + [0.1] + [0.1] * 16 + [0.6])
    words = rows(*pages)
    found = shared_words(seeming, words).found(words)
    threshold = cut(found)
    assert (found[:6] >= threshold).all()
    assert found[6] > found[7:].max()  # it has the words beside the topic's, the rose has one of the topic's own
    assert (found[7:] < threshold).all()
    assert found.min() >= 0
    assert found.max() == pytest.approx(1)


@pytest.mark.parametrize("count", [1, 9])
def test_a_few_pages_teach_nothing(count: int) -> None:
    words = rows(*(SORTS * count)[:count])
    assert not shared_words(np.linspace(0.1, 0.9, count), words).found(words).any()


def test_pages_without_words_teach_nothing() -> None:
    words = rows(*[("", "")] * 20)
    assert not shared_words(np.linspace(0.1, 0.9, 20), words).found(words).any()


@pytest.mark.parametrize(
    ("values", "expected"), [([0.0, 0.1, 0.1, 0.9, 1.0], 0.5), ([0.3] * 4, 0.3), ([0.2], 0.2), ([], 0.0)]
)
def test_the_cut_is_between_low_and_high_values(values: list[float], expected: float) -> None:
    assert cut(np.array(values)) == pytest.approx(expected)


def test_the_words_of_a_title_count_most_and_their_endings_too() -> None:
    told = rows(("Quicksort", "quicksort parts items, and items, and items again"))[0]
    weights = {int(row["stem"]): int(row["weight"]) for row in told if row["weight"]}
    assert weights[word_number("quicksort")] > weights[word_number("item")] > weights[word_number("part")]
    assert weights[word_number("-sort")] == 100
    assert word_number("and") not in weights


def test_a_title_that_says_a_word_twice_counts_it_once() -> None:
    told = rows(("Duran Duran", "duran " * 200))[0]
    assert 190 < told["weight"].max() <= 200
