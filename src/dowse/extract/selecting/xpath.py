"""XPath of the user: found faulty before the crawl rather than on a page, and kept from the parser's slowest ways.

The parser tells of a wrong name or a wrong number of arguments only when it gets there, which may be on the millionth
page. A function call is an expression of its own, so each is tried alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import isqrt
from typing import NamedTuple

import regex
import turbohtml
from turbohtml import Document, Element, Node, XPath

from dowse.extract.selecting.selector_errors import GaveUp, Mistake
from dowse.extract.selecting.xpath_cost import Cost, cost_of, is_too_much
from dowse.extract.selecting.xpath_steps import Step, are_too_much, steps_of

Result = list[Node | str] | float | bool | str

# What running an expression may raise.
FAULTS = (ArithmeticError, TypeError, ValueError, re.error)

_LITERAL = regex.compile(r"""'[^']*'|"[^"]*\"""")
_CALL = regex.compile(r"(?<![\w.:@$-])(?P<name>[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?)\s*\(")
_PREFIX = regex.compile(r"(?<![\w.-])[A-Za-z_][\w.-]*:(?!:)")
_NODE_TESTS = frozenset({"text", "node", "comment", "processing-instruction"})
_COMPLAINT = regex.compile(r"(?P<problem>.*?) at (?:offset (?P<position>\d+)|the end of the expression)\b.*")
_STRINGS = regex.compile(r"(?:^|/|::)(?:@[\w:*-]+|text\(\))\s*$")

# An element that looks at all of its siblings costs the parser the square of their number, and all of them together the
# third power: seconds for a thousand; in conditions that look ahead the square of all together. One that looks at a
# single sibling is cheap, so a mere question whether there is one is asked that way. How many elements look aside can
# be counted, unless a condition in a condition does, and mostly they are few: //dt[. = 'Price']/following-sibling::dd.
_AXIS = r"(?:preceding|following)(?:-sibling)?::"
_SIDEWAYS = regex.compile(rf"{_AXIS}[^\s\[\]()/|]+(?:\(\))?(?P<place>\[\d+\])?")
_QUESTION = regex.compile(rf"(?<=\[|\bnot\()\s*(?P<step>{_AXIS}(?:[\w.-]+|\*))\s*(?=[\])])")
MOST_SIBLINGS = 1_000
MOST_SIBLINGS_AHEAD = 3_000
MOST_SIBLINGS_FOR_ONE = 20_000
MOST_LOOKS = 4_000_000_000
"""Elements that look aside, times the square of their siblings; half a nanosecond each, and back five times that."""

_BACKWARDS = 5

_PROBE = turbohtml.parse(b"<p>x</p>", encoding="utf-8", positions=False)


class Expression(NamedTuple):
    """An XPath that can be run; `gives_elements` is false if it can only give texts."""

    compiled: XPath
    gives_elements: bool
    too_wide: str
    looking: list[tuple[XPath, int]]
    cost: Cost
    steps: list[Step]

    def run(self, tree: Document, within: Element | None = None) -> Result:
        """What the expression finds. Raises GaveUp on a page so large that it would take minutes."""
        start = tree if within is None else within
        too_wide = self.too_wide and self._is_too_wide(tree, start)
        if too_wide or (is_too_much(self.cost, tree) and (not self.steps or are_too_much(self.steps, tree, start))):
            raise GaveUp("the page is too large for this XPath, which would take minutes")
        return self.compiled(start)

    def _is_too_wide(self, tree: Document, start: Document | Element) -> bool:
        if tree.select_one(self.too_wide) is None:
            return False
        for path, price in self.looking:
            looking = path(start)
            siblings = isqrt(MOST_LOOKS // (price * max(len(looking), 1))) if isinstance(looking, list) else 0
            if tree.select_one(f":nth-child({siblings + 1})") is not None:
                return True
        return not self.looking


def compile_xpath(text: str) -> Expression:
    """The expression, or the `Mistake` in it."""
    _compile(text, 0)
    bare = _LITERAL.sub(lambda literal: "'" + "_" * (len(literal[0]) - 2) + "'", text)
    if "$" in bare:
        raise Mistake("there are no variables to use", bare.index("$"))
    for start, end in reversed(list(_calls(bare))):  # the inner ones first, or the outer one would be blamed
        _try(_compile(text[start:end], start), start)
    compiled = _compile(_QUESTION.sub(r"\g<step>[1]", text), 0)
    prefix = _PREFIX.search(bare)  # nothing else is left to complain about
    result = _try(compiled, prefix.start() if prefix else 0)
    gives_elements = isinstance(result, list) and not _STRINGS.search(bare)
    cost = cost_of(bare)
    steps = [] if cost.is_small else steps_of(text, bare, lambda path: _compile(path, 0))
    return Expression(compiled, gives_elements, _too_wide(bare), _looking(text, bare), cost, steps)


def _compile(text: str, start: int) -> XPath:
    try:
        return XPath(text)
    except ValueError as error:
        complaint = _COMPLAINT.fullmatch(str(error))
        problem = complaint["problem"] if complaint else str(error)
        position = int(complaint["position"]) if complaint and complaint["position"] else len(text)
        raise Mistake(problem, start + position) from None


def _try(expression: XPath, start: int) -> Result:
    try:
        return expression(_PROBE)
    except FAULTS as error:
        raise Mistake(str(error).removeprefix("xpath: "), start) from None


def _calls(bare: str) -> Iterator[tuple[int, int]]:
    """Where the function calls are, the inner ones too."""
    for call in _CALL.finditer(bare, overlapped=True):
        if call["name"] in _NODE_TESTS:
            continue
        depth, end = 1, call.end()
        while depth and end < len(bare):
            depth += {"(": 1, ")": -1}.get(bare[end], 0)
            end += 1
        yield call.start(), end


def _too_wide(bare: str) -> str:
    """The CSS for an element with too many siblings; "" if the expression looks at none."""
    asked = _QUESTION.sub(r"\g<step>[1]", bare)
    steps = list(_SIDEWAYS.finditer(asked))
    if not steps:
        return ""
    far = [step for step in steps if not step["place"]]
    most = MOST_SIBLINGS_FOR_ONE
    if far:
        ahead = all(step[0].startswith("following") and _around(asked, step.start()) for step in far)
        most = MOST_SIBLINGS_AHEAD if ahead else MOST_SIBLINGS
    return f":nth-child({most + 1})"


def _looking(text: str, bare: str) -> list[tuple[XPath, int]]:
    """What finds the elements that look at their siblings, step by step, and what each look costs.

    Empty if a condition in a condition does it, or nobody can tell."""
    looking = []
    for step in _SIDEWAYS.finditer(bare):
        around = _around(bare, step.start())
        if len(around) > 1:
            return []
        before = text[: around[0] if around else step.start()].rstrip().removesuffix("/")
        try:
            backwards = step[0].startswith("preceding") and not step["place"]
            looking.append((_compile(before, 0), _BACKWARDS if backwards else 1))
        except Mistake:  # such as the half of a call
            return []
    return looking


def _around(bare: str, position: int) -> list[int]:
    """Where the conditions begin that something stands in, from the outside."""
    begun: list[int] = []
    for place, character in enumerate(bare[:position]):
        if character == "[":
            begun.append(place)
        elif character == "]":
            begun.pop()
    return begun
