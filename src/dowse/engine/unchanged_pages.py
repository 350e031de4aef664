"""Pages that a later visit found as they were: what is said of their use may have changed all the same.

A page whose body is the same has the same tags. So nothing is read of one that said nothing before, unless robots.txt
or a header speaks of its use now. A 304 has no body, and of the headers only those that are new (RFC 9110, 15.4.5): the
rest is in the archive.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from msgspec.structs import replace

from dowse.core.archive import Archive
from dowse.core.errors import CrawlError
from dowse.core.model import Outcome, Response, Task
from dowse.core.task_labels import NO_PAGES
from dowse.core.usage import Statement, read_usage
from dowse.engine.outcomes import answered
from dowse.engine.stated_usage import speaks, usage_of, usage_of_file, weighed
from dowse.parse.media import is_html, media_type
from dowse.parse.page import Page


class UnchangedPages:
    """Makes their outcomes; `uses` is what the crawl wants pages for."""

    def __init__(self, archive: Archive | None, token: str, charset: str, uses: Collection[str]) -> None:
        self._archive = archive
        self._token = token
        self._charset = charset
        self._uses = uses

    def outcome(self, task: Task, answer: Response, **facts: Any) -> Outcome:
        """What comes of a page that is as it was. `facts` are further fields of the outcome."""
        found = answered(task, answer, unchanged=True, **facts)
        if task.label in NO_PAGES or not (task.usage or speaks(answer)):
            return found
        return weighed(found, self._said(task, answer), self._uses)

    def _said(self, task: Task, answer: Response) -> tuple[Statement, ...]:
        """All that is said of the use of the page now."""
        page = self._completed(task, answer) if answer.status == 304 else answer
        if page is None:  # nothing was stored: what it said before holds, unless something else is said
            said = usage_of_file(answer, "", self._token)
            return said or (Statement(f"before: {task.usage}", read_usage(task.usage)),)
        kind = media_type(page.headers, page.body)
        if not is_html(kind):
            return usage_of_file(page, kind, self._token)
        return usage_of(page, Page(page, self._token, kind, reads="links", charset=self._charset).robots.usage)

    def _completed(self, task: Task, answer: Response) -> Response | None:
        """The stored answer with the headers that a 304 brought."""
        if self._archive is None or not task.before:
            return None
        try:
            stored = self._archive.read(task.before)
        except CrawlError:
            return None
        return replace(stored, headers={**stored.headers, **answer.headers}, usage=answer.usage)
