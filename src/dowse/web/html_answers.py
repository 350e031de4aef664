"""Templates become pages: one environment, in which everything is escaped unless it was made as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from jinja2 import Environment
from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import HTMLResponse

from dowse.core.phrasing import duration_text, options_by_name, size_text, span_text, state_text
from dowse.export.pages.templates import cleaned, make_environment
from dowse.export.text_layout import moment_text
from dowse.version import VERSION


class Entry:
    """One line of the menu: what it says, and where it leads."""

    def __init__(self, label: str, path: str) -> None:
        self.label = label
        self.path = path


@cache
def environment() -> Environment:
    """The templates of the page and those that it shares with the report, with the words of the terminal as filters."""
    made = make_environment("dowse.web", finish=cleaned)
    made.filters |= {
        "by_name": options_by_name,
        "duration": duration_text,
        "marked": marked,
        "moment": moment_text,
        "size": size_text,
        "span": span_text,
        "state": state_text,
    }
    made.globals["version"] = VERSION
    return made


def marked(text: str, marks: Sequence[tuple[int, int]]) -> Markup:
    """A text with some of its parts marked.

    >>> str(marked("a < b", [(4, 5)]))
    'a &lt; <mark>b</mark>'
    """
    parts, place = [], 0
    for first, last in marks:
        parts += [escape(cleaned(text[place:first])), Markup("<mark>{}</mark>").format(cleaned(text[first:last]))]
        place = last
    return Markup("").join((*parts, escape(cleaned(text[place:]))))


def page(request: Request, template: str, **values: Any) -> HTMLResponse:
    """A page for somebody who is logged in. Its scripts find the CSRF token in its head."""
    session = request.state.session
    shared = {"menu": request.app.state.menu, "here": request.url.path, "csrf": session.csrf if session else ""}
    return HTMLResponse(environment().get_template(template).render(**shared, **values))


def plain_page(template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """A page for somebody who is not: it has no menu."""
    shared = {"menu": (), "here": "", "csrf": ""}
    return HTMLResponse(environment().get_template(template).render(**shared, **values), status)
