"""The library of forums: URL patterns that crawls have learned, so that the next forum of a software begins with them.

One JSON file of the user, beside the other state of dowse. A pattern is kept without the folder that the forum is in,
so that /forum/viewtopic.php and /viewtopic.php are the same. Only patterns with a word of their own are kept: one that
could be of any site says nothing.

    {"version": 1, "patterns": {"/viewtopic\\.php\\?f=\\d+&t=\\d+": [0.0, 57.2, 0.8]}}

The numbers are how many pages of the pattern were index pages, threads, and neither.
"""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
from msgspec import Struct

from dowse.core.briefing import Briefing
from dowse.machine.credentials import state_folder
from dowse.modes.forum.site_patterns import Known
from dowse.modes.forum.stored_patterns import stored_patterns
from dowse.modes.forum.url_forms import library_key
from dowse.store.database import Database

_NAME = "library"
MOST_PATTERNS = 2_000
LEAST_PAGES = 3
"""Pages of a pattern that must have been seen for it to be kept."""

_PURE = 0.8
"""The share of pages of one kind that a pattern must have to be kept."""

_MOST_TOLD = 20.0
"""How many pages a pattern counts for in the next crawl, at most."""


class Library(Struct, frozen=True):
    """What the file holds."""

    version: int = 1
    patterns: dict[str, tuple[float, float, float]] = {}


def library_path() -> Path:
    """Where the library of this user is."""
    return state_folder() / "forums.json"


def read_library(path: Path) -> dict[str, Known]:
    """What is known from earlier crawls; nothing, if there is no library that can be read."""
    try:
        library = msgspec.json.decode(path.read_bytes(), type=Library)
    except (OSError, msgspec.MsgspecError):
        return {}
    return {pattern: Known(*counts) for pattern, counts in library.patterns.items()}


def add_to_library(path: Path, connection: Database) -> None:
    """Keep what a crawl has learned, beside what is there."""
    known = read_library(path)
    for patterns in stored_patterns(connection, {}).values():
        for form, found in patterns.learned().items():
            key = library_key(form)
            if key and found.number >= LEAST_PAGES and _is_pure(found):
                known[key] = _bounded(found)
    latest = dict(list(known.items())[-MOST_PATTERNS:])
    library = Library(patterns={form: (each.index, each.thread, each.other) for form, each in latest.items()})
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(f".{os.getpid()}.new")
    new.write_bytes(msgspec.json.format(msgspec.json.encode(library), indent=1))
    new.replace(path)


def pack_library(known: dict[str, Known]) -> Briefing:
    """What a crawl begins with, as it is kept with it."""
    return {_NAME: msgspec.json.encode(known)} if known else {}


def unpack_library(briefing: Briefing) -> dict[str, Known]:
    """The same again."""
    return msgspec.json.decode(briefing[_NAME], type=dict[str, Known]) if _NAME in briefing else {}


def _is_pure(known: Known) -> bool:
    return max(known.index, known.thread, known.other) >= _PURE * known.number


def _bounded(known: Known) -> Known:
    factor = min(1.0, _MOST_TOLD / known.number)
    return Known(*(round(each * factor, 2) for each in (known.index, known.thread, known.other)))
