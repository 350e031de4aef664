"""The requests of queries: each is a task of the crawl, and obeys its scope as all tasks do."""

from __future__ import annotations

from msgspec.structs import replace

from dowse.core.job import Job
from dowse.core.model import Candidate, Task
from dowse.core.scope import Scope
from dowse.core.task_labels import QUERY
from dowse.core.url_keys import UrlKeys, anew
from dowse.modes.forms.form_rows import encode
from dowse.modes.forms.harvest import Harvest
from dowse.modes.forms.messages import QueryHint, pack
from dowse.modes.forms.queries import Step
from dowse.parse.forms.form import Submission
from dowse.store.frontier.admission import Admission

_AFTER = -1.5
"""The priority of queries: after the start page and those that it links to, which have words to begin with, and before
pages farther away."""


class QueryRequests:
    """Makes tasks of steps."""

    def __init__(self, job: Job) -> None:
        self._keys = UrlKeys(job.urls)
        self._scope = Scope(job.scope, job.limits, {self._keys.request(url).host for url in job.seeds})

    def send(self, number: int, harvest: Harvest, step: Step, finder: Task, admission: Admission) -> int:
        """Make a task of a step of the form of that number; 0 if the harvest ends because nothing can be sent."""
        try:
            submission = harvest.submission(step)
        except ValueError as error:  # a form whose fields contradict each other
            harvest.end = f"it cannot be filled in: {error}"
            return 0
        if submission is None:
            harvest.end = "only a script can send it; use --fetch browser"
            return 0
        plain = self._keys.request(submission.url)
        refused = self._scope.refuse(plain, seed=True) or self._scope.refuse_walk(plain.host, finder.site, 0)
        if refused:
            harvest.end = f"it leads out of scope: {refused}"
            return 0
        candidate = self._candidate(number, harvest, step, submission)
        return admission.admit(replace(finder, depth=0, chain=0), [candidate])[0][0]

    def _candidate(self, number: int, harvest: Harvest, step: Step, submission: Submission) -> Candidate:
        request = self._keys.request(submission.url, submission.method, submission.body, submission.headers)
        in_browser = harvest.in_browser and step.further is None
        if step.query.kind == "renewal" or in_browser:  # the page of the form is there already
            request = anew(request, encode(step.query))
        known = sorted(harvest.known)
        hint = QueryHint(number, harvest.form, step.query, step.page, known, harvest.place, in_browser)
        why = f"the query {step.query.text} of the form on {harvest.page}"
        return Candidate(request, "", _AFTER, QUERY, "", pack(hint), why, is_link=False)
