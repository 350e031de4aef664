"""Where a list of results goes on: a link, a button of a form, or a script that sends the form back to the server.

Pages of ASP.NET do the last. Their pager sets two hidden fields and sends the form, which has the state of the page.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import regex
from turbohtml import Element

from dowse.classify.refusals import reason_not_to_submit
from dowse.core.urls import origin_of
from dowse.parse.forms.controls import Control
from dowse.parse.forms.form import Form, Submission
from dowse.parse.links import collapse
from dowse.parse.page import Page
from dowse.parse.pagination.paging_words import said_in

_LONGEST = 40
_MOST_POSTBACKS = 500
_WAYS_ON = frozenset({"next", "older"})
_MORE = "more results"
_POSTBACK = regex.compile(r"__doPostBack\(\s*['\"]([^'\"]{1,300})['\"]\s*,\s*['\"]([^'\"]{0,300})['\"]")
_TARGET, _ARGUMENT = "__EVENTTARGET", "__EVENTARGUMENT"


def next_results(page: Page, number: int, form: Form | None) -> Submission | None:
    """The request for the page after that of a number; None if there is none. `form` is the one that was asked, as the
    page has it."""
    if url := next_page(page, number):
        return Submission(url)
    if form is None or reason_not_to_submit(form):
        return None
    return _by_button(form, number) or _by_postback(page, form, number)


def next_page(page: Page, number: int) -> str:
    """The address of the next page of results; "" if this is the last.

    As on all pages, and where that finds nothing by what links are called alone: it is known that this is a page of
    results, and which, while its address may tell nothing. That of an answer to POST does not.
    """
    stated = page.paging.next
    if stated is not None and stated.is_own and _is_near(page, stated.url):
        return stated.url
    links = [(each.url, each.element) for each in page.anchors if each.element is not None and _is_near(page, each.url)]
    related = (url for url, element in links if "next" in (element.attr("rel") or "").lower().split())
    named = [(url, _text(element)) for url, element in links]
    called = (url for url, text in named if text and text != str(number + 1) and _leads_on(text, number))
    return next(related, "") or next(called, "") or next((url for url, text in named if text == str(number + 1)), "")


def _is_near(page: Page, url: str) -> bool:
    return bool(url) and url != page.url and origin_of(url) == origin_of(page.url)


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
    """Whether what is called so leads to the next page. Nobody wants to press "next of kin"."""
    said = said_in(text)
    if said.number is not None or said.others:
        return said.number == number + 1 or text.lower() == _MORE
    return not said.concepts.isdisjoint(_WAYS_ON) or (said.arrow == ">" and said.concepts <= {"page"})


def _text(element: Element) -> str:
    return collapse(element.text, _LONGEST) or collapse(element.attr("aria-label") or "", _LONGEST)
