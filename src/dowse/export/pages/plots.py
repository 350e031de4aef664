"""The marks of a chart as values: columns over an axis, bars in a table, one bar in parts.

Here is where everything stands; templates/charts.html writes it as SVG. Places along the width are per cent and
everything else is in pixels, without a viewBox: a plot is as wide as its column of the page and its text keeps its
size, on a telephone too. Colours are classes of charts.css. `drawn_as` names the macro that draws a value.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil, floor, log10
from typing import Any, ClassVar, NamedTuple

from msgspec import Struct

from dowse.export.pages.templates import environment, number

HEIGHT = 200
FOOT = 22
LINE = 15.0
MOST_TICKS = 5


class Part(NamedTuple):
    """A piece of a bar or column: its colour class and how much it is."""

    colour: str
    value: float


class Column(NamedTuple):
    """A column from `left` over `width`, both as parts of the axis; `hint` is shown when it is pointed at."""

    left: float
    width: float
    parts: tuple[Part, ...]
    hint: str


class Mark(NamedTuple):
    """A line across the plot at a place of the axis, with its name."""

    place: float
    text: str


class Label(NamedTuple):
    """What a row is: a text, or a link with that text, and something smaller after it, which may be a link too."""

    text: str
    url: str = ""
    small: str = ""
    small_url: str = ""


class Bar(NamedTuple):
    """One row of a table of bars: what it is, how long the bar is, and what stands in the cells after it."""

    label: Label
    parts: tuple[Part, ...]
    cells: tuple[str, ...]


class Rect(NamedTuple):
    """A rectangle: `x` and `width` are per cent of the whole, `y` and `height` are pixels."""

    x: str
    width: str
    y: float
    height: float
    colour: str


class Stack(NamedTuple):
    """A column as it is drawn."""

    hint: str
    rects: tuple[Rect, ...]


class PlacedText(NamedTuple):
    """A text at a place, and on which side of it."""

    x: str
    y: float
    anchor: str
    text: str


class ColumnPlot(Struct, frozen=True):
    """Columns over an axis. `name` says what a screen reader should say of the picture."""

    name: str
    axis: str
    head: float
    height: float
    steps: tuple[tuple[float, str], ...]
    stacks: tuple[Stack, ...]
    marks: tuple[PlacedText, ...]
    ticks: tuple[PlacedText, ...]

    drawn_as: ClassVar[str] = "column_plot"
    foot: ClassVar[float] = HEIGHT


class BarTable(Struct, frozen=True):
    """A table with a bar in each row; the longest fills its cell."""

    heads: Sequence[str]
    rows: Sequence[tuple[Bar, tuple[Rect, ...]]]
    kind: str

    drawn_as: ClassVar[str] = "bar_table"


class WholeBar(Struct, frozen=True):
    """One bar in parts, over the whole width."""

    rects: tuple[Rect, ...]
    height: int

    drawn_as: ClassVar[str] = "whole_bar"


class Keys(Struct, frozen=True):
    """What the colours mean."""

    keys: Sequence[tuple[str, str]]

    drawn_as: ClassVar[str] = "keys"


class Pair(Struct, frozen=True):
    """Two side by side, where there is room."""

    left: Any
    right: Any

    drawn_as: ClassVar[str] = "pair"


def drawn(chart: Any) -> str:
    """A chart alone, as a piece of HTML."""
    return str(getattr(environment().get_template("charts.html").module, chart.drawn_as)(chart))


def column_plot(
    columns: Sequence[Column], ticks: Iterable[Mark], axis: str, name: str, marks: Sequence[Mark] = ()
) -> ColumnPlot:
    """Columns over an axis with ticks."""
    steps = nice_steps(max((sum(part.value for part in column.parts) for column in columns), default=0))
    top = steps[-1]
    head = 8.0 + LINE * len(marks)
    return ColumnPlot(
        name,
        axis,
        head,
        head + HEIGHT + FOOT,
        tuple((HEIGHT * (1 - step / top), short_number(step)) for step in steps),
        tuple(Stack(column.hint, _stack(column, top)) for column in columns),
        tuple(_mark(mark, LINE * (level - len(marks))) for level, mark in enumerate(marks)),
        tuple(_tick(tick) for tick in ticks),
    )


def bar_table(heads: Sequence[str], bars: Sequence[Bar], kind: str = "") -> BarTable:
    """A table of bars."""
    longest = max((sum(part.value for part in bar.parts) for bar in bars), default=0) or 1
    return BarTable(heads, [(bar, part_bar(bar.parts, longest, 12)) for bar in bars], kind)


def part_bar(parts: Sequence[Part], whole: float, height: int) -> tuple[Rect, ...]:
    """A bar in parts, as long as its sum is of `whole`."""
    rects = []
    left = 0.0
    for part in parts:
        if part.value:
            width = 100 * part.value / whole
            rects.append(Rect(percent(left), percent(width), 0.0, height, part.colour))
            left += width
    return tuple(rects)


def nice_steps(most: float) -> list[float]:
    """Round whole numbers from 0 to the first that is not under `most`, about `MOST_TICKS` of them."""
    if most <= 0:
        return [0.0, 1.0]
    rough = most / MOST_TICKS
    power = 10.0 ** floor(log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
    step = max(step, 1.0)
    return [step * place for place in range(ceil(most / step) + 1)]


def short_number(value: float) -> str:
    """A number on an axis: 950, 12k, 1.5M."""
    for size, letter in ((1e6, "M"), (1e4, "")):
        if value >= size:
            return f"{value / 1e6:g}M" if letter else f"{value / 1e3:g}k"
    return number(value)


def percent(value: float) -> str:
    return f"{value:.4g}%"


def _stack(column: Column, top: float) -> tuple[Rect, ...]:
    # A hair of space between columns, but never so much that a narrow one is gone.
    left, width = column.left * 100, column.width * 100
    gap = min(0.3, width / 6)
    bottom = float(HEIGHT)
    rects = []
    for part in column.parts:
        if part.value:
            height = max(HEIGHT * part.value / top, 1.0)
            bottom -= height
            rects.append(Rect(percent(left + gap / 2), percent(width - gap), bottom, height, part.colour))
    return tuple(rects)


def _mark(mark: Mark, y: float) -> PlacedText:
    """The name of a line stands on the side that has room for it."""
    return PlacedText(percent(100 * mark.place), y, "end" if mark.place > 0.6 else "start", mark.text)


def _tick(tick: Mark) -> PlacedText:
    anchor = "start" if tick.place < 0.04 else "end" if tick.place > 0.96 else "middle"
    return PlacedText(percent(100 * tick.place), HEIGHT + 16, anchor, tick.text)
