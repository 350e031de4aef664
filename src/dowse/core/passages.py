"""What a page says, as numbers that are small enough to send: its blocks (lines of text) and the words in each.

    title       one 64-bit hash                                                    made by parse/blocks.py
    blocks      one 64-bit hash each, and whether it holds a number
    lengths     words in each block
    words       one 32-bit hash each

The worker makes it and packs it into the outcome; the store takes away the blocks that the site repeats and makes a
fingerprint of the rest (core/simhash.py).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Hashes = npt.NDArray[np.uint64]
Words = npt.NDArray[np.uint32]

_HEAD = 16


class Passages(NamedTuple):
    """The text of one page. The lowest bit of a block's hash says whether there is a number in it."""

    title: int
    blocks: Hashes
    lengths: Words
    words: Words

    def pack(self) -> bytes:
        head = self.title.to_bytes(8, "little", signed=True) + len(self.blocks).to_bytes(8, "little")
        return b"".join((head, self.blocks.tobytes(), self.lengths.tobytes(), self.words.tobytes()))

    @classmethod
    def unpack(cls, data: bytes) -> Passages:
        number = int.from_bytes(data[8:_HEAD], "little")
        lengths, words = _HEAD + 8 * number, _HEAD + 12 * number
        return cls(
            int.from_bytes(data[:8], "little", signed=True),
            np.frombuffer(data, np.uint64, number, _HEAD),
            np.frombuffer(data, np.uint32, number, lengths),
            np.frombuffer(data, np.uint32, -1, words),
        )

    def without(self, repeated: npt.NDArray[np.bool_]) -> Words:
        """The words of the blocks that are not repeated."""
        return self.words[~np.repeat(repeated, self.lengths)] if repeated.any() else self.words
