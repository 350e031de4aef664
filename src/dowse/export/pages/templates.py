"""Pages made of templates. Every value in one is escaped, cleaned and cut, so that none can be forgotten.

Texts come from strangers. In a template they are text or the value of an attribute, never markup; `finished` sees each
of them. An address becomes a link only through the macro `link`, and only if it is http or https.

    pages/templates/    what is written: document.html around all that are complete in themselves, charts.html the marks
    pages/styles/       style sheets and scripts, put into such a page as a whole; theme.css has the colours of all
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any, TextIO

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from dowse.core.phrasing import counted, printable, share_text, shortened, size_text, span_text, state_text
from dowse.export.pages.page_heads import content_policy, moment, standard_time
from dowse.version import VERSION

LONGEST_URL = 2000
LONGEST_TEXT = 600
"""A page's title may be megabytes; no text of ours is longer than this."""


def finished(value: Any) -> Any:
    """What becomes of every value in a template before it is escaped."""
    if isinstance(value, Markup):
        return value
    if isinstance(value, float):
        return f"{value:g}"
    return printable(shortened(value, LONGEST_TEXT)) if isinstance(value, str) else value


def whole(text: str) -> Markup:
    """A text that is not cut, because whoever made it has bounded it."""
    return escape(printable(text))


def address(url: str) -> Markup:
    """A URL as the value of an attribute."""
    return whole(url[:LONGEST_URL])


def is_web(url: str) -> bool:
    """Whether an address may be followed."""
    return url.startswith(("http://", "https://")) and len(url) <= LONGEST_URL


def number(value: float) -> str:
    """1,234,567"""
    return f"{value:,.0f}"


def style(*names: str) -> str:
    """Style sheets or scripts of ours, one after the other."""
    folder = files("dowse.export.pages").joinpath("styles")
    return "\n".join(folder.joinpath(name).read_text(encoding="utf-8").strip() for name in names)


@cache
def environment() -> Environment:
    """The templates, compiled when they are first used."""
    made = Environment(
        loader=PackageLoader("dowse.export.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=finished,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    words = (counted, moment, share_text, shortened, size_text, span_text, standard_time, state_text)
    made.filters.update({word.__name__: word for word in words})
    made.filters.update(address=address, number=number, whole=whole)
    made.tests.update(web=is_web)
    made.globals.update(VERSION=VERSION)
    return made


def render(template: str, **values: Any) -> str:
    """A template with its values."""
    return environment().get_template(template).render(values)


def write_document(stream: TextIO, template: str, styles: tuple[str, ...], script: str = "", **values: Any) -> None:
    """Write a page that is complete in itself: it loads nothing, and runs nothing but the one script, if any."""
    sheet, code = style(*styles), style(script) if script else ""
    policy = content_policy(sheet, code)
    stream.write(render(template, sheet=Markup(sheet), script=Markup(code), policy=policy, **values))
    stream.write("\n")
