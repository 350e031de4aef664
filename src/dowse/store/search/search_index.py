"""The seam to a full-text index: pages by the words they are found by, with what searches are filtered by.

Words come in as they are found by (score/search_words.py), so that an index need not know languages. It keeps what was
read of each page, so that it can be made anew without the stored bodies. An index belongs to one crawl.

    fts5_index.py    SQLite, in a file of its own beside the crawl's: the crawl may be running, and has one writer

A change is written whole or not at all, with what it leaves to do known from what is there: whoever is killed while
building an index loses the pages of one batch.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from typing import NamedTuple, Protocol

from msgspec import Struct


class PageFacts(Struct, frozen=True):
    """What is known of a page without reading it."""

    task: int
    digest: int
    url: str
    site: str
    type: str
    fetched_at: float
    relevance: float | None


class ReadPage(Struct, frozen=True, array_like=True):
    """What was read of a page: its text, and the words that title and text are found by, parted by spaces.

    `forms` are words that are written otherwise than they are found by.
    """

    task: int
    title: str
    text: bytes
    language: str
    date: float | None
    title_words: str
    text_words: str
    forms: list[tuple[str, str]]


class Phrase(NamedTuple):
    """Words side by side; of the last one only the beginning, if `begins`."""

    words: tuple[str, ...]
    begins: bool = False


class Wanted(NamedTuple):
    """Groups of phrases of which a page has to have one each, or, if `any_will_do`, one of all of them; and phrases
    that it may not have. `in_title`: it has to have them in its title."""

    groups: tuple[tuple[Phrase, ...], ...]
    excluded: tuple[Phrase, ...] = ()
    any_will_do: bool = False
    in_title: bool = False


class SearchFilter(Struct, frozen=True):
    """Which pages are looked at. `site` is a host, with those below it; dates are those that pages state, else when
    they were fetched."""

    site: str = ""
    types: tuple[str, ...] = ()
    since: float | None = None
    until: float | None = None
    relevance: float | None = None


class Hit(Struct, frozen=True):
    """A page that was found; the better it suits, the higher its score."""

    number: int
    score: float
    url: str
    title: str
    site: str
    type: str
    language: str
    date: float | None
    fetched_at: float
    relevance: float | None


class SearchIndex(Protocol):
    """The index of one crawl, opened."""

    def stamp(self) -> str:
        """What the crawl's was when the index was last brought up to date; "" if it never was to the end."""

    def known(self) -> dict[int, PageFacts]:
        """The pages that are in it, by their tasks."""

    def size(self) -> int:
        """About how many pages are in it."""

    def languages(self) -> list[str]:
        """Those of its pages, the most frequent first; "" stands for those without a stemmer."""

    def changing(self) -> AbstractContextManager[None]:
        """All that is written inside, or nothing."""

    def add(self, pages: Iterable[tuple[PageFacts, ReadPage]]) -> None:
        """Write pages in the place of what there was of them."""

    def refresh(self, facts: Iterable[PageFacts]) -> None:
        """Write what else is known of pages whose text is the same."""

    def remove(self, tasks: Iterable[int]) -> None:
        """Take pages out."""

    def finish(self, stamp: str, *, much: bool) -> None:
        """Note that it is up to date. `much`: a large part is new, so that it is worth to be put in order."""

    def forms(self, word: str, *, begins: bool = False) -> set[str]:
        """What a word that is written so, or begins so, is found by where that is another word."""

    def count(self, wanted: Wanted, which: SearchFilter) -> int:
        """How many pages there are."""

    def find(self, wanted: Wanted, which: SearchFilter, limit: int) -> list[Hit]:
        """The best of them, the best first."""

    def texts(self, numbers: Sequence[int]) -> dict[int, bytes]:
        """What was read of hits, by their numbers."""

    def close(self) -> None: ...
