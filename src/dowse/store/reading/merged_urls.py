"""What can be read of merged spellings: by which key a URL is known in a crawl, and what became of others like it."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from dowse.core.job import UrlOptions
from dowse.core.model import Request
from dowse.core.url_keys import key_of
from dowse.core.url_spellings import MOST_KEPT, Merger, Spelled
from dowse.store.database import Database


class Merged(Struct, frozen=True):
    """What became of the spellings of a page: how many there are, how many were fetched and said nothing else, and of
    a URL that somebody asks about, what it was merged by, if it was not fetched itself. `unseen` is that URL if no page
    has it: then it would have been merged. `same` is that URL if it is only another way to write this one."""

    spellings: int = 0
    probes: int = 0
    by: str = ""
    matter: list[str] = []
    unseen: str = ""
    same: str = ""


class SpellingReader:
    """Reads how the URLs of a crawl were merged."""

    def __init__(self, connection: Database, options: UrlOptions) -> None:
        self._connection = connection
        self._spelled = Spelled(options)
        for host, name in connection.execute("SELECT place, name FROM alike WHERE kind = 'dropped'").fetchall():
            self._spelled.undo(host, [name])

    def key_hash(self, request: Request) -> int:
        """By what a URL is known in this crawl."""
        row = self._connection.execute(
            "SELECT key_hash FROM spelling JOIN task ON task.id = spelling.task WHERE url_hash = ?",
            (key_of(request.url),),
        ).fetchone()
        return int(row[0]) if row else self._spelled.request(request).key_hash

    def merged(self, request: Request) -> Merged:
        """What is known of a URL and its like."""
        spellings, probes = self._connection.execute(
            "SELECT count(*), count(CASE WHEN news = 0 THEN 1 END) FROM spelling"
            " WHERE original = (SELECT id FROM task WHERE key_hash = ?)",
            (self.key_hash(request),),
        ).fetchone()
        row = self._connection.execute(
            "SELECT host, names, task FROM spelling WHERE url_hash = ?", (key_of(request.url),)
        ).fetchone()
        by = str(Merger(*row[:2])) if row and row[2] is None else ""
        here = self._spelled.matter.get(request.host, frozenset())
        matter = [name for name in sorted(here) if self._spelled.keeping(request, {name}) != request]
        merged = Merged(spellings, probes, by, matter)
        return merged if row else self._without_record(request, merged)

    def _without_record(self, request: Request, merged: Merged) -> Merged:
        """The same of a URL that is no spelling on record: it is a task's own, or a way to write that, or unknown."""
        row = self._connection.execute("SELECT url FROM task WHERE key_hash = ?", (self.key_hash(request),)).fetchone()
        if row is None or row[0] == request.url:
            return merged
        merger = self._spelled.merger(request.url) or self._spelled.merger(row[0])
        if merger is None:
            return replace(merged, same=request.url)
        (kept,) = self._connection.execute(
            "SELECT count(*) FROM spelling WHERE host = ? AND names = ?", merger
        ).fetchone()
        unseen = request.url if kept < MOST_KEPT else ""  # later ones were merged without a record
        return replace(merged, by=str(merger), unseen=unseen)
