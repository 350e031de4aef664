"""Endless sites: every page of a trap leads to more of them, and each address is answered with 200.

A trap is the path to walk into it and the pages to give to `Site`; `TRAPS` has one of each kind. Bodies differ
from page to page, so that no trap ends because its pages are found to be copies.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import count
from urllib.parse import urlencode

from tests.servers import Page, Request


@dataclass(frozen=True, slots=True)
class Trap:
    start: str
    pages: dict[str, Page]


def _links(title: str, hrefs: list[str]) -> str:
    anchors = "".join(f'<li><a href="{href.replace("&", "&amp;")}">{href}</a></li>\n' for href in hrefs)
    return f"<!doctype html><title>{title}</title><h1>{title}</h1><ul>{anchors}</ul>"


def _months(year: int, month: int) -> list[tuple[int, int]]:
    """The month before and the month after."""
    number = year * 12 + month - 1
    return [((number + step) // 12, (number + step) % 12 + 1) for step in (-1, 1)]


def calendar_path(prefix: str = "/calendar") -> Trap:
    """/calendar/2026/06 with its neighbours, for ever."""

    def page(request: Request) -> str:
        year, month = (int(part) for part in request.path.removeprefix(f"{prefix}/").split("/"))
        return _links(f"{year}-{month}", [f"{prefix}/{y}/{m:02}" for y, m in _months(year, month)])

    return Trap(f"{prefix}/2026/06", {f"{prefix}/*": page})


def calendar_query(path: str = "/events") -> Trap:
    """/events?year=2026&month=6 with its neighbours, for ever."""

    def page(request: Request) -> str:
        year, month = int(request.query["year"]), int(request.query["month"])
        return _links(f"{year}-{month}", [f"{path}?year={y}&month={m}" for y, m in _months(year, month)])

    return Trap(f"{path}?year=2026&month=6", {path: page})


def growing_path(prefix: str = "/maze", names: tuple[str, ...] = ("sub",)) -> Trap:
    """A page that answers below itself too, so that its relative links make the path longer and longer."""

    def page(request: Request) -> str:
        return _links(request.path, [f"{name}/" for name in names])

    return Trap(f"{prefix}/", {f"{prefix}/*": page})


def session_path(prefix: str = "/shop", goods: int = 20) -> Trap:
    """A few goods, each under a new session id in the path whenever it is linked."""
    visitors = count(1)

    def page(request: Request) -> str:
        session = random.Random(next(visitors)).randbytes(12).hex()
        return _links(f"{request.path} for {session}", [f"{prefix}/{session}/item{number}" for number in range(goods)])

    return Trap(f"{prefix}/", {f"{prefix}/*": page})


def sort_permutations(path: str = "/list") -> Trap:
    """One list under every combination and every order of its parameters: six parameters, four choices, millions."""
    choices = dict.fromkeys(("sort", "order", "view", "size", "colour", "brand"), ("a", "b", "c", "d"))

    def page(request: Request) -> str:
        chosen = request.query
        hrefs = []
        for name, values in choices.items():
            rest = {key: value for key, value in chosen.items() if key != name}
            hrefs += [f"{path}?{urlencode({**rest, name: value})}" for value in values if chosen.get(name) != value]
            hrefs += [f"{path}?{urlencode({name: value, **rest})}" for value in values if chosen.get(name) != value]
        return _links(request.target, hrefs)

    return Trap(path, {path: page})


def growing_query(path: str = "/filter", facets: int = 5) -> Trap:
    """Every page offers facets to add to those already chosen, each with a name that was never there before."""

    def page(request: Request) -> str:
        chosen = request.query
        more = [f"{path}?{urlencode({**chosen, f'facet{len(chosen)}_{number}': '1'})}" for number in range(facets)]
        return _links(request.target, more)

    return Trap(path, {path: page})


TRAPS: dict[str, Trap] = {
    "calendar in the path": calendar_path(),
    "calendar in the query": calendar_query(),
    "ever longer path": growing_path(),
    "ever longer path of many names": growing_path("/forest", ("oak", "elm", "ash", "yew")),
    "session ids in the path": session_path(),
    "sort and filter permutations": sort_permutations(),
    "ever more parameters": growing_query(),
}
