"""Places for the circles and names of a graph: forces pull linked circles together and push all apart.

The same graph is always drawn the same way; nothing is left to chance. A few dozen circles take milliseconds, and the
arrays are squares of the number of circles, so that it is kept to a few hundred.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

ROUNDS = 400
LETTER = 6.7
"""The width of a letter of a name, about, in pixels."""
LINE = 15.0

Points = npt.NDArray[np.float64]


class Box(NamedTuple):
    """Where a name stands."""

    left: float
    top: float
    right: float
    bottom: float


class Label(NamedTuple):
    """A name beside its circle: where its text begins, ends or has its middle (`anchor`)."""

    x: float
    y: float
    anchor: str


def arrange(weights: npt.NDArray[np.float64], radii: Points, width: float, height: float) -> Points:
    """Places for circles of these radii in a box; `weights` (symmetric, 0 to 1) say how strongly two are linked."""
    count = len(radii)
    turn = np.arange(count) * 2.399963  # the golden angle: a spiral in which no two circles meet
    distance = np.sqrt((np.arange(count) + 0.5) / max(count, 1))
    points = np.stack([np.cos(turn), np.sin(turn)], axis=1) * distance[:, None]
    ideal = 1.1 / np.sqrt(max(count, 1))
    # A hub would draw everything into a knot: what it is linked to is shared among its links.
    degrees = np.maximum(weights.sum(axis=1), 1e-9)
    weights = weights / np.sqrt(degrees[:, None] * degrees[None, :])
    for moment in range(ROUNDS):
        apart = points[:, None, :] - points[None, :, :]
        lengths = np.maximum(np.linalg.norm(apart, axis=2), 1e-6)
        push = ideal**2 / lengths**2
        pull = weights * lengths / ideal
        np.fill_diagonal(push, 0)
        moves = (apart * (push - pull)[:, :, None]).sum(axis=1) - 0.9 * points
        size = np.maximum(np.linalg.norm(moves, axis=1, keepdims=True), 1e-9)
        points += moves / size * np.minimum(size, 0.12 * (1 - moment / ROUNDS))
    return _without_overlap(_fitted(points, radii, width, height), radii, width, height)


def _fitted(points: Points, radii: Points, width: float, height: float) -> Points:
    """The places stretched to the box, with room for the largest circles at its edges."""
    low, high = points.min(axis=0, initial=0), points.max(axis=0, initial=0)
    span = np.where(high - low > 1e-9, high - low, 1.0)
    edge = float(radii.max(initial=0)) + LINE
    fitted: Points = (points - low) / span * (np.array([width, height]) - 2 * edge) + edge
    return fitted


def _without_overlap(points: Points, radii: Points, width: float, height: float) -> Points:
    least = radii[:, None] + radii[None, :] + LINE
    for _ in range(120):
        apart = points[:, None, :] - points[None, :, :]
        lengths = np.maximum(np.linalg.norm(apart, axis=2), 1e-6)
        lacking = np.maximum(least - lengths, 0)
        np.fill_diagonal(lacking, 0)
        if not lacking.any():
            break
        points = points + (apart / lengths[:, :, None] * (lacking / 2 * 0.6)[:, :, None]).sum(axis=1)
        points = np.clip(points, radii[:, None] + 2, np.array([width, height]) - radii[:, None] - 2)
    return points


def place_labels(
    points: Points, radii: Points, names: Sequence[str], width: float, height: float
) -> list[Label | None]:
    """A place for each name beside its circle, covering nothing; None if there is none. Large circles choose first."""
    circles = [Box(x - r, y - r, x + r, y + r) for (x, y), r in zip(points.tolist(), radii.tolist(), strict=True)]
    taken: list[Box] = []
    labels: list[Label | None] = [None] * len(names)
    for place in np.argsort(-radii, kind="stable").tolist():
        x, y = points[place].tolist()
        for label, box in _choices(x, y, float(radii[place]), len(names[place]) * LETTER):
            inside = box.left >= 0 and box.top >= 0 and box.right <= width and box.bottom <= height
            others = (circle for other, circle in enumerate(circles) if other != place)
            if inside and not any(_meet(box, other) for other in (*taken, *others)):
                taken.append(box)
                labels[place] = label
                break
    return labels


def _choices(x: float, y: float, radius: float, length: float) -> list[tuple[Label, Box]]:
    """Right, left, below, above."""
    gap = radius + 4
    middle = y + 4
    return [
        (Label(x + gap, middle, "start"), Box(x + gap, y - LINE / 2, x + gap + length, y + LINE / 2)),
        (Label(x - gap, middle, "end"), Box(x - gap - length, y - LINE / 2, x - gap, y + LINE / 2)),
        (Label(x, y + gap + 10, "middle"), Box(x - length / 2, y + gap, x + length / 2, y + gap + LINE)),
        (Label(x, y - gap - 2, "middle"), Box(x - length / 2, y - gap - LINE, x + length / 2, y - gap)),
    ]


def _meet(one: Box, other: Box) -> bool:
    return one.left < other.right and other.left < one.right and one.top < other.bottom and other.top < one.bottom
