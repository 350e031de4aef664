"""An archive that waits while the disk is full, and says so once."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from dowse.core.archive import Archive
from dowse.core.errors import StoreFull
from dowse.core.model import Failure, FailureKind, Outcome, Response, Task

_PAUSE = 2.0
"""Seconds between two tries to write to a full disk."""

Emit = Callable[[Outcome], None]
"""Takes a partial outcome while its task is still under way."""


class PatientArchive:
    """Keeps answers for one worker."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._is_full = False

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
