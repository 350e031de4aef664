"""Rows as an HTML table for notebooks. Every text comes from strangers, so none is anything but text."""

from __future__ import annotations

from itertools import islice
from typing import Any

from dowse.core.columns import Columnar
from dowse.core.phrasing import counted, shortened
from dowse.export.pages.templates import render
from dowse.export.text_tables import moment

LONGEST_TEXT = 80
"""Characters of a cell that are shown."""


def to_html(table: Columnar, shown: int, total: int) -> str:
    """The first rows, and how many there are."""
    kinds = [table.kinds.get(name) for name in table.columns]
    rows = [[_cell(value, kind) for value, kind in zip(row, kinds, strict=True)] for row in islice(table.rows(), shown)]
    count = counted(total, "row")
    rest = f"{count}, the first {shown} shown" if total > shown else count
    return render("notebook_table.html", columns=table.columns, rows=rows, rest=rest)


def _cell(value: Any, kind: str | None) -> str:
    if value is None:
        return ""
    if kind == "time":
        return moment(value)[:19].replace("T", " ")
    return shortened(f"{value:.6g}" if isinstance(value, float) else str(value), LONGEST_TEXT)
