"""Locating search forms over many sites: forms of a topic in the first requests, beside orders that know less.

    python -m benchmarks.form_sites

The web is made: 400 hosts with 40 pages each. 60 of them sell used cars and have a search form two links inside, 60
more sell cars and have none, the others are about something else; some of these have search forms, too, which do not
count. Ten pages list dealers, and nobody links to them: only a list of backlinks knows them. Nothing goes over the
network; the engine asks one page after the other.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.cache import scratch
from benchmarks.tables import Cell, Column, Table, at_least
from dowse.config import make_job
from dowse.fetch.replay import Replayed
from dowse.modes.forms import site_book
from dowse.modes.forms.likeness import Likeness
from dowse.workflows.simulate import replayed

HOSTS, DEALERS, WITH_FORMS, PAGES = 400, 120, 60, 40
REQUESTS = 1000
TIMES = 3.0
TOPICS = ("gardening", "music", "chess", "sailing", "history", "cooking", "birds")
ALONE: dict[str, Any] = {
    "concurrency": 1, "per_host": 1, "delay": 0.0, "retries": 0, "robots": "ignore", "sitemaps": False, "bodies": False,
    "max_pages": REQUESTS,
}  # fmt: skip
_FORM = "<form action=/results role=search><input type=search name=q><button>Search</button></form>"


class SitesWeb:
    """The hosts, their pages and their links."""

    def __init__(self, seed: int = 1) -> None:
        chance = random.Random(seed)
        numbers = list(range(1, HOSTS + 1))
        chance.shuffle(numbers)
        self.dealers = sorted(numbers[:DEALERS])
        self.topic = {number: chance.choice(TOPICS) for number in numbers[DEALERS:]}
        self.form_hosts = set(numbers[:WITH_FORMS]) | set(numbers[DEALERS : DEALERS + WITH_FORMS])
        self.forms = {self.url(number, "/cars/search") for number in numbers[:WITH_FORMS]}
        self.links = {number: self._neighbours(number, numbers, chance) for number in numbers}
        self.lists = [chance.sample(self.dealers, 30) for _ in range(10)]
        self.start = self.url(next(number for number in self.dealers if number in self.form_hosts), "/")

    @staticmethod
    def url(number: int, path: str) -> str:
        return f"http://site{number}.example{path}"

    def _neighbours(self, number: int, numbers: list[int], chance: random.Random) -> list[int]:
        """Dealers link to each other more often than chance."""
        others = chance.sample(numbers, 5)
        return others + (chance.sample(self.dealers, 2) if number in self.dealers else [])

    def backlinks(self, path: Path) -> Path:
        rows = [
            f"http://list{at}.example/,{self.url(number, '/')}"
            for at, listed in enumerate(self.lists)
            for number in listed
        ]
        path.write_text("page,target\n" + "\n".join(rows), encoding="utf-8")
        return path

    def find(self, url: str) -> Replayed | None:
        host, _, path = url.removeprefix("http://").partition("/")
        body = self._list(int(host[4])) if host.startswith("list") else self._page(int(host[4:].split(".")[0]), path)
        return Replayed(200, {"content-type": "text/html; charset=utf-8"}, body.encode())

    def _list(self, at: int) -> str:
        links = "".join(f"<li><a href={self.url(each, '/')}>used cars of {each}</a>" for each in self.lists[at])
        return f"<title>Dealers of used cars</title><h1>Used cars: dealers</h1><ul>{links}</ul>"

    def _page(self, number: int, path: str) -> str:
        subject = "used cars" if number in self.dealers else self.topic[number]
        title = f"{subject.title()} {number} /{path}"
        folder = "cars" if number in self.dealers else "items"
        if path == f"{folder}/search" and number in self.form_hosts:
            return f"<title>{title}</title><h1>Find {subject}</h1>{_FORM}"
        if path == folder and number in self.form_hosts:
            return f"<title>{title}</title><h1>{subject}</h1><a href=/{folder}/search>Detailed query</a>"
        own = "".join(f"<li><a href=/news/{each}>{subject} news {each}</a>" for each in range(PAGES))
        others = "".join(
            f"<p>{'used cars' if each in self.dealers else self.topic[each]} at"
            f" <a href={self.url(each, '/')}>{'cars' if each in self.dealers else 'friends'} {each}</a></p>"
            for each in self.links[number]
        )
        return (
            f"<title>{title}</title><h1>{subject}</h1><p>{subject}</p><ul>{own}</ul><a href=/{folder}>Stock</a>{others}"
        )


@contextmanager
def without(name: str) -> Iterator[None]:
    """Crawl without a part: nothing is learned, or directories are not balanced."""
    score, balance = Likeness.score, site_book._BALANCE
    if name == "learning":
        Likeness.score = lambda _self, _words: 0.0  # type: ignore[method-assign, assignment]
    elif name == "balance":
        site_book._BALANCE = 0.0
    try:
        yield
    finally:
        Likeness.score, site_book._BALANCE = score, balance  # type: ignore[method-assign]


def run(_repeats: int = 1) -> Table:
    web = SitesWeb()
    with scratch() as folder:
        backlinks = str(web.backlinks(folder / "backlinks.csv"))
        ours = {"topic": "used cars", "backlinks": backlinks, "barren_pages": 15, "depth_pages": 15}
        alone = {**ours, "backlinks": ""}
        found = {
            "dowse forms": _found(web, "forms", ours),
            "without learning": _found(web, "forms", ours, "learning"),
            "without reverse search": _found(web, "forms", alone),
            "without balance": _found(web, "forms", ours, "balance"),
            "one-stage focused": _found(web, "focus", {"topic": "used cars", "patience": 0, "scope": "any"}),
            "breadth first": _found(
                web, "focus", {"topic": "used cars", "patience": 0, "scope": "any", "by": "breadth"}
            ),
        }
    rows: list[list[Cell]] = [
        [name, forms, requests, 1000 * forms / requests] for name, (forms, requests) in found.items()
    ]
    best = max(float(row[3]) for row in rows if row[0] in ("one-stage focused", "breadth first"))
    times = float(rows[0][3]) / max(best, 1.0)
    return Table(
        name="form_sites",
        title=f"Search forms of a topic in the first {REQUESTS:,} requests, over {HOSTS} hosts",
        columns=[Column("order"), Column("forms", "{:,}"), Column("requests", "{:,}"),
                 Column("forms per 1,000 requests", "{:.1f}")],
        rows=rows,
        aims=[at_least("forms a request, times the best order that knows less", times, TIMES, "{:.1f}")],
        notes=[f"{WITH_FORMS} forms count; the web is made by chance, with the same seed every time"],
        highlight="dowse forms",
    )  # fmt: skip


def _found(web: SitesWeb, mode: str, options: dict[str, Any], lacking: str = "") -> tuple[int, int]:
    """The forms that count, and the requests that were made."""
    asked: list[str] = []

    def find(url: str) -> Replayed | None:
        asked.append(url)
        return web.find(url)

    with without(lacking):
        replayed(make_job(mode, [web.start], output="simulation", **{**ALONE, **options}), find)
    return len(web.forms.intersection(asked[:REQUESTS])), min(len(asked), REQUESTS)


if __name__ == "__main__":
    from benchmarks.tables import as_text

    print(as_text(run()))
