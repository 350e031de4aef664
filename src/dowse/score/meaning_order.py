"""Texts put in the order of how near they are in meaning to what somebody looks for, with their order by words.

Both orders count alike (reciprocal rank fusion): by words alone, pages that say it in other words are last; by meaning
alone, so are names and numbers, which have none.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dowse.score.language import language
from dowse.score.vectors import Embedder
from dowse.score.vocabulary import WordSource

_PASSAGE = 600
"""Characters of a text that are compared at once: a page may be about many things."""
_MOST_PASSAGES = 16
_EVEN = 60.0
"""The usual constant of the fusion: how little the very first places count before others."""


class MeaningOrder:
    """Compares texts by what their words mean. `spoken` is the language of most of them."""

    def __init__(self, source: WordSource, spoken: str = "english") -> None:
        try:
            known = language(spoken or "english")
        except ValueError:  # stop words are all it is for here
            known = language("english")
        self._embedder = Embedder(source, known)

    def order(self, asked: str, texts: Sequence[tuple[str, str]]) -> list[int]:
        """The numbers of texts, each a title and what follows, that come in their order by words; best first."""
        passages: list[str] = []
        owners: list[int] = []
        for number, (title, text) in enumerate(texts):
            parts = [text[at : at + _PASSAGE] for at in range(0, min(len(text), _PASSAGE * _MOST_PASSAGES), _PASSAGE)]
            passages += [title, *(f"{title}\n{part}" for part in parts)]
            owners += [number] * (1 + len(parts))
        if not passages:
            return []
        near = self._embedder.embed(passages) @ self._embedder.embed_text(asked)
        best = np.full(len(texts), -1.0)
        np.maximum.at(best, owners, near)
        by_meaning = np.empty(len(texts))
        by_meaning[np.argsort(-best, kind="stable")] = np.arange(len(texts))
        worth = 1 / (_EVEN + np.arange(len(texts))) + 1 / (_EVEN + by_meaning)
        return [int(number) for number in np.argsort(-worth, kind="stable")]
