"""The table `lead`: what is known of URLs that wait, with a part of it in memory.

Invariant: what is in memory is what the tables say, of URLs that wait. Pages of one site lead to the same URLs again
and again, so nearly all that is asked for was written not long ago, and is not read back. Memory has a limit; what does
not fit is in the table alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from dowse.core.model import State
from dowse.store.database import Database
from dowse.store.fragments import BY_RANK, upsert
from dowse.store.task_states import READY

_KEPT = 20_000
"""URLs in memory, about half a kilobyte each."""

_MOST_PARAMETERS = 500
_AT_ONCE = 5_000

_BEST = f"SELECT id, priority FROM task {BY_RANK} WHERE {READY} ORDER BY priority DESC, id"
_PUT = upsert("lead", ("task", "evidence"), ["task"])
_READ = f"""SELECT task.id, lead.evidence, task.priority FROM task LEFT JOIN lead ON lead.task = task.id
    WHERE task.id IN ({{places}}) AND task.state = {State.WAITING}"""
_READ_OUTDATED = f"""{_READ[: _READ.rindex("task.state")]}
    (task.state = {State.WAITING} OR task.id IN (SELECT task FROM outdated))"""
_HAND_ON = "INSERT INTO lead SELECT ?, evidence FROM lead WHERE task = ? ON CONFLICT DO NOTHING"


Known = tuple[bytes, float]
"""The lead of a URL that waits (b"" if it has none) and its priority; a plain tuple, for they are made by the dozen for
every page."""


class LeadTable:
    """Reads and writes leads, and the priorities that come of them."""

    _connection: Database

    def __init__(self) -> None:
        self.has_outdated = False
        self._waiting: dict[int, Known] = {}
        self._out: dict[int, bytes] = {}

    def load(self, connection: Database, *, has_outdated: bool = False) -> None:
        """Be of this database, and forget what was in memory. Pages that are `outdated` have leads like links."""
        self._connection = connection
        self.has_outdated = has_outdated
        self.clear()

    def clear(self) -> None:
        """Forget what is in memory: the tables may have been changed by others."""
        self._waiting.clear()
        self._out.clear()

    def lease(self, numbers: Iterable[int]) -> None:
        """These URLs do not wait any more; their leads will be asked for when they come home."""
        for number in numbers:
            known = self._waiting.pop(number, None)
            if known is not None:
                self._out[number] = known[0]

    def come_home(self, numbers: Sequence[int]) -> dict[int, bytes]:
        """The leads of URLs that were out, of those that have one."""
        for number in numbers:
            self._waiting.pop(number, None)  # a stored page that was read again was not leased
        found = {number: self._out.pop(number) for number in numbers if number in self._out}
        rest = [number for number in numbers if number not in found]
        for some, places in _portions(rest):
            query = f"SELECT task, evidence FROM lead WHERE task IN ({places})"
            found.update(self._connection.execute(query, some))
        return {number: lead for number, lead in found.items() if lead}

    def known(self, number: int) -> Known | None:
        """What is in memory of a URL."""
        return self._waiting.get(number)

    def read(self, numbers: Sequence[int]) -> set[int]:
        """Take those that wait into memory; the answer is which do not."""
        left, query = set(numbers), _READ_OUTDATED if self.has_outdated else _READ
        for some, places in _portions(numbers):
            rows = self._connection.execute(query.format(places=places), some)
            self._waiting.update((number, (lead or b"", priority)) for number, lead, priority in rows)
        return left.difference(self._waiting)

    def best(self, most: int) -> Iterator[list[tuple[int, bytes, float]]]:
        """The best that wait and have leads, so many of them, a portion at a time: number, lead and priority.

        A lead is read when it is looked at: a join reads as many and takes twice as long as memory does.
        """
        rows = self._connection.stream(_BEST)
        with_leads = ((number, lead, priority) for number, priority in rows if (lead := self._lead(number)))
        wanted = islice(with_leads, most)
        while portion := list(islice(wanted, _AT_ONCE)):
            yield portion

    def put(self, leads: Iterable[tuple[int, bytes, float]]) -> None:
        """Write leads, and remember them with their priorities."""
        rows = []
        for number, lead, priority in leads:
            before = self._waiting.get(number)
            if before is None or before[0] != lead:
                rows.append((number, lead))
            self._waiting[number] = (lead, priority)
        self._connection.executemany(_PUT, rows)
        if len(self._waiting) > _KEPT:
            for number in list(islice(self._waiting, _KEPT // 2)):
                del self._waiting[number]

    def prioritize(self, ranks: Sequence[tuple[float, int]]) -> None:
        """Write priorities of URLs that wait: rank and number."""
        self._connection.executemany("UPDATE task SET priority = ? WHERE id = ?", ranks)
        for rank, number in ranks:
            known = self._waiting.get(number)
            if known is not None:
                self._waiting[number] = (known[0], rank)

    def delete(self, numbers: Iterable[int]) -> None:
        """These have no leads any more."""
        self._connection.executemany("DELETE FROM lead WHERE task = ?", [(number,) for number in numbers])

    def forget(self, number: int) -> None:
        """A URL does not wait any more, and will not come home."""
        self._waiting.pop(number, None)
        self.delete([number])

    def move(self, number: int, target: int) -> None:
        """What is known of one URL is known of another, unless something is."""
        self._waiting.pop(target, None)
        self._connection.execute(_HAND_ON, (target, number))
        self.delete([number])

    def _lead(self, number: int) -> bytes:
        known = self._waiting.get(number)
        if known is not None:
            return known[0]
        row = self._connection.execute("SELECT evidence FROM lead WHERE task = ?", (number,)).fetchone()
        return row[0] if row else b""


def _portions(numbers: Sequence[int]) -> Iterator[tuple[Sequence[int], str]]:
    """Numbers as the parameters of queries, with the places for them."""
    for start in range(0, len(numbers), _MOST_PARAMETERS):
        some = numbers[start : start + _MOST_PARAMETERS]
        yield some, ",".join("?" * len(some))
