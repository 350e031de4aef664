"""The plain half of XPath as CSS, because the parser finds elements by their tag for CSS and walks them all for XPath.

On a page of 54 kB `//h1` takes 14 microseconds and `h1` 0.1, `//*[@id='main']/p` takes 400 and `[id="main"] > p` 14.
What is not certain to mean the same is left to XPath: everything but steps down the tree by lower-case names, with
attributes compared to texts and places among siblings.
"""

from __future__ import annotations

from typing import NamedTuple

import regex

_NAME = r"(?P<name>[a-z][a-z0-9_-]*)"
_TEXT = r"""(?P<quote>['"])(?P<text>[^'"\\\x00-\x1f]*)(?P=quote)"""
_WORD = r"""(?P<quote>['"])[ ](?P<word>[^'"\\\x00-\x20]+)[ ](?P=quote)"""
_SPACE = r"""(?:'[ ]'|"[ ]")"""
_SPACED = rf"concat\(\s*{_SPACE}\s*,\s*normalize-space\(\s*@{_NAME}\s*\)\s*,\s*{_SPACE}\s*\)"
_STEP = regex.compile(r"(?P<down>//?)(?P<tag>[a-z][a-z0-9]*|\*)(?![\w:.(-])")
_PLACE = regex.compile(r"\[\s*(?P<place>[1-9]\d{0,5})\s*\]")
_CONDITION = regex.compile(
    rf"""\s* (?:
        @{_NAME} (?: \s*=\s*{_TEXT} )?
      | (?P<part>contains|starts-with) \(\s* @{_NAME} \s*,\s* (?!''|""){_TEXT} \s*\)
      | contains \(\s* {_SPACED} \s*,\s* {_WORD} \s*\)
    ) \s*""",
    regex.VERBOSE,
)
_JOINT = regex.compile(r"(?:or|and)(?!\w)|\]")
_ATTRIBUTE = regex.compile(rf"/@{_NAME}$")
_OPERATORS = {"contains": "*=", "starts-with": "^=", None: "="}


class Shortcut(NamedTuple):
    """A CSS selector and the attribute to take of what it finds; "" for the elements themselves."""

    css: str
    attribute: str


class _Piece(NamedTuple):
    css: str
    end: int


def as_css(expression: str) -> Shortcut | None:
    """The CSS that finds the same as an XPath in a whole page; None if that is not certain.

    >>> as_css('//*[@id="main"]/div[2]//a/@href')
    Shortcut(css='*[id="main" s] > div:nth-of-type(2) a', attribute='href')
    >>> as_css("//p[last()]") is None
    True
    """
    attribute = _ATTRIBUTE.search(expression)
    path = expression[: attribute.start()] if attribute else expression
    css, position = "", 0
    while position < len(path):
        step = _STEP.match(path, position)
        if not step or (not css and step["down"] == "/"):
            return None
        predicates = _predicates(path, step)
        if predicates is None:
            return None
        css += (" > " if step["down"] == "/" else " " * bool(css)) + step["tag"] + predicates.css
        position = predicates.end
    return Shortcut(css, attribute["name"] if attribute else "") if css else None


def _predicates(path: str, step: regex.Match[str]) -> _Piece | None:
    css, position = "", step.end()
    # Only the first may be a place, since one counts among what the predicates before it have left.
    place = _PLACE.match(path, position)
    if place:
        css, position = f":nth-{'child' if step['tag'] == '*' else 'of-type'}({place['place']})", place.end()
    while path.startswith("[", position):
        predicate = _predicate(path, position + 1)
        if predicate is None:
            return None
        css, position = css + predicate.css, predicate.end
    return _Piece(css, position)


def _predicate(path: str, position: int) -> _Piece | None:
    """Conditions that must all be true, or any of them."""
    conditions: list[str] = []
    joints: set[str] = set()
    while condition := _CONDITION.match(path, position):
        joint = _JOINT.match(path, condition.end())
        if not joint:
            return None
        conditions.append(_condition(condition))
        position = joint.end()
        if joint[0] == "]":
            if len(joints) > 1:
                return None
            return _Piece(f":is({', '.join(conditions)})" if "or" in joints else "".join(conditions), position)
        joints.add(joint[0])
    return None


def _condition(found: regex.Match[str]) -> str:
    if found["word"]:
        return f'[{found["name"]}~="{found["word"]}" s]'
    if found["text"] is None:
        return f"[{found['name']}]"
    return f'[{found["name"]}{_OPERATORS[found["part"]]}"{found["text"]}" s]'
