"""The table `spelling`: URLs that were merged into others, those of them that are probed, and what the probes said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import msgspec

from dowse.core.model import Candidate, State
from dowse.core.task_labels import NO_PAGES
from dowse.core.url_spellings import Merger
from dowse.store.database import Database
from dowse.store.fragments import upsert
from dowse.store.task_states import OF_PAGES

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Candidate).decode

# The next to probe: of fetched pages, first of those that had the fewest probes, then of those with most spellings.
_NEXT = f"""
    SELECT next, original, priority FROM (
        SELECT max(CASE WHEN task IS NULL AND may_probe <> 0 THEN url_hash END) AS next, original,
               count(task) AS probed, count(*) AS spellings
        FROM spelling WHERE host = ? AND names = ? GROUP BY original
    ) AS merged JOIN task ON task.id = original JOIN visit ON visit.id = task.visit
    WHERE next IS NOT NULL AND state = {State.FETCHED} AND task.{OF_PAGES} AND digest <> 0
    ORDER BY probed, spellings DESC, original LIMIT 1
"""
_WRITE = upsert(
    "spelling",
    ("url_hash", "original", "host", "names", "finder", "candidate", "may_probe", "task", "news"),
    ["url_hash"],
)
_MATTERS = "INSERT INTO alike VALUES ('dropped', ?, ?, 1) ON CONFLICT DO NOTHING"


class Spelling(NamedTuple):
    """A URL that was merged: into which task, by what; the page it was found on (0: a seed), and as what."""

    url_hash: int
    original: int
    merger: Merger
    finder: int
    candidate: Candidate


class Known(NamedTuple):
    """A row as it is read when a crawl is opened; `state` is that of the `task` that probes it, if there is one."""

    url_hash: int
    original: int
    merger: Merger
    may_probe: bool
    task: int | None
    news: int | None
    state: int | None


class NextProbe(NamedTuple):
    """A spelling to be probed, and the priority of the task it was taken for."""

    spelling: Spelling
    priority: float


class Forgotten(NamedTuple):
    """A row that was taken out, and the priority of the task it was taken for; `task` is None if it was not probed."""

    spelling: Spelling
    task: int | None
    priority: float


def may_be_probed(candidate: Candidate) -> bool:
    return not candidate.refused and candidate.label not in NO_PAGES


class SpellingTable:
    """Reads and writes spellings. New ones wait until `write`, which comes before every question about them."""

    def __init__(self, connection: Database) -> None:
        self._connection = connection
        self._waiting: list[Spelling] = []

    def add(self, spelling: Spelling) -> None:
        """Note a spelling, or note it anew."""
        self._waiting.append(spelling)

    def write(self) -> None:
        rows = (
            (each.url_hash, each.original, *each.merger, each.finder, _encode(each.candidate),
             may_be_probed(each.candidate), None, None)
            for each in self._waiting
        )  # fmt: skip
        self._connection.executemany(_WRITE, rows)
        self._waiting.clear()

    def all(self) -> Iterator[Known]:
        rows = self._connection.execute(
            "SELECT url_hash, original, spelling.host, names, may_probe, spelling.task, news, state"
            " FROM spelling LEFT JOIN task ON task.id = spelling.task"
        )
        for url_hash, original, host, names, may_probe, task, news, state in rows:
            yield Known(url_hash, original, Merger(host, names), bool(may_probe), task, news, state)

    def unprobed(self) -> list[tuple[int, int, Candidate]]:
        """The links that were merged and not probed: the number of the URL, of the page it is on, and the link."""
        rows = self._connection.execute(
            "SELECT url_hash, finder, candidate FROM spelling WHERE task IS NULL AND finder > 0"
        ).fetchall()
        return [(url_hash, finder, _decode(packed)) for url_hash, finder, packed in rows]

    def change(self, url_hash: int, candidate: Candidate) -> None:
        """What is thought of a link is not what it was."""
        self._connection.execute(
            "UPDATE spelling SET candidate = ?, may_probe = ? WHERE url_hash = ?",
            (_encode(candidate), may_be_probed(candidate), url_hash),
        )

    def next_probe(self, merger: Merger) -> NextProbe | None:
        """The spelling of which most can be learned; None if there is none to probe now."""
        row = self._connection.execute(_NEXT, merger).fetchone()
        if row is None:
            return None
        url_hash, original, priority = row
        query = "SELECT finder, candidate FROM spelling WHERE url_hash = ?"
        finder, packed = self._connection.execute(query, (url_hash,)).fetchone()
        return NextProbe(Spelling(url_hash, original, merger, finder, _decode(packed)), priority)

    def begin_probe(self, url_hash: int, task: int) -> None:
        self._connection.execute("UPDATE spelling SET task = ? WHERE url_hash = ?", (task, url_hash))

    def end_probe(self, task: int, news: int | None) -> tuple[int, Candidate]:
        """Write down what a probe said; the answer is the page that its link is on, and the link."""
        finder, packed = self._connection.execute(
            "UPDATE spelling SET news = ? WHERE task = ? RETURNING finder, candidate", (news, task)
        ).fetchone()
        return finder, _decode(packed)

    def forget(self, merger: Merger) -> list[Forgotten]:
        """Take out all that was merged by these parameters."""
        rows = self._connection.execute(
            "SELECT url_hash, original, finder, candidate, spelling.task, priority FROM spelling"
            " JOIN task ON task.id = original WHERE spelling.host = ? AND names = ? ORDER BY url_hash",
            merger,
        ).fetchall()
        self._connection.execute("DELETE FROM spelling WHERE host = ? AND names = ?", merger)
        return [
            Forgotten(Spelling(url_hash, original, merger, finder, _decode(packed)), task, priority)
            for url_hash, original, finder, packed, task, priority in rows
        ]

    def parameters_that_matter(self) -> list[tuple[str, str]]:
        """Hosts, and parameters that make a difference there though the built-in list has them."""
        return self._connection.execute("SELECT place, name FROM alike WHERE kind = 'dropped'").fetchall()

    def note_parameters_that_matter(self, host: str, names: Iterable[str]) -> None:
        self._connection.executemany(_MATTERS, [(host, name) for name in names])
