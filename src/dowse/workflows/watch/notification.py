"""What people and programs are told when something changed: one message a run, and which changes are in it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol

from msgspec import Struct, json

from dowse.core.errors import CrawlError
from dowse.core.job import Job
from dowse.core.patterns import Patterns
from dowse.core.watch_options import KINDS, WatchOptions
from dowse.store.revisits.change_rows import ChangeRow

TextReader = Callable[[ChangeRow], str]

MOST_TOLD = 1_000
"""Changes in one message; the rest is counted."""


class Change(Struct, frozen=True):
    """A change as it is told. `at` is a date in UTC."""

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
    changes: list[Change]


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

    def chosen(self, rows: Iterable[ChangeRow], text_reader: Callable[[], TextReader]) -> list[ChangeRow]:
        """Those that are told. Only the filter of words asks for somebody who reads the text that changed."""
        passed = [row for row in rows if self._takes(row)]
        if self._words is None or not passed:
            return passed
        text_of, words = text_reader(), self._words
        return [row for row in passed if words.search(" ".join(text_of(row).casefold().split()))]

    def _takes(self, row: ChangeRow) -> bool:
        if self._kinds and row.kind not in self._kinds:
            return False
        if self._fields and not (row.what == "record" and self._fields & _fields_of(row)):
            return False
        return self._urls is None or any(self._urls.found(url) for url in _urls_of(row))


def _fields_of(row: ChangeRow) -> set[str]:
    return {name for part in (row.before, row.after) if isinstance(part, dict) for name in part}


def _urls_of(row: ChangeRow) -> list[str]:
    moved = [part for part in (row.before, row.after) if isinstance(part, str)] if row.kind == "moved" else []
    return [row.url, *moved]


def make_message(name: str, crawl: str, now: float, rows: Iterable[ChangeRow]) -> Message:
    """A message of these changes."""
    told = list(rows)
    counts = Counter(row.kind for row in told)
    changes = [
        Change(row.kind, row.what, row.url, row.title, _date(row.at), row.before, row.after) for row in told[:MOST_TOLD]
    ]
    known = {kind: counts[kind] for kind in KINDS if counts[kind]}
    return Message(name, crawl, _date(now), known, len(told) - len(changes), changes)


def pack(message: Message) -> bytes:
    """A message as JSON."""
    return json.encode(message)


def unpack(body: bytes) -> Message:
    """A message that was written down."""
    return json.decode(body, type=Message)


def counts_text(counts: dict[str, int]) -> str:
    """2 added, 1 changed; "" if there is nothing."""
    return ", ".join(f"{number:,} {kind}" for kind, number in counts.items())


def _date(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def text_reader(directory: Path, job: Job) -> TextReader:
    """Gives the text of a change: of a page the lines that are new or gone, and its title; of a record its fields."""
    from dowse.extract.content_changes import changed_runs, content_lines  # the parser, which few watches need
    from dowse.stored_pages import read_page

    @lru_cache(maxsize=2)
    def lines(location: str) -> tuple[str, ...]:
        try:
            return tuple(content_lines(read_page(directory, job, location))) if location else ()
        except CrawlError:  # not stored, or damaged: its title may have the word
            return ()

    def text(row: ChangeRow) -> str:
        parts = [row.title, *_texts(row.before), *_texts(row.after)]
        if row.what != "record":
            earlier = () if row.kind == "added" else lines(row.earlier)
            later = () if row.kind in ("removed", "unreachable") else lines(row.later)
            for start, end, first, last in changed_runs(earlier, later):
                parts += [*earlier[start:end], *later[first:last]]
        return "\n".join(parts)

    return text


def _texts(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for part in value.values() for text in _texts(part)]
    if isinstance(value, list):
        return [text for part in value for text in _texts(part)]
    return [] if value is None else [str(value)]
