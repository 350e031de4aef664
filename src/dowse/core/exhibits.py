"""What a mode shows of its crawls in a report, as values: a listing, a curve, a graph. Every face draws them alike."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct


class Row(Struct, frozen=True):
    """One line of a listing: what it is, perhaps a link and a smaller word, how long its bar is, and its cells.

    >>> Row("Fishing vessels", "https://example.org/fishing.html", value=0.93, cells=("0.930",)).cells
    ('0.930',)
    """

    text: str
    url: str = ""
    small: str = ""
    value: float = 0.0
    cells: tuple[str, ...] = ()
    small_url: str = ""


class Listing(Struct, frozen=True, tag="listing"):
    """Things with a bar each. `heads` name the first column and the cells; `title` says in a sentence what is seen."""

    name: str
    short_title: str
    title: str
    note: str
    heads: tuple[str, ...]
    rows: Sequence[Row]


class Line(Struct, frozen=True):
    """One curve: how much there was after each step."""

    name: str
    values: Sequence[float]


class Curve(Struct, frozen=True, tag="curve"):
    """Curves over one axis, which `axis` names."""

    name: str
    short_title: str
    title: str
    note: str
    axis: str
    lines: Sequence[Line]


class Node(Struct, frozen=True):
    """A thing of a graph: its name, which arrows use, and a smaller line."""

    name: str
    small: str = ""


class Arrow(Struct, frozen=True):
    """A way from one node to another: what stands on it, and what is said of it when it is pointed at."""

    source: str
    target: str
    text: str
    hint: str = ""


class Graph(Struct, frozen=True, tag="graph"):
    """Nodes and arrows. The first node is where it begins."""

    name: str
    short_title: str
    title: str
    note: str
    nodes: Sequence[Node]
    arrows: Sequence[Arrow]


Exhibit = Listing | Curve | Graph
