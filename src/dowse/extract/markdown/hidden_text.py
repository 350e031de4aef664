"""Text that no reader sees: kept out of articles and Markdown, for whoever writes it means another reader than people.

What the page itself says of an element counts: the attribute `hidden`, and its own style. Style sheets are not read.
Not hidden are things that are out of sight until somebody asks for them in the page's own way (`<details>`), and what
only screen readers pass over (`aria-hidden`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import turbohtml
from turbohtml import Document

from dowse.core.rendered_pages import RENDERED
from dowse.parse.page import Page

_ALWAYS_SHOWN = ("html", "body")  # which many pages hide until their scripts have run
_STYLED = "[hidden],[style]"
_OURS = ("data-frame", "data-state")
"""What the browser adds to a page: what its frames and its other states showed."""
_FAR = 1_000
"""Pixels and the like by which a thing is moved out of the picture."""

_HIDES: Mapping[str, frozenset[str]] = {
    "display": frozenset({"none"}),
    "visibility": frozenset({"hidden", "collapse"}),
    "color": frozenset({"transparent"}),
    "clip": frozenset({"rect(0,0,0,0)", "rect(0000)", "rect(0px,0px,0px,0px)", "rect(1px,1px,1px,1px)"}),
    "clip-path": frozenset({"inset(50%)", "inset(100%)"}),
}
_MOVES = frozenset({"left", "top", "right", "bottom", "text-indent", "margin-left", "margin-top"})


def shown(page: Page) -> Document:
    """The tree of a page without what is hidden; the same one where nothing is."""
    ours = _OURS if RENDERED in page.response.headers else ()
    if not any(_is_hidden(element, ours) for element in page.tree.select(_STYLED)):
        return page.tree
    copy = turbohtml.parse(page.tree.html, positions=False)
    for element in copy.select(_STYLED):
        if _is_hidden(element, ours):
            element.decompose()
    return copy


def _is_hidden(element: Any, ours: tuple[str, ...]) -> bool:
    if element.tag in _ALWAYS_SHOWN:
        return False
    attributes = element.attrs
    is_marked = "hidden" in attributes and str(attributes["hidden"]).lower() != "until-found"
    if is_marked and not any(name in attributes for name in ours):
        return True
    return is_hiding(str(attributes.get("style") or ""))


def is_hiding(style: str) -> bool:
    """Whether a style hides what it is for.

    >>> is_hiding("color: red; DISPLAY : none !important"), is_hiding("font-size:0"), is_hiding("left: -12px")
    (True, True, False)
    """
    for declaration in "".join(style.lower().split()).split(";"):
        name, _, value = declaration.partition(":")
        value = value.removesuffix("!important")
        if value in _HIDES.get(name, ()):
            return True
        if name in ("font-size", "opacity") and _number(value, 1.0) <= (0.0 if name == "opacity" else 0.1):
            return True
        if name == "font-size" and value == "1px":
            return True
        if name in _MOVES and _number(value, 0.0) <= -_FAR:
            return True
    return False


def _number(value: str, otherwise: float) -> float:
    """The number that a value begins with."""
    digits = value[:12].rstrip("abcdefghijklmnopqrstuvwxyz%")
    try:
        return float(digits)
    except ValueError:
        return otherwise
