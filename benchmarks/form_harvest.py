"""The records behind search forms: how many come with how many queries, beside words by chance and frequent words.

    python -m benchmarks.form_harvest [APPLICATION ...]

All of them send the same forms with the same engine; only the choice of the next word differs. `random` takes any word
of the records so far, `frequent` the one that most of them have. Trouble of an application is told in its row.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from benchmarks.cache import scratch
from benchmarks.search_apps import APPS, App, packages
from benchmarks.search_wikis import WIKIS
from benchmarks.tables import Cell, Column, Table, at_least
from dowse import app as application
from dowse.config import make_job
from dowse.crawl import Crawl
from dowse.modes.forms import harvest
from dowse.modes.forms.keyword_choice import KeywordChoice, Promise

ALL = (*APPS, *WIKIS)
QUERIES = 100
SHARES = (10, 25, 50, 100)
AIM = 0.9
JOB: dict[str, Any] = {
    "harvest": True, "max_queries": QUERIES, "delay": 0.0, "retries": 0, "robots": "ignore", "depth": 2,
    "barren_pages": 30, "max_pages": 3000, "max_time": 600,
}  # fmt: skip
_BEST = "SELECT form FROM form_query GROUP BY form ORDER BY sum(fresh) DESC LIMIT 1"


class RandomWords(KeywordChoice):
    """Any word of the records, or of the site as long as there are none."""

    def best(self) -> Promise | None:
        words = sorted(word for word in self._all if word not in self.asked)
        return Promise(random.Random(len(self.asked)).choice(words), 10.0, 1) if words else None


class FrequentWords(KeywordChoice):
    """The word that most of the records have."""

    def best(self) -> Promise | None:
        words = (word for word in self._all if word not in self.asked)
        best = max(words, key=lambda word: (self._all[word], word), default=None)
        return Promise(best, 10.0, 1) if best is not None else None


CHOICES: dict[str, type[KeywordChoice]] = {
    "dowse forms": KeywordChoice,
    "frequent words": FrequentWords,
    "random words": RandomWords,
}


@contextmanager
def choosing(choice: type[KeywordChoice]) -> Iterator[None]:
    """Let harvests take their words by another rule."""
    harvest.KeywordChoice, before = choice, harvest.KeywordChoice  # type: ignore[misc]
    try:
        yield
    finally:
        harvest.KeywordChoice = before  # type: ignore[misc]


def run(_repeats: int = 1) -> Table:
    return measured(ALL)


def measured(apps: Sequence[App]) -> Table:
    rows = [row for app in apps for row in _rows(app)]
    aims = [
        at_least(f"{row[1]}: share of the records in {QUERIES} queries", float(row[5]), AIM, "{:.3f}")
        for row in rows
        if row[0] == "dowse forms" and row[1] == "box"
    ]
    return Table(
        name="form_harvest",
        title=f"Records behind search forms, by at most {QUERIES} queries",
        columns=[Column("next word"), Column("application"), *(Column(f"{each} queries", "{:.3f}") for each in SHARES),
                 Column("queries", "{:,}"), Column("requests", "{:,}"), Column("records", "{:,}")],
        rows=rows,
        aims=aims,
        notes=[f"{app.name}: {app.records:,} records" for app in apps],
        highlight="dowse forms",
    )  # fmt: skip


def _rows(app: App) -> Iterator[list[Cell]]:
    records = packages(app.records)
    with scratch(in_memory=True) as folder, app.start(folder, records) as url:
        for name, choice in CHOICES.items():
            with choosing(choice):
                job = make_job("forms", [url], output=str(folder / name), **JOB)
                application.start(job)
            yield [name, app.name, *_measured(Crawl(folder / name), len(records))]


def _measured(crawl: Crawl, records: int) -> list[Cell]:
    """Of the form that brought most: the share after so many queries, then all queries, requests and records."""
    connection = crawl.reader.connection
    best = connection.execute(_BEST).fetchone()
    if best is None:
        return [*(0.0 for _ in SHARES), 0, 0, 0]
    asked = connection.execute("SELECT fresh, requests FROM form_query WHERE form = ? ORDER BY id", best).fetchall()
    shares = [sum(new for new, _ in asked[:most]) / records for most in SHARES]
    return [*shares, len(asked), sum(requests for _, requests in asked), sum(new for new, _ in asked)]


if __name__ == "__main__":
    from benchmarks.tables import as_text

    print(as_text(measured([app for app in ALL if app.name in sys.argv[1:]] or ALL)))
