"""Reverse searching: which pages link to a site that has forms, for they may link to others of its kind.

It begins when few sites of high priority wait. A list of backlinks, or a search that the user names, says which pages
link to a site. Those are the centre pages. Where they are on topic, their other sites go to the queue of high priority.
"""

from __future__ import annotations

from urllib.parse import quote

from msgspec.structs import replace

from dowse.core.briefing import Briefing
from dowse.core.job import Job
from dowse.core.model import Candidate, Task
from dowse.core.scope import Scope
from dowse.core.url_keys import UrlKeys
from dowse.modes.forms.earlier_crawls import URL, backlinks_of
from dowse.modes.forms.messages import CENTRE_PAGE, REVERSE_SEARCH
from dowse.modes.forms.strategy import MOST_CENTRES
from dowse.store.database import Database
from dowse.store.frontier.admission import Admission

FIRST = 1.0
"""The priority of what is searched backwards: the crawl runs out of sites."""

_WAITING = "SELECT count(*) FROM site WHERE state = 'waiting' AND high <> 0"
_NEXT = """UPDATE site SET searched = 1 WHERE host = (
    SELECT host FROM site WHERE forms > 0 AND searched = 0 ORDER BY forms DESC, host LIMIT 1) RETURNING host, home"""


class ReverseSearch:
    """Asks who links to sites with forms, each once."""

    def __init__(self, job: Job, briefing: Briefing, place: str, candidates: int) -> None:
        self._template = place if URL in place else ""
        self._backlinks = backlinks_of(briefing)
        self._candidates = candidates
        self._keys = UrlKeys(job.urls)
        self._scope = Scope(job.scope, job.limits, {self._keys.request(url).host for url in job.seeds})

    def search(self, connection: Database, finder: Task | None, admission: Admission) -> None:
        """Search for the next site, if few wait."""
        if finder is None or not (self._template or self._backlinks):
            return
        (waiting,) = connection.execute(_WAITING).fetchone()
        if waiting >= self._candidates or (row := connection.execute(_NEXT).fetchone()) is None:
            return
        host, home = row
        if self._template:
            url = self._template.replace(URL, quote(home, safe=""))
            self._admit(url, REVERSE_SEARCH, f"who links to {home}", finder, admission)
        for page in self._backlinks.get(host, [])[:MOST_CENTRES]:
            self._admit(page, CENTRE_PAGE, f"it links to {home}", finder, admission)

    def found(self, centres: list[str], finder: Task, admission: Admission) -> None:
        """A reverse search names these pages."""
        for url in centres:
            self._admit(url, CENTRE_PAGE, "a reverse search names it", finder, admission)

    def _admit(self, url: str, label: str, why: str, finder: Task, admission: Admission) -> None:
        request = self._keys.request(url)
        if not self._scope.refuse(request, seed=True):
            candidate = Candidate(request, "", FIRST, label, "", b"", why, is_link=False)
            admission.admit(replace(finder, site=request.host, depth=0, chain=0), [candidate])
