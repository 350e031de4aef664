"""What an answer to a query says: results, nothing, an error or a wall, how many there are, and where they go on."""

from __future__ import annotations

from typing import Literal

import regex
from msgspec import Struct

from dowse.modes.forms.queries import Values
from dowse.modes.forms.result_list import Item, find_results, shown_items
from dowse.modes.forms.result_pagers import next_results
from dowse.parse.forms.form import Form, Submission
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

_BEGINNING = 20_000
"""Characters of a page in which the number of results may stand."""


class Answer(Struct, frozen=True, array_like=True):
    """What came of one request. `known` are numbers of all that the answer to a nonsense word shows."""

    kind: Kind
    items: list[Item] = []
    total: int | None = None
    next: Submission | None = None
    place: str = ""
    known: list[int] = []


def read_answer(
    page: Page, known: frozenset[int], place: str, number: int, *, form: Form | None = None, values: Values = ()
) -> Answer:
    """The results of the page of that number, 1 is the first. `form` is the one that was asked, as the page has it."""
    texts = [value.lower() for _, value in values]
    results = find_results(page, known, place, frozenset(filter(None, [*texts, *" ".join(texts).split()])))
    if results.items:
        return Answer("results", results.items, total_of(page.text), next_results(page, number, form), results.path)
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
