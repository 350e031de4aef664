"""Formats that dowse does not have: of installed packages (entry point group `dowse.formats`), and of the user."""

from __future__ import annotations

from pathlib import PurePath
from typing import BinaryIO, Protocol

from dowse.core.errors import CrawlError, DowseError, JobError
from dowse.core.exception_line import MISTAKES, mistake_text
from dowse.export.formats import ALL_FORMATS, BINARY, ENDINGS, format_of
from dowse.export.frame import Frame
from dowse.machine.plugins import installed, load_installed, reference_of, resolve

GROUP = "dowse.formats"


class Format(Protocol):
    """Writes a table of a crawl to a file, in a format of its own.

    >>> class Lines:
    ...     tables = ("pages", "ledger")
    ...     is_binary = False
    ...
    ...     def write(self, rows: Frame, stream: BinaryIO) -> int:
    ...         return sum(stream.write(f"{row['url']}\\n".encode()) > 0 for row in rows)
    >>> crawl = dowse.site("https://example.org/", max_pages=3)
    >>> crawl.export("pages", "pages.txt", to=Lines)
    3
    """

    tables: tuple[str, ...]
    """The names of the tables that it can write. Empty: all that have rows."""

    is_binary: bool
    """Whether it is nothing to look at in a terminal."""

    def write(self, rows: Frame, stream: BinaryIO) -> int:
        """Write the rows; the answer is how many there were."""
        ...


AnyFormat = str | Format
"""A format of dowse by its name, or another one."""


def other_format(table: str, file: str, to: str | Format | type[Format] | None) -> Format | None:
    """The format that is asked for, or that the file's name says, if it is none of dowse."""
    ending = PurePath(file).suffix.lstrip(".")
    if to is None and ending in installed(GROUP) and ending not in (*ALL_FORMATS, *ENDINGS):
        to = ending
    if to is None or (isinstance(to, str) and (to in ALL_FORMATS or (":" not in to and to not in installed(GROUP)))):
        return None
    name = to if isinstance(to, str) else reference_of(to)
    found: object = to
    if isinstance(to, str):
        found = resolve("to", to) if ":" in to else load_installed(GROUP, to)
    made = found() if isinstance(found, type) else found
    if not callable(getattr(made, "write", None)):
        raise JobError(f"to: {name} is no format: it needs a method write(rows, stream)")
    tables = getattr(made, "tables", ())
    if tables and table not in tables:
        raise JobError(f"{name} is for {', '.join(tables)}, not for {table}")
    other: Format = made  # type: ignore[assignment]
    return other


def chosen_format(table: str, file: str, to: str | Format | type[Format] | None) -> AnyFormat:
    """The format to write a table in: what was asked for, else what the file's name says, else the table's first."""
    other = other_format(table, file, to)
    if other is not None:
        return other
    assert to is None or isinstance(to, str)
    return format_of(table, file, to)


def is_binary(chosen: AnyFormat) -> bool:
    """Whether it is nothing to look at in a terminal."""
    return chosen in BINARY if isinstance(chosen, str) else bool(getattr(chosen, "is_binary", False))


def write_other(other: Format, rows: Frame, stream: BinaryIO) -> int:
    """Write a table in a format of somebody else, whose mistakes are told as such."""
    try:
        number: object = other.write(rows, stream)
    except (DowseError, OSError):
        raise
    except MISTAKES as error:
        raise CrawlError(f"the format {type(other).__name__} failed: {mistake_text(error)}") from error
    if not isinstance(number, int):
        raise CrawlError(
            f"the format {type(other).__name__} returned {number!r:.60}; write has to return the number of rows"
        )
    return number
