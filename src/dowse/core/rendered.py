"""How one knows that a page was rendered, and how."""

from __future__ import annotations

from msgspec import Struct

RENDERED = "x-crawl-rendered"
"""The header that a rendered answer has besides those of its server: which browser, and whether it was cut off."""


class State(Struct, frozen=True):
    """A state of a page: the acts that lead there from the page as it is at first, and the links first seen in it."""

    path: tuple[str, ...]
    links: tuple[str, ...] = ()


class Rendered(Struct, frozen=True):
    """How a page was rendered: by which browser, in how many seconds, and whether its time ran out.

    `links` and `text` are what that added to the page as it was sent, in links and characters; None if nobody compared.
    `states` are those the page was taken through before it was read. `notices` are what the user should know of it.
    """

    browser: str
    elapsed: float
    cut: bool = False
    links: int | None = None
    text: int | None = None
    states: tuple[State, ...] = ()
    notices: tuple[str, ...] = ()
