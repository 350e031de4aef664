"""Rows as an HTML table for notebooks. Every text comes from strangers, so none is anything but text."""

from __future__ import annotations

from html import escape
from itertools import islice
from typing import Any

from dowse.core.columns import Columnar
from dowse.core.phrasing import counted
from dowse.export.text_tables import moment

LONGEST_TEXT = 80
"""Characters of a cell that are shown."""


def to_html(table: Columnar, shown: int, total: int) -> str:
    """The first rows, and how many there are."""
    kinds = table.kinds
    head = "".join(f"<th>{escape(name)}</th>" for name in table.columns)
    lines = []
    for row in islice(table.rows(), shown):
        cells = zip(table.columns, row, strict=True)
        lines.append("<tr>" + "".join(f"<td>{_cell(value, kinds.get(name))}</td>" for name, value in cells) + "</tr>")
    count = counted(total, "row")
    rest = f"{count}, the first {shown} shown" if total > shown else count
    # The classes tell notebooks not to look for formulas in the texts. A row is a line, and a wide table is scrolled.
    return (
        '<div class="tex2jax_ignore mathjax_ignore" style="overflow-x: auto"><table style="white-space: nowrap">'
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table><p>{rest}</p></div>"
    )


def _cell(value: Any, kind: str | None) -> str:
    if value is None:
        return ""
    if kind == "time":
        return moment(value)[:19].replace("T", " ")
    text = f"{value:.6g}" if isinstance(value, float) else str(value)
    return escape(text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…")
