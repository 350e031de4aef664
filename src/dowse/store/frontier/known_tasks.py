"""Second chances: a task that there is already gets another state, inside the transaction of a batch."""

from __future__ import annotations

from collections.abc import Callable

from dowse.core.model import KEPT, State
from dowse.core.sessions import LOG_OUT
from dowse.store.database import Database
from dowse.store.frontier.memory import Memory
from dowse.store.task_states import READY

_WAIT = f"UPDATE task SET state = {State.WAITING}, reason = '', not_before = 0 WHERE id = ? RETURNING host"
_PARK = f"UPDATE task SET not_before = ? WHERE id = ? AND {READY} RETURNING host"
_DROP = f"""UPDATE task SET state = {State.OUT_OF_SCOPE}, reason = ?
    WHERE id = ? AND parent > 0 AND state = {State.WAITING}
    RETURNING host, not_before, key_hash"""


class KnownTasks:
    """Changes rows of tasks, and what memory says of them. `flush` writes the rows that are not written yet."""

    def __init__(self, connection: Database, memory: Memory, flush: Callable[[], None]) -> None:
        self._connection = connection
        self._memory = memory
        self._flush = flush

    def standing(self, number: int) -> tuple[State, str]:
        """The state and the reason of a task."""
        self._flush()
        state, reason = self._connection.execute("SELECT state, reason FROM task WHERE id = ?", (number,)).fetchone()
        return State(state), reason

    def wait_again(self, number: int) -> bool:
        """False if there is no need to: when all pages are visited again, the target may wait or be out anyway."""
        standing = self.standing(number)
        if standing[0] in (State.WAITING, State.OUT):
            return False
        self._memory.move(standing, (State.WAITING, ""))
        (host,) = self._connection.execute(_WAIT, (number,)).fetchone()
        self._memory.hosts.by_id[host].waiting += 1
        self._memory.hosts.offer(self._memory.hosts.by_id[host])
        return True

    def fetch_again(self, number: int) -> None:
        """Let a page wait again whose body was not kept, to be fetched as if for the first time."""
        for each in self._memory.bookkeeping:
            each.requeued(number)  # also if it waits already: nobody can read it as it is stored
        if self.wait_again(number):
            (host,) = self._connection.execute(
                "UPDATE task SET visit = -abs(visit), attempt = 0 WHERE id = ? RETURNING host", (number,)
            ).fetchone()
            self._memory.hosts.by_id[host].pages -= 1
            self._memory.pages -= 1
            self._memory.hosts.changed.add(self._memory.hosts.by_id[host])

    def visit_again(self, number: int) -> bool:
        """Let a page wait again that there is a copy of, to be asked whether it changed. False if it waits anyway."""
        if not self.wait_again(number):
            return False
        query = "UPDATE task SET attempt = 0 WHERE id = ? RETURNING host"
        (host,) = self._connection.execute(query, (number,)).fetchone()
        self._memory.hosts.by_id[host].pages -= 1
        self._memory.pages -= 1
        self._memory.revisits += 1
        self._memory.hosts.changed.add(self._memory.hosts.by_id[host])
        return True

    def park(self, number: int, until: float) -> None:
        """Let a task sit out that waits for its turn."""
        row = self._connection.execute(_PARK, (until, number)).fetchone()
        if row is not None:
            self._memory.hosts.by_id[row[0]].waiting -= 1

    def unpark(self, number: int) -> None:
        """Let a task wait for its turn that sat out."""
        query = "UPDATE task SET not_before = 0 WHERE id = ? AND not_before > 0 RETURNING host"
        row = self._connection.execute(query, (number,)).fetchone()
        if row is not None:
            host = self._memory.hosts.by_id[row[0]]
            host.waiting += 1
            self._memory.hosts.offer(host)

    def keep(self, number: int) -> None:
        """A link that was refused before is a result now, though it is not visited."""
        standing = self.standing(number)
        if standing[0] in (State.OUT_OF_SCOPE, State.ROBOTS):
            self._memory.move(standing, (State.KEPT, KEPT))
            self._connection.execute(
                "UPDATE task SET state = ?, reason = ? WHERE id = ?", (int(State.KEPT), KEPT, number)
            )

    def leave_alone(self, number: int) -> None:
        """A link that waits since it was called something else ends the session, as another page tells.

        What the user named stays, and what is out cannot be called back.
        """
        self.drop(number, LOG_OUT)

    def drop(self, number: int, reason: str) -> bool:
        """Refuse a link that waits. It is revived where it is found in a way that is allowed, as all that is refused.

        False if it stays: the user named it, or it does not wait.
        """
        standing = self.standing(number)
        row = self._connection.execute(_DROP, (reason, number)).fetchone()
        if row is None:
            return False
        host, not_before, key_hash = row
        self._memory.move(standing, (State.OUT_OF_SCOPE, reason))
        if not not_before:
            self._memory.hosts.by_id[host].waiting -= 1
        self._memory.remember(key_hash, number, refused=True)
        return True
