"""Rule tables as files: CSV, JSON and TOML, by the ending of their names.

rules.csv    a line of column names, then a line a rule; separated by commas, semicolons or tabs
rules.json   [{"baseURL": ..., ...}, ...] or {"rules": [...]}
rules.toml   [[rules]] and its keys, again and again
"""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Sequence
from io import StringIO
from pathlib import Path

import msgspec

from dowse.core.errors import JobError
from dowse.export.atomic_file import writing
from dowse.modes.rules.rule_table import COLUMNS, RawRow, RawTable, Rule, match_column

FORMATS = ("csv", "json", "toml")

_DELIMITERS = (",", ";", "\t")
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


class RuleFile:
    """A table in a file. It is read once: whoever wants to change rules while a crawl runs needs a database."""

    def __init__(self, path: str) -> None:
        self._path = Path(path)
        self._format = self._path.suffix.lower().removeprefix(".")
        if self._format not in FORMATS:
            endings = ", ".join(f".{format_}" for format_ in FORMATS)
            raise JobError(
                f"{path}: a rule table is a file that ends in {endings}, sqlite:///FILE or postgresql://HOST/DATABASE"
            )

    def read(self) -> RawTable:
        try:
            return parse_rules(_decoded(self._path.read_bytes()), self._format)
        except OSError as error:
            raise JobError(f"{self._path}: {error.strerror}") from error
        except JobError as error:
            raise JobError(f"{self._path}: {error}") from None

    def exists(self) -> bool:
        return self._path.exists()

    def write(self, rules: Sequence[Rule]) -> None:
        """Put these rules in the place of what is there."""
        text = format_rules(rules, self._format)
        with writing(self._path) as stream:
            stream.write(text.encode())

    def close(self) -> None:
        """Nothing is open."""


def parse_rules(text: str, format_: str) -> RawTable:
    """The table in a text of one of the `FORMATS`."""
    if format_ == "csv":
        return _parse_csv(text)
    try:
        found = msgspec.json.decode(text) if format_ == "json" else tomllib.loads(text)
    except (msgspec.DecodeError, tomllib.TOMLDecodeError) as error:
        raise JobError(f"not valid {format_.upper()}: {error}") from None
    if isinstance(found, dict):
        unknown = next((key for key in found if key != "rules"), None)
        if unknown is not None:
            raise JobError(f"unknown key {unknown!r}; the rules belong under the key rules")
        found = found.get("rules", [])
    if not isinstance(found, list) or not all(isinstance(row, dict) for row in found):
        raise JobError('expected a list of rules, each with its columns, such as {"baseURL": "https://example.org/"}')
    columns = list(dict.fromkeys(name for row in found for name in row))
    return RawTable(columns, [RawRow(number, 0, row) for number, row in enumerate(found, start=1)])


def format_rules(rules: Sequence[Rule], format_: str) -> str:
    """The rules as a text of one of the `FORMATS`."""
    rows = [rule.cells() for rule in rules]
    if format_ == "json":
        return msgspec.json.format(msgspec.json.encode(rows), indent=2).decode() + "\n"
    if format_ == "toml":
        tables = ("\n".join(f"{name} = {_toml(value)}" for name, value in row.items()) for row in rows)
        return "\n".join(f"[[rules]]\n{table}\n" for table in tables)
    stream = StringIO()
    writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return stream.getvalue()


def _parse_csv(text: str) -> RawTable:
    lines = text.splitlines(keepends=True)
    first = next((line for line in lines if line.strip()), "")
    # The delimiter is the one that shows the most columns we know; a pattern may hold any of the others.
    delimiter = max(_DELIMITERS, key=lambda mark: sum(match_column(name) is not None for name in _cells(first, mark)))
    reader = csv.reader(lines, delimiter=delimiter, skipinitialspace=True)
    columns: list[str] = []
    rows: list[RawRow] = []
    try:
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            if not columns:
                columns = [cell.strip() for cell in cells]
                continue
            if any(cell.strip() for cell in cells[len(columns) :]):
                raise JobError(
                    f"line {reader.line_num} has {len(cells)} cells and the first line {len(columns)}; put a cell "
                    f"that holds {delimiter!r} between double quotes"
                )
            rows.append(RawRow(len(rows) + 1, reader.line_num, dict(zip(columns, cells, strict=False))))
    except csv.Error as error:
        raise JobError(f"line {reader.line_num} is not CSV: {error}") from None
    return RawTable(columns, rows)


def _cells(line: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=delimiter, skipinitialspace=True), [])
    except csv.Error:
        return []


def _decoded(body: bytes) -> str:
    try:
        return body.decode("utf-16" if body.startswith(_UTF16_MARKS) else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise JobError(f"not a text in UTF-8 (byte {error.start}); save it as UTF-8") from None


def _toml(value: str) -> str:
    # Regular expressions stay readable between single quotes; JSON's escapes are all TOML's too.
    return f"'{value}'" if "\\" in value and "'" not in value else msgspec.json.encode(value).decode()
