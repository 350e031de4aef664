"""Locating search forms over many sites: forms of a field in the first requests, beside orders that know less.

    python -m benchmarks.form_sites

The web is that of `benchmarks/form_web.py`: real pages, arranged. Nothing goes over the network; the engine asks one
page after the other. All contenders have the same start pages and the same limit of pages for each site. A form counts
when a page that has it was asked for, whoever asks; what the model of dowse says of it is not looked at.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import mean, stdev
from typing import Any

from benchmarks.cache import scratch
from benchmarks.form_web import TOPICS, FormWeb
from benchmarks.tables import Cell, Column, Table, at_least
from dowse.config import make_job
from dowse.fetch.replay import Replayed
from dowse.modes.forms import link_worth
from dowse.modes.forms.likeness import Likeness
from dowse.workflows.simulate import replayed

REQUESTS = 1000
SITE_PAGES = 30
WEBS, STARTS, SEEDS = (1,), 3, 3
TIMES = 3.0
ALONE: dict[str, Any] = {
    "concurrency": 1, "per_host": 1, "delay": 0.0, "retries": 0, "robots": "ignore", "sitemaps": False, "bodies": False,
    "max_pages": REQUESTS, "host_pages": SITE_PAGES, "dedup": "off",
}  # fmt: skip
_ONE_STAGE: dict[str, Any] = {"patience": 0, "scope": "any"}
OTHERS = ("one-stage focused", "breadth first")
CONTENDERS: dict[str, tuple[str, dict[str, Any], str]] = {
    "dowse forms": ("forms", {}, ""),
    "without learning": ("forms", {}, "learning"),
    "without reverse search": ("forms", {}, "reverse search"),
    "without balance": ("forms", {}, "balance"),
    "one-stage focused": ("focus", _ONE_STAGE, "reverse search"),
    "breadth first": ("focus", {**_ONE_STAGE, "by": "breadth"}, "reverse search"),
}
"""The mode and the options of each, and what it does without."""


@contextmanager
def without(name: str) -> Iterator[None]:
    """Crawl without a part: nothing is learned, or directories are not balanced."""
    learn, balance = Likeness.learn, link_worth.BALANCE
    if name == "learning":
        Likeness.learn = lambda _self, _words, **_kinds: None  # type: ignore[method-assign, assignment]
    elif name == "balance":
        link_worth.BALANCE = 0.0
    try:
        yield
    finally:
        Likeness.learn, link_worth.BALANCE = learn, balance  # type: ignore[method-assign]


def run(_repeats: int = 1) -> Table:
    return measured(list(CONTENDERS))


def measured(names: list[str]) -> Table:
    found: dict[str, list[float]] = {name: [] for name in names}
    total: list[int] = []
    with scratch() as folder:
        for number in WEBS:
            web = FormWeb(number)
            backlinks = str(web.backlinks(folder / "backlinks.csv"))
            total.append(len(web.hosts))
            for field in TOPICS:
                for seeds in [web.seeds(field, SEEDS) for _ in range(STARTS)]:
                    for name in names:
                        found[name].append(_forms(web, field, seeds, backlinks, name))
    rows: list[list[Cell]] = [
        [name, mean(forms), stdev(forms), min(forms), max(forms), float(sum(each > 0 for each in forms))]
        for name, forms in found.items()
    ]
    best = max((mean(found[name]) for name in OTHERS if name in found), default=0.0)
    times = mean(found[names[0]]) / max(best, 0.1)
    return Table(
        name="form_sites",
        title=f"Search forms of a field per 1,000 requests, over {total[0]} hosts of real pages",
        columns=[Column("order"), Column("forms, mean", "{:.1f}"), Column("spread", "{:.1f}"),
                 Column("fewest", "{:.1f}"), Column("most", "{:.1f}"), Column("runs with any", "{:.0f}")],
        rows=rows,
        aims=[at_least("forms a request, times the best order that knows less", times, TIMES, "{:.1f}")],
        notes=[
            f"{len(found[names[0]])} runs of {REQUESTS:,} requests each, from {SEEDS} sites; {len(WEBS)} webs",
            f"at most {SITE_PAGES} pages of a site, for all of them",
            "spread: the standard deviation over the runs",
        ],
        highlight="dowse forms",
    )  # fmt: skip


def _forms(web: FormWeb, field: str, seeds: list[str], backlinks: str, name: str) -> float:
    """The forms of a field on the pages that a contender asks for, per thousand requests."""
    mode, options, lacking = CONTENDERS[name]
    asked: dict[str, None] = {}

    def find(url: str) -> Replayed | None:
        if len(asked) < REQUESTS:
            asked[url] = None
        return web.find(url)

    informed = {} if lacking == "reverse search" else {"backlinks": backlinks}
    job = make_job(mode, seeds, output="simulation", topic=TOPICS[field], **{**ALONE, **options, **informed})
    with without(lacking):
        replayed(job, find)
    return 1000 * sum(web.forms[field].get(url, 0) for url in asked) / max(len(asked), 1)


if __name__ == "__main__":
    from benchmarks.tables import as_text

    print(as_text(measured(sys.argv[1:] or list(CONTENDERS))))
