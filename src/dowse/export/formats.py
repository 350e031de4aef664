"""Which table can be had in which format."""

from __future__ import annotations

from pathlib import PurePath

from dowse.core.errors import JobError
from dowse.core.revisits.changes import CHANGES

TOGETHER = ("sqlite", "xlsx")
"""Formats of which one file may have several tables."""

ROWS = ("csv", "csv.gz", "jsonl", "json", "parquet", *TOGETHER, "txt")

FOLDER = "folder"
"""A file for each row, below one folder."""

CHANGE_FACES = ("html", "markdown", "atom")
"""Formats in which people read changes."""

FORMATS = {
    "pages": (*ROWS, "markdown"),
    "links": (*ROWS, "graphml", "gexf"),
    "nodes": ROWS,
    "edges": ROWS,
    "records": ROWS,
    "tables": ROWS,
    "ledger": ROWS,
    CHANGES: (*ROWS, *CHANGE_FACES),
    "bodies": ("warc", "wacz"),
    "markdown": ("markdown", "jsonl", FOLDER),
    "mirror": (FOLDER,),
    "all": TOGETHER,
}
"""The formats of the tables that every crawl has, the one it has by default first. Others can be had as rows.

`all` is every table that has rows, in one file."""

TABLES_OF_ROWS = tuple(name for name, formats in FORMATS.items() if "csv" in formats)

ALL_FORMATS = tuple(dict.fromkeys(name for formats in FORMATS.values() for name in formats))

BINARY = frozenset({"csv.gz", "parquet", "warc", "wacz", *TOGETHER})
"""Formats that are nothing to look at."""

ENDINGS = {"warc.gz": "warc", "md": "markdown", "ndjson": "jsonl", "db": "sqlite", "sqlite3": "sqlite"}
"""Endings of file names that are not the name of the format."""


def format_of(table: str, file: str, asked: str | None = None) -> str:
    """The format to write a table in: what was asked for, else what the file's name says, else the table's first.

    >>> format_of("links", "site.gexf"), format_of("pages", "-"), format_of("bodies", "all.warc.gz")
    ('gexf', 'csv', 'warc')
    """
    possible = FORMATS.get(table, ROWS)
    endings = {name: name for name in ALL_FORMATS} | ENDINGS
    named = [name for ending, name in endings.items() if file.lower().endswith(f".{ending}")]
    ending = PurePath(file).suffix
    found = asked or (possible[0] if possible == (FOLDER,) else next(iter(named), ending.lstrip(".") or possible[0]))
    if found not in possible:
        *most, last = possible
        hint = "" if asked or named else "; --to says in which format a file of another name is written"
        raise JobError(f"{table} can be had as {', '.join(most)} or {last}, not as {found}{hint}")
    if found == "warc" and ending == ".warc":
        raise JobError(f"{file} would be compressed, as WARC files are: name it {file}.gz")
    return found
