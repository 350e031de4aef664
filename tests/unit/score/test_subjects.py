"""Topics with several subjects: a page need not be about more than one."""

from __future__ import annotations

import numpy as np
import pytest

from dowse.score.language import language
from dowse.score.topic import Topic
from dowse.score.vectors import Embedder
from dowse.score.vocabulary import HashedWords

ENGLISH = language("en")
EMBEDDER = Embedder(HashedWords(ENGLISH), ENGLISH)
PAGES = EMBEDDER.embed(["heat pumps and how a heat pump works", "insulation of roofs", "soup with carrots"])


def topic(words: str) -> Topic:
    return Topic(words, [], ENGLISH, EMBEDDER)


def test_pages_are_as_near_as_to_the_nearest_subject_alone() -> None:
    pumps, insulation = topic("pumps").nearness(PAGES), topic("insulation").nearness(PAGES)
    both = topic("pumps; insulation").nearness(PAGES)
    assert both == pytest.approx(np.maximum(pumps, insulation), abs=1e-6)
    assert both[2] < 0.2 < both[:2].min()


def test_each_subject_is_read_as_it_was_typed() -> None:
    assert topic("heat pumps^2, insulation of old houses").phrases == ["heat pumps", "insulation of old houses"]
    assert topic("heat pumps in old houses").phrases == ["heat pumps in old houses"]
    assert topic('"heat pump", insulation').phrases == ["heat pump", "insulation"]


def test_a_subject_that_tells_little_is_not_one_that_pages_are_about() -> None:
    assert topic("use, bubble").phrases == ["bubble"]


def test_a_short_phrase_counts_as_much_as_a_longer_subject() -> None:
    assert topic("depreciation of a car, home mortgage").phrases == ["depreciation of a car", "home mortgage"]


def test_terms_are_a_share_of_their_best_subject() -> None:
    made = topic("pumps, insulation")
    assert made.share_of({0}) == made.share_of({1}) == made.share_of({0, 1}) == 1
    assert topic("pumps insulation").share_of({0}) == 0.5
    assert made.share_of(()) == 0


def test_a_word_that_weighs_less_makes_texts_less_near() -> None:
    made = topic("pumps insulation")
    heavy, light = made.nearness(PAGES), made.nearness(PAGES, np.array([0.1, 1.0]))
    assert light[1] > heavy[1]
    assert light[0] < heavy[0]
