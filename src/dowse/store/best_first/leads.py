"""Leads and judgements: what a best-first crawl knows of the URLs that wait, and what it made of the pages it fetched.

Invariants: a URL has a lead only while it waits or is out. The ranker is saved in the transaction of the outcomes it
learned from, so a crawl that is opened again has learned exactly what its tables say.

The links of all pages of a batch are ranked when its last page is learned from: pages of one site have many links in
common, and a lead is read, ranked and written once a batch. What a ranker learns later changes the worth of everything
that waits; it asks for the best of it to be ranked anew often, and for all of it at longer and longer intervals.
"""

from __future__ import annotations

import math
from collections.abc import Container, Mapping, Sequence

import msgspec

from dowse.core.model import NOT_BEST, SITEMAP, WORTH_LESS, Judged, Outcome, State, Task
from dowse.core.patience import NEVER, Patience
from dowse.core.protocols import Ranker, Tally
from dowse.core.task_labels import REQUISITE
from dowse.store.best_first import answer_table, earlier_verdicts
from dowse.store.best_first.earlier_verdicts import EarlierVerdicts
from dowse.store.best_first.gains import Gains
from dowse.store.best_first.lead_schema import TABLES
from dowse.store.best_first.lead_table import LeadTable
from dowse.store.best_first.rejudging import judge_anew, read_pages
from dowse.store.best_first.worths import total_worth
from dowse.store.bookkeeping import Bookkeeping, Due, Visit
from dowse.store.database import Database
from dowse.store.fragments import upsert
from dowse.store.frontier.admission import Admission
from dowse.store.frontier.edges import Edge

_SMALL_CHANGE = 1e-4
_DONE_KEPT = 100_000
# A page that is judged once more comes last, by the number of a new row. What its link was worth stays if nobody knows.
_NOTE = """INSERT INTO judgement (task, relevance, parts, worth, evidence) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (task) DO UPDATE SET id = excluded.id, relevance = excluded.relevance, parts = excluded.parts,
    evidence = excluded.evidence, worth = CASE excluded.worth WHEN '{}' THEN judgement.worth ELSE excluded.worth END"""
_SAVE = upsert("model", ("name", "state"), ["name"])
_ALL = 10**9
_FIRST_ANEW = 20  # pages after which all are judged anew; then each time that there are twice as many

_encode = msgspec.json.Encoder().encode


