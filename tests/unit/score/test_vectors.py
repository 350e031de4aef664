"""Vectors of texts."""

from __future__ import annotations

import numpy as np
import pytest

from dowse.score import vectors
from dowse.score.language import language
from dowse.score.vectors import Embedder, HashedWords, large, small


@pytest.fixture
def embedder() -> Embedder:
    return Embedder(HashedWords(language("en")))


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


def test_texts_that_come_again_are_what_they_were(embedder: Embedder) -> None:
    links = ["home", "", "heap sort", "home"]
    for text in ("the first page", "the second page"):
        own, others = embedder.embed_small(text, links)
        assert own + others == small(embedder.embed([text, *links])).tobytes()


def test_few_texts_are_remembered(embedder: Embedder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "_TEXTS_KEPT", 3)
    for number in range(9):
        embedder.embed_small("a page", ["home", f"chapter {number}"])
        assert len(embedder._known) <= 3
