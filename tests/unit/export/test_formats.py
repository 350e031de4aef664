"""Which format a file's name asks for."""

from __future__ import annotations

import pytest

from dowse.core.errors import JobError
from dowse.export.formats import format_of


@pytest.mark.parametrize(
    ("table", "file", "form"),
    [
        ("pages", "-", "csv"),
        ("bodies", "-", "warc"),
        ("pages", "out/PAGES.PARQUET", "parquet"),
        ("links", "site.v2.graphml", "graphml"),
        ("bodies", "all.warc.gz", "warc"),
        ("pages", "pages.json", "json"),
        ("pages", "pages.ndjson", "jsonl"),
        ("pages", "csv", "csv"),
        ("pages", "urls.txt", "txt"),
        ("pages", "pages.csv.gz", "csv.gz"),
        ("pages", "pages.xlsx", "xlsx"),
        ("links", "links.db", "sqlite"),
        ("all", "-", "sqlite"),
    ],
)
def test_the_ending_decides(table: str, file: str, form: str) -> None:
    assert format_of(table, file) == form


@pytest.mark.parametrize(
    ("table", "file", "asked", "message"),
    [
        ("pages", "pages.warc", None, "pages can be had as csv, csv.gz, .*, txt or markdown, not as warc"),
        ("bodies", "-", "csv", "bodies can be had as warc or wacz, not as csv"),
        ("pages", "pages.ods", None, "not as ods; --to says in which format"),
        ("bodies", "all.warc", None, "all.warc would be compressed, as WARC files are: name it all.warc.gz"),
        ("kept", "-", "gexf", "kept can be had as csv, csv.gz, jsonl, json, parquet, sqlite, xlsx or txt, not as"),
    ],
)
def test_what_cannot_be_had_is_said(table: str, file: str, asked: str | None, message: str) -> None:
    with pytest.raises(JobError, match=message):
        format_of(table, file, asked)
