"""What pages need to be shown: found in pages, and read when it comes. It is never followed."""

from __future__ import annotations

from dowse.core.model import Candidate, Outcome, Response, Task
from dowse.core.scope import Scope
from dowse.core.task_labels import REQUISITE
from dowse.engine.gate import Gate
from dowse.engine.outcomes import answered, remark
from dowse.parse.media import is_html
from dowse.parse.page import Page
from dowse.parse.requisites import is_shown, requisites_in, requisites_of


class RequisiteReader:
    """Finds the requisites of pages, and of requisites: a style sheet has images, a frame is a page by itself."""

    def __init__(self, gate: Gate, scope: Scope, charset: str) -> None:
        self._gate = gate
        self._scope = scope
        self._charset = charset

    def takes(self, task: Task, kind: str) -> bool:
        """Whether an answer is no page: a link may have led to an image, too, and another page may show it."""
        if task.label == REQUISITE:
            return True
        return is_shown(kind) and bool(self._scope.refuse_media_type(kind, task.request.url))

    def of_page(self, page: Page) -> list[Candidate]:
        return self._gate.requisites(requisites_of(page))

    def read(self, task: Task, response: Response, kind: str, digest: int) -> Outcome:
        """What comes of a requisite that is there."""
        facts = {"digest": digest, "media_type": kind, "note": remark(response, is_kept=True)}
        if not is_html(kind):
            requisites = self._gate.requisites(requisites_in(response, kind))
            return answered(task, response, requisites=requisites, **facts)
        page = Page(response, kind=kind, reads="links", charset=self._charset)
        facts |= {"charset": page.charset, "declared": page.declared_charset, "title": page.title}
        return answered(task, response, requisites=self.of_page(page), **facts)
