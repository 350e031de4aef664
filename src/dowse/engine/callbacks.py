"""Code of the user in a visit: which links are followed, what is taken from pages.

Its mistakes never end a crawl. A link is refused where `follow` fails, and the page is a failure of kind `callback`
that says which function failed, how and where. Its other links are followed, unless the code has not worked on any page
yet: then the whole site would be asked for in vain. `dowse retry` asks for the page again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from dowse.core.exception_line import MISTAKES, mistake_text
from dowse.core.model import SITEMAP, Candidate, Failure, FailureKind, Outcome, Task
from dowse.core.protocols import Fetcher
from dowse.core.record import ON_PAGE, Record
from dowse.extract.extractors import Extractor
from dowse.extract.own_extractor import OwnMistake, shown, trouble_of_fields
from dowse.extract.state_records import records_of
from dowse.parse.page import Page

REFUSED = "follow said no"
"""Why a link is not followed: the function said no."""

UNDECIDED = "follow failed"
"""Why a link is not followed: the function raised an exception."""

_GOES_ON = "the crawl goes on, and dowse retry asks for such pages again"
_NEVER_WORKED = "no link of the page is followed, for it has not worked on any page yet; mend it, then dowse retry"

_SLOW = 1.0
"""Seconds of one call from which on the user hears of it: nothing else is done in the process meanwhile."""


class FoundLink(NamedTuple):
    """A link as `follow` gets it: where it leads, the words people click on, and the page it is on.

    `depth` is how many links it would be from a seed. Entries of sitemaps and feeds have no words and no page.

    >>> def follow(link: FoundLink) -> bool:
    ...     return "/consultations/" in link.url and "archive" not in link.anchor.lower()
    >>> follow(FoundLink("https://example.org/consultations/", "All consultations", depth=1))
    True
    """

    url: str
    anchor: str = ""
    depth: int = 0
    page: Page | None = None


Follow = Callable[[FoundLink], bool]
Returned = Mapping[str, Any] | Iterable[Mapping[str, Any]] | None
OnPage = Callable[[Page], Returned]


class OwnCode(NamedTuple):
    """What the user of a crawl brought along."""

    follow: Follow | None = None
    on_page: OnPage | None = None
    extractors: Sequence[Extractor] = ()
    wrap_fetcher: Callable[[Fetcher], Fetcher] | None = None

    @property
    def sees_pages(self) -> bool:
        return bool(self.follow or self.on_page or self.extractors)


NO_CODE = OwnCode()


class Callbacks:
    """Calls the code of the user, and keeps what went wrong with a task until its outcome is there."""

    def __init__(self, own: OwnCode, workers: int = 1) -> None:
        self._own = own
        self._cure = " (--workers N shares the pages out)" if workers == 1 else ""
        self._mistakes: dict[int, str] = {}
        self._slow = ""
        self._has_worked = False

    def chosen(self, task: Task, page: Page | None, candidates: list[Candidate]) -> list[Candidate]:
        """The same candidates, those refused that `follow` does not want. Lists of URLs are no links."""
        follow = self._own.follow
        if follow is None:
            return candidates
        started, depth = time.perf_counter(), task.depth + 1
        chosen = []
        for candidate in candidates:
            if not candidate.refused and candidate.label != SITEMAP:
                refused = self._refusal(follow, task, FoundLink(candidate.request.url, candidate.anchor, depth, page))
                candidate = replace(candidate, refused=refused) if refused else candidate  # noqa: PLW2901
            chosen.append(candidate)
        self._note_time("follow", started)
        return chosen

    def records(self, task: Task, page: Page, found: list[Record]) -> list[Record]:
        """What others found and what the code of the user takes besides."""
        started = time.perf_counter()
        try:
            found = [*found, *records_of(page, self._own.extractors)]
        except OwnMistake as mistake:
            self._note(task, str(mistake))
        if self._own.on_page is not None:
            page.records = found
            try:
                taken = self._own.on_page(page)
                found = [*found, *_records(taken)]
            except OwnMistake as mistake:
                self._note(task, f"on_page returned {mistake}")
            except MISTAKES as error:
                self._note(task, f"on_page: {mistake_text(error)}")
        self._note_time("on_page" if self._own.on_page else "extractor", started)
        return found

    def settle(self, outcome: Outcome, emit: Callable[[Outcome], None]) -> Outcome:
        """The outcome of a task, a failure if the code of the user failed; what else it found goes ahead."""
        slow, self._slow = self._slow, ""
        mistake = self._mistakes.pop(outcome.task.id, "")
        if not mistake:
            self._has_worked = self._has_worked or outcome.digest != 0
            return replace(outcome, notice=outcome.notice or slow) if slow else outcome
        if self._has_worked:
            links = [*outcome.proposed, *outcome.candidates]
            emit(Outcome(task=outcome.task, fetched_at=outcome.fetched_at, partial=True, candidates=links))
        return Outcome(
            task=outcome.task,
            fetched_at=outcome.fetched_at,
            elapsed=outcome.elapsed,
            status=outcome.status,
            failure=Failure(FailureKind.CALLBACK, mistake),
            media_type=outcome.media_type,
            title=outcome.title,
            size=outcome.size,
            crawl_delay=outcome.crawl_delay,
            body=outcome.body,
            rendered=outcome.rendered,
            notice=f"{mistake}; {_GOES_ON if self._has_worked else _NEVER_WORKED}",
        )

    def _refusal(self, follow: Follow, task: Task, link: FoundLink) -> str:
        try:
            answer: object = follow(link)
        except MISTAKES as error:
            self._note(task, f"follow: {mistake_text(error)}")
            return UNDECIDED
        if isinstance(answer, bool):
            return "" if answer else REFUSED
        self._note(task, f"follow returned {shown(answer)}; it has to return True or False")
        return UNDECIDED

    def _note(self, task: Task, mistake: str) -> None:
        self._mistakes.setdefault(task.id, mistake)

    def _note_time(self, what: str, started: float) -> None:
        """Slow calls are told in the same words each time, because a notice is told once."""
        if time.perf_counter() - started >= _SLOW:
            self._slow = (
                f"{what} took more than {_SLOW:g} s for a page; nothing else is done in the process meanwhile"
                f"{self._cure}"
            )


def _records(taken: object) -> list[Record]:
    """What `on_page` returned as records."""
    if taken is None:
        return []
    if isinstance(taken, Mapping):
        taken = [taken]
    if isinstance(taken, str | bytes) or not isinstance(taken, Iterable):
        raise OwnMistake(f"{shown(taken)}; it has to return a dict, a list of dicts, or nothing")
    records = []
    for number, fields in enumerate(taken):
        if not isinstance(fields, Mapping):
            raise OwnMistake(f"a list with {shown(fields)}; it has to be a list of dicts")
        if trouble := trouble_of_fields(fields):
            raise OwnMistake(trouble)
        records.append(Record(ON_PAGE, f"{number:06}", dict(fields)))
    return records
