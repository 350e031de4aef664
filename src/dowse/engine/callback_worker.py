"""A worker of a crawl whose user brought code along; other crawls pay nothing for it."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from dowse.core.model import Candidate, Outcome, Task
from dowse.engine.callbacks import Callbacks
from dowse.engine.patient_archive import Emit
from dowse.engine.worker import Worker
from dowse.parse.page import Page
from dowse.parse.sitemap import SitemapEntry


class CallbackWorker(Worker):
    """Visits tasks as every worker does, and asks the code of the user about links and pages."""

    def __init__(self, callbacks: Callbacks, *parts: Any) -> None:
        super().__init__(*parts)
        self._callbacks = callbacks

    async def visit(self, task: Task, emit: Emit) -> Outcome:
        return self._callbacks.settle(await super().visit(task, emit), emit)

    def _told_of_page(self, task: Task, page: Page, digest: int) -> Outcome:
        outcome = super()._told_of_page(task, page, digest)
        # A page that does not want to be used for this is not shown to the code of the user either, only its links.
        seen = page if outcome.failure is None else None
        records = self._callbacks.records(task, seen, outcome.records) if seen is not None else []
        return replace(
            outcome,
            candidates=self._callbacks.chosen(task, seen, outcome.candidates),
            proposed=self._callbacks.chosen(task, seen, outcome.proposed),
            records=records if self._keeps(task.request.url) else [],
        )

    def _told_again(self, outcome: Outcome, page: Page) -> Outcome:
        outcome = super()._told_again(outcome, page)
        return replace(outcome, proposed=self._callbacks.chosen(outcome.task, page, outcome.proposed))

    def _entries(self, task: Task, entries: list[SitemapEntry]) -> list[Candidate]:
        return self._callbacks.chosen(task, None, super()._entries(task, entries))
