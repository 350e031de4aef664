"""Pages made of templates. Every value in one is escaped, cleaned and cut, so that none can be forgotten.

Texts come from strangers. In a template they are text or the value of an attribute, never markup, and `finished` sees
each of them. An address becomes a link only through the macro `link`, and only if it is http or https.

    pages/templates/    what is written: document.html around all that are complete in themselves, charts.html the marks
    pages/styles/       style sheets and scripts, put into such a page as a whole; colours.css is that of all pages
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Any, TextIO

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from dowse.core.phrasing import counted, printable, share_text, shortened, size_text, span_text, state_text
from dowse.export.pages.page_heads import content_policy, moment, standard_time
from dowse.version import VERSION

LONGEST_URL = 2000
LONGEST_TEXT = 600
"""A page's title may be megabytes; no text of ours is longer than this."""


def cleaned(value: Any) -> Any:
    """A value without what would turn the direction of writing; it may have lines."""
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    return "\n".join(map(printable, value.split("\n")))


def finished(value: Any) -> Any:
    """The same, and not too long: what becomes of every value of a page that is complete in itself."""
    if isinstance(value, float):
        return f"{value:g}"
    is_text = isinstance(value, str) and not isinstance(value, Markup)
    return cleaned(shortened(value, LONGEST_TEXT) if is_text else value)


def whole(text: str) -> Markup:
    """A text that is not cut, because whoever made it has bounded it."""
    return escape(cleaned(text))


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


def make_environment(*packages: str, finish: Callable[[Any], Any] = finished) -> Environment:
    """The templates of packages, and those that all share. `finish` sees every value before it is escaped."""
    folders = [PackageLoader(package) for package in (*packages, "dowse.export.pages")]
    made = Environment(
        loader=ChoiceLoader(folders),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=finish,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    words = (counted, moment, share_text, shortened, size_text, span_text, standard_time, state_text)
    made.filters.update({word.__name__: word for word in words})
    made.filters.update(address=address, number=number, whole=whole)
    made.tests.update(web=is_web)
    made.globals.update(VERSION=VERSION)
    return made


@cache
def environment() -> Environment:
    """The templates of pages that are complete in themselves, compiled when they are first used."""
    return make_environment()


def render(template: str, **values: Any) -> str:
    """A template with its values."""
    return environment().get_template(template).render(values)


def write_document(stream: TextIO, template: str, styles: tuple[str, ...], script: str = "", **values: Any) -> None:
    """Write a page that is complete in itself: it loads nothing, and runs nothing but the one script, if any."""
    sheet, code = style(*styles), style(script) if script else ""
    policy = content_policy(sheet, code)
    stream.write(render(template, sheet=Markup(sheet), script=Markup(code), policy=policy, **values))
    stream.write("\n")
