"""Curves over an axis, as values: how much there was of something after each step. charts.html draws them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from msgspec import Struct

from dowse.export.pages.plots import FOOT, HEIGHT, PlacedText, nice_steps, percent, short_number

MOST_POINTS = 400
WIDTH = 1000
"""Of the field that curves are drawn in; it is stretched to the plot, and the strokes are not."""
COLOURS = 10
HEAD = 8.0


class DrawnCurve(NamedTuple):
    """A curve: its name, its colour class, and its points as SVG writes them."""

    name: str
    colour: str
    points: str


class LinePlot(Struct, frozen=True):
    """Curves over an axis. `name` says what a screen reader should say of the picture."""

    name: str
    axis: str
    steps: tuple[tuple[float, str], ...]
    lines: tuple[DrawnCurve, ...]
    ticks: tuple[PlacedText, ...]

    drawn_as: ClassVar[str] = "line_plot"
    head: ClassVar[float] = HEAD
    height: ClassVar[float] = HEAD + HEIGHT + FOOT
    foot: ClassVar[float] = HEIGHT


def line_plot(curves: Sequence[tuple[str, Sequence[float]]], axis: str, name: str) -> LinePlot:
    """Curves with their names. The first value of each is that after one step; before it there is nothing."""
    across = nice_steps(max((len(values) for _, values in curves), default=1))
    upward = nice_steps(max((max(values, default=0) for _, values in curves), default=1))
    ticks = []
    for step in across:
        anchor = "start" if not step else "end" if step == across[-1] else "middle"
        ticks.append(PlacedText(percent(100 * step / across[-1]), HEIGHT + 16, anchor, short_number(step)))
    return LinePlot(
        name,
        axis,
        tuple((HEIGHT * (1 - step / upward[-1]), short_number(step)) for step in upward),
        tuple(
            DrawnCurve(curve, f"series{place % COLOURS}", _points(values, across[-1], upward[-1]))
            for place, (curve, values) in enumerate(curves)
            if values
        ),
        tuple(ticks),
    )


def _points(values: Sequence[float], across: float, upward: float) -> str:
    step = max(1, len(values) // MOST_POINTS)
    places = [*range(0, len(values), step), len(values) - 1]
    points = [(0.0, 0.0), *((place + 1.0, values[place]) for place in places)]
    return " ".join(f"{WIDTH * x / across:.1f},{HEIGHT * (1 - y / upward):.1f}" for x, y in points)
