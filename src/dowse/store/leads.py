"""Leads and judgements: what a best-first crawl knows of the URLs that wait, and what it made of the pages it fetched.

Invariants: a URL has a lead only while it waits or is out. The ranker is saved in the transaction of the outcomes it
learned from, so a crawl that is opened again has learned exactly what its tables say.

All links of a page are ranked when it comes home. What a ranker learns later changes the worth of everything that
waits; it asks for the best of it to be ranked anew often, and for all of it at longer and longer intervals.
"""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Sequence

import msgspec

from dowse.core.model import Judged, Outcome
from dowse.core.protocols import Ranker
from dowse.store.admission import Admission, Edge

_SMALL_CHANGE = 1e-4
_MOST_PARAMETERS = 500

_WAITING = """
    SELECT task.id, lead.evidence, task.priority FROM task JOIN lead ON lead.task = task.id
    WHERE task.state = 0 AND task.not_before = 0 ORDER BY task.priority DESC, task.id LIMIT ?
"""
_PUT_LEAD = "INSERT INTO lead VALUES (?, ?) ON CONFLICT (task) DO UPDATE SET evidence = excluded.evidence"

_encode = msgspec.json.Encoder().encode


class Leads:
    """Folds outcomes into the ranker and writes down what comes of it."""

    def __init__(self, connection: sqlite3.Connection, ranker: Ranker) -> None:
        self._connection = connection
        self._ranker = ranker
        self._saved = self._new = ranker.dump()
        self.relevances = array("d")

    def load(self) -> None:
        """Take up what the tables say; also after a transaction that failed."""
        row = self._connection.execute("SELECT state FROM model WHERE name = 'ranker'").fetchone()
        self._saved = row[0] if row else self._new
        self._ranker.load(self._saved)
        rows = self._connection.execute("SELECT relevance FROM judgement ORDER BY id")
        self.relevances = array("d", (value for (value,) in rows))

    def visited(self, outcome: Outcome, judged: Judged, edges: Sequence[Edge], admission: Admission) -> None:
        """A page came home: learn from it, and rank its links."""
        lead = self._lead(outcome.task.id)
        worth = self._ranker.explain(lead) if lead else {}
        learned = self._ranker.learn(outcome.task, judged, lead)
        self._note(outcome.task.id, learned, worth)
        self._follow(outcome, learned, edges, admission)

    def missed(self, outcome: Outcome, *, is_new: bool) -> None:
        """What came home was no page. It is a result if the ranker says so and it `is_new`."""
        lead = self._lead(outcome.task.id)
        worth = self._ranker.explain(lead) if lead else {}
        judged = self._ranker.miss(outcome, lead)
        if judged is not None and is_new:
            self._note(outcome.task.id, judged, worth)
        else:
            self.forget(outcome.task.id)

    def forget(self, number: int) -> None:
        """A URL does not wait any more."""
        self._connection.execute("DELETE FROM lead WHERE task = ?", (number,))

    def hand_on(self, number: int, target: int) -> None:
        """A URL has moved: what was known of it is known of the place it moved to."""
        self._connection.execute("UPDATE OR IGNORE lead SET task = ? WHERE task = ?", (target, number))
        self.forget(number)

    def write(self) -> None:
        """Rank anew what the ranker asks for, and save it."""
        most = self._ranker.due()
        if most:
            self.rerank(most)
        state = self._ranker.dump()
        if state != self._saved:
            self._connection.execute("INSERT OR REPLACE INTO model VALUES ('ranker', ?)", (state,))
            self._saved = state

    def rerank(self, most: int) -> None:
        """Rank the best of what waits anew, so many of them."""
        rows = self._connection.execute(_WAITING, (most,)).fetchall()
        ranks = self._ranker.rank([row[1] for row in rows])
        changed = [(rank, row[0]) for row, rank in zip(rows, ranks, strict=True) if abs(rank - row[2]) > _SMALL_CHANGE]
        self._connection.executemany("UPDATE task SET priority = ? WHERE id = ?", changed)

    def rejudge(self) -> None:
        """Judge all pages by what is known in the end."""
        rows = self._connection.execute("SELECT task, relevance, evidence FROM judgement ORDER BY id").fetchall()
        values = self._ranker.rejudge([row[1:] for row in rows])
        changed = [(value, row[0]) for value, row in zip(values, rows, strict=True) if value != row[1]]
        self._connection.executemany("UPDATE judgement SET relevance = ? WHERE task = ?", changed)
        self.relevances = array("d", values)

    def _follow(self, outcome: Outcome, judged: Judged, edges: Sequence[Edge], admission: Admission) -> None:
        """Add the page's links to the leads of those that wait, and rank these."""
        places: dict[int, int] = {}
        known: dict[int, tuple[bytes, float]] = {}
        old = []
        for place, (edge, candidate) in enumerate(zip(edges, outcome.candidates, strict=True)):
            if not candidate.refused and not candidate.label and edge[0] not in places:
                places[edge[0]] = place
                if not admission.is_new(edge[0]):
                    old.append(edge[0])
        for start in range(0, len(old), _MOST_PARAMETERS):
            known.update(self._known(old[start : start + _MOST_PARAMETERS]))
        numbers = [number for number in places if number in known or admission.is_new(number)]
        leads = [known[number][0] if number in known else b"" for number in numbers]
        made = self._ranker.follow(outcome.task, judged, [places[number] for number in numbers], leads)
        ranks = self._ranker.rank(made)
        self._connection.executemany(
            _PUT_LEAD,
            [row for row, before in zip(zip(numbers, made, strict=True), leads, strict=True) if row[1] != before],
        )
        raised = []
        for number, rank in zip(numbers, ranks, strict=True):
            if number not in known:
                admission.set_priority(number, rank)
            elif abs(rank - known[number][1]) > _SMALL_CHANGE:
                raised.append((rank, number))
        self._connection.executemany("UPDATE task SET priority = ? WHERE id = ?", raised)

    def _lead(self, number: int) -> bytes:
        row = self._connection.execute("SELECT evidence FROM lead WHERE task = ?", (number,)).fetchone()
        return row[0] if row else b""

    def _note(self, number: int, judged: Judged, worth: dict[str, float]) -> None:
        """Write down what was made of an answer."""
        self._connection.execute(
            "INSERT OR REPLACE INTO judgement (task, relevance, parts, worth, evidence) VALUES (?, ?, ?, ?, ?)",
            (number, judged.relevance, _encode(judged.parts).decode(), _encode(worth).decode(), judged.evidence),
        )
        self.relevances.append(judged.relevance)
        self.forget(number)

    def _known(self, numbers: Sequence[int]) -> dict[int, tuple[bytes, float]]:
        """Those that wait, with their leads and priorities."""
        marks = ",".join("?" * len(numbers))
        rows = self._connection.execute(
            "SELECT task.id, lead.evidence, task.priority FROM task LEFT JOIN lead ON lead.task = task.id"
            f" WHERE task.id IN ({marks}) AND task.state = 0",
            numbers,
        )
        return {number: (lead or b"", priority) for number, lead, priority in rows}
