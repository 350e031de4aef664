"""The blocks of a page's text, as numbers: one hash a line, one hash a word.

What near-duplicates are told by. A block is a line of `Page.text`: a paragraph, a row of a table, an entry of a menu.
The words themselves are not needed any more, only which are the same, so everything is worked out on whole arrays.

Links count as well, as they are written: two months of a calendar may say the same and lead to different pages.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import numpy.typing as npt

from dowse.core.duplicates.fingerprint import checksum
from dowse.core.duplicates.passages import Passages
from dowse.parse.page import Page

LONGEST_TEXT = 200_000
"""Characters that are read; what two pages share of these says enough."""

MOST_LINKS = 2_000

_BASE = np.uint64(0x9E3779B97F4A7C15)
_INVERSE = np.uint64(pow(0x9E3779B97F4A7C15, -1, 1 << 64))
_NEW_LINE = 10

_DIGIT, _OWN = 2, 4


def _kind(byte: int) -> int:
    """Words are what stands between spaces, with its punctuation: a page about != is another one than that about ==.

    A character of three bytes or more begins a word of its own, because Chinese and Japanese have no spaces.
    """
    if byte <= 0x20:
        return 0
    return 1 | _DIGIT if chr(byte) in "0123456789" else 1 | _OWN if byte >= 0xE2 else 1


_KINDS = bytes(_kind(byte) for byte in range(256))
_LOWER = bytes(range(256)).lower()


def packed_passages(page: Page) -> bytes:
    """What a page says, as an outcome carries it."""
    elements = page.tree.select('a[href]:not([href^="#"])')[:MOST_LINKS]
    hrefs = [(element.attr("href") or "").partition("#")[0] for element in elements]
    return find_passages(page.text, page.title, hrefs).pack()


def find_passages(text: str, title: str = "", hrefs: Sequence[str] = ()) -> Passages:
    """What a text says and where it leads, as numbers."""
    title = " ".join(title.lower().split())
    name = checksum(title.encode("utf-8", "replace")) & ~1 if title else 0
    links = np.array([checksum(href.encode("utf-8", "replace")) & ~1 for href in hrefs], np.int64).view(np.uint64)
    written = b"\n" + text[:LONGEST_TEXT].encode("utf-8", "replace").translate(_LOWER) + b"\n"
    raw = np.frombuffer(written, np.uint8)
    kinds = np.frombuffer(written.translate(_KINDS), np.uint8)
    inside, own = kinds != 0, kinds[1:] >= _OWN
    starts = np.flatnonzero(inside[1:] & (own | ~inside[:-1])) + 1
    if not len(starts):
        return Passages(name, np.empty(0, np.uint64), np.empty(0, np.uint32), np.empty(0, np.uint32), links)
    ends = np.flatnonzero(inside[:-1] & (own | ~inside[1:])) + 1
    lines = np.flatnonzero(raw == _NEW_LINE).searchsorted(starts)
    first = np.concatenate([[0], np.flatnonzero(lines[1:] != lines[:-1]) + 1])
    behind = np.concatenate([first[1:], [len(starts)]])
    sums = _prefix_sums(raw)
    words = (_hashes(sums, starts, ends) >> np.uint64(32)).astype(np.uint32)
    blocks = _hashes(sums, starts[first], ends[behind - 1])
    numeric = np.maximum.reduceat(kinds & _DIGIT, starts[first]) != 0
    return Passages(name, (blocks & ~np.uint64(1)) | numeric, (behind - first).astype(np.uint32), words, links)


def _prefix_sums(raw: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint64]:
    """Of a polynomial over the text, so that the hash of any stretch is the difference of two of them."""
    size = 1 << len(raw).bit_length()
    sums = np.zeros(len(raw) + 1, np.uint64)
    np.cumsum(_powers(size)[: len(raw)] * (raw + np.uint64(1)), out=sums[1:])
    return sums


def _hashes(
    sums: npt.NDArray[np.uint64], starts: npt.NDArray[np.intp], ends: npt.NDArray[np.intp]
) -> npt.NDArray[np.uint64]:
    """The same number for the same stretch of text, wherever it stands."""
    size = 1 << len(sums).bit_length()
    found = (sums[ends] - sums[starts]) * _inverse_powers(size)[starts]
    found ^= found >> np.uint64(29)
    found *= np.uint64(0xBF58476D1CE4E5B9)
    found ^= found >> np.uint64(32)
    found *= np.uint64(0x94D049BB133111EB)
    return found ^ found >> np.uint64(31)


@cache
def _powers(size: int) -> npt.NDArray[np.uint64]:
    return _series(_BASE, size)


@cache
def _inverse_powers(size: int) -> npt.NDArray[np.uint64]:
    return _series(_INVERSE, size)


def _series(base: np.uint64, size: int) -> npt.NDArray[np.uint64]:
    series = np.full(size, base, np.uint64)
    series[0] = 1
    return np.cumprod(series, dtype=np.uint64)
