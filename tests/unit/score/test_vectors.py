"""Vectors of texts."""

from __future__ import annotations

import numpy as np
import pytest

from dowse.score import vocabulary
from dowse.score.language import language
from dowse.score.vectors import Embedder, large, small
from dowse.score.vocabulary import HashedWords, word_number


@pytest.fixture
def embedder() -> Embedder:
    english = language("en")
    return Embedder(HashedWords(english), english)


@pytest.mark.parametrize("text", ["heap sort", "Heap-sort,", "(heap) SORT!", "sort heaps", "heap\n\tsorts"])
def test_a_text_is_the_sum_of_its_words_however_they_are_written(embedder: Embedder, text: str) -> None:
    assert embedder.embed_text(text) == pytest.approx(embedder.embed_text("heap sort"), abs=1e-6)


def test_a_text_is_the_same_the_second_time_and_beside_others(embedder: Embedder) -> None:
    first = embedder.embed_text("roses are red")
    rows = embedder.embed(["violets", "", "--", "roses are red"])
    assert rows[3] == pytest.approx(first, abs=1e-6)
    assert not rows[1].any()
    assert not rows[2].any()


def test_vectors_have_length_1_and_survive_in_bytes(embedder: Embedder) -> None:
    row = embedder.embed_text("a page about gardens and their plants")
    assert np.linalg.norm(row) == pytest.approx(1)
    assert large(small(row)) == pytest.approx(row, abs=1 / 256)


@pytest.mark.parametrize("text", ["The roses, and of the", "roses \x01", "\u201croses\u201d \u2013", "ROSES'"])
def test_what_says_nothing_is_left_out(embedder: Embedder, text: str) -> None:
    rows = embedder.embed([text, "violets"])
    assert rows == pytest.approx(embedder.embed(["roses", "violets"]), abs=1e-6)


def test_words_are_told_by_the_numbers_of_their_stems(embedder: Embedder) -> None:
    words = embedder.vocabulary.read(["Sorting of a heap", "", "heaps, x"])
    assert words.ends.tolist() == [2, 3, 6]
    expected = [word_number("sort"), word_number("heap"), 0, 0, word_number("heap"), 0, 0]
    assert embedder.vocabulary.stems(words.rows) == expected


def test_few_words_are_remembered(embedder: Embedder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vocabulary, "_WORDS_KEPT", 5)
    first = embedder.embed_text("word number 0")
    for number in range(9):
        embedder.embed_text(f"word number {number}")
        assert len(embedder.vocabulary._rows) <= 7
    assert embedder.embed_text("word number 0") == pytest.approx(first, abs=1e-6)
