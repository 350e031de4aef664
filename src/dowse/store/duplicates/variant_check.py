"""Rules about URLs that make no difference, as the store keeps them: learned, applied, taken back.

Loaded only for crawls with dedup = near. A URL that a rule covers becomes a duplicate without a request, if what it
would be without the rule's parameter or host is known already. Its row says so, and `variant` which page it is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from dowse.core.duplicates.fingerprint import SeenKeys
from dowse.core.fate import CANONICAL, MIRROR, NEAR_DUPLICATE
from dowse.core.model import Request, State, Task
from dowse.core.url_variants import Alike, Twin, Variants, is_checked
from dowse.store.database import Database
from dowse.store.fragments import upsert
from dowse.store.task_states import one_of

if TYPE_CHECKING:
    from dowse.store.frontier.memory import Memory

_VISITED = f"""
    SELECT coalesce(task.key, task.url), coalesce(visit.duplicate_of, task.id), coalesce(original.key, original.url)
    FROM visit JOIN task ON task.id = visit.task LEFT JOIN task AS original ON original.id = visit.duplicate_of
    WHERE visit.digest <> 0 AND task.state IN {one_of(State.FETCHED, State.DUPLICATE)}
    ORDER BY visit.id DESC LIMIT ?
"""
_COVERED = f"""
    SELECT id, key_hash, url, key, host, state,
           coalesce(visit, -1) < 0 AND not_before = 0 AND parent > 0 AND redirects = 0
    FROM task WHERE host > 0 AND substr(coalesce(key, url), 1, ?) = ? AND state < {State.OUT_OF_SCOPE}
    ORDER BY state <> {State.FETCHED}, id
"""
_WRITE = upsert("variant", ("task", "original"), ["task"])
_SAVE = upsert("alike", (*Alike._fields, "broken"), Alike._fields)
_WAIT = f"UPDATE task SET state = {State.WAITING}, reason = '' WHERE id = ?"
REMEMBERED_VISITS = 200_000
"""Visits that are looked at again when a crawl is opened, the latest; 5 microseconds each."""

Standing = Callable[[int], tuple[State, str]]
"""The state and reason of a task."""


class VariantTest:
    """Asks of every new URL whether it is another one in all that matters."""

    def __init__(self, connection: Database, memory: Memory, keep: Collection[str]) -> None:
        self._connection = connection
        self._memory = memory
        self._variants = Variants(keep)
        self._groups = SeenKeys()
        self._rows: list[tuple[int, int]] = []
        self.news: list[str] = []
        rows = connection.execute("SELECT kind, place, name, broken FROM alike WHERE kind <> 'dropped'").fetchall()
        for kind, place, name, broken in rows:
            self._variants.take(Alike(kind, place, name), broken=bool(broken))
        rules = frozenset(self._variants.rules)
        for url, original, its_url in reversed(connection.execute(_VISITED, (REMEMBERED_VISITS,)).fetchall()):
            self._variants.observe(url, original, its_url or "")
        self._variants.rules.intersection_update(rules)  # what is learned is learned in front of the user
        for rule in rules:
            self._survey(rule, skip=False)

    def original(self, request: Request, standing: Standing) -> tuple[int, str] | None:
        """The task that a new URL is a variant of, and the rule; None if it must be fetched."""
        for twin in self._variants.twins(request.normal_form):
            known = self._known(twin)
            if not known:
                self._note(twin, self._memory.next_task)
            elif not is_checked(request.key_hash) and _stands(*standing(known)):
                return known, str(twin.rule)
        return None

    def skipped(self, task: int, original: int) -> None:
        """Note which page a skipped URL is."""
        self._rows.append((task, original))

    def observe(self, task: Task, duplicate_of: int, state: State) -> None:
        """A URL was visited: what does that say about it and its like?"""
        if state > State.DUPLICATE:
            if self._variants.rules:
                self._release("original = ?", task.id)  # it cannot stand for them
            return
        other = ""
        if duplicate_of:
            query = "SELECT coalesce(key, url) FROM task WHERE id = ?"
            (other,) = self._connection.execute(query, (duplicate_of,)).fetchone()
        learned, broken = self._variants.observe(task.request.normal_form, duplicate_of or task.id, other)
        for rule in broken:
            self._save(rule, broken=True)
            self._release("reason = ?", str(rule))
            self.news.append(f"no longer so: {rule.sentence}")
        for rule in learned:
            self._save(rule, broken=False)
            self._survey(rule, skip=True)
            self.news.append(rule.sentence)

    def write(self) -> None:
        self._connection.executemany(_WRITE, self._rows)
        self._rows.clear()

    def _known(self, twin: Twin) -> int:
        value = self._memory.seen.get(twin.key)
        known = 0 if value & 1 else value >> 1
        return known or (self._groups.get(twin.group) if twin.group else 0)

    def _note(self, twin: Twin, task: int) -> None:
        if twin.group:
            self._groups.add(twin.group, task)

    def _save(self, rule: Alike, *, broken: bool) -> None:
        self._connection.execute(_SAVE, (*rule, broken))

    def _survey(self, rule: Alike, *, skip: bool) -> None:
        """Look through the URLs that a rule covers: which page stands for each, and (if asked) skip those that wait."""
        rows = self._connection.execute(_COVERED, (len(rule.place), rule.place)).fetchall()
        for number, key_hash, url, key, host, state, may_skip in rows:
            twin = next((twin for twin in self._variants.twins(key or url) if twin.rule == rule), None)
            if twin is None:
                continue
            known = self._known(twin)
            if not known or known == number:
                self._note(twin, number)
            elif skip and may_skip and state == State.WAITING and not is_checked(key_hash) and self._is_standing(known):
                self._skip(number, host, known, str(rule))

    def _is_standing(self, number: int) -> bool:
        row = self._connection.execute("SELECT state, reason FROM task WHERE id = ?", (number,)).fetchone()
        return row is not None and _stands(State(row[0]), row[1])

    def _skip(self, number: int, host: int, original: int, reason: str) -> None:
        self._connection.execute(
            "UPDATE task SET state = ?, reason = ? WHERE id = ?", (int(State.DUPLICATE), reason, number)
        )
        self._memory.move((State.WAITING, ""), (State.DUPLICATE, reason))
        self._memory.hosts.by_id[host].waiting -= 1
        self.skipped(number, original)

    def _release(self, condition: str, value: int | str) -> None:
        """Let URLs that were skipped wait after all."""
        self.write()
        rows = self._connection.execute(
            f"SELECT id, host, reason FROM task JOIN variant ON variant.task = task.id WHERE state = ? AND {condition}",
            (int(State.DUPLICATE), value),
        ).fetchall()
        for number, host, reason in rows:
            self._connection.execute(_WAIT, (number,))
            self._connection.execute("DELETE FROM variant WHERE task = ?", (number,))
            self._memory.move((State.DUPLICATE, reason), (State.WAITING, ""))
            self._memory.hosts.by_id[host].waiting += 1
            self._memory.hosts.offer(self._memory.hosts.by_id[host])


def _stands(state: State, reason: str) -> bool:
    """Whether a URL can stand for another: it was or will be fetched, and is not skipped by a rule itself.

    What is skipped always leads to something that is not, so no page is lost between rules.
    """
    return state < State.DUPLICATE or (state is State.DUPLICATE and reason in (MIRROR, NEAR_DUPLICATE, CANONICAL))
