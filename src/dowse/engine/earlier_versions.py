"""Pages that a later visit found different: how they differ from the copy that is archived.

That a page has other bytes says little: a date, a counter or a token moved on most of them. Only of pages whose bytes
are different both versions are read, so what did not change pays nothing.
"""

from __future__ import annotations

from msgspec.structs import replace

from dowse.core.archive import Archive
from dowse.core.errors import CrawlError
from dowse.core.model import Outcome, Response, Task
from dowse.core.task_labels import NO_PAGES
from dowse.parse.media import is_html, media_type
from dowse.parse.page import Page


class EarlierVersions:
    """Compares pages with their earlier versions."""

    def __init__(self, archive: Archive | None, charset: str) -> None:
        self._archive = archive
        self._charset = charset

    def compared(self, task: Task, answer: Response, outcome: Outcome) -> Outcome:
        """The outcome of a visit, and how the page differs if there is an earlier version of it."""
        is_other = bool(task.digest and outcome.digest) and not outcome.unchanged
        if not is_other or not task.before or self._archive is None or task.label in NO_PAGES:
            return outcome
        try:
            stored = self._archive.read(task.before)
        except CrawlError:
            return outcome
        kinds = [media_type(each.headers, each.body) for each in (stored, answer)]
        if not all(map(is_html, kinds)):
            return outcome
        pages = [
            Page(each, "", kind, charset=self._charset) for each, kind in zip((stored, answer), kinds, strict=True)
        ]
        if any(page.trouble for page in pages):
            return outcome
        from dowse.extract.content_changes import compare_pages  # a first crawl compares nothing

        return replace(outcome, difference=compare_pages(*pages))
