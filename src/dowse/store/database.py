"""The seam to a database: statements, transactions, one moment to read, exclusive access, trouble in our words.

There are two drivers, for SQLite and for PostgreSQL (folder `postgres`). A driver implements `Database`, says which
`Trouble` an error of its library is, and knows the few parts of statements that differ (fragments.py). Statements mark
their values by `?` or `:name`.

    opened to be written to   one process at a time; the second is told so (CrawlLocked)
    opened to be read         at any time, also beside the writer; nothing can be written
    in memory                 for one process, gone when it is closed
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from enum import Enum
from typing import Any, Protocol

from dowse.core.errors import CrawlError, StoreAway, StoreFull

Values = Sequence[Any] | Mapping[str, Any]


class Trouble(Enum):
    """What is wrong with a database and not with the program."""

    FULL = "full"
    BUSY = "busy"
    DAMAGED = "damaged"
    READ_ONLY = "read-only"
    UNREACHABLE = "unreachable"
    AWAY = "away"
    CLOSED = "closed"


_CURES = {
    Trouble.BUSY: "; another program has it: end that one, or try again later",
    Trouble.DAMAGED: "; restore it from a copy, or crawl anew into another folder; the pages in warc/ are still whole",
    Trouble.READ_ONLY: "; get the right to write to it, or work on a copy of the folder",
    Trouble.CLOSED: "; open the crawl again with dowse.open(DIR), or read it before the with block ends",
}

_KINDS = {Trouble.FULL: StoreFull, Trouble.AWAY: StoreAway}


class Rows(Protocol):
    """What a statement gives. Rows are read when they are asked for."""

    @property
    def rowcount(self) -> int:
        """How many rows were changed."""

    @property
    def description(self) -> Any:
        """The columns, each a sequence that begins with its name."""

    def fetchone(self) -> Any: ...

    def fetchall(self) -> list[Any]: ...

    def __iter__(self) -> Iterator[Any]: ...


class Database(Protocol):
    """The database of one crawl, opened."""

    @property
    def is_away(self) -> bool:
        """Whether `regain` has to be called before anything else."""

    def execute(self, statement: str, values: Values = ..., /) -> Rows:
        """Outside of a transaction each statement is one of its own."""

    def executemany(self, statement: str, rows: Iterable[Values], /) -> Rows:
        """The same statement for each row, as fast as the database takes them."""

    def stream(self, statement: str, values: Values = ..., /) -> Iterator[Any]:
        """The rows of a query that may be more than memory has room for."""

    def transaction(self) -> AbstractContextManager[None]:
        """All that is done inside, or nothing. Trouble is raised as a CrawlError, no room as StoreFull, and StoreAway
        means that `regain` has to be called before anything else.

        There is none inside of another.
        """

    def snapshot(self) -> AbstractContextManager[None]:
        """All that is read inside is of one moment, whoever writes; temporary tables are gone afterwards."""

    def regain(self) -> bool:
        """Take the database over again after StoreAway; whether the transaction that was tried last is in it after
        all. Raises StoreAway as long as it cannot be reached, and CrawlLocked if another has it now."""

    def tables(self) -> dict[str, str]:
        """The tables that there are, and the statements that made them."""

    def columns(self, table: str) -> dict[str, str]:
        """The columns of a table, and their defaults as SQL; none if there is no such table."""

    def stamp(self) -> int:
        """A number that is another one when somebody else has written."""

    def close(self) -> None:
        """Also gives up exclusive access."""


def told(name: str, act: str, trouble: Trouble, words: str) -> CrawlError:
    """The error for trouble with a database, in words for the user."""
    return _KINDS.get(trouble, CrawlError)(f"cannot {act} {name}: {words}{_CURES.get(trouble, '')}")
