"""Harvest curves of rankers as one HTML page, complete in itself: lines over pages fetched, and a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TextIO
from xml.etree.ElementTree import Element

from dowse.export.report.markup import element, write_document
from dowse.export.report.plots import nice_steps, short_number

WIDTH, HEIGHT = 760, 380
LEFT, RIGHT, TOP, FOOT = 52, 130, 12, 40

COLOURS = ("#0b6e99", "#c2410c", "#15803d", "#7c3aed", "#b91c1c", "#a16207", "#0f766e", "#be185d", "#4d7c0f", "#64748b")

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 820px; margin: 2rem auto; padding: 0 1rem; color: #1f2937; }
svg { width: 100%; height: auto; } text { font: 12px system-ui, sans-serif; fill: #4b5563; }
.grid { stroke: #e5e7eb; } .curve { fill: none; stroke-width: 2; }
table { border-collapse: collapse; } th, td { padding: .2rem .8rem .2rem 0; text-align: right; }
th:first-child { text-align: left; } td { font-variant-numeric: tabular-nums; }
@media (prefers-color-scheme: dark) { body { background: #111827; color: #e5e7eb; } text { fill: #9ca3af; }
  .grid { stroke: #374151; } }
"""


class Curve(NamedTuple):
    """One line: its name, how many relevant pages there were after each page, and the cells of its row."""

    name: str
    values: Sequence[float]
    cells: Sequence[str]


def write_curves(title: str, heads: Sequence[str], curves: Sequence[Curve], stream: TextIO) -> None:
    """Write the page. The lines are named at their ends, in the order of the table."""
    head = element(
        "head",
        None,
        element("meta", {"charset": "utf-8"}),
        element("meta", {"name": "viewport", "content": "width=device-width"}),
        element("title", None, title),
        _style(),
    )
    body = element("body", None, element("h1", None, title), _plot(curves), _table(heads, curves))
    write_document(element("html", {"lang": "en"}, head, body), stream)


def _style() -> Element:
    made = element("style")
    made.text = STYLE
    return made


def _plot(curves: Sequence[Curve]) -> Element:
    across = nice_steps(max((len(curve.values) for curve in curves), default=1))
    upward = nice_steps(max((max(curve.values, default=0) for curve in curves), default=1))

    def point(pages: float, value: float) -> tuple[float, float]:
        x = LEFT + (WIDTH - LEFT - RIGHT) * pages / across[-1]
        return x, TOP + (HEIGHT - TOP - FOOT) * (1 - value / upward[-1])

    label = "relevant pages found, by pages fetched"
    svg = element("svg", {"viewBox": f"0 0 {WIDTH} {HEIGHT}", "role": "img", "aria-label": label})
    for step in upward:
        x, y = point(0, step)
        svg.append(element("line", {"class": "grid", "x1": x, "x2": WIDTH - RIGHT, "y1": y, "y2": y}))
        svg.append(element("text", {"x": x - 6, "y": y + 4, "text-anchor": "end"}, short_number(step)))
    for step in across:
        x, y = point(step, 0)
        svg.append(element("text", {"x": x, "y": y + 16, "text-anchor": "middle"}, short_number(step)))
    svg.append(element("text", {"x": LEFT, "y": HEIGHT - 4}, label))
    taken: list[float] = []
    for number, curve in enumerate(curves):
        if curve.values:
            svg.extend(_line(curve, COLOURS[number % len(COLOURS)], point, taken))
    return svg


def _line(curve: Curve, colour: str, point: object, taken: list[float]) -> list[Element]:
    assert callable(point)
    step = max(1, len(curve.values) // 400)
    places = [*range(0, len(curve.values), step), len(curve.values) - 1]
    points = [point(0, 0), *(point(place + 1, curve.values[place]) for place in places)]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    x, y = points[-1]
    while any(abs(y - other) < 13 for other in taken):  # names must not lie on each other
        y += 13
    taken.append(y)
    return [
        element("polyline", {"class": "curve", "stroke": colour, "points": line}),
        element("text", {"x": x + 6, "y": y + 4, "style": f"fill: {colour}"}, curve.name),
    ]


def _table(heads: Sequence[str], curves: Sequence[Curve]) -> Element:
    table = element("table")
    table.append(element("tr", None, *(element("th", {"scope": "col"}, head) for head in ("by", *heads))))
    for curve in curves:
        row = element("tr", None, element("th", {"scope": "row"}, curve.name))
        row.extend(element("td", None, cell) for cell in curve.cells)
        table.append(row)
    return table
