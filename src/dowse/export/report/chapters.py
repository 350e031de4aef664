"""The chapters of a report: what one is, and those that the mode of the crawl brings along."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from dowse.core.exhibits import Curve, Exhibit, Graph, Listing
from dowse.export.pages.flow import flow_plot
from dowse.export.pages.lines import line_plot
from dowse.export.pages.plots import Bar, Label, Part, bar_table


class Chapter(NamedTuple):
    """A part of the report: its name in addresses and in the contents, its title, a line that says what is shown, and
    what is drawn."""

    name: str
    short_title: str
    title: str
    note: str
    content: tuple[Any, ...]


def of_mode(exhibits: Iterable[Exhibit]) -> Iterator[Chapter]:
    """What only crawls of a mode have, drawn."""
    for shown in exhibits:
        yield Chapter(shown.name, shown.short_title, shown.title, shown.note, (drawing(shown),))


def drawing(shown: Exhibit) -> Any:
    """The chart of an exhibit."""
    match shown:
        case Listing():
            bars = [
                Bar(Label(row.text, row.url, row.small, row.small_url), (Part("page", row.value),), row.cells)
                for row in shown.rows
            ]
            return bar_table(shown.heads, bars, "pages")
        case Curve():
            return line_plot([(line.name, line.values) for line in shown.lines], shown.axis, shown.title)
        case Graph():
            return flow_plot(shown.nodes, shown.arrows, shown.short_title)
