"""What can be read of a best-first crawl: its pages ranked, which of them match, what waits, and how far it is."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from dowse.core.job import IS_FILE
from dowse.store.folder import explained
from dowse.store.reading.tables import Table

if TYPE_CHECKING:
    from dowse.core.saturation import Prospect

FILES = "files"
"""The folder, in that of the crawl, that files are put into."""

LISTS = {
    "matched": """
        SELECT task.url AS url, round(judgement.relevance, 4) AS relevance, visit.title AS title, task.depth AS depth
        FROM judgement JOIN task ON task.id = judgement.task LEFT JOIN visit ON visit.id = task.visit
        WHERE judgement.relevance >= {threshold} ORDER BY judgement.relevance DESC, judgement.id
    """,
    "crawled": """
        SELECT task.url AS url, round(judgement.relevance, 4) AS relevance,
               judgement.relevance >= {threshold} AS matched, round(task.priority, 4) AS priority, visit.title AS title
        FROM judgement JOIN task ON task.id = judgement.task LEFT JOIN visit ON visit.id = task.visit
        ORDER BY judgement.id
    """,
    "waiting": """
        SELECT task.url AS url, round(task.priority, 4) AS priority, task.anchor AS anchor, finder.url AS found_on
        FROM task LEFT JOIN task AS finder ON finder.id = task.parent
        WHERE task.state IN (0, 1) ORDER BY task.priority DESC, task.id
    """,
}
"""The three lists of a focus crawl: what was found, what was looked at in which order, and what would be next."""


_FILES = """
    SELECT judgement.id, task.url, file.name, visit.media_type, visit.size, visit.body, finder.url, task.anchor,
           visit.fetched_at
    FROM judgement JOIN file ON file.task = judgement.task JOIN task ON task.id = judgement.task
         JOIN visit ON visit.id = task.visit LEFT JOIN task AS finder ON finder.id = task.parent
    WHERE judgement.relevance >= ? AND judgement.id > ? ORDER BY judgement.id
"""


class FoundFile(NamedTuple):
    """A file of a crawl for files: its name in their folder, where it was found, and where its answer is stored ("" if
    it is not).

    `number` grows with every file that comes, also with one that comes again because it has changed.
    """

    number: int
    url: str
    name: str
    media_type: str
    size: int
    body: str
    found_on: str | None
    anchor: str
    fetched_at: float


class FileTable(Table):
    """The files that were found, in the order they came; those `after` one of that number."""

    columns = ["url", "file", "media_type", "size", "found_on", "anchor", "fetched_at"]  # noqa: RUF012

    def __init__(self, judgements: Judgements, after: int = 0) -> None:
        self._judgements = judgements
        self._after = after

    def __len__(self) -> int:
        return sum(1 for _ in self._judgements.files(self._after))

    def rows(self) -> Iterator[tuple[Any, ...]]:
        for file in self._judgements.files(self._after):
            place = f"{FILES}/{file.name}" if file.body else ""
            yield file.url, place, file.media_type, file.size, file.found_on, file.anchor, file.fetched_at


class Standing(NamedTuple):
    """How far a best-first crawl is, and from which relevance a page counts as matched."""

    threshold: float
    prospect: Prospect
    waiting: int


class Judgements:
    """Reads them by a connection of `CrawlReader`."""

    def __init__(self, connection: sqlite3.Connection, options: dict[str, Any]) -> None:
        """`options` are those of the strategy, as the job has them."""
        self._connection = connection
        self._options = options

    def files(self, after: int = 0) -> Iterator[FoundFile]:
        """The files that came after one of that number."""
        with explained("read"):
            yield from map(FoundFile._make, self._connection.execute(_FILES, (IS_FILE, after)))

    def standing(self) -> Standing:
        from dowse.core.saturation import find_threshold, prospect  # numpy comes with it

        rows = self._connection.execute("SELECT relevance FROM judgement ORDER BY id").fetchall()
        relevances = [value for (value,) in rows]
        given = IS_FILE if self._options.get("strategy") == "files" else self._options.get("threshold", -1.0)
        threshold = find_threshold(relevances, given)
        (waiting,) = self._connection.execute("SELECT count(*) FROM task WHERE state = 0").fetchone()
        window = min(self._options.get("patience") or 200, len(relevances))
        return Standing(threshold, prospect(relevances, threshold, window, waiting), waiting)

    def query(self, name: str) -> str:
        """The query of one of the lists."""
        return LISTS[name].format(threshold=repr(self.standing().threshold))

    def columns(self) -> dict[str, str]:
        """What a query of pages is to say of their relevance, and what it has to be joined with."""
        threshold = self.standing().threshold
        judged = f"judgement.relevance AS relevance, judgement.relevance >= {threshold!r} AS matched,"
        return {"judged": judged, "judgement": "LEFT JOIN judgement ON judgement.task = task.id"}

    def page(self, number: int) -> tuple[float, dict[str, float], dict[str, float]] | None:
        """The relevance of a page, its parts, and the parts of what its link was worth; None if it has none."""
        row = self._connection.execute(
            "SELECT relevance, parts, worth FROM judgement WHERE task = ?", (number,)
        ).fetchone()
        return (row[0], msgspec.json.decode(row[1]), msgspec.json.decode(row[2])) if row else None

    def lead(self, number: int) -> bytes:
        """What is known of a URL that waits; b"" if nothing is."""
        row = self._connection.execute("SELECT evidence FROM lead WHERE task = ?", (number,)).fetchone()
        return row[0] if row else b""

    def model(self) -> bytes:
        """What was learned, as it was saved; b"" if nothing was."""
        row = self._connection.execute("SELECT state FROM model WHERE name = 'ranker'").fetchone()
        return row[0] if row else b""
