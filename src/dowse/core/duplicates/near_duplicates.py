"""Near-duplicates: is this page another one with small changes?

    1  the blocks that the site repeats are taken away (repeated_blocks.py)
    2  what is left has a signature, and the index finds pages with a similar one (simhash.py, near_index.py)
    3  a candidate is believed only if the sketches confirm it

When a block turns out to be repeated, the pages that had it get their fingerprint anew, as far as their text is still
in memory: without that, the first pages of every section would have its menu in their fingerprints for good.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from dowse.core.duplicates.near_index import NearIndex
from dowse.core.duplicates.passages import Passages
from dowse.core.duplicates.repeated_blocks import RepeatedBlocks
from dowse.core.duplicates.simhash import likeness, link_sketch, signature, sketch

# How much of their runs of words two pages must have in common, chosen on manuals with two editions of each page
# (benchmarks/near_duplicates.py). A short page, or one with another title, has to have nearly all of them: there one
# number or name may be what the page is about. With 0.94 for other titles the reference of a language lost one page in
# a hundred: functions that do the same in different classes.
LEAST_LIKENESS = 0.88
LEAST_LIKENESS_IN_DOUBT = 0.94
LEAST_LIKENESS_OF_OTHER_TITLE = 0.98
SHORT_WORDS = 80

# Two months of a calendar may say nearly the same and lead to different pages. So may lists of "read more".
LEAST_LIKENESS_OF_LINKS = 0.2
MANY_LINKS = 8

FEWEST_WORDS = 25
"""A page that says less than this in its own words is not judged: too little is left that could tell it from others."""

LEAST_LIKENESS_OF_CANONICAL = 0.70
"""What is enough when the page itself says that it is another one; below this it is not believed."""

MOST_CANDIDATES = 16
"""Candidates that are looked at, the nearest first."""

WORDS_IN_MEMORY = 4_000_000
"""Words of the latest pages, 4 bytes each."""


class Fingerprint(NamedTuple):
    """What is kept of a page to compare others with, some 350 bytes."""

    signature: int
    title: int
    words: int
    sketch: bytes
    links: int
    link_sketch: bytes


class Match(NamedTuple):
    """The page that another one is nearly the same as, and how much they have in common."""

    page: int
    likeness: float


class Learned(NamedTuple):
    """What a page that was kept brought: fingerprints, its own and those made anew, and blocks found to be repeated."""

    fingerprints: dict[int, Fingerprint]
    repeated: Iterable[int]


Stored = Callable[[int], Fingerprint | None]
"""Reads the fingerprint of a page back."""


class NearPages:
    """The pages of a crawl as the near-duplicate test knows them. Pages and hosts are numbers of their rows."""

    def __init__(self) -> None:
        self.blocks = RepeatedBlocks()
        self.index = NearIndex()
        self._latest: dict[int, tuple[int, Passages]] = {}
        self._words = 0

    def fingerprint(self, host: int, passages: Passages) -> Fingerprint | None:
        """Of what a page says in its own words, as far as is known now; None if that is too little."""
        title, words, links = passages.own(self.blocks.among(host, passages))
        if len(words) < FEWEST_WORDS:
            return None
        return Fingerprint(signature(words), title, len(words), sketch(words), len(links), link_sketch(links))

    def match(self, own: Fingerprint, page: int, stored: Stored) -> Match | None:
        """The page that this one nearly is, if there is one."""
        best: Match | None = None
        for _bits, row in self.index.near(own.signature)[:MOST_CANDIDATES]:
            other = stored(row) if row != page else None
            if other is None:
                continue
            common = likeness(own.sketch, other.sketch)
            if common < _least(own, other) or _leads_elsewhere(own, other):
                continue
            if best is None or common > best.likeness:
                best = Match(row, common)
        return best

    def keep(self, host: int, passages: Passages, page: int, own: Fingerprint | None) -> Learned:
        """Take in a page that is no duplicate, with the fingerprint it had until now."""
        self._remember(host, passages, page)
        repeated = self.blocks.count(host, passages, page)
        fingerprints = {page: own} if own else {}
        for row in {row for rows in repeated.values() for row in rows if row in self._latest}:
            made = self.fingerprint(*self._latest[row])
            if made is not None:
                fingerprints[row] = made
        for row, made in fingerprints.items():
            self.index.add(made.signature, row)
        return Learned(fingerprints, repeated)

    def _remember(self, host: int, passages: Passages, page: int) -> None:
        before = self._latest.pop(page, None)
        self._words += len(passages.words) - (len(before[1].words) if before else 0)
        self._latest[page] = (host, passages)
        while self._words > WORDS_IN_MEMORY and len(self._latest) > 1:
            oldest = next(iter(self._latest))
            self._words -= len(self._latest.pop(oldest)[1].words)


def confirmed_canonical(own: Fingerprint, other: Fingerprint, page: int) -> Match | None:
    """The page that another one says it is, if the two have enough in common to believe it."""
    common = likeness(own.sketch, other.sketch)
    return Match(page, common) if common >= LEAST_LIKENESS_OF_CANONICAL and not _leads_elsewhere(own, other) else None


def _least(own: Fingerprint, other: Fingerprint) -> float:
    if own.title and other.title and own.title != other.title:
        return LEAST_LIKENESS_OF_OTHER_TITLE
    doubt = not own.title or not other.title or min(own.words, other.words) < SHORT_WORDS
    return LEAST_LIKENESS_IN_DOUBT if doubt else LEAST_LIKENESS


def _leads_elsewhere(own: Fingerprint, other: Fingerprint) -> bool:
    if max(own.links, other.links) < MANY_LINKS:
        return False
    return likeness(own.link_sketch, other.link_sketch) < LEAST_LIKENESS_OF_LINKS
