"""Finds the paging links of a page: next, previous, first, last and numbered ones, in any language.

A page without anything like paging costs a look at the texts of its links. No tree is built.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

from msgspec.structs import replace

from dowse.parse.page import Page
from dowse.parse.pagination.pagination import NO_PAGING, Kind, Pagination, PagingLink
from dowse.parse.pagination.paging_candidates import Candidate, base_of, candidates, head_of, related
from dowse.parse.pagination.paging_features import own_features, run_features
from dowse.parse.pagination.paging_model import PagingModel, Sums, shipped_model
from dowse.parse.pagination.paging_runs import Run, runs
from dowse.parse.pagination.paging_words import said_in
from dowse.parse.pagination.url_counters import change

MOST_BUTTONS = 200
LONGEST_BUTTON = 600

_STATED = 0.95
"""How far a link element of the head is believed."""

_STATED_AGE = 0.6
"""How far a link to what is older is believed, whose URL is counted."""

_KINDS: tuple[Kind, ...] = ("page", "page", "next", "prev", "first", "last")
"""What the classes of the model are called; the first is none."""

_Judgement = tuple[int, Kind, float]
"""The place of a candidate in its run, what it is, and how probable that is."""

_TAG = re.compile(rb"<[^>]*(?:>|\Z)")
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
    if not page.is_html:
        return NO_PAGING
    is_unicode = page.charset in ("UTF-8", "windows-1252") and (page.charset == "UTF-8" or page.response.body.isascii())
    return find_in_markup(page.response.body if is_unicode else page.source.encode("utf-8", "replace"), page.url)


def find_in_markup(body: bytes, url: str, model: PagingModel | None = None) -> Pagination:
    """The same for the markup of a page in UTF-8; `url` is its address."""
    found, total, buttons = candidates(body)
    head = head_of(body)
    stated = related(head)
    if not found and not stated and not buttons:
        return NO_PAGING
    url = url.partition("#")[0]
    base = base_of(head, url)
    parts = runs(body, found, base, url)
    links = _judged(parts, total, model or shipped_model())
    if links and not any(link.is_own for link in links):
        links = _adopted(parts, links)
    links += [
        PagingLink("next" if relation == "next" else "prev", target, "", None, _STATED, 0, True)
        for relation, href in stated.items()
        if (target := base.join(href)) and target != url
    ]
    load_more = _load_more(found, body, buttons)
    if not links and not load_more:
        return NO_PAGING
    places = {link.place for link in links}
    own = [run for run in parts if run.is_own and any(each.place in places for each in run.candidates)]
    current = next((run.current for run in own if run.current is not None), None)
    counter = next((run.counter for run in own if run.counter is not None), None)
    return Pagination(tuple(links), current, counter, load_more)


def _judged(parts: list[Run], total: int, model: PagingModel) -> list[PagingLink]:
    links: list[PagingLink] = []
    known: dict[tuple[str, ...], list[_Judgement]] = {}
    for run in parts:
        if run.is_trifle:
            continue
        key = (*run.urls, *(each.text for each in run.candidates))
        found = known.get(key)
        if found is None:  # many pages have their pager above and below
            found = known[key] = list(_judgements(run, total, model))
        links += [_link(run, *each) for each in found]
    return links


def _judgements(run: Run, total: int, model: PagingModel) -> Iterator[_Judgement]:
    shared: dict[bool, Sums] = {}
    for at, candidate in enumerate(run.candidates):
        href = candidate.href
        if href is None or (href[:1] == "#" and href != "#"):
            continue  # a place on the page itself
        is_numbered = candidate.said.number is not None
        if is_numbered not in shared:
            shared[is_numbered] = model.sums(run_features(run, is_numbered=is_numbered))
        sums = model.sums(own_features(run, at, candidate.place / total), shared[is_numbered])
        best, probability = model.best(sums)
        if best:
            yield at, _KINDS[best], probability
        elif candidate.said.concepts and (way := _by_age(run, at)):
            yield at, way, _STATED_AGE


def _by_age(run: Run, at: int) -> Kind | None:
    """The way to what is older or newer, if the number in its URL is one more or less: the model met few of those.

    Which of them a site calls the next differs, so the number tells.
    """
    said, url = run.candidates[at].said, run.urls[at]
    if said.concepts.isdisjoint(("older", "newer")) or said.others > 1 or not url:
        return None
    changed = change(run.page_url, url)
    if changed == ("step", 1) or (changed.relation == "longer" and changed.by in (1, 2)):
        return "next"
    return "prev" if changed == ("step", -1) or changed.relation == "shorter" else None


def _adopted(parts: list[Run], links: list[PagingLink]) -> list[PagingLink]:
    """The links of a page without a pager of its own URL: if they are of one list alone, it is that of the page.

    A home page at / may show the first page of /news?page=2.
    """
    places = {link.place for link in links}
    judged = [run for run in parts if any(each.place in places for each in run.candidates)]
    lists = {run.counter.skeleton if run.counter is not None else "" for run in judged}
    turns = any(link.kind == "next" for link in links) or any(run.unlinked == 1 for run in judged)
    if len(lists) != 1 or "" in lists or not turns:
        return links
    for run in judged:
        run.adopt()
    return [replace(link, is_own=True) for link in links]


def _link(run: Run, at: int, kind: Kind, probability: float) -> PagingLink:
    candidate, url = run.candidates[at], run.urls[at]
    number = candidate.said.number
    if number is None and url:
        number = run.page_of(url)
    return PagingLink(kind, url, candidate.text, number, probability, candidate.place, run.is_own)


def _load_more(found: list[Candidate], body: bytes, buttons: list[int]) -> tuple[str, ...]:
    """The texts of what loads more when it is clicked: buttons, and anchors that lead nowhere."""
    texts = [
        each.text
        for each in found
        if "more" in each.said.concepts and _leads_nowhere(each.href) and _says_more(each.text, each.names)
    ]
    for start in buttons[:MOST_BUTTONS]:
        names, _, inner = body[start : start + LONGEST_BUTTON].partition(b">")
        text = _TAG.sub(b" ", inner.partition(b"</button")[0]).decode("utf-8", "replace")
        text = " ".join((unescape(text) if "&" in text else text).split())
        if _says_more(text, names.decode("utf-8", "replace")):
            texts.append(text)
    return tuple(dict.fromkeys(text for text in texts if text))


def _leads_nowhere(href: str | None) -> bool:
    return href is None or href.startswith("#") or href.lower().startswith("javascript:") or not href


def _says_more(text: str, names: str) -> bool:
    said = said_in(text)
    if "more" not in said.concepts or said.others > 2:
        return False
    return "load" in said.concepts or not said.others or _LOADING.search(names) is not None
