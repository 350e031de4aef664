"""The book of revisits: what each visit of a known page said of its changes, and which of them people are told of.

    added        a page that is new on the site (new_links.py), or is back
    changed      a page that says something else (core/revisits/differences.py); a record with other fields
    removed      a page that was seen missing twice in a row; a record that its page has no more
    moved        a page that redirects elsewhere, or is gone and there is a page with the same content
    unreachable  a page that there was, once: missing for the first time, or its server is silent

That a server is silent says nothing of its pages: however long that lasts, none of them is removed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from dowse.core.fate import is_gone
from dowse.core.model import Candidate, Outcome, State
from dowse.core.options.revisit_options import Upkeep
from dowse.core.record import APART
from dowse.core.revisits.changes import PAGE, RECORD
from dowse.core.revisits.server_signs import EXPIRES
from dowse.core.task_labels import NO_PAGES
from dowse.store.bookkeeping import Bookkeeping, Visit
from dowse.store.database import Database
from dowse.store.frontier.admission import PARKED, Admission
from dowse.store.frontier.edges import Edge
from dowse.store.revisits.moved_pages import note_moves
from dowse.store.revisits.new_links import NewLinks
from dowse.store.revisits.record_changes import Keyed, record_changes
from dowse.store.revisits.record_versions import keep_records
from dowse.store.revisits.resting import links_rest
from dowse.store.revisits.revisit_tables import BEGUN, INSERT_CHANGE, MISSING, RESTLESS, SAVE_REVISIT, SAVE_SAID, TABLES
from dowse.store.revisits.soft_missing import is_host_away, last_version
from dowse.store.revisits.wishes import read_wishes, save_upkeep

if TYPE_CHECKING:
    from dowse.store.revisits.importance import Importance
    from dowse.store.revisits.page_rates import PageRates

_MOST_PLACES = 50
_CLOCK_SLACK = 3_600.0
"""Seconds that the clock may be put back by and nobody is told."""

_CONTENT = "SELECT max(id) FROM visit WHERE task = ? AND digest <> 0"
_LAST_VISIT = "SELECT max(id) FROM visit WHERE task = ?"
_LAST_DATE = "SELECT fetched_at FROM visit ORDER BY id DESC LIMIT 1"
_RECORDS = "SELECT kind, key, fields FROM record WHERE task = ?"
_REVISIT = "SELECT news, missing, places FROM revisited WHERE task = ?"

_encode = msgspec.json.Encoder().encode
_places = msgspec.json.Decoder(dict[str, int]).decode
_fields = msgspec.json.Decoder(dict[str, object]).decode


class _Told(NamedTuple):
    """A change that was noticed while its visit was being written."""

    at: float
    kind: str
    what: str
    task: int
    earlier: int | None
    before: object = None
    after: object = None


class RevisitBook(Bookkeeping):
    """Keeps it. `modes` is the bookkeeping of the crawl's mode, which has words of its own for what it finds, and
    results that are no pages. A page that is as it was costs next to nothing here: its visit says all."""

    tables = TABLES

    def __init__(self, modes: Sequence[Bookkeeping] = ()) -> None:
        self._modes = modes
        self._new = NewLinks()

    def load(self, connection: Database) -> None:
        super().load(connection)
        self._new.load(connection)
        self._links_rest = links_rest(connection)
        self._rates: PageRates | None = None
        self._first_new = sys.maxsize
        row = connection.execute(_LAST_DATE).fetchone()
        self._at = row[0] if row else 0.0
        self._news: dict[int, int] = {}
        self._told: list[_Told] = []
        self._notices: list[str] = []
        self._said: list[tuple[int, str, float, float]] = []
        self._missing = {task for (task,) in connection.execute("SELECT task FROM revisited WHERE missing > 0")}
        self._rows: list[tuple[int, float, int, int, dict[str, int]]] = []
        row = connection.execute("SELECT value FROM meta WHERE name = ?", (BEGUN,)).fetchone()
        self._begun = int(row[0]) if row else 0

    @property
    def rates(self) -> PageRates:
        """With all that was seen. Whoever asks has a transaction open."""
        if self._rates is None:
            from dowse.store.revisits.page_rates import PageRates  # with numpy, which few runs need

            self._rates = PageRates(self._connection, self.importance)
        self._rates.catch_up()
        return self._rates

    @property
    def importance(self) -> Importance:
        """As the pages are now."""
        from dowse.store.revisits.importance import importance_of

        return importance_of(self._connection, self._modes)

    def came_home(self, outcomes: Sequence[Outcome]) -> None:
        at = max((outcome.fetched_at for outcome in outcomes), default=self._at)
        if at < self._at - _CLOCK_SLACK:
            before, now = (f"{datetime.fromtimestamp(each, UTC):%Y-%m-%d %H:%M} UTC" for each in (self._at, at))
            self._notices.append(
                f"the clock was put back: it is {now}, and pages of this crawl were visited on {before}"
            )
        self._at = at
        (last,) = self._connection.execute("SELECT coalesce(max(id), 0) FROM task").fetchone()
        self._first_new = last + 1

    def linked(self, finder: int, candidates: Sequence[Candidate], edges: Sequence[Edge], admission: Admission) -> None:
        self._said += [
            (edge[0], source, value, self._at)
            for candidate, edge in zip(candidates, edges, strict=True)
            if candidate.said is not None
            for source, value in candidate.said.dates().items()
        ]
        if news := len({edge[0] for edge in edges if edge[0] >= self._first_new}):
            self._news[finder] = self._news.get(finder, 0) + news

    def visited(self, visit: Visit, admission: Admission) -> None:
        outcome, task = visit.outcome, visit.outcome.task
        if task.label in NO_PAGES or visit.fate.state in (State.WAITING, State.ROBOTS):
            return
        if outcome.fresh_until:
            self._said.append((task.id, EXPIRES, outcome.fresh_until, outcome.fetched_at))
        if outcome.unchanged and task.id not in self._missing:
            return
        self._new.came(task.id)
        keep_records(self._connection, visit)
        news, missing, places = self._standing(task.id)
        if not task.digest and not missing:
            self._note_new(visit)
            return
        (earlier,) = self._connection.execute(_CONTENT, (task.id,)).fetchone()
        told = _Told(outcome.fetched_at, "", PAGE, task.id, earlier)
        if is_gone(outcome):
            missing += 1
            if missing <= MISSING and self._last_kind(task.id) != "moved":
                self._told.append(told._replace(kind="removed" if missing == MISSING else "unreachable"))
        elif outcome.failure is not None:
            self._note_silence(told)
        elif outcome.redirect is not None:
            missing = 0
            (earlier,) = self._connection.execute("SELECT abs(visit) FROM task WHERE id = ?", (task.id,)).fetchone()
            told = told._replace(earlier=earlier)
            self._told.append(told._replace(kind="moved", before=task.request.url, after=outcome.redirect.request.url))
        else:
            changed, places = self._judged(outcome, places)
            missing = self._note_there(visit, told, missing, changed)
        self._rows.append((task.id, outcome.fetched_at, news, missing, places))

    def written(self, admission: Admission) -> None:
        if self._rates is not None:
            self._rates.found(self._news)
            self._rates.heard(self._said)
        self._connection.executemany(SAVE_SAID, self._said)
        self._write_rows()
        late, beyond = self._new.find(self._first_new)
        for number in beyond if self._links_rest else ():
            admission.known.park(number, PARKED)
        self._told += (each for each in self._mode_news() if each.task not in late)
        for each in self._told:
            later = None
            if each.what in (PAGE, RECORD):
                (later,) = self._connection.execute(_LAST_VISIT, (each.task,)).fetchone()
            before, after = ("" if part is None else _encode(part).decode() for part in (each.before, each.after))
            what = self._called(each.task) if each.what == PAGE else each.what
            row = (each.at, each.kind, what, each.task, each.earlier, later, before, after)
            self._connection.execute(INSERT_CHANGE, row)
        self._first_new = sys.maxsize
        for kept in (self._told, self._rows, self._news, self._said):
            kept.clear()

    def _write_rows(self) -> None:
        """What is to be noted of pages that were visited, and of others that brought links: of a list, say."""
        noted = {row[0] for row in self._rows}
        rows = [*self._rows, *((task, self._at, *self._standing(task)) for task in self._news if task not in noted)]
        self._connection.executemany(
            SAVE_REVISIT,
            [
                (task, at, news + self._news.get(task, 0), missing, _encode(places).decode() if places else "{}")
                for task, at, news, missing, places in rows
            ],
        )
        for task, _, _, missing, _ in self._rows:
            self._missing.add(task) if missing else self._missing.discard(task)

    def notices(self) -> list[str]:
        notices, self._notices = self._notices, []
        return notices

    def finished(self) -> None:
        note_moves(self._connection, self._begun)
        if self._rates is None:
            return
        self._rates.catch_up()
        freshness = self._rates.freshness(self._at)
        upkeep = Upkeep(freshness, len(self._rates))
        if read_wishes(self._connection).collection:
            from dowse.store.revisits.collection import make_room

            upkeep = make_room(self._connection, self.importance, self._at, freshness)
        save_upkeep(self._connection, upkeep)

    def _mode_news(self) -> Iterator[_Told]:
        """Results of the mode that are no pages."""
        for mode in self._modes:
            for found in mode.new_results():
                yield _Told(self._at, "added", found.what, found.task, None, after=found.facts or None)

    def _called(self, task: int) -> str:
        return next(filter(None, (mode.called(task) for mode in self._modes)), PAGE)

    def _standing(self, task: int) -> tuple[int, int, dict[str, int]]:
        row = self._connection.execute(_REVISIT, (task,)).fetchone()
        return (row[0], row[1], _places(row[2])) if row else (0, 0, {})

    def _note_new(self, visit: Visit) -> None:
        """A page that there was no copy of."""
        outcome, task = visit.outcome, visit.outcome.task
        if visit.fate.state is not State.FETCHED or outcome.redirect is not None or not outcome.digest:
            return
        if not self._new.is_news(task.id):
            return
        self._told.append(_Told(outcome.fetched_at, "added", PAGE, task.id, None))

    def _note_there(self, visit: Visit, told: _Told, missing: int, changed: bool) -> int:
        """A page came; how often in a row it has been missing now. If its last copy is what stands where pages are
        missing (soft_missing.py), it is missing as long as that does not change. Where it stands for the whole site,
        the site is away, and has removed nothing."""
        if missing and visit.outcome.task.digest and not changed:
            if missing + 1 == MISSING:
                if is_host_away(self._connection, told.task):
                    return missing
                self._told.append(told._replace(kind="removed", earlier=last_version(self._connection, told.task)))
            return missing + 1
        if missing >= MISSING:
            self._told.append(told._replace(kind="added"))
        elif changed and not missing:
            self._told.append(told._replace(kind="changed"))
        if not visit.outcome.unchanged and not missing and visit.fate.state is State.FETCHED:
            self._compare_records(visit, told)
        return 0

    def _note_silence(self, told: _Told) -> None:
        """Once, however often it is asked."""
        if self._last_kind(told.task) != "unreachable":
            self._told.append(told._replace(kind="unreachable"))

    def _last_kind(self, task: int) -> str:
        """What was told of a page last."""
        query = "SELECT kind FROM change WHERE task = ? AND what <> ? ORDER BY id DESC LIMIT 1"
        row = self._connection.execute(query, (task, RECORD)).fetchone()
        return row[0] if row else ""

    def _judged(self, outcome: Outcome, places: dict[str, int]) -> tuple[bool, dict[str, int]]:
        """Whether a page changed, and how often in a row each of its places did."""
        if outcome.unchanged:
            return False, places
        difference = outcome.difference
        if difference is None:  # no HTML, or no copy to compare it with
            return outcome.task.digest != 0, places
        restless = {int(place) for place, times in places.items() if times >= RESTLESS}
        counted = {str(place): places.get(str(place), 0) + 1 for place in difference.places[:_MOST_PLACES]}
        return difference.is_content(restless), counted

    def _compare_records(self, visit: Visit, told: _Told) -> None:
        rows = self._connection.execute(_RECORDS, (told.task,)).fetchall()
        before: list[Keyed] = [(kind, key, _fields(fields)) for kind, key, fields in rows if kind not in APART]
        after: list[Keyed] = [
            (each.kind, each.key, each.fields) for each in visit.outcome.records if each.kind not in APART
        ]
        for change in record_changes(before, after):
            self._told.append(
                told._replace(kind=change.kind, what=RECORD, before=change.before or None, after=change.after or None)
            )
