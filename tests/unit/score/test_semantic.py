"""Vectors of words that mean alike."""

from __future__ import annotations

import sys
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.core.errors import ExtraMissing
from dowse.score import semantic
from dowse.score.semantic import EmbeddedWords

pytestmark = pytest.mark.skipif(not semantic.is_installed(), reason="the extra semantic is not installed")


@cache
def source() -> EmbeddedWords:
    return EmbeddedWords()


def test_a_library_that_is_gone_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wordllama", None)
    with pytest.raises(ExtraMissing, match=r"by meaning needs wordllama: pip install '.*\[semantic\]'"):
        EmbeddedWords()


@settings(max_examples=100, deadline=None)
@given(st.lists(st.from_regex(r"[^\W_]{1,12}", fullmatch=True), min_size=1, max_size=12))
def test_words_have_the_vectors_they_have_alone(words: list[str]) -> None:
    alone = np.concatenate([source().vectors([word]) for word in words])
    assert source().vectors(words).tolist() == alone.tolist()


def test_more_words_than_a_text_may_have_all_have_vectors() -> None:
    words = [f"word{number}" for number in range(3000)]
    assert source().vectors(words).shape == (3000, semantic.SIZE)


def test_words_that_mean_alike_point_alike() -> None:
    doctor, physician, carpet = source().vectors(["doctor", "physician", "carpet"])
    assert doctor @ physician > 2 * abs(doctor @ carpet)
