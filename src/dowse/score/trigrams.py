"""Texts as counts of their character trigrams, hashed to a few hundred places; all texts of a page in one go."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.uint8]

_AT_ONCE = 1_000
_FACTORS = (0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D)
_END = b"\n\n"


def trigram_counts(texts: Sequence[str], size: int, longest: int = 200) -> Counts:
    """A row of counts for each text. Its end counts too, for the last letters of an address say most."""
    rows = [_counts(texts[start : start + _AT_ONCE], size, longest) for start in range(0, len(texts), _AT_ONCE)]
    return np.concatenate(rows) if rows else np.zeros((0, size), np.uint8)


def _counts(texts: Sequence[str], size: int, longest: int) -> Counts:
    encoded = [text.lower().encode("utf-8", "replace")[:longest] + _END for text in texts]
    letters = np.frombuffer(b"".join(encoded), np.uint8).astype(np.uint32)
    lengths = np.array([len(each) for each in encoded])
    hashed: NDArray[np.uint32] = np.zeros(len(letters) - 2, np.uint32)
    for at, factor in enumerate(_FACTORS):
        hashed += letters[at : len(letters) - 2 + at] * np.uint32(factor)
    hashed ^= hashed >> np.uint32(15)
    row = np.repeat(np.arange(len(texts)), lengths)[: len(hashed)]
    # A trigram that reaches into the next text belongs to neither.
    is_whole = np.ones(len(hashed), np.bool_)
    ends = lengths.cumsum()[:-1]
    is_whole[ends - 1] = is_whole[ends - 2] = False
    places = (row * size + hashed % np.uint32(size))[is_whole]
    return np.minimum(np.bincount(places, minlength=len(texts) * size), 255).astype(np.uint8).reshape(-1, size)
