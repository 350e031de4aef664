"""Documents that are no HTML, as pages: which answers are read so, and what comes of them."""

from __future__ import annotations

from msgspec.structs import replace

from dowse.core.model import Outcome, Response
from dowse.core.protocols import Documents
from dowse.core.scope import Scope
from dowse.core.task_labels import HEAD
from dowse.parse.media import media_type
from dowse.parse.page import Page, Reads


class DocumentPages:
    """Reads documents for a worker, which has one of these only if its job wants documents."""

    def __init__(self, documents: Documents, scope: Scope, product_token: str) -> None:
        self._documents = documents
        self._scope = scope
        self._token = product_token

    def takes(self, outcome: Outcome) -> bool:
        """Whether what was taken for a file is to be read: it is new, and no file that the mode wants as it is."""
        if not outcome.digest or outcome.unchanged or not self._documents.reads(outcome.media_type):
            return False
        task = outcome.task
        return task.label != HEAD and not self._scope.is_file(task.request.url, outcome.media_type)

    async def read(self, answer: Response, reads: Reads = "tree") -> tuple[Page | None, str]:
        """The page that a document is, or None; and a note that says why, or what of it was not read."""
        kind = media_type(answer.headers, answer.body)
        if not self._documents.reads(kind):
            return None, ""
        found = await self._documents.read_aside(kind, answer.body)
        page = Page(answer, self._token, kind, reads=reads, html=found.html) if found.html else None
        return page, found.note

    def close(self) -> None:
        self._documents.close()


def of_document(outcome: Outcome, note: str) -> Outcome:
    """The outcome of a document, which has no charset, with one more note."""
    return replace(outcome, charset="", declared="", note="; ".join(filter(None, (outcome.note, note))))
