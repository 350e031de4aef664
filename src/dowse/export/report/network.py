"""Draws the parts of a site as circles and the links among them as lines."""

from __future__ import annotations

from xml.etree.ElementTree import Element

import numpy as np
import numpy.typing as npt

from dowse.core.phrasing import counted, shortened
from dowse.export.report.markup import element, number
from dowse.export.report.placement import Label, arrange, place_labels
from dowse.export.report.sections import SectionGraph

WIDTH, HEIGHT = 960.0, 600.0
LARGEST, SMALLEST = 42.0, 5.0
STRONGEST_LINES = 2
"""So many lines are drawn from each circle, the strongest; all of them would hide the picture."""
COLOURS = 8
LONGEST_NAME = 28

Lines = list[tuple[int, int]]


def network_plot(graph: SectionGraph, step: int) -> Element:
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
    said = f"Parts of the site and the links among them: {', '.join(names[:12])}"
    box = f"0 0 {WIDTH:g} {HEIGHT:g}"
    picture = element("svg", {"class": "network", "viewBox": box, "role": "img", "aria-label": said})
    picture.append(_lines(graph, lines, points, weights))
    picture.append(_circles(graph, points, radii, step))
    picture.append(_names(names, labels))
    return element("div", {"class": "wide"}, picture)


def _strongest(both: npt.NDArray[np.int64]) -> Lines:
    """The lines to draw: of each circle the few with most links, each once."""
    chosen = set()
    for one, row in enumerate(both):
        for other in np.argsort(-row, kind="stable")[:STRONGEST_LINES].tolist():
            if row[other]:
                chosen.add((min(one, other), max(one, other)))
    return sorted(chosen)


def _lines(
    graph: SectionGraph, lines: Lines, points: npt.NDArray[np.float64], weights: npt.NDArray[np.float64]
) -> Element:
    group = element("g", {"class": "links"})
    for one, other in lines:
        (x1, y1), (x2, y2) = points[one].round(1).tolist(), points[other].round(1).tolist()
        there, back = int(graph.links[one, other]), int(graph.links[other, one])
        names = graph.sections[one].name, graph.sections[other].name
        hint = f"{names[0]} to {names[1]}: {counted(there, 'link')}; back: {number(back)}"
        place = {"x1": x1, "y1": y1, "x2": x2, "y2": y2, "stroke-width": round(0.6 + 4 * weights[one, other] ** 3, 2)}
        group.append(element("line", place, element("title", None, hint)))
    return group


def _circles(
    graph: SectionGraph, points: npt.NDArray[np.float64], radii: npt.NDArray[np.float64], step: int
) -> Element:
    sizes: dict[str, int] = {}
    for section in graph.sections:
        sizes[section.family] = sizes.get(section.family, 0) + section.pages
    ranks = {family: rank for rank, family in enumerate(sorted(sizes, key=lambda name: (-sizes[name], name)))}
    group = element("g", {"class": "circles"})
    about = "about " if step > 1 else ""
    for section, point, radius in zip(graph.sections, points.round(1).tolist(), radii.round(1).tolist(), strict=True):
        rank = min(ranks[section.family], COLOURS)
        hint = f"{section.name}: {about}{counted(section.pages * step, 'page')}"
        place = {"cx": point[0], "cy": point[1], "r": radius, "class": f"family{rank}"}
        group.append(element("circle", place, element("title", None, hint)))
    return group


def _short(name: str) -> str:
    """The end of a long path says more than its beginning, which the colour shows."""
    segments = name.split("/")
    while len(name) > LONGEST_NAME and len(segments) > 3:
        del segments[0]
        name = "…/" + "/".join(segments)
    return shortened(name, LONGEST_NAME)


def _names(names: list[str], labels: list[Label | None]) -> Element:
    group = element("g", {"class": "names"})
    for name, label in zip(names, labels, strict=True):
        if label is not None:
            place = {"x": round(label.x, 1), "y": round(label.y, 1), "text-anchor": label.anchor}
            group.append(element("text", place, name))
    return group
