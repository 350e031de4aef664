"""A page of any answer, outside of crawls: a document is read first."""

from __future__ import annotations

from dowse.core.document_kinds import DOCUMENT_TYPES, PDF
from dowse.core.model import Response
from dowse.documents.conversion import OLE
from dowse.documents.document_reader import DocumentReader
from dowse.documents.installed import pdf_needs
from dowse.parse.media import media_type
from dowse.parse.page import Page

_OLD = "the old formats of Microsoft Office (doc, xls, ppt) are not read"


def page_of_answer(answer: Response, reader: DocumentReader, product_token: str = "dowse", charset: str = "") -> Page:
    """The page that an answer is. What could not be read of a document is its `note`."""
    kind = media_type(answer.headers, answer.body)
    if not reader.reads(kind):
        page = Page(answer, product_token, kind, charset=charset)
        page.note = pdf_needs() if DOCUMENT_TYPES.get(kind) == PDF else _OLD if answer.body.startswith(OLE) else ""
        return page
    found = reader.read(kind, answer.body)
    page = Page(answer, product_token, kind, html=found.html)
    page.note = found.note
    return page
