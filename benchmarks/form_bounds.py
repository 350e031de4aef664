"""What could be found at best on the web of `benchmarks/form_web.py`, by readers that know more than any crawler.

    python -m benchmarks.form_bounds [NUMBER ...]

all ways     knows where every form is, and walks the shortest ways there
reader       knows the field of every site that it has met, never asks for a page of another field but its home page,
             and sees at once which links are called a search; among all other links it cannot choose
and hosts    the same reader, which is given the addresses of all sites of the field for nothing

The reader is one policy, no proven bound: a crawler that guesses well may do better.
"""

from __future__ import annotations

import random
import sys
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from heapq import heappop, heappush
from statistics import mean

from benchmarks.form_sites import REQUESTS, SEEDS, SITE_PAGES, STARTS
from benchmarks.form_web import CALLED_SEARCH, TOPICS, FormWeb
from benchmarks.tables import Cell, Column, Table

CALLED, HOME, OTHER = 0, 1, 2
"""In which order a reader asks for pages."""


def run(_repeats: int = 1) -> Table:
    return measured((1,))


def measured(numbers: Iterable[int]) -> Table:
    rows: list[list[Cell]] = []
    for number in numbers:
        web = FormWeb(number)
        starts = [(field, web.seeds(field, SEEDS)) for field in TOPICS for _ in range(STARTS)]
        for name, found in (
            ("all ways", [_all_ways(web, *start) for start in starts]),
            ("reader", [_read(web, *start) for start in starts]),
            ("and hosts", [_read(web, field, _homes(web, field)) for field, _ in starts]),
        ):
            rows.append([name, number, mean(found), min(found), max(found)])
    return Table(
        name="form_bounds",
        title=f"Search forms of a field in {REQUESTS:,} requests, by those that know more than a crawler",
        columns=[Column("who"), Column("web", "{}"), *(Column(each, "{:.1f}") for each in ("mean", "fewest", "most"))],
        rows=rows,
    )


def _homes(web: FormWeb, field: str) -> list[str]:
    return [host.home for host in web.hosts if host.field == field]


def _links(web: FormWeb, url: str) -> Iterator[tuple[str, str]]:
    """The addresses and names of the links of a page."""
    node = web.node(url)
    origin = "/".join(url.split("/")[:3])
    for address, anchor in node.links if node is not None else ():
        yield address if address.startswith("http") else origin + address, anchor


def _all_ways(web: FormWeb, field: str, seeds: list[str]) -> float:
    """The forms that can be reached, if the shortest ways to all of them fit into the requests."""
    before: dict[str, str] = dict.fromkeys(seeds, "")
    waiting = deque(seeds)
    while waiting:
        url = waiting.popleft()
        for target, _ in _links(web, url):
            if target not in before:
                before[target] = url
                waiting.append(target)
    needed: set[str] = set()
    found = 0.0
    for url in sorted(set(web.forms[field]) & set(before)):
        way = url
        while way:
            needed.add(way)
            way = before[way]
        if len(needed) <= REQUESTS:
            found += web.forms[field][url]
    return found


def _read(web: FormWeb, field: str, seeds: list[str]) -> float:
    chance, fields = random.Random(1), {host.name: host.field for host in web.hosts}
    waiting: list[tuple[int, float, str]] = []
    met: set[str] = set()
    spent: Counter[str] = Counter()
    found = 0.0

    def meet(url: str, order: int) -> None:
        if url not in met:
            met.add(url)
            heappush(waiting, (order, chance.random(), url))

    for seed in seeds:
        meet(seed, HOME)
    while waiting and spent.total() < REQUESTS:
        url = heappop(waiting)[2]
        host = url.split("/")[2]
        if spent[host] >= SITE_PAGES:
            continue
        spent[host] += 1
        found += web.forms[field].get(url, 0)
        for target, anchor in _links(web, url) if fields[host] == field else ():
            is_home = target.split("/")[2] != host
            meet(target, HOME if is_home else CALLED if CALLED_SEARCH.search(anchor) else OTHER)
    return found


if __name__ == "__main__":
    from benchmarks.tables import as_text

    print(as_text(measured([int(each) for each in sys.argv[1:]] or [1])))
