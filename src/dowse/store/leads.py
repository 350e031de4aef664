"""Leads and judgements: what a best-first crawl knows of the URLs that wait, and what it made of the pages it fetched.

Invariants: a URL has a lead only while it waits or is out. The ranker is saved in the transaction of the outcomes it
learned from, so a crawl that is opened again has learned exactly what its tables say.

The links of all pages of a batch are ranked when its last page is learned from: pages of one site have many links in
common, and a lead is read, ranked and written once a batch, whatever the number of pages it is on. What a ranker learns
later changes the worth of everything that waits; it asks for the best of it to be ranked anew often, and for all of it
at longer and longer intervals.
"""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Sequence

import msgspec

from dowse.core.job import IS_FILE
from dowse.core.model import Judged, Outcome
from dowse.core.protocols import Ranker
from dowse.store.admission import Admission, Edge
from dowse.store.named_files import NamedFiles

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

    def __init__(self, connection: sqlite3.Connection, ranker: Ranker, files: NamedFiles | None = None) -> None:
        """Where results are `files`, they get names."""
        self._connection = connection
        self._ranker = ranker
        self._files = files
        self._saved = self._new = ranker.dump()
        self.relevances = array("d")
        # Of the batch under way: URLs looked up, those of them that wait with lead and priority, and the leads made.
        self._asked: set[int] = set()
        self._known: dict[int, tuple[bytes, float]] = {}
        self._made: dict[int, bytes] = {}

    def load(self) -> None:
        """Take up what the tables say; also after a transaction that failed."""
        self._forget_batch()
        row = self._connection.execute("SELECT state FROM model WHERE name = 'ranker'").fetchone()
        self._saved = row[0] if row else self._new
        self._ranker.load(self._saved)
        rows = self._connection.execute("SELECT relevance FROM judgement ORDER BY id")
        self.relevances = array("d", (value for (value,) in rows))

    def visited(self, outcome: Outcome, judged: Judged, edges: Sequence[Edge], admission: Admission) -> None:
        """A page came home: learn from it, and add what it says to the leads of its links."""
        lead = self._take(outcome.task.id)
        worth = self._ranker.explain(lead) if lead else {}
        learned = self._ranker.learn(outcome.task, judged, lead)
        self._note(outcome.task.id, learned, worth)
        self._name(outcome, learned)
        self._follow(outcome, learned, edges, admission)

    def missed(self, outcome: Outcome, *, is_new: bool) -> None:
        """What came home was no page. It is a result if the ranker says so and it `is_new`."""
        lead = self._take(outcome.task.id)
        worth = self._ranker.explain(lead) if lead and is_new else {}
        judged = self._ranker.miss(outcome, lead)
        if judged is not None and is_new:
            self._note(outcome.task.id, judged, worth)
            self._name(outcome, judged)

    def forget(self, number: int) -> None:
        """A URL does not wait any more."""
        self._connection.execute("DELETE FROM lead WHERE task = ?", (number,))

    def hand_on(self, number: int, target: int) -> None:
        """A URL has moved: what was known of it is known of the place it moved to."""
        self._connection.execute("UPDATE OR IGNORE lead SET task = ? WHERE task = ?", (target, number))
        self.forget(number)

    def settle(self, admission: Admission) -> None:
        """Rank the links of the batch and write their leads, before its new tasks are written."""
        ranks = self._ranker.rank(list(self._made.values())) if self._made else []
        self._connection.executemany(
            _PUT_LEAD, [(number, lead) for number, lead in self._made.items() if lead != self._lead_before(number)]
        )
        raised = []
        for number, rank in zip(self._made, ranks, strict=True):
            if admission.is_new(number):
                admission.set_priority(number, rank)
            elif number not in self._known or abs(rank - self._known[number][1]) > _SMALL_CHANGE:
                raised.append((rank, number))
        self._connection.executemany("UPDATE task SET priority = ? WHERE id = ?", raised)
        self._forget_batch()

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
        """Add what the page says of its links to the leads of those that wait."""
        places: dict[int, int] = {}
        for place, (edge, candidate) in enumerate(zip(edges, outcome.candidates, strict=True)):
            if not candidate.refused and not candidate.label:
                places.setdefault(edge[0], place)
        self._read([number for number in places if number not in self._asked and not admission.is_new(number)])
        made, known = self._made, self._known
        numbers = [number for number in places if number in made or number in known or admission.is_new(number)]
        leads = [made.get(number) or self._lead_before(number) for number in numbers]
        new = self._ranker.follow(outcome.task, judged, [places[number] for number in numbers], leads)
        made.update(zip(numbers, new, strict=True))

    def _read(self, numbers: Sequence[int]) -> None:
        """Look up which of these wait, with their leads and priorities, to be known until the batch is settled."""
        self._asked.update(numbers)
        for start in range(0, len(numbers), _MOST_PARAMETERS):
            some = numbers[start : start + _MOST_PARAMETERS]
            rows = self._connection.execute(
                "SELECT task.id, lead.evidence, task.priority FROM task LEFT JOIN lead ON lead.task = task.id"
                f" WHERE task.id IN ({','.join('?' * len(some))}) AND task.state = 0",
                some,
            )
            self._known.update((number, (lead or b"", priority)) for number, lead, priority in rows)

    def _lead_before(self, number: int) -> bytes:
        """The lead that a URL had before the batch."""
        return self._known[number][0] if number in self._known else b""

    def _forget_batch(self) -> None:
        self._asked.clear()
        self._known.clear()
        self._made.clear()

    def _take(self, number: int) -> bytes:
        """The lead of a URL that does not wait any more."""
        row = self._connection.execute("DELETE FROM lead WHERE task = ? RETURNING evidence", (number,)).fetchone()
        return row[0] if row else b""

    def _name(self, outcome: Outcome, judged: Judged) -> None:
        """Give a file its name."""
        if self._files is not None and judged.relevance >= IS_FILE:
            self._files.add(outcome.task.id, outcome.task.request.url, outcome.media_type)

    def _note(self, number: int, judged: Judged, worth: dict[str, float]) -> None:
        """Write down what was made of an answer."""
        self._connection.execute(
            "INSERT OR REPLACE INTO judgement (task, relevance, parts, worth, evidence) VALUES (?, ?, ?, ?, ?)",
            (number, judged.relevance, _encode(judged.parts).decode(), _encode(worth).decode(), judged.evidence),
        )
        self.relevances.append(judged.relevance)
