"""What an answer to a query says: results, nothing, an error or a wall, how many there are, and where they go on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import regex
from msgspec import Struct

from dowse.core.urls import origin_of
from dowse.modes.forms.result_list import Item, find_results, shown_items
from dowse.parse.links import Anchor, collapse
from dowse.parse.page import Page

Kind = Literal["results", "no match", "error", "log-in", "captcha"]

MOST_KNOWN = 2_000

_NUMBER = r"(\d{1,3}(?:[.,\u00a0\u202f ]\d{3}){1,3}|\d{1,9})"
_THINGS = (
    r"(?:results?|records?|matches|match|hits?|items?|rows?|entries|documents?|pages?|articles?|tickets?|issues?|found|"
    r"r\u00e9sultats?|Ergebnisse|Treffer|resultados?|risultati|resultaten|wyniki\p{L}*|\u0440\u0435\u0437\u0443\u043b\u044c\u0442\u0430\u0442\p{L}*)"
)
_TOTALS = (
    regex.compile(rf"(?:of|von|de|sur|di|\u0438\u0437)\s(?:about\s)?{_NUMBER}", regex.IGNORECASE),
    regex.compile(rf"{_NUMBER}\s(?:\p{{L}}+\s){{0,2}}{_THINGS}\b", regex.IGNORECASE),
    regex.compile(rf"{_THINGS}\s?[:(]\s?{_NUMBER}", regex.IGNORECASE),
)
_CAPTCHA = ", ".join(
    f"{tag}[{attribute}*=captcha i]" for tag, attribute in (("iframe", "src"), ("script", "src"), ("input", "name"))
)
"""How all the usual ones show themselves, by the address of their scripts or the name of their field."""

_LONGEST = 40

_BEGINNING = 20_000
"""Characters of a page in which the number of results may stand."""

_NEXT = regex.compile(
    r"(?:next(?: page)?|older|more results|weiter|n\u00e4chste(?: seite)?|suivante?|page suivante|"
    r"siguiente|successiv[ao]|volgende|nast\u0119pn[ay]|\u0434\u0430\u043b\u0435\u0435|\u0441\u043b\u0435\u0434\u0443\u044e\u0449\p{L}+|\u6b21\u3078?|\u4e0b\u4e00\u9875)?\s*[>\u203a\u00bb\u2192\u25b6]*",
    regex.IGNORECASE,
)


class Answer(Struct, frozen=True, array_like=True):
    """What came of one request. `known` are numbers of all that the answer to a nonsense word shows."""

    kind: Kind
    items: list[Item] = []
    total: int | None = None
    next: str = ""
    place: str = ""
    known: list[int] = []


def read_answer(page: Page, known: frozenset[int], place: str, number: int) -> Answer:
    """The results of the page of that number, 1 is the first."""
    results = find_results(page, known, place)
    if results.items:
        return Answer("results", results.items, total_of(page.text), next_page(page, number), results.path)
    return Answer(_wall(page) or "no match")


def _wall(page: Page) -> Kind | None:
    """What stands before the results, if it wants a person."""
    if page.tree.select(_CAPTCHA):
        return "captcha"
    return "log-in" if page.tree.select("input[type=password]") else None


def read_nonsense(page: Page) -> Answer:
    """The answer to a word that nothing has."""
    return Answer("no match", known=sorted(shown_items(page))[:MOST_KNOWN])


def total_of(text: str) -> int | None:
    """The number of results that a page names.

    >>> total_of("1 to 50 of 1,234"), total_of("About 12 matching records"), total_of("Treffer: 7"), total_of("none")
    (1234, 12, 7, None)
    """
    for pattern in _TOTALS:
        if found := pattern.search(text[:_BEGINNING], timeout=1.0):
            return int(regex.sub(r"\D", "", found[1]))
    return None


def next_page(page: Page, number: int) -> str:
    """The address of the next page of results; "" if this is the last."""
    links = [Pointer.of(anchor) for anchor in page.anchors if anchor.element is not None]
    if related := next((link.url for link in links if "next" in link.rel), ""):
        return related
    own = [link for link in links if origin_of(link.url) == origin_of(page.url) and link.url != page.url]
    named = (link.url for link in own if link.text and _NEXT.fullmatch(link.text))
    return next(named, "") or _numbered(own, number + 1)


class Pointer(NamedTuple):
    """A link as a pager has it."""

    url: str
    text: str
    rel: tuple[str, ...]

    @classmethod
    def of(cls, anchor: Anchor) -> Pointer:
        element = anchor.element
        assert element is not None
        text = collapse(element.text, _LONGEST) or collapse(element.attr("aria-label") or "", _LONGEST)
        return cls(anchor.url, text, tuple((element.attr("rel") or "").lower().split()))


def _numbered(links: Sequence[Pointer], number: int) -> str:
    """The link with the number of the next page."""
    return next((link.url for link in links if link.text == str(number)), "")
