"""Where a list of results goes on: a link, a button of a form, or a script that sends the form back to the server.

Pages of ASP.NET do the last. Their pager sets two hidden fields and sends the form, which has the state of the page.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import regex
from turbohtml import Element

from dowse.classify.refusals import reason_not_to_submit
from dowse.core.urls import origin_of
from dowse.parse.forms.controls import Control
from dowse.parse.forms.form import Form, Submission
from dowse.parse.links import Anchor, collapse
from dowse.parse.page import Page

_LONGEST = 40
_MOST_POSTBACKS = 500

_NEXT = regex.compile(
    r"(?:next(?: page)?|older|more results|weiter|n\u00e4chste(?: seite)?|suivante?|page suivante|"
    r"siguiente|successiv[ao]|volgende|nast\u0119pn[ay]|\u0434\u0430\u043b\u0435\u0435|\u0441\u043b\u0435\u0434\u0443\u044e\u0449\p{L}+|\u6b21\u3078?|\u4e0b\u4e00\u9875)?\s*[>\u203a\u00bb\u2192\u25b6]*",
    regex.IGNORECASE,
)
_POSTBACK = regex.compile(r"__doPostBack\(\s*['\"]([^'\"]{1,300})['\"]\s*,\s*['\"]([^'\"]{0,300})['\"]")
_TARGET, _ARGUMENT = "__EVENTTARGET", "__EVENTARGUMENT"


class Pointer(NamedTuple):
    """A link as a pager has it."""

    url: str
    text: str
    rel: tuple[str, ...]

    @classmethod
    def of(cls, anchor: Anchor) -> Pointer:
        element = anchor.element
        assert element is not None
        return cls(anchor.url, _text(element), tuple((element.attr("rel") or "").lower().split()))


def next_results(page: Page, number: int, form: Form | None) -> Submission | None:
    """The request for the page after that of a number; None if there is none. `form` is the one that was asked, as the
    page has it."""
    if url := next_page(page, number):
        return Submission(url)
    if form is None or reason_not_to_submit(form):
        return None
    return _by_button(form, number) or _by_postback(page, form, number)


def next_page(page: Page, number: int) -> str:
    """The address of the next page of results; "" if this is the last."""
    links = [Pointer.of(anchor) for anchor in page.anchors if anchor.element is not None]
    if related := next((link.url for link in links if "next" in link.rel), ""):
        return related
    own = [link for link in links if origin_of(link.url) == origin_of(page.url) and link.url != page.url]
    named = (link.url for link in own if link.text and _NEXT.fullmatch(link.text))
    return next(named, "") or _numbered(own, number + 1)


def _numbered(links: Sequence[Pointer], number: int) -> str:
    """The link with the number of the next page."""
    return next((link.url for link in links if link.text == str(number)), "")


def _by_button(form: Form, number: int) -> Submission | None:
    """What a button of the form asks for that leads on. It has a name, or the server would not know it."""
    buttons = [button for button in form.buttons if button.name and button.label]
    found = next((each for each in buttons if _leads_on(each.label.strip(), number)), None)
    return form.request(submit=found) if found is not None else None


def _by_postback(page: Page, form: Form, number: int) -> Submission | None:
    for text, target, argument in _postbacks(page):
        if _leads_on(text, number) or argument in (f"Page${number + 1}", "Page$Next"):
            own = [each for each in form.controls if not each.is_button and each.name not in (_TARGET, _ARGUMENT)]
            events = [Control("input", "hidden", _TARGET, target), Control("input", "hidden", _ARGUMENT, argument)]
            return replace(form, controls=(*events, *own)).request()
    return None


def _postbacks(page: Page) -> Iterator[tuple[str, str, str]]:
    """The text, the target and the argument of what sends the form back by a script."""
    elements = page.tree.select("a[href*=__doPostBack], [onclick*=__doPostBack]")
    for element in elements[:_MOST_POSTBACKS]:
        script = element.attr("href") or ""
        if found := _POSTBACK.search(script if "__doPostBack" in script else element.attr("onclick") or ""):
            yield _text(element), found[1], found[2]


def _leads_on(text: str, number: int) -> bool:
    return bool(text) and (text == str(number + 1) or _NEXT.fullmatch(text) is not None)


def _text(element: Element) -> str:
    return collapse(element.text, _LONGEST) or collapse(element.attr("aria-label") or "", _LONGEST)
