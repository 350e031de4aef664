"""The parts of a site, by the beginnings of its paths, and how they link to each other.

A picture of single pages is a ball of wool: menus link everything to everything. Parts are few enough to be read, and
most of a site's order is in its paths. The largest part is split by the next segment of its paths until there are
enough parts or none is large.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple
from urllib.parse import unquote

import numpy as np
import numpy.typing as npt

MOST_SECTIONS = 40
SMALLEST_SHARE = 0.008
WHOLE_PAGES = 40
"""A site with so few pages is shown page by page."""

Path = tuple[str, ...]


class Section(NamedTuple):
    """A part of a site. `family` is the larger part it belongs to, by which it is coloured."""

    name: str
    family: str
    pages: int


class SectionGraph(NamedTuple):
    """Parts, and how many links lead from one (row) to another (column)."""

    sections: list[Section]
    links: npt.NDArray[np.int64]


def section_graph(
    urls: Sequence[str], sources: npt.NDArray[np.int64], targets: npt.NDArray[np.int64], most: int = MOST_SECTIONS
) -> SectionGraph:
    """Find the parts of the pages and count the links among them."""
    paths = [_path(url) for url in urls]
    groups = _split(paths, most)
    member = np.empty(len(paths), np.int64)
    for place, members in enumerate(groups.values()):
        member[members] = place
    links = np.zeros((len(groups), len(groups)), np.int64)
    np.add.at(links, (member[sources], member[targets]), 1)
    return SectionGraph(_named(groups, paths), links)


def _path(url: str) -> Path:
    """Host and path segments; what is asked of a page is no part of where it is."""
    host, _, rest = url.partition("//")[2].partition("/")
    segments = rest.partition("?")[0].partition("#")[0].split("/")
    return (host, *(segment for segment in segments if segment))


def _split(paths: list[Path], most: int) -> dict[Path, list[int]]:
    smallest = 1 if len(paths) <= WHOLE_PAGES else max(2, int(len(paths) * SMALLEST_SHARE))
    groups: dict[Path, list[int]] = {(): list(range(len(paths)))}
    splittable: set[Path] = {()}
    while splittable and len(groups) < most:
        largest = max(splittable, key=lambda group: (len(groups[group]), group))
        splittable.discard(largest)
        children: dict[Path, list[int]] = defaultdict(list)
        for place in groups[largest]:
            children[paths[place][: len(largest) + 1]].append(place)
        room = most - len(groups)  # what is left of the part that is split stays one
        ranked = sorted(children, key=lambda child: (-len(children[child]), child))
        chosen = [child for child in ranked if child != largest and len(children[child]) >= smallest][:room]
        if not chosen:
            continue
        taken = {place for child in chosen for place in children[child]}
        rest = [place for place in groups.pop(largest) if place not in taken]
        if rest:
            groups[largest] = rest
        for child in chosen:
            groups[child] = children[child]
        splittable.update(chosen)
    return groups


def _named(groups: dict[Path, list[int]], paths: list[Path]) -> list[Section]:
    """Names are paths, with the host only where there are several; the rest of a part that was split ends in a star."""
    several = len({path[0] for path in paths}) > 1
    columns = zip(*(group for group in groups if len(group) > 1), strict=False)
    shared = 0 if several else sum(1 for _ in takewhile(lambda column: len(set(column)) == 1, columns))
    sections = []
    for group, members in groups.items():
        split = any(len(other) > len(group) and other[: len(group)] == group for other in groups)
        page = all(paths[place] == group for place in members)
        shown = group if several else ("", *group[1:])
        name = unquote("/".join(shown)) or "/"
        if split and not page:
            name = f"{name.rstrip('/')}/*"
        elif not page:
            name = f"{name.rstrip('/')}/"
        family = group[: max(shared + 1, 1)][-1] if group else ""
        sections.append(Section(name if group else "other hosts", family, len(members)))
    return sections
