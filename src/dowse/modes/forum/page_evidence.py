"""What strategy and bookkeeping tell each other: hints go out with tasks, evidence comes home with outcomes."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import Struct

from dowse.extract.posts.thread_records import BoardPage, ThreadPage

Role = Literal["start", "entry", "link", "page"]
"""Why a page is asked for: the user named it, it may be the entry page, a link of a group, or a further page."""


class Hint(Struct, frozen=True, array_like=True):
    """How a task was found. `place` is where in its page, `prior` how promising that is. Of a further page of a board
    or thread, `base` is the task of its first, and `number` its number, 0 if that is not known."""

    role: Role
    place: str = ""
    prior: float = 0.5
    base: int = 0
    number: int = 0


class FoundLink(Struct, frozen=True, array_like=True):
    """A link of a group."""

    url: str
    text: str
    nofollow: bool = False


class FoundGroup(Struct, frozen=True, array_like=True):
    """Links of one place and one form; `prior` is how probable it is that they lead to boards and threads. Where
    another group of the same blocks looks better, `rival` is its first link. `blocks` counts those they are in."""

    place: str
    prior: float
    links: list[FoundLink]
    rival: str = ""
    blocks: int = 0


class Evidence(Struct, frozen=True, array_like=True):
    """What a page is, by structure alone, and where it leads.

    `shares` says how probable index, thread and other are. `pages` are its further pages, by number where that is
    known, and `paging` all URLs of its paging, also of the first page under another name. `trail` are the boards above
    it, the outermost first. `content` is a number for what it lists or says.
    """

    shares: tuple[float, float, float]
    groups: list[FoundGroup] = []
    pages: list[tuple[str, int | None]] = []
    paging: list[str] = []
    trail: list[FoundLink] = []
    content: int = 0
    log_in: bool = False
    board: BoardPage | None = None
    thread: ThreadPage | None = None

    @property
    def tells_anything(self) -> bool:
        """Whether a post, a thread or a board was read from it."""
        return self.thread is not None or (self.board is not None and bool(self.board.boards or self.board.threads))


_hints = msgspec.msgpack.Decoder(Hint)
_evidence = msgspec.msgpack.Decoder(Evidence)


def pack(message: Hint | Evidence) -> bytes:
    return msgspec.msgpack.encode(message)


def read_hint(packed: bytes) -> Hint:
    return _hints.decode(packed) if packed else Hint("start")


def read_evidence(packed: bytes) -> Evidence:
    return _evidence.decode(packed)
