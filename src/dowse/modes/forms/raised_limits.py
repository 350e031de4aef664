"""Forms whose harvest ended at a limit that has been raised since: they go on where they stopped.

A query is found by a page. So the page of such a form is read once more from the archive, and asks on as if it had just
come.
"""

from __future__ import annotations

from collections.abc import Container, Mapping

from dowse.core.model import Outcome
from dowse.modes.forms.harvest import MAX_QUERIES, Harvest
from dowse.store.bookkeeping import Due
from dowse.store.database import Database

_ENDED = f"""SELECT form.id, form.task FROM form JOIN task ON task.id = form.task
    JOIN visit ON visit.id = abs(task.visit)
    WHERE form.ending = '{MAX_QUERIES}' AND task.host > 0 AND visit.body <> '' ORDER BY form.id"""


class RaisedLimits:
    """Knows them by their pages."""

    def __init__(
        self, connection: Database, harvests: Mapping[int, Harvest], queries: Mapping[int, int], limit: int
    ) -> None:
        """`queries` says how many a form had; no more than the `limit` are asked, 0 is none."""
        self._connection = connection
        self._harvests = harvests
        self._forms: dict[int, list[int]] = {}
        for form, page in connection.execute(_ENDED).fetchall():
            if form in harvests and (not limit or queries[form] < limit):
                self._forms.setdefault(page, []).append(form)

    def due(self, limit: int, out: Container[int]) -> list[Due]:
        """The pages to be read now."""
        return [Due(page, b"") for page in self._forms if page not in out][: max(limit, 0)]

    def take(self, outcome: Outcome) -> list[int]:
        """The forms that go on by this outcome, even if the page could not be read."""
        forms = self._forms.pop(outcome.task.id, []) if outcome.task.body and not outcome.task.hint else []
        for form in forms:
            self._harvests[form].end = ""
            self._connection.execute("UPDATE form SET ending = '' WHERE id = ?", (form,))
        return forms
