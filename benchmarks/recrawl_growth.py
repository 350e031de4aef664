"""How soon new pages of a growing site are found, against requests a day, beside fixed intervals.

    python -m benchmarks recrawl_growth

The site is made up: sections with a list each, of which a few get most of the new pages (a Pareto law, seeded), and
items that never change. Once a day a run makes so many requests, those for the new pages themselves counted in. A page
is found within a day if the first run after it appeared fetches it. The first week, in which nobody can know the
sections, is not counted.

    every page in turn  a crawler that visits all it knows, and what that brings at once
    lists in turn       the same for the lists alone: somebody has told it which pages are lists
    dowse               `dowse recrawl --budget N`, run for real on loopback with a clock that is put forward
"""

from __future__ import annotations

import random
import sys
import time
from collections import deque
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from benchmarks.cache import scratch
from benchmarks.server import Server
from benchmarks.tables import Cell, Column, Table
from dowse import app
from dowse.config import make_job

DAYS, LEARNING = 35, 7
SECTIONS, OLD_ITEMS, NEW_A_DAY, SHOWN = 60, 8, 12.0, 40
BUDGETS = (30, 60, 120)
_SEED = 21
"""What is learned of new links (core/revisits/news_rates.py) was chosen with another one, 20."""

_DAY = 86_400.0
_OPTIONS = {"delay": 0.0, "per_host": 16, "sitemaps": False}


class Item(NamedTuple):
    """A page that appeared on a day, counted from 0; those from before are of day -1."""

    path: str
    section: int
    day: int


def run(repeats: int) -> Table:
    """One run: all that is by chance is seeded."""
    items = grown_site(random.Random(_SEED))
    rows: list[list[Cell]] = []
    shares: dict[str, list[float]] = {"every page in turn": [], "lists in turn": [], "dowse": []}
    for budget in BUDGETS:
        shares["every page in turn"].append(in_turn(items, budget, lists_only=False))
        shares["lists in turn"].append(in_turn(items, budget, lists_only=True))
        shares["dowse"].append(by_dowse(items, budget))
        print(f"  {budget} a day: { {name: found[-1] for name, found in shares.items()} }", file=sys.stderr, flush=True)
    rows += [[name, *found] for name, found in shares.items()]
    columns = [Column("visited"), *(Column(f"{budget} a day", "{:.2f}") for budget in BUDGETS)]
    counted = sum(item.day >= LEARNING for item in items)
    title = f"Share of {counted} new pages found within a day, by requests a day"
    notes = [f"{SECTIONS} lists, {SECTIONS * OLD_ITEMS} items at the beginning; days {LEARNING + 1} to {DAYS}"]
    return Table("recrawl_growth", title, columns, rows, [], notes)


def grown_site(chance: random.Random) -> list[Item]:
    """Every item that there is in the end, in the order they appear."""
    weights = [chance.paretovariate(1.0) for _ in range(SECTIONS)]
    items = [
        Item(f"s{section}/old{number}.html", section, -1) for section in range(SECTIONS) for number in range(OLD_ITEMS)
    ]
    for day in range(DAYS):
        number = round(chance.gauss(NEW_A_DAY, NEW_A_DAY**0.5))
        chosen = chance.choices(range(SECTIONS), weights, k=max(number, 0))
        items += [Item(f"s{section}/day{day}-{place}.html", section, day) for place, section in enumerate(chosen)]
    return items


def in_turn(items: list[Item], budget: int, *, lists_only: bool) -> float:
    """What a fixed interval finds: as many requests a day as it takes to come round and round."""
    known = {item.path for item in items if item.day < 0}
    lists = [f"list {section}" for section in range(SECTIONS)]
    queue = deque(lists if lists_only else [*lists, *sorted(known)])
    waiting: deque[Item] = deque()
    found = 0
    for day in range(DAYS):
        for _ in range(budget):
            if waiting:
                item = waiting.popleft()
                found += item.day == day >= LEARNING
                if not lists_only:
                    queue.append(item.path)
                continue
            page = queue.popleft()
            queue.append(page)
            if page.startswith("list "):
                new = [item for item in _shown(items, int(page[5:]), day) if item.path not in known]
                known |= {item.path for item in new}
                waiting += new
    return found / sum(item.day >= LEARNING for item in items)


def by_dowse(items: list[Item], budget: int) -> float:
    found = 0
    now = time.time
    with scratch() as home:
        site, out = home / "site", home / "crawl"
        for item in items:
            _write(site / item.path, f"<h1>{item.path}</h1><p>All there is to say of {item.path}.")
        _write(site / "index.html", "".join(f'<a href="/s{section}/">{section}</a>' for section in range(SECTIONS)))
        _write_lists(site, items, -1)
        with Server(site, home / "nginx") as server:
            app.start(make_job("site", [server.url], output=str(out), **_OPTIONS))
            for day in range(DAYS):
                _write_lists(site, items, day)
                with patch("time.time", lambda day=day: now() + (day + 1) * _DAY):
                    app.recrawl(out, budget=budget)
                fetched = {row["url"][len(server.url) :] for row in app.read(out).pages}
                found += sum(item.path in fetched for item in items if item.day == day >= LEARNING)
    return found / sum(item.day >= LEARNING for item in items)


def _shown(items: list[Item], section: int, day: int) -> list[Item]:
    return [item for item in items if item.section == section and item.day <= day][-SHOWN:]


def _write_lists(site: Path, items: list[Item], day: int) -> None:
    for section in range(SECTIONS):
        shown = reversed(_shown(items, section, day))
        links = "".join(f'<li><a href="/{item.path}">{item.path}</a>' for item in shown)
        _write(site / f"s{section}" / "index.html", f"<h1>Section {section}</h1><ul>{links}</ul>")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    page = f"<!doctype html><title>{path.stem}</title>{text}"
    if not path.exists() or path.read_text() != page:
        path.write_text(page)
