"""The near-duplicate test as the store makes it: fingerprints in a table, the index over them in memory.

Loaded only for crawls with dedup = near. When a crawl is opened the index and the repeated blocks are read from their
tables; what was counted of blocks that are not repeated yet is counted anew.
"""

from __future__ import annotations

from dowse.core.duplicates.fingerprint import SeenKeys
from dowse.core.duplicates.near_duplicates import Fingerprint, Match, NearPages, confirmed_canonical
from dowse.core.duplicates.passages import Passages
from dowse.core.fate import CANONICAL, NEAR_DUPLICATE, Finding
from dowse.core.model import Outcome, is_seed
from dowse.store.database import Database
from dowse.store.duplicates.copies import detail_of
from dowse.store.fragments import upsert

# What a page said that is gone by now, or a copy of another, is nothing to compare with.
_READ = """SELECT signature, fingerprint.title, words, sketch, fingerprint.links, link_sketch FROM fingerprint
    JOIN task ON task.id = fingerprint.task JOIN visit ON visit.id = task.visit
    WHERE fingerprint.task = ? AND visit.digest <> 0 AND visit.duplicate_of IS NULL"""
_WRITE = upsert("fingerprint", ("task", *Fingerprint._fields), ["task"])


class NearTest:
    """Asks of every new page whether it is another one with small changes."""

    def __init__(self, connection: Database, seen: SeenKeys) -> None:
        self._connection = connection
        self._seen = seen
        self._pages = NearPages()
        self._own: Fingerprint | None = None
        self._unwritten: dict[int, Fingerprint] = {}
        self._repeated: list[tuple[int]] = []
        self._pages.index.load(connection.stream("SELECT signature, task FROM fingerprint"))
        for (block,) in connection.stream("SELECT block FROM repeated"):
            self._pages.blocks.mark(block)
        for host, pages in connection.execute("SELECT id, pages FROM host"):
            self._pages.blocks.load(host, pages)

    def judge(self, outcome: Outcome, host: int) -> Finding | None:
        """What a page nearly is. What the user named is never another page."""
        task = outcome.task
        if not outcome.passages:
            return None
        own = self._own = self._pages.fingerprint(host, Passages.unpack(outcome.passages))
        if own is None or is_seed(task):
            return None
        canonical = self._canonical(own, outcome)
        match = canonical or self._pages.match(own, task.id, self._stored)
        if match is None:
            return None
        reason = CANONICAL if canonical else NEAR_DUPLICATE
        return Finding(match.page, reason, detail_of(match.likeness, is_named=canonical is not None))

    def keep(self, outcome: Outcome, host: int) -> None:
        """Take in a page that was just judged to be none."""
        if outcome.task.digest and not (outcome.passages and self._own):  # it says too little now
            self._connection.execute("DELETE FROM fingerprint WHERE task = ?", (outcome.task.id,))
            self._unwritten.pop(outcome.task.id, None)
        if outcome.passages:
            learned = self._pages.keep(host, Passages.unpack(outcome.passages), outcome.task.id, self._own)
            self._unwritten.update(learned.fingerprints)
            self._repeated += [(block,) for block in learned.repeated]

    def write(self) -> None:
        rows = [(task, *found) for task, found in self._unwritten.items()]
        self._connection.executemany(_WRITE, rows)
        self._connection.executemany("INSERT INTO repeated VALUES (?) ON CONFLICT DO NOTHING", self._repeated)
        self._unwritten.clear()
        self._repeated.clear()

    def _canonical(self, own: Fingerprint, outcome: Outcome) -> Match | None:
        """The page that this one says it is, if that was visited and is like it."""
        page = self._seen.get(outcome.canonical) >> 1 if outcome.canonical else 0
        other = self._stored(page) if page and page != outcome.task.id else None
        return confirmed_canonical(own, other, page) if other else None

    def _stored(self, page: int) -> Fingerprint | None:
        found = self._unwritten.get(page)
        if found is None:
            row = self._connection.execute(_READ, (page,)).fetchone()
            found = Fingerprint(*row) if row else None
        return found
