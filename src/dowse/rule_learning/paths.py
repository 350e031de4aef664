"""Paths from the start to the examples: the page that holds each example, and the pages that lead there.

Most pages of a site link to most others, so there are many paths. Only paths that are alike for all examples are
considered: to one page with all examples, or to pages with URLs of one shape. The paths meet as early as they can.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from dowse.core.url_names import is_index
from dowse.core.url_patterns import Address, tightest
from dowse.rule_learning.explored_pages import Explored, members

_MOST_COMMON = 4
"""Pages that hold all examples, of which so many are considered."""
_MOST_SHAPES = 6
_FAR = 8


class Paths(NamedTuple):
    """The holder of each example, and the page before each page on the paths."""

    holders: tuple[int, ...]
    before: dict[int, int]

    def level(self, page: int) -> int:
        """How many steps a page is from the start."""
        steps = 0
        while page in self.before:
            page, steps = self.before[page], steps + 1
        return steps


def find_paths(explored: Explored, examples: Sequence[int]) -> list[Paths]:
    """The paths to all examples that are worth considering."""
    holders = [_holders(explored, number) for number in examples]
    if all(explored.start in pages for pages in holders):
        holders = _without_siblings(explored, examples, holders)
    chosen = dict.fromkeys(_choices(explored, examples, holders))
    return [Paths(choice, _joined(explored, choice)) for choice in chosen]


def _holders(explored: Explored, number: int) -> list[int]:
    """The pages that link to a URL, other than itself, nearest to the start first."""
    own = explored.page_of.get(number)
    found = [page for page in explored.reached if explored.links[page] >> number & 1]
    return [page for page in found if page != own] or found


def _without_siblings(explored: Explored, examples: Sequence[int], holders: Sequence[list[int]]) -> list[list[int]]:
    """The holders without pages that are themselves like the examples: where the start has all of these, nobody goes
    to the manual of one command for a list of others, however short it is."""
    like = tightest([explored.urls[number] for number in examples])
    like_them = {explored.page_of[number] for number in members(explored.matched(like, explored.looked_at))}
    siblings = {page for page in like_them - {explored.start} if not is_index(explored.url(page))}
    return [[page for page in pages if page not in siblings] for pages in holders]


def _choices(explored: Explored, examples: Sequence[int], holders: Sequence[list[int]]) -> Iterator[tuple[int, ...]]:
    common = [page for page in holders[0] if all(page in others for others in holders[1:])]
    common.sort(key=lambda page: (explored.depths[page], explored.links[page].bit_count()))
    yield from ((page,) * len(examples) for page in common[:_MOST_COMMON])
    shaped: list[dict[object, list[int]]] = []
    for pages in holders:
        shapes: dict[object, list[int]] = {}
        for page in pages:
            shapes.setdefault(_shape(explored, page), []).append(page)
        shaped.append(shapes)
    shared = [shape for shape in shaped[0] if all(shape in others for others in shaped[1:])]
    for shape in shared[:_MOST_SHAPES]:
        yield tuple(_likest(explored, number, shapes[shape]) for number, shapes in zip(examples, shaped, strict=True))
    yield tuple(_likest(explored, number, pages) for number, pages in zip(examples, holders, strict=True))
    yield tuple(
        _likest(explored, number, [page for page in pages if explored.depths[page] == explored.depths[pages[0]]])
        for number, pages in zip(examples, holders, strict=True)
    )


def _shape(explored: Explored, page: int) -> object:
    return Address.parse(explored.url(page)).shape[1:], min(explored.depths[page], _FAR)


def _likest(explored: Explored, number: int, pages: Sequence[int]) -> int:
    """The page whose URL shares the most words with another URL; of several the nearest, then that with few links."""
    words = Address.parse(explored.urls[number]).stems

    def likeness(page: int) -> tuple[int, int, int]:
        shared = words & Address.parse(explored.url(page)).stems
        return len(shared), -explored.depths[page], -explored.links[page].bit_count()

    return max(pages, key=likeness)


def _joined(explored: Explored, holders: Sequence[int]) -> dict[int, int]:
    """The shortest paths to some pages, over as few different pages as possible: the page before each page."""
    before: dict[int, int] = {}
    levels: dict[int, set[int]] = {}
    for page in holders:
        levels.setdefault(explored.depths[page], set()).add(page)
    for depth in range(max(levels, default=0), 0, -1):
        missing = levels.get(depth, set())
        above = levels.setdefault(depth - 1, set())
        while missing:
            leading: dict[int, list[int]] = {}
            for page in sorted(missing):
                for source in explored.before(page):
                    leading.setdefault(source, []).append(page)
            best = max(leading, key=lambda source: (len(leading[source]), source in above, -source))
            above.add(best)
            before |= dict.fromkeys(leading[best], best)
            missing = missing - set(leading[best])
    return before
