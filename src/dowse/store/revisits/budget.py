"""A recrawl under a budget: the requests that are expected to bring most news, and no others.

Known pages and links that waited before compete in waves. A wave is chosen when the one before is out, with all that
was learned from it: where something changed, its neighbours come sooner (change_rates.py). What pages link to that
nobody knew goes out at once, as in any crawl.

    a list                 sitemaps and feeds tell of new pages and of changed ones: first, at most every fifth request
    a known page           the staleness that a visit takes away, times how much the page matters, and the new links
                           that pages like it bring
    a link that waited     a page that is missing altogether; at most every second request. None where links rest
                           (resting.py), but such as a run before this one found new
    a page seen missing    once more, first of all: only then it counts as removed
"""

from __future__ import annotations

import math

from dowse.core.job import Job
from dowse.core.model import SITEMAP, State
from dowse.core.politeness import is_hopeless
from dowse.core.protocols import StopReason
from dowse.core.sitemap_turns import LISTS_FIRST
from dowse.store.database import Database
from dowse.store.frontier.admission import PARKED
from dowse.store.frontier.known_tasks import KnownTasks
from dowse.store.frontier.lease_policy import Choice, LeasePolicy
from dowse.store.frontier.memory import Memory
from dowse.store.frontier.requeue import Excluded, count_pages
from dowse.store.revisits.new_links import GOES_OUT
from dowse.store.revisits.resting import links_rest
from dowse.store.revisits.revisit_book import RevisitBook
from dowse.store.revisits.wishes import read_wishes
from dowse.store.schema import SET_META
from dowse.store.task_states import OF_PAGES, READY

_WAVES = 10
_SMALLEST_WAVE = 16
_LISTS_SHARE = 5
_MISSED_AGAIN = 3_600.0
"""Seconds after which a page that was missing is looked for once more."""

_LEFT = "revisit_budget"
"""The name in `meta` of the requests that are left of the budget of a run that has not ended."""

_PARK = f"UPDATE task SET not_before = {PARKED} WHERE {READY} AND id NOT IN (SELECT task FROM had_turn)"
_WAITED = f"""SELECT id FROM task WHERE state = {State.WAITING} AND not_before = {PARKED} AND task.{OF_PAGES}
    AND id NOT IN (SELECT task FROM had_turn) AND host NOT IN ({{away}}) {{also}} ORDER BY priority DESC, id LIMIT ?"""
_OF_HOST = "SELECT id FROM task WHERE host = ?"
_LEAVE = f"""INSERT INTO had_turn SELECT id FROM task WHERE host = ? AND state <> {State.WAITING}
    AND id NOT IN (SELECT task FROM had_turn)"""
_MISSING = f"""SELECT task.id FROM task JOIN revisited ON revisited.task = task.id
    WHERE revisited.missing = 1 AND NOT revisited.at BETWEEN ? AND ? AND task.state = {State.FAILED}
    AND task.id NOT IN (SELECT task FROM had_turn) ORDER BY revisited.at LIMIT ?"""
_LISTS = f"""SELECT task.id FROM task JOIN visit ON visit.id = task.visit
    LEFT JOIN revisited ON revisited.task = task.id
    WHERE task.label = '{SITEMAP}' AND task.state = {State.FETCHED} AND task.reason = '{SITEMAP}'
    AND task.id NOT IN (SELECT task FROM had_turn)
    ORDER BY (? - visit.fetched_at) * (1 + coalesce(revisited.news, 0)) DESC, task.id LIMIT ?"""
_READY = f"SELECT count(*) FROM task WHERE {READY}"
_READY_LISTS = f"{_READY} AND label = '{SITEMAP}'"
_READY_AGAIN = f"{_READY} AND visit IN (SELECT id FROM visit WHERE digest <> 0)"
_FOUND = "SELECT id, url FROM task WHERE parent > 0"
_BACK = f"""UPDATE task SET state = {State.FETCHED} WHERE {READY}
    AND (visit IN (SELECT id FROM visit WHERE digest <> 0) OR (label = '{SITEMAP}' AND visit > 0))"""


def begin(connection: Database, budget: int, excluded: Excluded) -> None:
    """Give a run its budget. What waits sits out until it is chosen, and what the user excludes has no turn."""
    connection.execute(SET_META, (_LEFT, str(budget)))
    unwanted = [(number,) for number, url in connection.stream(_FOUND) if excluded(url)]
    connection.executemany("INSERT INTO had_turn VALUES (?)", unwanted)
    park(connection)


def park(connection: Database) -> None:
    """Let what waits sit out until it is chosen."""
    connection.execute(_PARK)


def end(connection: Database) -> None:
    """The budget is no more."""
    connection.execute("DELETE FROM meta WHERE name = ?", (_LEFT,))
    connection.execute("DELETE FROM had_turn")


def is_under_way(connection: Database) -> bool:
    """Whether a run has not spent its budget."""
    return _left(connection) is not None


def _left(connection: Database) -> int | None:
    row = connection.execute("SELECT value FROM meta WHERE name = ?", (_LEFT,)).fetchone()
    return int(row[0]) if row else None


