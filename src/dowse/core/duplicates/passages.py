"""What a page says, as numbers that are small enough to send: its blocks (lines of text) and the words in each.

    title       one 64-bit hash, 0 for none                                        made by parse/blocks.py
    blocks      one 64-bit hash each, and whether it holds a number
    lengths     words in each block
    words       one 32-bit hash each
    links       one 64-bit hash for each place the page leads to, as it is written there

The worker makes it and packs it into the outcome; the store takes away the blocks that the site repeats and makes a
fingerprint of the rest (core/duplicates/simhash.py).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Hashes = npt.NDArray[np.uint64]
Words = npt.NDArray[np.uint32]

_HEAD = 24


class Passages(NamedTuple):
    """The text of one page. The lowest bit of a block's hash says whether there is a number in it."""

    title: int
    blocks: Hashes
    lengths: Words
    words: Words
    links: Hashes

    def pack(self) -> bytes:
        head = np.array([self.title, len(self.blocks), len(self.links)], np.int64)
        return b"".join(part.tobytes() for part in (head, self.blocks, self.links, self.lengths, self.words))

    @classmethod
    def unpack(cls, data: bytes) -> Passages:
        title, blocks, links = np.frombuffer(data, np.int64, 3).tolist()
        lengths = _HEAD + 8 * (blocks + links)
        return cls(
            title,
            np.frombuffer(data, np.uint64, blocks, _HEAD),
            np.frombuffer(data, np.uint32, blocks, lengths),
            np.frombuffer(data, np.uint32, -1, lengths + 4 * blocks),
            np.frombuffer(data, np.uint64, links, _HEAD + 8 * blocks),
        )

    def parts(self) -> Hashes:
        """All that a site could repeat: the title, the blocks, the links."""
        title = np.array([self.title], np.int64).view(np.uint64)
        return np.concatenate([title, self.blocks, self.links])

    def own(self, repeated: npt.NDArray[np.bool_]) -> tuple[int, Words, Hashes]:
        """Title (0 if there is none), words and links without the parts that are repeated."""
        end = 1 + len(self.blocks)
        title = 0 if repeated[0] else self.title
        return title, self.words[~np.repeat(repeated[1:end], self.lengths)], self.links[~repeated[end:]]
