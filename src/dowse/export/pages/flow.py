"""A graph with a direction, such as page types and the rules between them, drawn from left to right.

Each node is a box in the column of its distance from the first. An arrow to the next column is a curve between two
boxes, any other goes under them, and one to itself is a loop over the box. The same graph is always drawn alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, NamedTuple

from msgspec import Struct

from dowse.core.exhibits import Arrow, Node
from dowse.core.phrasing import shortened

BOX_WIDTH, BOX_HEIGHT = 168.0, 46.0
ACROSS, DOWN = 110.0, 44.0
"""Room between columns, where arrows have their texts, and between the boxes of one column."""
EDGE = 22.0
LINE, TEXT_WIDTH = 13.0, 70.0
"""The height and width of what stands on an arrow, about."""
MOST_NODES = 40
LONGEST_NAME, LONGEST_TEXT = 20, 24


class Box(Struct, frozen=True):
    """A node as it is drawn."""

    x: float
    y: float
    text: str
    small: str
    hint: str

    width: ClassVar[float] = BOX_WIDTH
    height: ClassVar[float] = BOX_HEIGHT


class DrawnArrow(NamedTuple):
    """An arrow: its line and its tip as SVG writes paths, and where its text stands."""

    path: str
    tip: str
    hint: str


class FlowText(NamedTuple):
    """What stands on an arrow."""

    x: float
    y: float
    text: str
    anchor: str = "middle"


class Flow(Struct, frozen=True):
    """The picture of such a graph. `said` is for a screen reader."""

    name: str
    said: str
    width: float
    height: float
    boxes: list[Box]
    arrows: list[DrawnArrow]
    texts: list[FlowText]

    drawn_as: ClassVar[str] = "flow"


def flow_plot(nodes: Sequence[Node], arrows: Sequence[Arrow], name: str) -> Flow:
    """The picture of a graph; of very many nodes only the first are drawn, and the arrows among them."""
    shown = {node.name: node for node in nodes[:MOST_NODES]}
    kept = [arrow for arrow in arrows if arrow.source in shown and arrow.target in shown]
    boxes = dict(_placed(shown, kept))
    drawn: list[DrawnArrow] = []
    texts: list[FlowText] = []
    for arrow in kept:
        line, text = _drawn(arrow, boxes[arrow.source], boxes[arrow.target])
        drawn.append(line)
        texts.append(_beside(text, texts))
    width = max((box.x for box in boxes.values()), default=0.0) + BOX_WIDTH + EDGE
    low = max((box.y + BOX_HEIGHT for box in boxes.values()), default=0.0)
    height = max([low, *(text.y for text in texts)]) + EDGE
    said = "; ".join(f"{arrow.source} to {arrow.target}: {arrow.text}" for arrow in kept[:20])
    return Flow(name, said or name, width, height, list(boxes.values()), drawn, texts)


def _placed(nodes: Mapping[str, Node], arrows: Sequence[Arrow]) -> Iterator[tuple[str, Box]]:
    columns: dict[int, list[str]] = {}
    for name, level in _levels(nodes, arrows).items():
        columns.setdefault(level, []).append(name)
    tallest = max((len(names) for names in columns.values()), default=0)
    for level, names in sorted(columns.items()):
        top = EDGE * 2 + (tallest - len(names)) * (BOX_HEIGHT + DOWN) / 2
        for place, name in enumerate(names):
            node = nodes[name]
            x, y = EDGE + level * (BOX_WIDTH + ACROSS), top + place * (BOX_HEIGHT + DOWN)
            hint = f"{node.name}: {node.small}" if node.small else node.name
            small = shortened(node.small, LONGEST_TEXT)
            yield name, Box(x, y, shortened(node.name, LONGEST_NAME), small, hint)


def _levels(nodes: Mapping[str, Node], arrows: Sequence[Arrow]) -> dict[str, int]:
    """How many arrows each node is away from the first."""
    levels: dict[str, int] = {}
    for start in nodes:  # what cannot be reached from the first begins anew at the left
        if start in levels:
            continue
        levels[start] = 0
        waiting = [start]
        for name in waiting:
            for arrow in arrows:
                if arrow.source == name and arrow.target not in levels:
                    levels[arrow.target] = levels[name] + 1
                    waiting.append(arrow.target)
    return levels


def _beside(text: FlowText, taken: Sequence[FlowText]) -> FlowText:
    """A text at the first height from its own downwards where no other is."""
    while any(abs(text.y - other.y) < LINE and abs(text.x - other.x) < TEXT_WIDTH for other in taken):
        text = text._replace(y=text.y + LINE)
    return text


def _drawn(arrow: Arrow, source: Box, target: Box) -> tuple[DrawnArrow, FlowText]:
    hint, text = arrow.hint or arrow.text, shortened(arrow.text, LONGEST_TEXT)
    middle = source.y + BOX_HEIGHT / 2
    if source == target:
        left, right, top = source.x + 50, source.x + BOX_WIDTH - 50, source.y
        path = f"M {right:g} {top:g} C {right + 14:g} {top - 30:g} {left - 14:g} {top - 30:g} {left:g} {top:g}"
        tip = f"M {left:g} {top:g} l -3 -9 l 9 3 z"
        return DrawnArrow(path, tip, hint), FlowText(source.x + BOX_WIDTH / 2, top - 26, text)
    start, end = source.x + BOX_WIDTH, target.x
    aim = target.y + BOX_HEIGHT / 2
    tip = f"M {end:g} {aim:g} l -9 -5 l 0 10 z"
    if end - start == ACROSS:
        bend = (end - start) / 2
        path = f"M {start:g} {middle:g} C {start + bend:g} {middle:g} {end - bend:g} {aim:g} {end - 8:g} {aim:g}"
        # Nearer to the target where it is on another height, because arrows that leave one box part on their way.
        y = middle + (aim - middle) * 0.65
        return DrawnArrow(path, tip, hint), FlowText((start + end) / 2, y - 7, text)
    under = max(source.y, target.y) + BOX_HEIGHT + 26
    path = (
        f"M {start:g} {middle:g} C {start + 40:g} {under:g} {start:g} {under:g} {(start + end) / 2:g} {under:g} "
        f"S {end - 40:g} {under:g} {end - 8:g} {aim:g}"
    )
    return DrawnArrow(path, tip, hint), FlowText((start + end) / 2, under - 5, text)
