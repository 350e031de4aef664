"""What an answer needs to be shown: style sheets, images, scripts, fonts, frames; of a style sheet, what it names."""

from __future__ import annotations

from collections.abc import Callable

from dowse.core.model import Response
from dowse.parse.decode import decode
from dowse.parse.link_targets import PageTargets
from dowse.parse.page import Page
from dowse.parse.page_addresses import Role, change_markup
from dowse.parse.style_addresses import change_style

MOST_REQUISITES = 5_000
"""Of one page."""

STYLES = "text/css"
DRAWING = "image/svg+xml"

_SHOWN = ("image/", "font/", "application/font-", "application/x-font-")
_SCRIPTS = frozenset({"text/javascript", "application/javascript", "application/x-javascript"})
_SHOWN_TYPES = frozenset({STYLES, *_SCRIPTS, "application/vnd.ms-fontobject"})


def is_shown(media_type: str) -> bool:
    """Whether it is the type of things that pages show or are made with, and of nothing that is read by itself."""
    return media_type in _SHOWN_TYPES or media_type.startswith(_SHOWN)


def is_script(media_type: str) -> bool:
    return media_type in _SCRIPTS


def requisites_of(page: Page) -> list[str]:
    """The URLs of what a page needs, each once."""
    found = _Found(PageTargets(page.url, page.base.url, page.charset).target)
    change_markup(page.source, found.note, links=False)
    return found.urls()


def requisites_in(response: Response, media_type: str) -> list[str]:
    """The same of a style sheet or a drawing; other things need nothing."""
    if media_type not in (STYLES, DRAWING):
        return []
    text, charset = decode(response.body, response.headers)
    found = _Found(PageTargets(response.request.url, response.request.url, charset).target)
    if media_type == STYLES:
        change_style(text, lambda url: found.note(url, "requisite"))
    else:
        change_markup(text, found.note, links=False)
    return found.urls()


class _Found:
    """Takes addresses down, and changes none."""

    def __init__(self, target: Callable[[str], str]) -> None:
        self._target = target
        self._urls: dict[str, None] = {}

    def note(self, url: str, role: Role) -> None:
        if role == "requisite" and not url.startswith("#") and (target := self._target(url)):
            self._urls[target] = None

    def urls(self) -> list[str]:
        return list(self._urls)[:MOST_REQUISITES]
