"""SimHash finds pages that may be alike, a sketch says how alike they are.

A signature is 64 bits; pages that share most of their words differ in a few of them. It is only good for finding
candidates: within one site it takes pages that are different for the same. A sketch is 256 bytes: the least hash of the
three-word runs of the text in each of 256 classes (one-permutation minwise hashing). The share of classes in which two
pages agree estimates what share of their runs is common (Jaccard), within two percent for long pages and nearly exactly
for short ones.
"""

from __future__ import annotations

import numpy as np

from dowse.core.duplicates.passages import Hashes, Words

SKETCH_CLASSES = 256
LINK_CLASSES = 64

_RUN = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9)


def signature(words: Words) -> int:
    """The SimHash of a text, a signed number; how often a word comes is its weight."""
    bits = np.unpackbits(_mixed(words.astype(np.uint64)).view(np.uint8)).reshape(-1, 64)
    is_set = bits.sum(0, dtype=np.uint32) * 2 > len(words)
    return int(np.packbits(is_set).view(np.int64)[0])


def sketch(words: Words) -> bytes:
    """The sketch of a text, by its runs of three words."""
    return _least(_runs(words), SKETCH_CLASSES)


def link_sketch(links: Hashes) -> bytes:
    """The same for the links of a page, one by one."""
    return _least(_mixed(links), LINK_CLASSES) if len(links) else bytes(LINK_CLASSES)


def likeness(one: bytes, other: bytes) -> float:
    """About what share of their runs of words, or of their links, two pages have in common."""
    left, right = np.frombuffer(one, np.uint8), np.frombuffer(other, np.uint8)
    common = np.count_nonzero((left == right) & (left != 0))
    either = np.count_nonzero(left | right)
    return float(common / either) if either else 0.0


def _least(hashes: Hashes, number: int) -> bytes:
    """A byte of the least hash in each class; 0 where a class has none."""
    shift = np.uint64(64 - number.bit_length() + 1)
    classes = np.arange(number, dtype=np.uint64)
    ordered = np.sort(hashes)
    least = ordered.take(ordered.searchsorted(classes << shift), mode="clip")
    values = (least % np.uint64(255) + np.uint64(1)).astype(np.uint8)
    values[least >> shift != classes] = 0
    return values.tobytes()


def _runs(words: Words) -> Hashes:
    padded = words.astype(np.uint64)
    if len(words) < 3:
        padded = np.concatenate([padded, np.zeros(3 - len(words), np.uint64)])
    first, second, third = (np.uint64(factor) for factor in _RUN)
    return _mixed(padded[:-2] * first + padded[1:-1] * second + padded[2:] * third)


def _mixed(numbers: Hashes) -> Hashes:
    numbers = (numbers ^ numbers >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ numbers >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return numbers ^ numbers >> np.uint64(31)
