"""What changed in a crawl, as people are told of it: pages, and what a mode or an extractor took from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct

KINDS = ("added", "changed", "removed", "moved", "unreachable")
"""What can become of a page, in the order in which people are told."""

CHANGES = "changes"
"""The name of their table."""

PAGE = "page"
RECORD = "record"
WHATS = (PAGE, RECORD, "kept", "file", "thread")
"""What can change. Modes of others may have words of their own."""


class Piece(NamedTuple):
    """A part of a text that two versions have in common (`same`), or only the later (`added`), or only the earlier
    (`removed`)."""

    kind: str
    text: str


class Passage(NamedTuple):
    """A line of a page that is not as it was, word by word. A line that is new, or gone, is one piece."""

    pieces: tuple[Piece, ...]

    @property
    def before(self) -> str:
        """The line as it was; "" if it is new."""
        return "".join(piece.text for piece in self.pieces if piece.kind != "added")

    @property
    def after(self) -> str:
        """The line as it is; "" if it is gone."""
        return "".join(piece.text for piece in self.pieces if piece.kind != "removed")

    def words(self, kind: str) -> int:
        """How many words were added or removed."""
        return sum(len(piece.text.split()) for piece in self.pieces if piece.kind == kind)


class Change(Struct, frozen=True):
    """One change. `number` grows from change to change.

    `before` and `after` are the URLs of a page that moved, the fields of a record that differ, or None. `passages` are
    those of a page whose text changed; `lack` says why there are none.
    """

    number: int
    at: float
    kind: str
    what: str
    url: str
    title: str
    before: Any = None
    after: Any = None
    passages: tuple[Passage, ...] = ()
    lack: str = ""


class Asked(NamedTuple):
    """Which changes are asked for: those from a moment on, behind a number, of some kinds, of some things."""

    since: float = 0.0
    after: int = 0
    kinds: tuple[str, ...] = ()
    whats: tuple[str, ...] = ()


class AboutChanges(NamedTuple):
    """What is said of a crawl beside its changes."""

    name: str
    seeds: tuple[str, ...]
    begun: float
    written_at: float
    since: float
    pages: int


class Version(Struct, frozen=True):
    """One version of a page: when it was found first and last, and how many visits found it so.

    `added` and `removed` count words, beside the version before; -1: the two cannot be compared. `fate` says what
    became of the page afterwards, if it is not there any more.
    """

    number: int
    at: float
    until: float
    visits: int
    size: int
    title: str
    location: str
    added: int = 0
    removed: int = 0
    fate: str = ""


class PageDifference(Struct, frozen=True):
    """How two versions of a page differ: a passage for each line that is not as it was.

    Printed, it has the lines as they were behind a minus and as they are behind a plus.
    """

    url: str
    earlier: Version
    later: Version
    passages: tuple[Passage, ...]

    def __str__(self) -> str:
        return "\n".join(
            line
            for passage in self.passages
            for line in (passage.before and f"- {passage.before}", passage.after and f"+ {passage.after}")
            if line
        )


def counts_text(counts: Mapping[str, int]) -> str:
    """How many changes there are of each kind; "" if there is none.

    >>> counts_text({"changed": 1, "added": 2})
    '2 added, 1 changed'
    """
    return ", ".join(f"{counts[kind]:,} {kind}" for kind in KINDS if counts.get(kind))


def words_changed(passages: Sequence[Passage]) -> tuple[int, int]:
    """How many words were added, and how many removed."""
    return sum(each.words("added") for each in passages), sum(each.words("removed") for each in passages)
