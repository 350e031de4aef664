"""Words near a topic in the embeddings of wordllama, among the whole words that its vocabulary has."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from dowse.score.keywords import Term
from dowse.score.language import Language
from dowse.score.semantic import WORD_BEGINS, EmbeddedWords
from dowse.score.tokens import Vector
from dowse.score.vectors import Embedder, unit

MOST = 16
_NEAR = 0.5
"""Words less near than this have little to do with the topic, as lists of them show."""

_SHORTEST = 3


class _Vocabulary(EmbeddedWords):
    """The embeddings with the words they are of."""

    def __init__(self) -> None:
        super().__init__()
        whole = (token[1:] for token in self._tokenizer.get_vocab() if token.startswith(WORD_BEGINS))
        self.words = sorted(
            word for word in whole if len(word) >= _SHORTEST and word.isascii() and word.isalpha() and word.islower()
        )
        self.rows: Vector = unit(self.vectors(self.words))


@cache
def _vocabulary() -> _Vocabulary:
    return _Vocabulary()


def neighbours(terms: Sequence[Term], language: Language) -> dict[str, float]:
    """The nearest words with how near they are, nearest first, without forms of the keywords. Needs the extra."""
    known = _vocabulary()
    vectors = Embedder(known, language).embed([term.text for term in terms])
    near = known.rows @ unit(np.array([term.weight for term in terms], np.float32) @ vectors)
    own = {stem for term in terms for stem in term.stems}
    found: dict[str, float] = {}
    for place in np.argsort(-near, kind="stable").tolist():
        if near[place] < _NEAR or len(found) == MOST:
            break
        word = known.words[place]
        is_piece = any(stem.startswith(word) for stem in own)  # a vocabulary has beginnings of words, too: expres
        if not is_piece and language.stem(word) not in own and word not in language.stop_words:
            found[word] = round(float(near[place]), 3)
    return found
