"""Word embeddings of wordllama: words that mean alike have vectors that point alike. An extra, without any network.

Its weights are in its package and have to be looked for there by name; left alone, it would ask a server for them.
A text is the sum of its words here, not of the tokens of the whole: the same but for words across a line, and words can
be remembered. It is truncated to its first components, which its training put the most into.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np

from dowse.core.optional_libraries import load
from dowse.score.tokens import Vector

SIZE = 128
"""Components: of the 256 there are, enough that crawls find as much; with 64 they find a little less."""

WORD_BEGINS = "\u2581"
"""What tokens begin with that begin a word."""


def is_installed() -> bool:
    """Whether the extra is there."""
    return find_spec("wordllama") is not None


class EmbeddedWords:
    """The embeddings of words, by the parts a tokenizer cuts them into."""

    name = f"wordllama-{SIZE}"
    size = SIZE
    knows_meaning = True

    def __init__(self) -> None:
        wordllama = load("wordllama", "semantic", "comparing words by meaning")
        folder = str(wordllama.__file__).rpartition("/")[0]
        loaded: Any = wordllama.WordLlama.load(cache_dir=folder, disable_download=True)
        self._table: Vector = loaded.embedding[:, :SIZE].astype(np.float32)
        self._tokenizer: Any = loaded.tokenizer
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()

    def vectors(self, words: Sequence[str]) -> Vector:
        # As one text: no token reaches over a space, and each word begins with one that says so.
        encoded = self._tokenizer.encode(" ".join(words), add_special_tokens=False)
        starts = [place for place, token in enumerate(encoded.tokens) if token.startswith(WORD_BEGINS)]
        rows: Vector = np.add.reduceat(self._table[encoded.ids], starts, axis=0)
        return rows
