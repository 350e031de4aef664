"""The forms of earlier crawls: what they brought, whether they are still there, and a look at their pages.

When the home page of a site has come, the pages of its known forms are asked for next. A form that its page has no more
is gone, and so is one whose page is not found.
"""

from __future__ import annotations

from dowse.core.briefing import Briefing
from dowse.core.job import Job
from dowse.core.model import Candidate, State, Task
from dowse.core.task_labels import QUERY
from dowse.core.url_keys import UrlKeys
from dowse.modes.forms.earlier_crawls import known_forms
from dowse.modes.forms.form_fields import form_name
from dowse.modes.forms.messages import evidence
from dowse.store.bookkeeping import Bookkeeping, Visit
from dowse.store.frontier.admission import Admission

WHY = "a form was there in an earlier crawl"
FIRST = 0.0
"""The priority of their pages: before all links."""

_TABLE = """
CREATE TABLE IF NOT EXISTS known_form (
    shape      TEXT PRIMARY KEY,
    url        TEXT NOT NULL,              -- of the page that had it
    host       TEXT NOT NULL,
    type       TEXT NOT NULL,
    searchable REAL NOT NULL,
    queries    INTEGER NOT NULL,           -- in all crawls before
    requests   INTEGER NOT NULL,
    records    INTEGER NOT NULL,
    there      INTEGER                     -- whether it is still there; NULL: nobody looked
)"""
_NEW = "INSERT INTO known_form VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL) ON CONFLICT DO NOTHING"
_OF_HOST = "SELECT DISTINCT url FROM known_form WHERE host = ? AND there IS NULL"
_OF_PAGE = "SELECT shape FROM known_form WHERE url = ?"
_THERE = "UPDATE known_form SET there = ? WHERE shape = ?"


class KnownForms(Bookkeeping):
    """Looks after the forms that `--known` names."""

    tables = (_TABLE, "CREATE INDEX IF NOT EXISTS known_form_page ON known_form (url)")

    def __init__(self, job: Job, briefing: Briefing) -> None:
        self._forms = known_forms(briefing)
        self._keys = UrlKeys(job.urls)

    def started(self) -> None:
        rows = [(each.shape, each.url, each.host, *each.judged, *each.brought) for each in self._forms]
        self._connection.executemany(_NEW, rows)

    def visited(self, visit: Visit, admission: Admission) -> None:
        task, state = visit.outcome.task, visit.fate.state
        if not self._forms or task.label == QUERY or visit.outcome.redirect:
            return
        if state in (State.FETCHED, State.DUPLICATE) and visit.outcome.evidence:
            self._look(task, {form_name(found.form) for found in evidence(visit.outcome.evidence).forms})
            if task.depth == 0:
                self._ask_for_pages(task, admission)
        elif state is State.FAILED:
            self._look(task, set())

    def _look(self, task: Task, shapes: set[str]) -> None:
        """A page is there, or is not: so many of its forms are."""
        rows = self._connection.execute(_OF_PAGE, (task.request.url,)).fetchall()
        self._connection.executemany(_THERE, [(shape in shapes, shape) for (shape,) in rows])

    def _ask_for_pages(self, home: Task, admission: Admission) -> None:
        requests = [self._keys.request(url) for (url,) in self._connection.execute(_OF_HOST, (home.site,)).fetchall()]
        candidates = [Candidate(each, "", FIRST, "", "", b"", WHY, is_link=False) for each in requests]
        admission.admit(home, candidates)
