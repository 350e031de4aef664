"""The stores that must keep the same promises: how each is opened, and what its tables say apart from its memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from uuid import uuid4

from msgspec.structs import replace

from dowse.core.job import Job
from dowse.core.model import State
from dowse.store.crawl_store import CrawlStore
from dowse.store.folder import connect
from tests.postgres import Server

AnyStore = CrawlStore

_LOST_COPIES = """
    SELECT task.url FROM task JOIN visit AS told ON told.id = (
        SELECT max(id) FROM visit WHERE visit.task = task.id AND (
            digest <> 0 OR redirect IS NOT NULL OR status IN (404, 410) OR failure = 'media_type'))
    LEFT JOIN visit AS kept ON kept.id = task.visit
    WHERE task.state IN (5, 6) AND told.digest <> 0 AND coalesce(kept.digest, 0) <> told.digest
"""


class SqliteCrawl:
    """A crawl in a folder. `open` takes it over, as a new run does."""

    def __init__(self, folder: Path, _server: Callable[[], Server] | None = None) -> None:
        self._folder = folder

    def open(self, job: Job) -> AnyStore:
        return CrawlStore(self._folder, job)

    def ledger(self) -> Counter[tuple[State, str]]:
        """Counted from the rows on disk."""
        with closing(connect(self._folder, read_only=True)) as connection:
            rows = connection.execute("SELECT state, reason, count(*) FROM task GROUP BY 1, 2").fetchall()
        return Counter({(State(state), reason): number for state, reason, number in rows})

    def urls(self, state: State) -> set[str]:
        with closing(connect(self._folder, read_only=True)) as connection:
            return {url for (url,) in connection.execute("SELECT url FROM task WHERE state = ?", (int(state),))}

    def standing(self, url: str) -> tuple[State, str]:
        with closing(connect(self._folder, read_only=True)) as connection:
            state, reason = connection.execute("SELECT state, reason FROM task WHERE url = ?", (url,)).fetchone()
        return State(state), reason

    def lost_copies(self) -> list[str]:
        """Pages whose last visit failed, that no answer has said to be gone since they came, and that are not kept."""
        with closing(connect(self._folder, read_only=True)) as connection:
            return [url for (url,) in connection.execute(_LOST_COPIES)]

    def fill(self, store: AnyStore, pages: int) -> None:
        """Let the file grow by that many pages of the database and no more; -1 lifts the limit."""
        (size,) = store._connection.execute("PRAGMA page_count").fetchone()
        store._connection.execute(f"PRAGMA max_page_count = {size + pages if pages >= 0 else 2**30}")


class PostgresCrawl(SqliteCrawl):
    """A crawl in a database of a server, named by a folder."""

    def __init__(self, folder: Path, server: Callable[[], Server] | None = None) -> None:
        assert server is not None
        super().__init__(folder / f"crawl-{uuid4().hex[:8]}")
        self._url = server().shared()

    def open(self, job: Job) -> AnyStore:
        return CrawlStore(self._folder, replace(job, store=replace(job.store, store=self._url)))

    def fill(self, store: AnyStore, pages: int) -> None:
        if pages >= 0:
            store._connection.execute(
                "CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS"
                " $$ BEGIN RAISE EXCEPTION 'the disk is full' USING ERRCODE = '53100'; END $$"
            )
            store._connection.execute("CREATE TRIGGER full_disk BEFORE INSERT ON visit EXECUTE FUNCTION refuse()")
        else:
            store._connection.execute("DROP TRIGGER full_disk ON visit")


AnyCrawl = SqliteCrawl
STORES: dict[str, type[AnyCrawl]] = {"sqlite": SqliteCrawl, "postgres": PostgresCrawl}
