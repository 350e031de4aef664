"""What people and programs are told when something changed: one message a run, and which changes are in it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, Literal, NamedTuple, Protocol

from msgspec import Struct, json

from dowse.core.errors import CrawlError
from dowse.core.options.watch_options import WatchOptions
from dowse.core.patterns import Patterns
from dowse.core.phrasing import shortened
from dowse.core.revisits.changes import KINDS, RECORD, Change
from dowse.crawl import Crawl
from dowse.crawls.stored_changes import change_text

TextReader = Callable[[Change], str]

MOST_TOLD = 1_000
"""Changes in one message; the rest is counted."""

LONGEST_TEXT = 10_000
"""Characters of a page that are told on each side."""


class ToldChange(Struct, frozen=True):
    """A change as it is told. `at` is a date in UTC. `before` and `after` are the lines of a page that differ, the
    fields of a record that do, or the URLs of a page that moved."""

    kind: str
    what: str
    url: str
    title: str
    at: str
    before: Any
    after: Any


class Message(Struct, frozen=True):
    """One message, the same for every receiver but for its id. `counts` has all changes, `left_out` says how many of
    them are not in `changes`."""

    id: str
    crawl: str
    at: str
    counts: dict[str, int]
    left_out: int
    changes: list[ToldChange]


class Answer(NamedTuple):
    """What became of an attempt.

    later     it surely did not arrive, and may be sent again
    refused   the receiver will not have it
    unclear   nobody knows whether it arrived
    """

    state: Literal["sent", "later", "refused", "unclear"]
    text: str = ""


class Receiver(Protocol):
    """Somebody who is told of changes."""

    name: str

    def send(self, message: Message, now: float) -> Answer: ...


class ChangeFilter:
    """Which changes are told, by the options only_*. A change has to pass each of them that is given."""

    def __init__(self, options: WatchOptions) -> None:
        self._kinds = frozenset(options.only_kinds)
        self._fields = frozenset(options.only_fields)
        self._urls = Patterns("only_urls", options.only_urls) if options.only_urls else None
        words = "|".join(re.escape(" ".join(word.casefold().split())) for word in options.only_words)
        self._words = re.compile(rf"(?<!\w)(?:{words})(?!\w)") if words else None

    def takes(self, change: Change, text_of: TextReader) -> bool:
        """Whether a change is told. Only the filter of words asks for the text that changed."""
        if self._kinds and change.kind not in self._kinds:
            return False
        if self._fields and not (change.what == RECORD and self._fields & _fields_of(change)):
            return False
        if self._urls is not None and not any(self._urls.found(url) for url in _urls_of(change)):
            return False
        return self._words is None or self._words.search(" ".join(text_of(change).casefold().split())) is not None


def _fields_of(change: Change) -> set[str]:
    return {name for part in (change.before, change.after) if isinstance(part, dict) for name in part}


def _urls_of(change: Change) -> list[str]:
    moved = [part for part in (change.before, change.after) if isinstance(part, str)] if change.kind == "moved" else []
    return [change.url, *moved]


class Collected:
    """The changes of a message, of which only the first are kept."""

    def __init__(self, chosen: ChangeFilter, text_of: TextReader) -> None:
        self._filter = chosen
        self._text_of = text_of
        self._changes: list[ToldChange] = []
        self.counts: Counter[str] = Counter()

    def add(self, change: Change) -> None:
        """Take a change, if it passes."""
        if not self._filter.takes(change, self._text_of):
            return
        self.counts[change.kind] += 1
        if len(self._changes) < MOST_TOLD:
            sides = (_side(change, "before"), _side(change, "after"))
            self._changes.append(
                ToldChange(change.kind, change.what, change.url, change.title, _date(change.at), *sides)
            )

    def message(self, name: str, crawl: str, now: float) -> Message:
        """All of them, for one receiver."""
        counts = {kind: self.counts[kind] for kind in KINDS if self.counts[kind]}
        left_out = self.counts.total() - len(self._changes)
        return Message(name, crawl, _date(now), counts, left_out, self._changes)


def _side(change: Change, side: str) -> Any:
    """What a change has on one side; of a page its lines, as many as a message has room for."""
    value = getattr(change, side)
    if value is not None:
        return value
    text = change_text(change, side)
    return text and shortened(text, LONGEST_TEXT)


def changed_text(crawl: Crawl, change: Change) -> str:
    """The words of a change: its title, what it was and is, and all of a page that is new."""
    parts = [change.title, *_texts(change.before), *_texts(change.after)]
    parts += [part for side in ("before", "after") if (part := change_text(change, side))]
    if change.kind == "added" and change.what != RECORD:
        with suppress(CrawlError):  # not stored, or damaged
            parts.append(crawl.page(change.url).text)
    return "\n".join(parts)


def pack(message: Message) -> bytes:
    """A message as JSON."""
    return json.encode(message)


def unpack(body: bytes) -> Message:
    """A message that was written down."""
    return json.decode(body, type=Message)


def _date(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _texts(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for part in value.values() for text in _texts(part)]
    if isinstance(value, list):
        return [text for part in value for text in _texts(part)]
    return [] if value is None else [str(value)]
