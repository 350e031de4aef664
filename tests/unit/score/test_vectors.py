"""Vectors of texts."""

from __future__ import annotations

import numpy as np
import pytest

from dowse.score import vocabulary
from dowse.score.language import language
from dowse.score.vectors import Embedder, large
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
    text = "a page about gardens and their plants"
    row = embedder.embed_text(text)
    assert np.linalg.norm(row) == pytest.approx(1)
    assert large(embedder.units(embedder.vocabulary.read([text])))[0] == pytest.approx(row, abs=1 / 256)


@pytest.mark.parametrize("text", ["The roses, and of the", "roses \x01", "\u201croses\u201d \u2013", "ROSES'"])
def test_what_says_nothing_is_left_out(embedder: Embedder, text: str) -> None:
    rows = embedder.embed([text, "violets"])
    assert rows == pytest.approx(embedder.embed(["roses", "violets"]), abs=1e-6)


def test_the_stems_of_the_first_text_are_counted_in_their_order(embedder: Embedder) -> None:
    for _ in range(2):
        rows = embedder.vocabulary.read(["Sorting of a heap, x heaps", "", "heaps of trees"])
        counts = embedder.vocabulary.stem_counts(rows)
        assert counts.tolist() == [[word_number("sort"), 1], [word_number("heap"), 2]]


@pytest.mark.parametrize(("bound", "most"), [("_WORDS_KEPT", 5), ("_BYTES_KEPT", 20)])
def test_few_words_are_remembered(embedder: Embedder, monkeypatch: pytest.MonkeyPatch, bound: str, most: int) -> None:
    monkeypatch.setattr(vocabulary, bound, most)
    first = embedder.embed_text("word number 0")
    for number in range(9):
        embedder.embed_text(
            f"word number {number} \u2013{number * chr(0x2013)}"
        )  # dashes are remembered to say nothing
        assert len(embedder.vocabulary._words) <= 2 + 5
        assert embedder.vocabulary._met <= 5 + 3
    assert embedder.embed_text("word number 0") == pytest.approx(first, abs=1e-6)
