"""What an XPath may cost on a page: the parser cannot be interrupted, so what would take minutes is not begun.

A path visits the nodes of a page a few times, whatever its steps, for each step's nodes are told apart. A condition is
asked anew for every node, and a condition within it for every node of its own: that is where the work multiplies.

    //a[@href]                          n                 elements of the page
    //div[.//a]                         n * d             d: the depth of the page
    //p[//h1]                           n * n
    //*[ancestor::*[descendant::*]]     n * d * n         30 seconds for 100 nested elements, with one level more

The estimate is of the worst page of that size; where that is too much, `xpath_steps` looks at the page itself. A plain
step takes 5 to 15 ns; one with a condition of its own, or to all that stands before an element, which the parser has to
put in order, 600 ns. `MOST_STEPS` take a second or two.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import regex
from turbohtml import Document, Element

MOST_STEPS = 200_000_000
MOST_SLOW_STEPS = 10_000_000
DEEPEST = 512
"""The parser nests no deeper."""

# Where one operand of a condition ends and another begins.
_OPERATOR = regex.compile(r"[|,(=<>+]|(?<=[\s\])])(?:and|or|div|mod|-|\*)(?=[\s(/.@])")
_UPWARDS = r"(?P<up>ancestor(?:-or-self)?::)"
_ANYWHERE = r"(?P<anywhere>(?:following|preceding)::)"
_DOWNWARDS = r"(?P<down>//|descendant(?:-or-self)?::)"
_LEAVING = regex.compile(rf"^\s*/|{_UPWARDS}|{_ANYWHERE}|\.\.")
_PLACE = regex.compile(r"\[\s*\d+\s*\]")
_BACKWARDS = regex.compile(r"preceding::[^\s\[\]()/|]++(?!\[\s*\d)")
_AXIS = regex.compile(f"{_UPWARDS}|{_ANYWHERE}|{_DOWNWARDS}")


class Cost(NamedTuple):
    """How often the number of elements, and the depth, of a page are multiplied."""

    elements: int
    depth: int
    slow: bool = False

    @property
    def is_small(self) -> bool:
        """Whether no page is too large: at most each element with those around it, 15 ns for each."""
        return self.elements <= 1 and self.depth <= 1

    def steps(self, elements: int, depth: int) -> int:
        return int(elements**self.elements * depth**self.depth)


def cost_of(bare: str) -> Cost:
    """The cost of an expression whose literals were blanked.

    >>> cost_of("//div[.//a]")
    Cost(elements=1, depth=1, slow=False)
    >>> cost_of("//*[ancestor::*[descendant::*]]")
    Cost(elements=2, depth=1, slow=True)
    """
    sideways = any(found["anywhere"] for found in _AXIS.finditer(_outermost(bare)))
    costs = [condition_cost(condition, amortised=not sideways) for condition in conditions_of(bare)]
    elements, depth = max(costs, default=(0, 0))
    slow = sideways or any(map(is_slow, conditions_of(bare)))
    climbs = not slow and "preceding::" in bare  # the way back to a single element leads up and down the tree
    return Cost(1 + sideways + elements, depth + climbs, slow)


def is_too_much(cost: Cost, tree: Document) -> bool:
    """Whether an expression of this cost could take minutes on a page."""
    if cost.is_small:
        return False
    elements = len(tree.select("*"))
    most = MOST_SLOW_STEPS if cost.slow else MOST_STEPS
    if cost.steps(elements, DEEPEST) <= most:
        return False
    return cost.steps(elements, depth_of(tree)) > most


def is_slow(condition: str) -> bool:
    """Whether each step of a condition takes the parser long."""
    return "[" in _PLACE.sub("", condition) or _BACKWARDS.search(condition) is not None


def condition_cost(text: str, amortised: bool = True) -> tuple[int, int]:
    """What a condition costs for one node. The ways down from all nodes cost the depth each, until one leads up."""
    paths = _OPERATOR.split(_outermost(text))
    stays = amortised and not any(map(_LEAVING.search, paths))
    elements, depth = max((_path(path, amortised) for path in paths), default=(0, 0))
    further, deeper = max((condition_cost(condition, stays) for condition in conditions_of(text)), default=(0, 0))
    return elements + further, depth + deeper


def _path(path: str, amortised: bool) -> tuple[int, int]:
    elements = depth = 0
    stays = amortised and not _LEAVING.search(path)
    if path.lstrip().startswith("/"):
        elements, path = 1, path.lstrip().lstrip("/")
    for found in _AXIS.finditer(path):
        if found["up"] or (found["down"] and stays):
            depth += 1
        else:
            elements += 1
    return elements, depth


def conditions_of(text: str) -> Iterator[str]:
    """What stands in the outermost brackets."""
    level = start = 0
    for position, character in enumerate(text):
        if character == "[":
            level += 1
            if level == 1:
                start = position + 1
        elif character == "]":
            level -= 1
            if level == 0:
                yield text[start:position]


def _outermost(text: str) -> str:
    """What does not stand in brackets."""
    for condition in conditions_of(text):
        text = text.replace(f"[{condition}]", "", 1)
    return text


def depth_of(tree: Document) -> int:
    """How deep the page is nested."""
    depths: dict[Element, int] = {}
    for element in tree.select("*"):  # parents first
        depths[element] = depths.get(element.parent, 0) + 1 if isinstance(element.parent, Element) else 1
    return max(depths.values(), default=1)
