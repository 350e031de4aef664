"""How few pages can lead to a set of links: a number that no crawl of a site can go below.

Whoever wants a link must fetch a page that has it. Links that have no page in common cost a page each, whatever the
way; so as many pages are needed as links can be found of which no two share one. And whoever fetches a page that is
five steps from the start has fetched one at each step before it; steps at which none of those pages lie cost one more.
Both only ever count too little, since a page that is fetched in vain, or only to get to others, need not be in either.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet

Graph = Mapping[str, AbstractSet[str]]
"""For each page what it links to."""


def fewest_pages(graph: Graph, start: str, wanted: Iterable[str]) -> int:
    """The least number of pages of a crawl from `start` that has seen every wanted link.

    >>> graph = {"/": {"/a", "/b"}, "/a": {"1.pdf", "2.pdf"}, "/b": {"2.pdf", "3.pdf"}}
    >>> fewest_pages(graph, "/", ["1.pdf", "2.pdf"]), fewest_pages(graph, "/", ["1.pdf", "2.pdf", "3.pdf"])
    (2, 3)
    """
    steps = steps_from(graph, start)
    holders: dict[str, set[str]] = {link: set() for link in wanted}
    for page in steps:
        for link in graph[page] & holders.keys():
            holders[link].add(page)
    counted: set[str] = set()
    fewest = 0
    for pages in sorted(holders.values(), key=len):  # the rarest first, so that one leaves room for many
        if pages and counted.isdisjoint(pages):
            counted |= pages
            fewest += 1
    furthest = max((min(steps[page] for page in pages) for pages in holders.values() if pages), default=-1)
    touched = {steps[page] for page in counted}
    return fewest + sum(step not in touched for step in range(furthest + 1))


def steps_from(graph: Graph, start: str) -> dict[str, int]:
    """How far each page is from the start, for those that can be reached."""
    steps = {start: 0}
    row = [start]
    while row:
        row = list(dict.fromkeys(link for page in row for link in graph[page] if link in graph and link not in steps))
        steps.update(dict.fromkeys(row, max(steps.values()) + 1))
    return steps
