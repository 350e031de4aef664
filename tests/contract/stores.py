"""The stores that must keep the same promises: how each is opened, and what its tables say apart from its memory."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from dowse.core.job import Job
from dowse.core.model import State
from dowse.store.crawl_store import CrawlStore

AnyStore = CrawlStore

_LOST_COPIES = """
    SELECT task.url FROM task JOIN visit AS told ON told.id = (
        SELECT max(id) FROM visit WHERE visit.task = task.id AND (
            digest <> 0 OR redirect IS NOT NULL OR status IN (404, 410) OR failure = 'media_type'))
    LEFT JOIN visit AS kept ON kept.id = task.visit
    WHERE task.state IN (5, 6) AND told.digest <> 0 AND kept.digest IS NOT told.digest
"""


class SqliteCrawl:
    """A crawl in a folder. `open` takes it over, as a new run does."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def open(self, job: Job) -> AnyStore:
        return CrawlStore(self._folder, job)

    def ledger(self) -> Counter[tuple[State, str]]:
        """Counted from the rows on disk."""
        with closing(sqlite3.connect(self._folder / "crawl.db")) as connection:
            rows = connection.execute("SELECT state, reason, count(*) FROM task GROUP BY 1, 2").fetchall()
        return Counter({(State(state), reason): number for state, reason, number in rows})

    def urls(self, state: State) -> set[str]:
        with closing(sqlite3.connect(self._folder / "crawl.db")) as connection:
            return {url for (url,) in connection.execute("SELECT url FROM task WHERE state = ?", (int(state),))}

    def standing(self, url: str) -> tuple[State, str]:
        with closing(sqlite3.connect(self._folder / "crawl.db")) as connection:
            state, reason = connection.execute("SELECT state, reason FROM task WHERE url = ?", (url,)).fetchone()
        return State(state), reason

    def lost_copies(self) -> list[str]:
        """Pages whose last visit failed, that no answer has said to be gone since they came, and that are not kept."""
        with closing(sqlite3.connect(self._folder / "crawl.db")) as connection:
            return [url for (url,) in connection.execute(_LOST_COPIES)]

    def fill(self, store: AnyStore, pages: int) -> None:
        """Let the file grow by that many pages of the database and no more; -1 lifts the limit."""
        (size,) = store._connection.execute("PRAGMA page_count").fetchone()
        store._connection.execute(f"PRAGMA max_page_count = {size + pages if pages >= 0 else 2**30}")


AnyCrawl = SqliteCrawl
STORES: dict[str, Callable[[Path], AnyCrawl]] = {"sqlite": SqliteCrawl}
