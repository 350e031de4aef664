"""What an XPath costs on the page at hand, where the worst page of its size would be too much.

`//h2[. = 'Price']/following::p[1]` could look from every element at every other, and mostly there is one such heading.
So the path is gone step by step: how many elements the steps before a costly one find is counted, by running them, and
only then it is said what the next one costs. Nothing is run that was not found to be cheap before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import regex
from turbohtml import Document, Element, XPath

from dowse.extract.selecting.xpath_cost import (
    MOST_SLOW_STEPS,
    MOST_STEPS,
    condition_cost,
    conditions_of,
    depth_of,
    is_slow,
)

# A plain path: no operators, no calls but node tests, nothing in parentheses.
_PLAIN = regex.compile(r"(?:[\w.@*:/-]|(?<=\b(?:text|node|comment))\(\))++")
_SIDEWAYS = regex.compile(r"/*+(?P<axis>following|preceding)::")
_PLACED = regex.compile(r"[^\[]*+\[\s*+\d++\s*+\]")
_CLIMBED_AT_ONCE = 8
"""Levels that the way back to a single element takes in the time of one step."""

_ONE_AFTER_ANOTHER = 25
"""What it takes to list what follows an element, in steps."""


class Condition(NamedTuple):
    """What asking a condition of one element costs: how often elements and depth are multiplied."""

    elements: int
    depth: int
    slow: bool
    backwards: bool

    def work(self, asked: int, elements: int, depth: int) -> int:
        """Of so many elements. The ways down from all of them together cost the depth each, and from one all below."""
        together = elements ** (1 + self.elements) * depth**self.depth
        alone = asked * elements ** (self.elements + self.depth)
        dear = MOST_STEPS // MOST_SLOW_STEPS if self.slow else 1
        return int(min(together, alone)) * dear * (_climbed(depth) if self.backwards else 1)


class Look(NamedTuple):
    """A step to what stands before or behind some elements; `placed` if it wants one of them."""

    backwards: bool
    placed: bool

    def work(self, asked: int, elements: int, depth: int) -> int:
        if self.placed:
            return asked * elements * (_climbed(depth) if self.backwards else 1)
        if asked <= 1 and not self.backwards:
            return asked * elements * _ONE_AFTER_ANOTHER
        # What several of them find is put in order, each into the list of all, and so is what is found backwards.
        return asked * elements * elements // 3


class Step(NamedTuple):
    """A costly part of a path, and the path to the elements it is asked of; None for the one it starts with."""

    before: XPath | None
    cost: Condition | Look


def steps_of(text: str, bare: str, compile_path: Callable[[str], XPath]) -> list[Step]:
    """The costly parts of a path, in order; none if the expression is no plain path. `bare` has no literals."""
    if not _PLAIN.fullmatch("".join(_outside(bare))):
        return []
    steps = []
    for start, end in _steps(bare):
        step = bare[start:end]
        sideways = _SIDEWAYS.match(step)
        if sideways:
            look = Look(sideways["axis"] == "preceding", _PLACED.match(step) is not None)
            steps.append(Step(compile_path(text[:start]) if start else None, look))
        position = start
        for asked in conditions_of(step):
            position = bare.index(f"[{asked}]", position)
            condition = Condition(*condition_cost(asked), is_slow(asked), "preceding::" in asked)
            if condition != Condition(0, 0, False, False):
                steps.append(Step(compile_path(text[:position]), condition))
            position += len(asked) + 2
    return steps


def are_too_much(steps: list[Step], tree: Document, start: Document | Element) -> bool:
    """Whether a path takes more than `MOST_STEPS` on this page."""
    elements, depth = len(tree.select("*")), depth_of(tree)
    work = 0
    for before, cost in steps:
        work += cost.work(1 if before is None else _count(before, start), elements, depth)
        if work > MOST_STEPS:
            return True
    return False


def _climbed(depth: int) -> int:
    return 1 + depth // _CLIMBED_AT_ONCE


def _count(path: XPath, start: Document | Element) -> int:
    found = path(start)
    return len(found) if isinstance(found, list) else 1


def _outside(bare: str) -> Iterator[str]:
    """The characters of a path that are in no condition."""
    level = 0
    for character in bare:
        level += character == "["
        if not level:
            yield character
        level -= character == "]"


def _steps(bare: str) -> Iterator[tuple[int, int]]:
    """Where the steps of a path begin and end, with the slashes before them."""
    level = start = 0
    for position, character in enumerate(bare):
        level += (character == "[") - (character == "]")
        if character == "/" and not level and position > start and bare[position - 1] != "/":
            yield start, position
            start = position
    yield start, len(bare)
