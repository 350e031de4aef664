"""Where a rule table is: a file or a database, known by its name; and the table of a running crawl."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from dowse.core.errors import JobError
from dowse.modes.rules.rule_databases import (
    DEFAULT_TABLE,
    POSTGRES,
    SQLITE,
    PostgresRules,
    SqliteRules,
    named_table,
    shown_url,
)
from dowse.modes.rules.rule_files import RuleFile
from dowse.modes.rules.rule_reading import read_table
from dowse.modes.rules.rule_table import RawTable, Rule, RuleTable
from dowse.store.folder import DATABASE
from dowse.store.postgres.address import without_password
from dowse.store.whereabouts import address_of

_SHARE = 5
"""After rules were read anew they are left alone for so many times as long, so that the next page can obey a change
and a slow database cannot take a worker's time."""

_LONGEST = 10.0
"""Seconds after which they are read again, however long that takes."""

_REST = 5.0
"""Seconds until a database that did not answer is asked again."""


class RulePlace(Protocol):
    """A place that rules can be read from and written to."""

    def read(self) -> RawTable: ...

    def exists(self) -> bool: ...

    def close(self) -> None: ...


def place_of(name: str) -> RuleFile | SqliteRules | PostgresRules:
    """The place that a name stands for: FILE, sqlite:///FILE#TABLE, postgresql://HOST/DATABASE#TABLE."""
    database, table = named_table(name)
    if name.startswith(POSTGRES):
        return PostgresRules(database, table)
    if name.startswith(SQLITE):
        return SqliteRules(Path(database.removeprefix(SQLITE)), table)
    if "://" in name:
        raise JobError(f"{name.partition('://')[0]}: rules can be in a file, in sqlite:///FILE or in postgresql://...")
    return RuleFile(name)


def is_database(name: str) -> bool:
    """Whether the rules at a place can be changed while a crawl runs."""
    return name.startswith((SQLITE, *POSTGRES))


def file_of(name: str) -> Path | None:
    """The file that rules are in; None if they are on a server."""
    if name.startswith(POSTGRES):
        return None
    return Path(named_table(name)[0].removeprefix(SQLITE) if name.startswith(SQLITE) else name)


def has_rules(name: str) -> bool:
    """Whether there is a table at a place."""
    place = place_of(name)
    try:
        return place.exists()
    finally:
        place.close()


def read_rules(name: str, bases: Sequence[str] = ()) -> RuleTable:
    """The rules at a place, with what is wrong with them; those of some base URLs, or all."""
    place = place_of(name)
    try:
        raw = place.read()
        try:
            return read_table(raw, bases)
        except JobError as error:
            raise JobError(f"{shown_place(name)}: {error}") from None
    finally:
        place.close()


def usable_rules(name: str, bases: Sequence[str] = ()) -> RuleTable:
    """The rules at a place. Raises JobError if there is none that could be used."""
    table = read_rules(name, bases)
    if not table.rules:
        raise JobError(f"{shown_place(name)}: no rule can be used: " + "; ".join(map(str, table.errors)))
    return table


def copy_rules(source: str, destination: str, *, replace: bool) -> tuple[int, int]:
    """Copy a table without errors; how many rules were written, and how many were there already."""
    table = read_rules(source)
    if table.errors:
        more = f" (and {len(table.errors) - 1} more)" if len(table.errors) > 1 else ""
        raise JobError(f"{shown_place(source)}: {table.errors[0]}{more}; nothing was written")
    place = place_of(destination)
    try:
        there = () if replace or not place.exists() else _rules_there(place)
        known = {tuple(rule.cells().values()) for rule in there}
        new = [rule for rule in table.rules if tuple(rule.cells().values()) not in known]
        if isinstance(place, RuleFile):
            place.write([*there, *new])
        else:
            place.add(new, replace=replace)
        return len(new), len(table.rules) - len(new)
    finally:
        place.close()


def write_rules(rules: Sequence[Rule], destination: str) -> None:
    """Put rules in the place of those that are there."""
    place = place_of(destination)
    try:
        if isinstance(place, RuleFile):
            place.write(rules)
        else:
            place.add(rules, replace=True)
    finally:
        place.close()


def _rules_there(place: RulePlace) -> Sequence[Rule]:
    raw = place.read()
    return read_table(raw).rules if raw.rows else ()


class LiveRules:
    """The rules of a running crawl, as they are now.

    A database that goes away leaves the crawl with the rules it has, at first those of its own copy; `trouble` says so.
    """

    def __init__(
        self,
        place: SqliteRules | PostgresRules,
        name: str,
        copy: SqliteRules | PostgresRules | None = None,
        bases: Sequence[str] = (),
    ) -> None:
        self._place = place
        self._name = name
        self._copy = copy
        self._bases = bases
        self._raw: RawTable | None = None
        self._table = RuleTable(())
        self._next = 0.0
        self._is_open = False  # the first time takes longer, for a connection is made
        self.trouble = ""

    def current(self) -> RuleTable:
        """The table; asking costs a few microseconds when nothing has changed."""
        now = time.monotonic()
        if now < self._next:
            return self._table
        try:
            self._take(self._place.read_if_changed())
            self.trouble = ""
        except JobError as error:
            self.trouble = f"{error}; the crawl goes on with the rules it has"
            if self._raw is None and self._copy is not None:
                self._take(self._copy.read())
                self._copy.close()
            self._next = time.monotonic() + _REST
        else:
            took = time.monotonic() - now
            self._next = now + took + min(took * _SHARE, _LONGEST) * self._is_open
            self._is_open = True
        return self._table

    def _take(self, raw: RawTable | None) -> None:
        if raw is not None and raw != self._raw:
            self._table = read_table(raw, self._bases) if raw.rows else RuleTable(())
            self._raw = raw

    def notice(self) -> str:
        """What the user should know of the table: that it cannot be read, or which row is wrong."""
        return self.trouble or (f"{shown_place(self._name)}: {self._table.errors[0]}" if self._table.errors else "")

    def close(self) -> None:
        self._place.close()


def live_rules(name: str, directory: Path, bases: Sequence[str] = ()) -> LiveRules:
    """The rules that a crawl obeys: those of the database it was given, or its own copy of a file."""
    place, own = place_of(name), _own_rules(directory)
    if isinstance(place, RuleFile):
        return LiveRules(own, name, bases=bases)
    return LiveRules(place, name, own, bases)


def _own_rules(directory: Path) -> SqliteRules | PostgresRules:
    address = address_of(directory)
    if address is None:
        return SqliteRules(directory / DATABASE)
    return PostgresRules(address.conninfo(), f"{address.quoted_schema}.{DEFAULT_TABLE}")


def own_place(directory: Path) -> str:
    """How a user names the rules that a crawl has of its own."""
    address = address_of(directory)
    if address is None:
        return f"sqlite:///{directory / DATABASE}"
    return f"{without_password(address.url)}#{address.schema}.{DEFAULT_TABLE}"


def current_rules(name: str, directory: Path, bases: Sequence[str] = ()) -> RuleTable:
    """The rules that the crawl in a folder obeys now."""
    live = live_rules(name, directory, bases)
    try:
        return live.current()
    finally:
        live.close()


def shown_place(name: str) -> str:
    """A place as it may be printed."""
    return shown_url(name) if name.startswith(POSTGRES) else name
