"""Harvest curves of rankers as one HTML page, complete in itself: lines over pages fetched, and a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TextIO

from dowse.export.pages.lines import line_plot
from dowse.export.pages.templates import write_document


class Curve(NamedTuple):
    """One line: its name, how many relevant pages there were after each page, and the cells of its row."""

    name: str
    values: Sequence[float]
    cells: Sequence[str]


def write_curves(title: str, heads: Sequence[str], curves: Sequence[Curve], stream: TextIO) -> None:
    """Write the page. The lines have the order of the table."""
    said = "relevant pages found, by pages fetched"
    plot = line_plot([(curve.name, curve.values) for curve in curves], said, said)
    styles = ("colours.css", "theme.css", "charts.css")
    write_document(stream, "curves.html", styles, title=title, heads=heads, curves=curves, plot=plot)
