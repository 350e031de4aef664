"""The marks of a report, as SVG: columns over an axis, bars in a table, one bar in parts.

Places along the width are per cent and everything else is in pixels, without a viewBox: a plot is as wide as its
column of the page and its text keeps its size, on a telephone too. Colours are classes of report.css.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil, floor, log10
from typing import NamedTuple
from xml.etree.ElementTree import Element

from dowse.export.report.markup import element, number

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


class Bar(NamedTuple):
    """One row of a table of bars: what it is, how long the bar is, and what stands in the cells after it."""

    label: Element | str
    parts: tuple[Part, ...]
    cells: tuple[str, ...]


def column_plot(
    columns: Sequence[Column], ticks: Iterable[Mark], axis: str, name: str, marks: Sequence[Mark] = ()
) -> Element:
    """Columns over an axis with ticks. `name` says what a screen reader should say of the picture."""
    steps = nice_steps(max((sum(part.value for part in column.parts) for column in columns), default=0))
    top = steps[-1]
    head = 8.0 + LINE * len(marks)
    size = {"height": head + HEIGHT + FOOT}
    field = element("g", {"transform": f"translate(0 {head:g})"})
    field.extend(_line(HEIGHT * (1 - step / top)) for step in steps)
    field.extend(_stack(column, top) for column in columns)
    field.extend(_mark(mark, LINE * (level - len(marks))) for level, mark in enumerate(marks))
    field.extend(_tick(tick) for tick in ticks)
    labels = element("g", {"transform": f"translate(0 {head:g})"})
    for step in steps:
        place = {"x": "100%", "y": HEIGHT * (1 - step / top) + 4, "text-anchor": "end", "class": "tick"}
        labels.append(element("text", place, short_number(step)))
    return element(
        "div",
        {"class": "plot"},
        element("svg", {"width": 46, "aria-hidden": "true", **size}, labels),
        element("svg", {"class": "field", "width": "100%", "role": "img", "aria-label": name, **size}, field),
        element("p", {"class": "axis"}, axis),
    )


def bar_table(heads: Sequence[str], bars: Sequence[Bar], colour: str = "") -> Element:
    """A table with a bar in each row; the longest fills its cell."""
    longest = max((sum(part.value for part in bar.parts) for bar in bars), default=0) or 1
    header = element("tr")
    header.append(element("th", {"scope": "col"}, heads[0]))
    header.append(element("td", {"class": "bar"}))
    header.extend(element("th", {"scope": "col", "class": "number"}, head) for head in heads[1:])
    body = element("tbody")
    for bar in bars:
        row = element("tr", None, element("th", {"scope": "row"}, bar.label))
        row.append(element("td", {"class": "bar"}, part_bar(bar.parts, longest, 12)))
        for head, cell in zip(heads[1:], bar.cells, strict=True):
            row.append(element("td", {"class": "number", "data-head": head}, cell))
        body.append(row)
    return element("table", {"class": f"bars {colour}".strip()}, element("thead", None, header), body)


def part_bar(parts: Sequence[Part], whole: float, height: int) -> Element:
    """A bar in parts, as long as its sum is of `whole`."""
    bar = element("svg", {"width": "100%", "height": height, "aria-hidden": "true"})
    left = 0.0
    for part in parts:
        if part.value:
            width = 100 * part.value / whole
            place = {"x": _percent(left), "width": _percent(width), "height": height}
            bar.append(element("rect", {**place, "class": part.colour}))
            left += width
    return bar


def bar_key(colour: str) -> Element:
    """A small square of a colour, to say what it means."""
    key = element("svg", {"class": "key", "width": 11, "height": 11, "aria-hidden": "true"})
    key.append(element("rect", {"width": 11, "height": 11, "class": colour}))
    return key


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


def _stack(column: Column, top: float) -> Element:
    group = element("g", None, element("title", None, column.hint))
    # A hair of space between columns, but never so much that a narrow one is gone.
    left, width = column.left * 100, column.width * 100
    gap = min(0.3, width / 6)
    bottom = float(HEIGHT)
    for part in column.parts:
        if part.value:
            height = max(HEIGHT * part.value / top, 1.0)
            bottom -= height
            size = {"x": _percent(left + gap / 2), "y": bottom, "width": _percent(width - gap), "height": height}
            group.append(element("rect", {**size, "class": part.colour}))
    return group


def _mark(mark: Mark, y: float) -> Element:
    """A line from the foot up to the name, which stands on the side that has room for it."""
    place = _percent(100 * mark.place)
    line = element("line", {"class": "mark", "x1": place, "x2": place, "y1": y, "y2": HEIGHT})
    right = mark.place > 0.6
    anchor = {"text-anchor": "end" if right else "start", "dx": -5 if right else 5}
    return element("g", None, line, element("text", {"class": "mark", "x": place, "y": y + 10, **anchor}, mark.text))


def _tick(tick: Mark) -> Element:
    anchor = "start" if tick.place < 0.04 else "end" if tick.place > 0.96 else "middle"
    place = {"x": _percent(100 * tick.place), "y": HEIGHT + 16, "class": "tick", "text-anchor": anchor}
    return element("text", place, tick.text)


def _line(y: float) -> Element:
    return element("line", {"class": "grid", "x1": "0", "x2": "100%", "y1": y, "y2": y})


def _percent(value: float) -> str:
    return f"{value:.4g}%"
