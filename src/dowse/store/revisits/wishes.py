"""What the user of a crawl says of its pages, and how well that was done, noted so that every run finds it."""

from __future__ import annotations

import msgspec

from dowse.core.options.revisit_options import NO_WISHES, Upkeep, Wishes
from dowse.store.database import Database
from dowse.store.schema import SET_META

_WISHES = "revisit_wishes"
_UPKEEP = "revisit_upkeep"
_READ = "SELECT value FROM meta WHERE name = ?"


def save_wishes(connection: Database, wishes: Wishes) -> None:
    connection.execute(SET_META, (_WISHES, msgspec.json.encode(wishes).decode()))


def read_wishes(connection: Database) -> Wishes:
    row = connection.execute(_READ, (_WISHES,)).fetchone()
    return msgspec.json.decode(row[0], type=Wishes) if row else NO_WISHES


def save_upkeep(connection: Database, upkeep: Upkeep) -> None:
    connection.execute(SET_META, (_UPKEEP, msgspec.json.encode(upkeep).decode()))


def forget_upkeep(connection: Database) -> None:
    """A recrawl begins, after which what was noted is not true any more."""
    connection.execute("DELETE FROM meta WHERE name = ?", (_UPKEEP,))


def read_upkeep(connection: Database) -> Upkeep | None:
    """Of the last recrawl, if it had a budget; else None."""
    row = connection.execute(_READ, (_UPKEEP,)).fetchone()
    return msgspec.json.decode(row[0], type=Upkeep) if row else None