class Leads(Bookkeeping):
    """Folds outcomes into the ranker and writes down what comes of it:
    judgement    one row a page: how relevant it is, from which parts, and what its link was worth before
    lead         what pages that link to a URL say of it, as long as it waits
    model        what was learned
    outdated     what pages were for an earlier purpose (earlier_verdicts.py)
    """

    tables = TABLES + answer_table.TABLES + earlier_verdicts.TABLES

    def __init__(
        self, ranker: Ranker, patience: Patience = NEVER, *, least_worth: float = 0.0, purpose: str = ""
    ) -> None:
        """By its `patience` a crawl is saturated. Links of less than `least_worth` are dropped (0: none), and always
        those that a ranker puts at minus infinity. When the `purpose` is another than that of the run before, all pages
        are judged again."""
        self._ranker = ranker
        self._least_worth = least_worth or -math.inf
        self._table = LeadTable()
        self._saved = self._new = ranker.dump()
        self._gains = Gains(patience)
        self._earlier = EarlierVerdicts(purpose)
        self._anew_at = _FIRST_ANEW
        self._done: set[int] = set()  # URLs that came home and do not wait any more
        # Of the batch under way: what came home, URLs that do not wait, leads that were made, and rows of pages.
        self._is_home = False
        self._idle: set[int] = set()
        self._home: dict[int, tuple[bytes, dict[str, float]]] = {}
        self._made: dict[int, bytes] = {}
        self._ended: list[int] = []
        self._judged: list[tuple[int, float, str, str, bytes]] = []

    def load(self, connection: Database) -> None:
        super().load(connection)
        self._earlier.load(connection)
        self._table.load(connection, has_outdated=self._earlier.left > 0)
        self._forget_batch()
        self._is_home = False
        self._done.clear()
        row = connection.execute("SELECT state FROM model WHERE name = 'ranker'").fetchone()
        self._saved = row[0] if row else self._new
        self._ranker.load(self._saved)
        self._gains.load(connection)
        self._anew_at = max(_FIRST_ANEW, 2 * len(self._gains.relevances))

    def leased(self, tasks: list[Task]) -> list[Task]:
        self._table.lease([task.id for task in tasks])
        return tasks

    def due(self, limit: int, out: Container[int]) -> list[Due]:
        return self._earlier.due(limit, out)

    def doubt(self) -> None:
        self._done.clear()
        self._table.clear()

    def came_home(self, outcomes: Sequence[Outcome]) -> None:
        """What the links of a batch were worth is told for all in one go, before any page is learned from."""
        self._is_home = True
        found = self._table.come_home([outcome.task.id for outcome in outcomes if not outcome.partial])
        pages = [outcome.task.id for outcome in outcomes if outcome.failure is None and outcome.task.id in found]
        worth = dict(zip(pages, self._ranker.explain([found[number] for number in pages]), strict=True))
        self._home = {number: (lead, worth.get(number, {})) for number, lead in found.items()}

    def visited(self, visit: Visit, admission: Admission) -> None:
        outcome, is_fetched = visit.outcome, visit.fate.state is State.FETCHED
        if is_fetched and outcome.judged is not None:
            self._learn(outcome, outcome.judged, visit.links, admission)
        elif outcome.redirect is None and visit.fate.state is not State.WAITING:
            self._miss(outcome, is_new=is_fetched)

    def read_again(self, outcome: Outcome, links: Sequence[Edge], admission: Admission) -> None:
        """A stored page was judged for the purpose of now, as if it came home."""
        if outcome.judged is not None:
            if made := self._made.pop(outcome.task.id, b""):  # by a page of the same batch, for many are read at once
                self._home[outcome.task.id] = made, {}
            self._learn(outcome, outcome.judged, links, admission)

    def requeued(self, number: int) -> None:
        self._earlier.keep(number)

    def redirected(self, number: int, target: int) -> None:
        """What was known of a URL is known of the place it moved to."""
        self._done.discard(target)
        self._table.move(number, target)

    def settle(self, admission: Admission) -> None:
        """Rank the links of the batch and write their leads, before its new tasks are written."""
        self._table.delete(self._ended)
        ranks = self._ranker.rank(list(self._made.values())) if self._made else []
        changed, kept, dropped = [], [], []
        best = max(ranks, default=0.0)
        known_before, is_new = self._table.known, admission.is_new
        for (number, lead), rank in zip(self._made.items(), ranks, strict=True):
            if self._is_dropped(rank):
                dropped.append((number, rank))
                continue
            known = known_before(number)
            if known is None and is_new(number):
                admission.set_priority(number, rank)
            elif known is None or self._differs(rank, known[1], best):
                changed.append((rank, number))
            kept.append((number, lead, rank if known is None else known[1]))
        self._table.put(kept)
        self._table.prioritize(changed)
        self._drop(dropped, admission)
        self._connection.executemany(_NOTE, self._judged)
        self._earlier.judged([row[0] for row in self._judged])
        self._forget_batch()
        if len(self._done) > _DONE_KEPT:
            self._done.clear()

    def written(self, admission: Admission) -> None:
        """Rank anew what the ranker asks for, and save it; once for every batch that came home."""
        self._earlier.fetch_unstored(admission.known)
        if not self._is_home:
            return
        self._is_home = False
        if has_read_all := self._table.has_outdated and not self._earlier.left:
            self._table.load(self._connection)
        if has_read_all or answer_table.take_up(self._connection) or len(self._gains.relevances) >= self._anew_at:
            self._judge_anew()
        if most := max(self._ranker.due(), _ALL * has_read_all):
            self._drop(self.rerank(most), admission)
        self.save()

    def save(self) -> None:
        """Write down what the ranker has learned."""
        if (state := self._ranker.dump()) != self._saved:
            self._connection.execute(_SAVE, ("ranker", state))
            self._saved = state

    def rerank(self, most: int) -> list[tuple[int, float]]:
        """Rank the best of what waits anew, so many of them. The answer is what should be dropped, and its worth."""
        rows: list[tuple[float, int, float]] = []
        for portion in self._table.best(most):
            ranks = self._ranker.rank([lead for _, lead, _ in portion])
            rows += [(rank, number, before) for (number, _, before), rank in zip(portion, ranks, strict=True)]
        best = max(rows, default=(0.0,))[0]
        self._table.prioritize([(rank, number) for rank, number, before in rows if self._differs(rank, before, best)])
        return [(number, rank) for rank, number, _ in rows if self._is_dropped(rank)]

    def finished(self) -> None:
        answer_table.take_up(self._connection)
        self._judge_anew()
        self.save()

    def answered(self, answers: Mapping[int, bool | None]) -> None:
        answer_table.add_answers(self._connection, answers)
        self.finished()
        self.rerank(_ALL)

    def is_saturated(self, waiting: int) -> bool:
        return self._gains.is_enough()

    @property
    def results(self) -> int:
        return self._gains.results

    @property
    def found(self) -> Tally:
        return Tally("matched page", self._gains.results, may_be_enough=self._gains.may_be_enough)

    @property
    def rereads(self) -> int:
        return self._earlier.left

    def notices(self) -> list[str]:
        return self._earlier.notices()

    def judged_pages(self) -> list[tuple[str, float]]:
        return read_pages(self._connection)

    def _judge_anew(self) -> None:
        self._anew_at = max(_FIRST_ANEW, 2 * len(self._gains.relevances))
        if judge_anew(self._connection, self._ranker):
            self._gains.load(self._connection)

    def _learn(self, outcome: Outcome, judged: Judged, edges: Sequence[Edge], admission: Admission) -> None:
        """A page came home: learn from it, and add what it says to the leads of its links."""
        lead, worth = self._take(outcome.task.id)
        learned = self._ranker.learn(outcome.task, judged, lead)
        self._note(outcome.task.id, learned, worth)
        self._follow(outcome, learned, edges, admission)

    def _miss(self, outcome: Outcome, *, is_new: bool) -> None:
        """What came home was no page. It is a result if the ranker says so and it `is_new`."""
        lead, worth = self._take(outcome.task.id)
        judged = self._ranker.miss(outcome, lead) if outcome.task.label != REQUISITE else None
        if judged is not None and is_new:
            self._note(outcome.task.id, judged, worth)
        elif outcome.failure is not None:
            self._gains.miss()

    def _follow(self, outcome: Outcome, judged: Judged, edges: Sequence[Edge], admission: Admission) -> None:
        """Add what the page says of its links to the leads of those that wait."""
        found: dict[int, tuple[int, bytes]] = {}
        doubtful: dict[int, int] = {}
        for place, ((number, *_), candidate) in enumerate(zip(edges, outcome.candidates, strict=True)):
            if candidate.refused or candidate.label == SITEMAP or number in found:
                continue
            lead = self._lead(number, admission)
            if lead is not None:
                found[number] = place, lead
            elif number not in self._done and number not in self._idle:
                doubtful.setdefault(number, place)
        if doubtful:
            self._idle |= self._table.read(list(doubtful))
            waiting = [(number, place, self._table.known(number)) for number, place in doubtful.items()]
            found.update((number, (place, known[0])) for number, place, known in waiting if known is not None)
        places, leads = [place for place, _ in found.values()], [lead for _, lead in found.values()]
        self._made.update(zip(found, self._ranker.follow(outcome.task, judged, places, leads), strict=True))

    def _lead(self, number: int, admission: Admission) -> bytes | None:
        """The lead of a URL of which it is known that it waits; b"" if it is new."""
        if (made := self._made.get(number)) is not None:
            return made
        if (known := self._table.known(number)) is not None:
            return known[0]
        return b"" if admission.is_new(number) else None

    def _differs(self, rank: float, before: float, best: float) -> bool:
        """Whether a priority has to be changed: the farther from the best, the less its exact place matters."""
        return abs(rank - before) > _SMALL_CHANGE + self._ranker.slack * (best - max(rank, before))

    def _is_dropped(self, rank: float) -> bool:
        return rank < self._least_worth or rank == -math.inf

    def _drop(self, links: Sequence[tuple[int, float]], admission: Admission) -> None:
        """Refuse links, with the reason in the ledger. If another page has one of them, it is looked at anew."""
        if links:
            admission.write()
        self._table.prioritize([(max(rank, 0.0), number) for number, rank in links])
        for number, rank in links:
            reason = NOT_BEST if rank == -math.inf else f"{WORTH_LESS} {self._least_worth:g}"
            if admission.known.drop(number, reason):
                self._table.forget(number)

    def _take(self, number: int) -> tuple[bytes, dict[str, float]]:
        """The lead of a URL that does not wait any more, and the parts of what it was worth."""
        self._ended.append(number)
        self._done.add(number)
        return self._home.get(number, (b"", {}))

    def _note(self, number: int, judged: Judged, worth: dict[str, float]) -> None:
        """Write down what was made of an answer."""
        parts, told = _encode(judged.parts).decode(), _encode(worth).decode()
        self._judged.append((number, judged.relevance, parts, told, judged.evidence))
        self._gains.came(number, judged.relevance, total_worth(worth))

    def _forget_batch(self) -> None:
        for kept in (self._home, self._idle, self._made, self._ended, self._judged):
            kept.clear()