class UnderBudget(LeasePolicy):
    """Lets another policy choose among what is worth a request, until the budget is spent.

    How much is left, and who had a turn, are rows: a transaction that is rolled back takes them along, and a run that
    was stopped goes on with them.
    """

    def __init__(self, chooses: LeasePolicy, book: RevisitBook) -> None:
        self._chooses = chooses
        self._book = book

    def load(self, connection: Database, memory: Memory, job: Job) -> None:
        super().load(connection, memory, job)
        self._chooses.load(connection, memory, job)
        self._known = KnownTasks(connection, memory, lambda: None)
        self._left = _left(connection) or 0
        self._wave = max(_SMALLEST_WAVE, math.ceil(self._left / _WAVES))
        self._had_lists = self._awaits_lists = False
        self._begun = math.inf
        self._away: set[int] = set()
        self._links_rest = links_rest(connection)
        self._is_bounded = bool(read_wishes(connection).collection)
        self._had_turn = {number for (number,) in connection.execute("SELECT task FROM had_turn")}

    def idle(self, now: float, limit: int) -> Choice | None:
        return Choice([], None) if self._left <= 0 else None

    def choose(self, now: float, limit: int, *, new: bool, least: float = -math.inf) -> Choice:
        new = new and self._has_room()
        self._begun = min(self._begun, now)
        ready = _READY if new else _READY_LISTS if self._awaits_lists else _READY_AGAIN
        if not self.connection.execute(ready).fetchone()[0]:
            if self._awaits_lists and self.memory.counts[State.OUT, ""]:
                return Choice([], None)  # they may say which pages changed
            self._awaits_lists = False
            self._release(min(self._wave, self._left), now, new=new)
        if self._awaits_lists and not new:  # lists are no pages, whatever else there is no room for
            new, least = True, max(least, LISTS_FIRST)
        choice = self._chooses.choose(now, min(limit, self._left), new=new, least=least)
        if choice.tasks:
            self._left -= len(choice.tasks)
            self.connection.execute(SET_META, (_LEFT, str(self._left)))
        return choice

    def finished(self, reason: StopReason) -> StopReason:
        """What was chosen and had no turn is as it was: a page that there is a copy of."""
        if reason == "interrupted":
            return reason
        self.connection.execute(_BACK)
        count_pages(self.connection)
        end(self.connection)
        if reason != "complete" or self._left <= 0:
            return "budget" if reason == "complete" else reason
        return "collection" if self._is_bounded and self.memory.counts[State.WAITING, ""] else reason

    def _has_room(self) -> bool:
        """Whether the crawl may have another page, under its limit on them."""
        most, memory = self.job.limits.max_pages, self.memory
        return not most or memory.spent + memory.revisits + memory.counts[State.OUT, ""] < most

    def _release(self, count: int, now: float, *, new: bool) -> None:
        """Let so many wait again that are worth most, or as many as there are; `new`: links may be among them."""
        self._leave_silent_hosts()
        missing = self._numbers(_MISSING, now - _MISSED_AGAIN, now, count)
        released = [number for number in missing if self._known.wait_again(number)]
        if self._release_lists(count - len(released), now):
            self._note(released)
            return
        waited = self._waited((count - len(released)) // 2 if new else 0)
        pages = self._release_pages(count - len(released) - len(waited), now)
        if new and pages < count - len(released) - len(waited):
            waited = self._waited(count - len(released) - pages)
        for number in waited:
            self._known.unpark(number)
        self._note(released + waited)

    def _leave_silent_hosts(self) -> None:
        """Hosts that were given up in this run have no more turn in it: each would cost minutes, and bring nothing."""
        for number, host in self.memory.hosts.by_id.items():
            if number in self._away or not is_hopeless(host.politeness) or host.politeness.last_request < self._begun:
                continue
            self._away.add(number)
            self._had_turn.update(task for (task,) in self.connection.execute(_OF_HOST, (number,)))
            self.connection.execute(_LEAVE, (number,))

    def _waited(self, most: int) -> list[int]:
        """The best links that waited, so many. Of those that can be weighed in advance, a collection that is full wants
        only what is worth more than the least of its pages."""
        if not self._is_bounded or most <= 0:
            also = f"AND {GOES_OUT}" if self._links_rest else ""
            return self._numbers(_WAITED.format(away=", ".join(map(str, self._away)) or "0", also=also), most)
        from dowse.store.revisits.collection import best_candidates

        waited = best_candidates(self.connection, self._book.importance, most + len(self._had_turn))
        return [number for number in waited if number not in self._had_turn][:most]

    def _release_lists(self, most: int, now: float) -> bool:
        """Let lists wait again, the ones first that bring most; once in a run. False if there are none."""
        if self._had_lists:
            return False
        self._had_lists = True
        numbers = self._numbers(_LISTS, now, min(most, max(1, self._left // _LISTS_SHARE)))
        self._note(numbers)
        self._awaits_lists = bool([number for number in numbers if self._known.wait_again(number)])
        return self._awaits_lists

    def _release_pages(self, count: int, now: float) -> int:
        """How many of so many there were."""
        rates = self._book.rates
        looked_at, released = 0, list[int]()
        wanted = count + len(self._had_turn)
        while len(released) < count and looked_at < len(rates):
            best = rates.best(now, wanted)
            released += [number for number in best[looked_at:] if number not in self._had_turn][: count - len(released)]
            looked_at, wanted = len(best), 4 * wanted
        released = [number for number in released if self._known.visit_again(number)]
        self._note(released)
        return len(released)

    def _note(self, numbers: list[int]) -> None:
        self._had_turn.update(numbers)
        self.connection.executemany(
            "INSERT INTO had_turn VALUES (?) ON CONFLICT (task) DO NOTHING", [(number,) for number in numbers]
        )

    def _numbers(self, query: str, *parameters: float) -> list[int]:
        return [number for (number,) in self.connection.execute(query, parameters)]
