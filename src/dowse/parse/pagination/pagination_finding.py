"""Finds the paging links of a page: next, previous, first, last and numbered ones, in any language.

A page without anything like paging costs a look at the texts of its links. No tree is built.
"""

from __future__ import annotations

import re
from html import unescape

from dowse.core.urls import Base
from dowse.parse.page import Page
from dowse.parse.pagination.paging_candidates import Candidate, base_href, candidates, related, shown_markup
from dowse.parse.pagination.paging_features import features_of
from dowse.parse.pagination.paging_model import CLASSES, PagingModel, shipped_model
from dowse.parse.pagination.paging_runs import Run, runs
from dowse.parse.pagination.paging_words import said_in
from dowse.parse.pagination.pagination import NO_PAGING, Kind, Pagination, PagingLink

MOST_BUTTONS = 200

_STATED = 0.95
"""How far a link element of the head is believed."""

_BUTTON = re.compile(r"<button\b([^>]*)>(.{0,300}?)</button", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"<[^>]*>")
_LOADING = re.compile(r"(?:load|show|view|see)[-_]?more|infinite", re.IGNORECASE)


def find_pagination(page: Page) -> Pagination:
    """The paging links of a page.

    >>> html = b"<b>1</b> <a href='?page=2'>2</a> <a href='?page=3'>3</a> <a href='?page=2'>Weiter</a>"
    >>> request = Request("https://example.org/list", 1, "example.org")
    >>> page = Page(Response(request, 200, {"content-type": "text/html"}, html, fetched_at=0.0, elapsed=0.1))
    >>> paging = find_pagination(page)
    >>> paging.next.url, [link.number for link in paging.pages], paging.current
    ('https://example.org/list?page=2', [2, 3], 1)
    """
    return find_in_markup(page.source, page.url) if page.is_html else NO_PAGING


def find_in_markup(source: str, url: str, model: PagingModel | None = None) -> Pagination:
    """The same for the text of a page; `url` is its address."""
    markup = shown_markup(source)
    found, total = candidates(markup)
    stated = related(markup)
    has_buttons = "<button" in markup
    if not found and not stated and not has_buttons:
        return NO_PAGING
    url = url.partition("#")[0]
    base = Base(Base(url).join(base_href(markup)) or url)
    parts = runs(found, base, url)
    links = _judged(parts, total, model or shipped_model())
    links += [
        PagingLink("next" if relation == "next" else "prev", target, "", None, _STATED, 0, True)
        for relation, href in stated.items()
        if (target := base.join(href)) and target != url
    ]
    load_more = _load_more(found, markup if has_buttons else "")
    if not links and not load_more:
        return NO_PAGING
    places = {link.place for link in links}
    own = [run for run in parts if run.is_own and any(each.place in places for each in run.candidates)]
    current = next((run.current for run in own if run.current is not None), None)
    counter = next((run.counter for run in own if run.counter is not None), None)
    return Pagination(tuple(links), current, counter, load_more)


def _judged(parts: list[Run], total: int, model: PagingModel) -> list[PagingLink]:
    links = []
    for run in parts:
        for at, candidate in enumerate(run.candidates):
            if candidate.href is None:
                continue
            probabilities = model.probabilities(features_of(run, at, candidate.place / total))
            best = max(range(len(CLASSES)), key=probabilities.__getitem__)
            if best:
                links.append(_link(run, at, CLASSES[best], probabilities[best]))
    return links


def _link(run: Run, at: int, kind: str, probability: float) -> PagingLink:
    candidate, url = run.candidates[at], run.urls[at]
    number = candidate.said.number if candidate.said.number is not None else run.page_of(url) if url else None
    kinds: dict[str, Kind] = {"page": "page", "next": "next", "prev": "prev", "first": "first", "last": "last"}
    return PagingLink(kinds[kind], url, candidate.text, number, probability, candidate.place, run.is_own)


def _load_more(found: list[Candidate], markup: str) -> tuple[str, ...]:
    """The texts of what loads more when it is clicked: buttons, and anchors that lead nowhere."""
    texts = [each.text for each in found if _leads_nowhere(each.href) and _says_more(each.text, each.names)]
    for names, inner in _BUTTON.findall(markup)[:MOST_BUTTONS]:
        text = " ".join(unescape(_TAG.sub(" ", inner)).split())
        if _says_more(text, names):
            texts.append(text)
    return tuple(dict.fromkeys(text for text in texts if text))


def _leads_nowhere(href: str | None) -> bool:
    return href is None or href.startswith("#") or href.lower().startswith("javascript:") or not href


def _says_more(text: str, names: str) -> bool:
    said = said_in(text)
    if "more" not in said.concepts or said.others > 2:
        return False
    return "load" in said.concepts or not said.others or _LOADING.search(names) is not None
