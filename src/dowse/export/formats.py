"""Which table can be had in which format."""

from __future__ import annotations

from pathlib import PurePath

from dowse.core.errors import JobError

ROWS = ("csv", "jsonl", "json", "parquet")

FORMS = {
    "pages": (*ROWS, "markdown"),
    "links": (*ROWS, "graphml", "gexf"),
    "nodes": ROWS,
    "edges": ROWS,
    "files": ROWS,
    "matched": ROWS,
    "crawled": ROWS,
    "waiting": ROWS,
    "kept": ROWS,
    "followed": ROWS,
    "records": ROWS,
    "tables": ROWS,
    "ledger": ROWS,
    "bodies": ("warc", "wacz"),
}
"""The formats of each table, the one it has by default first."""

BINARY = frozenset({"parquet", "warc", "wacz"})
"""Formats that are nothing to look at."""

ENDINGS = {"warc.gz": "warc", "txt": "csv", "md": "markdown", "ndjson": "jsonl"}
"""Endings of file names that are not the name of the format."""


def form_of(table: str, file: str, asked: str | None = None) -> str:
    """The format to write a table in: what was asked for, else what the file's name says, else the table's first.

    >>> form_of("links", "site.gexf"), form_of("pages", "-"), form_of("bodies", "all.warc.gz")
    ('gexf', 'csv', 'warc')
    """
    if table not in FORMS:
        raise JobError(f"there is no table {table}; there are {', '.join(FORMS)}")
    endings = {form: form for forms in FORMS.values() for form in forms} | ENDINGS
    named = [form for ending, form in endings.items() if file.lower().endswith(f".{ending}")]
    ending = PurePath(file).suffix
    form = asked or next(iter(named), ending.lstrip(".") or FORMS[table][0])
    if form not in FORMS[table]:
        *most, last = FORMS[table]
        hint = "" if asked or named else "; --to says in which format a file of another name is written"
        raise JobError(f"{table} can be had as {', '.join(most)} or {last}, not as {form}{hint}")
    if form == "warc" and ending == ".warc":
        raise JobError(f"{file} would be compressed, as WARC files are: name it {file}.gz")
    return form
