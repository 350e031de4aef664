"""Which pages match in the end, by the words they have in common."""

from __future__ import annotations

import numpy as np
import pytest

from dowse.core.saturation import FEWEST, find_threshold
from dowse.modes.focus.strategy import common_words
from dowse.rank.evidence import MOST_WORDS, WORD, Rows
from dowse.rank.final_relevance import match_by_words, settled
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
    found = match_by_words(seeming, rows(*pages))
    threshold = find_threshold(found.tolist())
    assert (found[:6] >= threshold).all()
    assert found[6] > found[7:].max()  # it has the words beside the topic's, the rose has one of the topic's own
    assert (found[7:] < threshold).all()
    assert found.min() >= 0
    assert found.max() == 1


@pytest.mark.parametrize("count", [1, FEWEST - 1])
def test_a_few_pages_stay_as_they_seem(count: int) -> None:
    seeming = np.linspace(0.1, 0.9, count)
    assert match_by_words(seeming, rows(*(SORTS * count)[:count])).tolist() == seeming.tolist()


def test_pages_without_words_stay_as_they_seem() -> None:
    seeming = np.linspace(0.1, 0.9, 20)
    assert match_by_words(seeming, rows(*[("", "")] * 20)).tolist() == seeming.tolist()


def test_the_words_of_a_title_count_most_and_their_endings_too() -> None:
    told = rows(("Quicksort", "quicksort parts items, and items, and items again"))[0]
    weights = {int(row["stem"]): int(row["weight"]) for row in told if row["weight"]}
    assert weights[word_number("quicksort")] > weights[word_number("item")] > weights[word_number("part")]
    assert weights[word_number("-sort")] == 100
    assert word_number("and") not in weights


def test_a_title_that_says_a_word_twice_counts_it_once() -> None:
    told = rows(("Duran Duran", "duran " * 200))[0]
    assert 190 < told["weight"].max() <= 200


NONE = np.zeros(100, bool)
"""No page names the topic in its title."""


def test_a_site_with_nothing_on_the_topic_has_no_match() -> None:
    own = np.array([0.05, 0.1] * 12)
    assert not settled(own, own * 3, NONE[:24], rows(*GARDENS * 6)).any()


def test_pages_that_only_have_a_template_in_common_do_not_push_out_what_was_asked_for() -> None:
    pages = [("Bubble sort", "sort items"), ("Heap sort", "sort by a heap"), *GARDENS * 6]
    own, seeming = np.array([0.7, 0.6] + [0.1] * 24), np.array([0.5, 0.4] + [0.45] * 24)
    assert settled(own, seeming, NONE[:26], rows(*pages)).tolist() == own.tolist()


def test_what_matches_is_ranked_by_how_near_it_is_to_the_topic_as_it_was_given() -> None:
    pages = [*SORTS * 4, ("gnome", "compare and swap items of an array"), *GARDENS * 5]
    own = np.array([*np.linspace(0.9, 0.5, 12), 0.1, *[0.1] * 20])
    found = settled(own, own, NONE[:33], rows(*pages))
    is_match = found >= find_threshold(found.tolist())
    assert is_match[:12].all()
    assert not is_match[13:].any()
    assert found[:12].tolist() == sorted(found[:12].tolist(), reverse=True)
    assert found.max() == 1


def test_a_page_that_names_a_smaller_subject_of_the_topic_matches() -> None:
    pages = [*SORTS * 4, ("Compost", "leaves and soil"), *GARDENS * 5]
    own = np.array([*np.linspace(0.9, 0.5, 12), 0.75, *[0.1] * 20])
    is_named = np.arange(33) == 12
    found = settled(own, own, is_named, rows(*pages))
    assert (found >= find_threshold(found.tolist())).nonzero()[0].tolist() == list(range(13))
