"""The posts of a forum, as their pages have them; tables.py puts threads together."""

from __future__ import annotations

import msgspec

from dowse.core.model import State
from dowse.modes.forum.page_evidence import read_evidence
from dowse.store.bookkeeping import Bookkeeping, Visit
from dowse.store.frontier.admission import Admission


class ThreadBook(Bookkeeping):
    """Writes down the posts of every page of a thread; those of a page that is fetched again take their place."""

    def visited(self, visit: Visit, admission: Admission) -> None:
        outcome = visit.outcome
        if visit.fate.state is State.WAITING or not outcome.evidence:
            return
        told, number = read_evidence(outcome.evidence), outcome.task.id
        self._connection.execute("DELETE FROM forum_post WHERE task = ?", (number,))
        if told.thread is not None:
            rows = [(number, post.position, msgspec.json.encode(post)) for post in told.thread.posts]
            self._connection.executemany("INSERT INTO forum_post VALUES (?, ?, ?)", rows)
