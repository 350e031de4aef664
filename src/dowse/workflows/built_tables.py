"""A rule table while somebody makes it: its rows looked at, tried by a small crawl, opened and saved.

rows      cells by the names of their columns, as they stand in the table, right or wrong
options   what the table has no columns for: how pages are fetched, the fields to take, and the steps of page types
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from msgspec import Struct

from dowse import app
from dowse.config import dump_job, load_job, make_job
from dowse.core.errors import CrawlError, JobError
from dowse.core.record import UNFINISHED
from dowse.export.atomic_file import writing
from dowse.modes.rules.rule_places import (
    file_of,
    has_rules,
    is_database,
    place_of,
    read_rules,
    shown_place,
    write_rules,
)
from dowse.modes.rules.rule_reading import read_table
from dowse.modes.rules.rule_table import (
    COLUMNS,
    Problem,
    RawRow,
    RawTable,
    RuleTable,
    match_column,
    renumbered,
)
from dowse.store.folder import holds_crawl

JOB_ENDING = ".job.toml"
"""What the name of a job file adds to that of its table."""

MOST_PAGES = 200
_ENDINGS = (".csv", ".json", ".toml")
_MOST_FILES = 200
_HEAD = 4_096
_SECONDS = 60.0
_MOST_SHOWN = 500

Rows = Sequence[Mapping[str, str]]


class RowTrial(Struct, frozen=True):
    """The trial of one row: the pages that it was applied to, and the links that it took there."""

    row: int
    pages: int
    links: int


class Attempt(Struct, frozen=True):
    """A small crawl by a table. Of what it kept and of the records there are the first."""

    pages: int
    kept_count: int
    kept: list[dict[str, Any]]
    rows: list[RowTrial]
    records: list[dict[str, Any]]
    failures: list[dict[str, Any]]
    is_whole: bool


def look_at(rows: Rows) -> RuleTable:
    """The rules of some rows, and what is wrong with them: the problems that `dowse rules check` names."""
    if not any(any(cells.values()) for cells in rows):
        return RuleTable((), ())
    raw = RawTable(list(COLUMNS), [RawRow(number, 0, dict(cells)) for number, cells in enumerate(rows, start=1)])
    try:
        return read_table(raw)
    except JobError as error:
        return RuleTable((), (Problem(str(error)),))


def try_table(rows: Rows, max_pages: int, **options: Any) -> Attempt:
    """Crawl at most some pages by a table, and tell what came of it. Nothing is left on the disk."""
    table = look_at(rows)
    if not table.rules:
        raise JobError("; ".join(map(str, table.errors)) or "the table has no rules; add one first")
    with tempfile.TemporaryDirectory(prefix="dowse-try-") as folder:
        path = str(Path(folder) / "rules.json")
        write_rules(table.rules, path)
        limits = {"max_pages": min(max_pages, MOST_PAGES), "max_time": _SECONDS}
        job = make_job("rules", (), **{**options, **limits}, table=path, output=str(Path(folder) / "crawl"))
        summary = app.start(job)
        crawl = app.read(job.output)
        try:
            return _told(crawl, summary.pages, [rule.row for rule in table.rules])
        finally:
            crawl.close()


def _told(crawl: app.Crawl, pages: int, numbers: Sequence[int]) -> Attempt:
    matches, kept = crawl.matches(), crawl.kept
    shown = ("url", "anchor", "page_type", "found_on")
    rows = [RowTrial(row, *matches.get(place, (0, 0))) for place, row in enumerate(numbers, start=1)]
    records = (row for row in crawl.records if row.get("kind") != UNFINISHED)
    failures = ({"url": row["url"], "reason": row["reason"]} for row in crawl.ledger if row["state"] == "failed")
    return Attempt(
        pages=pages,
        kept_count=len(kept),
        kept=[{name: row[name] for name in shown} | {"row": numbers[row["rule"] - 1]} for row in _first(kept)],
        rows=rows,
        records=_first(records),
        failures=_first(failures),
        is_whole=crawl.stop_reason == "complete",
    )


def _first(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return list(islice(rows, _MOST_SHOWN))


def open_table(name: str) -> list[dict[str, str]]:
    """The rows at a place as they stand there, with the columns that a table has."""
    raw = _raw_table(name)
    named = {column: known for column in raw.columns if (known := match_column(column)) in COLUMNS}
    unknown = [column for column in raw.columns if column.strip() and match_column(column) is None]
    if unknown:
        read_rules(name)  # which names the column and the cure
    return [{str(named[key]): "" if value is None else str(value) for key, value in row.cells.items() if key in named}
            for row in raw.rows]  # fmt: skip


def _raw_table(name: str) -> RawTable:
    place = place_of(name)
    try:
        return place.read()
    finally:
        place.close()


def save_table(rows: Rows, name: str, *, replace: bool) -> int:
    """Write a table without errors to a place; how many rules were written."""
    table = look_at(rows)
    if table.errors or not table.rules:
        raise JobError(f"{table.errors[0] if table.errors else 'the table has no rules'}; nothing was written")
    if not replace and has_rules(name):
        raise CrawlError(f"{shown_place(name)} holds rules already; choose to replace them, or another place")
    _check_nothing_else(name)
    write_rules(renumbered(table.rules), name)
    return len(table.rules)


def _check_nothing_else(name: str) -> None:
    """Refuse a place where something is that is no rule table: a table replaces a table, and no file of a crawl."""
    file = file_of(name)
    if file is None or not file.exists() or not file.stat().st_size:
        return
    try:
        is_table = has_rules(name) and "ruleType" in map(match_column, _raw_table(name).columns)
    except JobError:
        is_table = False
    # Somebody's own database may get one more table. That of a crawl has rules of its own, or is for no others.
    if not is_table and (not is_database(name) or holds_crawl(file.parent)):
        raise CrawlError(f"{shown_place(name)} is no rule table, and is not written over; choose another place")


def save_job(name: str, path: Path, **options: Any) -> str:
    """Write a job file that crawls by the table at a place, with what the table has no columns for; its text."""
    if is_database(name) or not options:
        raise JobError("a job file is for tables in files, with fields or steps")
    text = dump_job(make_job("rules", (), table=name, **options))
    with writing(path) as stream:
        stream.write(text.encode())
    return text


def job_options(path: Path) -> dict[str, Any]:
    """What the job file of a table says besides: `fields`, `steps` and `fetch`."""
    job = load_job(path)
    return {"fields": list(job.extract.extract), "steps": list(job.fetch.step), "fetch": job.fetch.fetch}


def table_files(rows: Rows, name: str, **options: Any) -> dict[str, str]:
    """The texts of the files that a table would be saved as, by their names."""
    with tempfile.TemporaryDirectory(prefix="dowse-table-") as folder:
        path = Path(folder) / name
        save_table(rows, str(path), replace=True)
        files = {name: path.read_text("utf-8")}
    if options:
        files[f"{name}{JOB_ENDING}"] = dump_job(make_job("rules", (), table=name, **options))
    return files


def table_names(folder: Path) -> list[str]:
    """The files in a folder that look like rule tables; of many files the first."""
    files = sorted(path for path in folder.iterdir() if path.suffix in _ENDINGS and path.is_file())
    return [path.name for path in files[:_MOST_FILES] if not path.name.endswith(JOB_ENDING) and _looks_right(path)]


def _looks_right(path: Path) -> bool:
    try:
        with path.open("rb") as stream:
            return b"ruletype" in stream.read(_HEAD).lower()
    except OSError:
        return False
