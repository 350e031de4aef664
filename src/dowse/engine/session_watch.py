"""A crawl with a log-in: it leaves alone what would end it, notices when it is lost, and has it renewed.

A session is lost when
    the server sends us from a page to one where people log in, or answers 401
    a page does not show what `--signed-in` names
    a page has something to log in by, and nothing to log out by (without `--signed-in`)

The first time, the log-in is done again by the steps that made it, and the page is asked for once more. Pages of the
last kind are pages all the same, with a note, for some sites show a log-in to everybody.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from dowse.core.job import FetchOptions
from dowse.core.model import Candidate, Failure, FailureKind, Outcome, Task
from dowse.core.protocols import Renewal
from dowse.core.sessions import LOG_OUT, SIGNED_OUT, leads_to_log_in
from dowse.parse.page import Page
from dowse.parse.session_signs import session_signs

_AGAIN = "log in again (dowse login), then dowse retry"
_NOTE = f"{SIGNED_OUT}: something to log in by, and nothing to log out by"
_UNAUTHORIZED = 401


class SessionWatch:
    """Watches the session of one worker. `renewal` is None where nobody knows how to log in."""

    def __init__(self, options: FetchOptions, renewal: Renewal | None) -> None:
        self._selector = options.signed_in
        self._name = f"the log-in of {options.profile}" if options.profile else "the log-in"
        self._renewal = renewal
        self._is_told = False

    @property
    def age(self) -> int:
        """How often it was renewed."""
        return self._renewal.age if self._renewal is not None else 0

    def look(self, page: Page, task: Task, candidates: Sequence[Candidate]) -> tuple[list[Candidate], str]:
        """The links of a page, those that end the session refused, and a note if it looks as if nobody was logged in.

        Whether one is logged in elsewhere than on the site itself is nobody's business.
        """
        signs = session_signs(page)
        checked = [
            replace(candidate, refused=LOG_OUT)
            if not candidate.refused and candidate.request.url in signs.log_outs
            else candidate
            for candidate in candidates
        ]
        is_out = signs.asks and not signs.can_leave and not self._selector and _is_home(task)
        return checked, _NOTE if is_out and not leads_to_log_in(task.request.url) else ""

    def judge(self, outcome: Outcome) -> Outcome:
        """What came of a visit; to be sent away to log in is a failure, which can be tried again."""
        task, target = outcome.task, outcome.redirect
        if target is None or not _is_home(task) or leads_to_log_in(task.request.url):
            return outcome
        if not leads_to_log_in(target.request.url):
            return outcome
        detail = f"sent to {target.request.url}: {_AGAIN}"
        return replace(outcome, redirect=None, failure=Failure(FailureKind.LOGIN, detail))

    def is_lost(self, outcome: Outcome) -> bool:
        """Whether a visit found the session lost."""
        failed = outcome.failure is not None and outcome.failure.kind is FailureKind.LOGIN
        return failed or bool(outcome.note) or (outcome.status == _UNAUTHORIZED and _is_home(outcome.task))

    async def renew(self, outcome: Outcome, age: int) -> tuple[bool, str]:
        """Renew a session of that age, once; whether there is a younger one now, and what to tell of it, once."""
        trouble = await self._renewal.renew(age) if self._renewal is not None else ""
        is_younger = self.age > age
        if self._is_told:
            return is_younger, ""
        self._is_told = True
        if is_younger:
            return True, f"{self._name} was lost at {outcome.task.request.url}, and is renewed by its steps"
        where = f"{self._name} is lost, or was none: see {outcome.task.request.url}"
        return False, where + (f"; it cannot be renewed: {trouble}" if trouble else "")


def _is_home(task: Task) -> bool:
    return task.request.host == task.site
