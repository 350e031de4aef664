"""The tables of a crawl, some rows at a time; and groups of pages that are the same."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query

from dowse.core.errors import CrawlMissing
from dowse.core.revisits.changes import CHANGES
from dowse.crawl import Crawl
from dowse.export.formats import FORMATS, ROWS
from dowse.store.folder import explained
from dowse.store.reading.copy_groups import copy_groups
from dowse.store.reading.table_window import Window, WindowRows, look_through
from dowse.store.reading.tables import Table
from dowse.web.api_values import CRAWL_PROBLEMS
from dowse.web.crawl_api import Folders, Here
from dowse.web.inside_values import CopyGroups, GroupOfCopies, TableName, TableNames, TableRows

ROUTER = APIRouter(prefix="/api", tags=["inside a crawl"])

LOOKED_AT = ("pages", "records", "ledger", "links", "tables")
"""The tables of every crawl that the page shows; the others are files."""

SHOWN = {
    "pages": (
        "url", "title", "relevance", "matched", "status", "media_type", "depth", "size", "state", "reason",
        "fetched_at", "duplicate_of",
    ),
    "ledger": ("url", "state", "reason", "depth", "attempts", "status", "detail", "found_on", "anchor"),
}  # fmt: skip
"""Columns that the page shows of wide tables; the others are in the exported file and in the story of the page."""

MOST = 200
_LONGEST_CELL = 2_000

Offset = Annotated[int, Query(ge=0, le=10**9, description="Rows to leave out.")]
Limit = Annotated[int, Query(ge=1, le=MOST, description="The most rows.")]
Words = Annotated[str, Query(max_length=500, description="Only rows that have all these words.")]
Column = Annotated[str, Query(max_length=200)]


def table_names(crawl: Crawl) -> list[str]:
    """The tables that can be looked at, those of the mode first."""
    has_records = crawl.reader.has_records()
    absent = {"records": not has_records, "tables": not (has_records and crawl.job.extract.tables)}
    return [name for name in (*crawl.mode.tables, *LOOKED_AT) if not absent.get(name)]


@ROUTER.get("/crawls/{crawl_id}/tables", responses=CRAWL_PROBLEMS)
def list_tables(place: Here, folders: Folders) -> TableNames:
    """The tables of a crawl, and the formats in which each can be had as a file."""
    with folders.open(place.id) as crawl:
        names = dict.fromkeys((*crawl.mode.tables, *FORMATS))
        return TableNames(tables=[TableName(name=name, formats=list(FORMATS.get(name, ROWS))) for name in names])


@ROUTER.get("/crawls/{crawl_id}/tables/{table}", responses=CRAWL_PROBLEMS)
def get_rows(
    place: Here,
    table: str,
    folders: Folders,
    offset: Offset = 0,
    limit: Limit = 50,
    sort: Column = "",
    descending: bool = False,
    words: Words = "",
    column: Column = "",
    value: Annotated[str, Query(max_length=1000)] = "",
) -> TableRows:
    """Some rows of a table: sorted by a column, with all these words, or with one value in a column."""
    window = Window(offset, limit, sort, descending, words, {column: value} if column else {})
    with folders.open(place.id) as crawl:
        return shown_rows(rows_of(crawl, table, window), offset)


def rows_of(crawl: Crawl, name: str, window: Window) -> WindowRows:
    """Rows of a table of a crawl."""
    if name not in crawl.mode.tables and (name not in FORMATS or name in (CHANGES, "all", "mirror", "markdown")):
        raise CrawlMissing(f"the crawl has no table {name!r:.60}; it has {', '.join(table_names(crawl))}")
    table = crawl.frame(name).source
    assert isinstance(table, Table)
    return look_through(table, window)


def shown_rows(found: WindowRows, offset: int) -> TableRows:
    rows = [[_cell(cell) for cell in row] for row in found.rows]
    kinds, columns = found.kinds, found.columns
    return TableRows(columns=columns, kinds=kinds, rows=rows, total=found.total, offset=offset, sortable=found.sortable)


def _cell(value: Any) -> Any:
    """A value as JSON has it; long texts are cut, bytes have no place here."""
    if isinstance(value, str):
        return value if len(value) <= _LONGEST_CELL else f"{value[:_LONGEST_CELL]}…"
    if isinstance(value, list | tuple):
        return [_cell(item) for item in value[:50]]
    if isinstance(value, dict):
        return {str(key): _cell(item) for key, item in list(value.items())[:50]}
    return value if value is None or isinstance(value, bool | int | float) else str(value)


@ROUTER.get("/crawls/{crawl_id}/copies", responses=CRAWL_PROBLEMS)
def get_copies(place: Here, folders: Folders, offset: Offset = 0, limit: Limit = 25) -> CopyGroups:
    """Pages that are the same or nearly the same under several URLs, the largest groups first."""
    with folders.open(place.id) as crawl, explained("read"):
        groups, total = copy_groups(crawl.reader.connection, limit, offset)
    shown = [GroupOfCopies.model_validate(group) for group in groups]
    return CopyGroups(groups=shown, total=total, offset=offset)
