"""An archive that waits while the disk is full, and says so once."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from msgspec.structs import replace

from dowse.core.archive import Archive
from dowse.core.errors import CrawlError, StoreFull
from dowse.core.model import Failure, FailureKind, Outcome, Response, Task
from dowse.core.robots_answers import RobotsAnswer

_PAUSE = 2.0
"""Seconds between two tries to write to a full disk."""

Emit = Callable[[Outcome], None]
"""Takes a partial outcome while its task is still under way."""


class PatientArchive:
    """Keeps answers for one worker; those in `heard` are to requests for robots.txt."""

    def __init__(self, archive: Archive, heard: list[Response]) -> None:
        self._archive = archive
        self._heard = heard
        self._is_full = False

    async def keep_heard(self, outcome: Outcome, emit: Emit) -> Outcome:
        """The outcome with the answers that were heard since the last one, archived."""
        robots = []
        while self._heard:
            answer = self._heard.pop(0)
            place = await self.keep(outcome.task, answer, "", emit)
            robots.append(RobotsAnswer(answer.request.url, answer.fetched_at, answer.status, place))
        return replace(outcome, robots=robots)

    async def keep(self, task: Task, answer: Response, before: str, emit: Emit) -> str:
        """Archive an answer; the result is its place. While the disk is full, try again."""
        while True:
            try:
                place = self._archive.write(answer, before)
            except StoreFull as trouble:
                if not self._is_full:
                    failure = Failure(FailureKind.INTERNAL, str(trouble))
                    emit(Outcome(task=task, fetched_at=time.time(), partial=True, failure=failure))
                self._is_full = True
                await asyncio.sleep(_PAUSE)
            else:
                self._is_full = False
                return place


def stored_answer(archive: Archive | None, task: Task) -> Response | Failure:
    """The stored answer of a page that is judged once more, or why it cannot be had."""
    try:
        return archive.read(task.body) if archive else Failure(FailureKind.INTERNAL, "there are no bodies to read")
    except CrawlError as trouble:
        return Failure(FailureKind.INTERNAL, str(trouble))
