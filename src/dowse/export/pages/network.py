"""The parts of a site as circles and the links among them as lines: where each stands. charts.html draws them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from dowse.core.phrasing import counted, shortened
from dowse.export.pages.placement import arrange, place_labels
from dowse.export.pages.sections import SectionGraph
from dowse.export.pages.templates import number

WIDTH, HEIGHT = 960.0, 600.0
LARGEST, SMALLEST = 42.0, 5.0
STRONGEST_LINES = 2
"""So many lines are drawn from each circle, the strongest; all of them would hide the picture."""
COLOURS = 8
LONGEST_NAME = 28

Lines = list[tuple[int, int]]


class DrawnLine(NamedTuple):
    """A line between two circles."""

    x1: float
    y1: float
    x2: float
    y2: float
    thickness: float
    hint: str


class Circle(NamedTuple):
    """A part of the site."""

    x: float
    y: float
    radius: float
    colour: str
    hint: str


class Name(NamedTuple):
    """A name beside its circle."""

    x: float
    y: float
    anchor: str
    text: str


class Network(Struct, frozen=True):
    """The picture of a graph of sections. `name` says what a screen reader should say of it."""

    name: str
    lines: list[DrawnLine]
    circles: list[Circle]
    names: list[Name]

    drawn_as: ClassVar[str] = "network"
    width: ClassVar[float] = WIDTH
    height: ClassVar[float] = HEIGHT


def network_plot(graph: SectionGraph, step: int) -> Network:
    """The picture of a graph of sections; where it is from every `step`th page, the numbers are about right."""
    both = graph.links + graph.links.T
    np.fill_diagonal(both, 0)
    pages = np.array([section.pages for section in graph.sections], np.float64)
    radii = np.maximum(LARGEST * np.sqrt(pages / pages.max(initial=1)), SMALLEST)
    weights = np.log1p(both) / max(float(np.log1p(both.max(initial=0))), 1.0)
    lines = _strongest(both)
    drawn = np.zeros_like(weights)
    for one, other in lines:
        drawn[one, other] = drawn[other, one] = weights[one, other]
    points = arrange(drawn, radii, WIDTH, HEIGHT)
    names = [_short(section.name) for section in graph.sections]
    labels = place_labels(points, radii, names, WIDTH, HEIGHT)
    return Network(
        f"Parts of the site and the links among them: {', '.join(names[:12])}",
        [_line(graph, one, other, points, float(weights[one, other])) for one, other in lines],
        list(_circles(graph, points, radii, step)),
        [
            Name(round(label.x, 1), round(label.y, 1), label.anchor, name)
            for name, label in zip(names, labels, strict=True)
            if label is not None
        ],
    )


def _strongest(both: npt.NDArray[np.int64]) -> Lines:
    """The lines to draw: of each circle the few with most links, each once."""
    chosen = set()
    for one, row in enumerate(both):
        for other in np.argsort(-row, kind="stable")[:STRONGEST_LINES].tolist():
            if row[other]:
                chosen.add((min(one, other), max(one, other)))
    return sorted(chosen)


def _line(graph: SectionGraph, one: int, other: int, points: npt.NDArray[np.float64], weight: float) -> DrawnLine:
    (x1, y1), (x2, y2) = points[one].round(1).tolist(), points[other].round(1).tolist()
    there, back = int(graph.links[one, other]), int(graph.links[other, one])
    names = graph.sections[one].name, graph.sections[other].name
    hint = f"{names[0]} to {names[1]}: {counted(there, 'link')}; back: {number(back)}"
    return DrawnLine(x1, y1, x2, y2, round(0.6 + 4 * weight**3, 2), hint)


def _circles(
    graph: SectionGraph, points: npt.NDArray[np.float64], radii: npt.NDArray[np.float64], step: int
) -> Iterator[Circle]:
    sizes: dict[str, int] = {}
    for section in graph.sections:
        sizes[section.family] = sizes.get(section.family, 0) + section.pages
    ranks = {family: rank for rank, family in enumerate(sorted(sizes, key=lambda name: (-sizes[name], name)))}
    about = "about " if step > 1 else ""
    for section, point, radius in zip(graph.sections, points.round(1).tolist(), radii.round(1).tolist(), strict=True):
        rank = min(ranks[section.family], COLOURS)
        hint = f"{section.name}: {about}{counted(section.pages * step, 'page')}"
        yield Circle(point[0], point[1], radius, f"family{rank}", hint)


def _short(name: str) -> str:
    """The end of a long path says more than its beginning, which the colour shows."""
    segments = name.split("/")
    while len(name) > LONGEST_NAME and len(segments) > 3:
        del segments[0]
        name = "…/" + "/".join(segments)
    return shortened(name, LONGEST_NAME)
