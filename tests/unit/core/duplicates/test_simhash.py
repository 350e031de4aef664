"""Signatures find what may be alike, sketches say how much."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.core.duplicates.passages import Hashes, Words
from dowse.core.duplicates.simhash import likeness, link_sketch, signature, sketch


def words(seed: int, number: int) -> Words:
    return np.random.default_rng(seed).integers(0, 2**32, number, dtype=np.uint32)


def links(*numbers: int) -> Hashes:
    return np.array(numbers, np.uint64)


def bits(one: int, other: int) -> int:
    return ((one ^ other) & (2**64 - 1)).bit_count()


@given(st.integers(0, 1000), st.integers(1, 400))
def test_a_text_is_like_itself_and_not_like_another(seed: int, number: int) -> None:
    one, other = words(seed, number), words(seed + 5000, number)
    assert likeness(sketch(one), sketch(one)) == 1.0
    assert likeness(sketch(one), sketch(other)) < 0.1
    assert -(2**63) <= signature(one) < 2**63


@settings(max_examples=30)
@given(st.integers(0, 1000), st.integers(300, 3000), st.floats(0.0, 0.6))
def test_likeness_estimates_what_share_of_the_runs_is_common(seed: int, number: int, changed: float) -> None:
    one = words(seed, number)
    other = np.concatenate([one[: int(number * (1 - changed))], words(seed + 5000, int(number * changed))])
    runs = [set(zip(text.tolist(), text[1:].tolist(), text[2:].tolist(), strict=False)) for text in (one, other)]
    true = len(runs[0] & runs[1]) / len(runs[0] | runs[1])
    assert abs(likeness(sketch(one), sketch(other)) - true) < 0.15


def test_one_word_of_a_hundred_is_seen() -> None:
    one = words(1, 100)
    other = one.copy()
    other[50] = 7
    assert 0.90 < likeness(sketch(one), sketch(other)) < 0.98
    assert bits(signature(one), signature(other)) <= 4
    assert bits(signature(one), signature(words(2, 100))) > 12


def test_short_texts_and_no_links() -> None:
    assert likeness(sketch(words(1, 1)), sketch(words(1, 1))) == 1.0
    assert likeness(link_sketch(links()), link_sketch(links())) == 0.0
    assert likeness(link_sketch(links(1, 2, 3)), link_sketch(links(3, 2, 1))) == 1.0
    assert likeness(link_sketch(links(1, 2, 3)), link_sketch(links(4, 5, 6))) == 0.0
