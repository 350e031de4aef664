"""One document as HTML, by its format. What is wrong with it is a note; only this module's caller bounds it."""

from __future__ import annotations

from importlib import import_module

from dowse.core.document_kinds import DOCUMENT_TYPES, DocumentText
from dowse.documents.growing_html import Enough, Markup, Unreadable

OLE = bytes.fromhex("d0cf11e0a1b11ae1")
"""How files of old office programs begin, and new ones with a password, which hide the whole archive in such a file."""

_READERS = {
    "pdf": ("pdf_text", "read_pdf"),
    "docx": ("word", "read_docx"),
    "odt": ("open_document", "read_odf"),
    "ods": ("open_document", "read_odf"),
    "odp": ("open_document", "read_odf"),
    "pptx": ("slides", "read_pptx"),
    "xlsx": ("sheets", "read_xlsx"),
    "epub": ("epub", "read_epub"),
    "rtf": ("rich_text", "read_rtf"),
}
"""The module and the function for each format; loaded when the first such document comes."""


def convert(media_type: str, body: bytes) -> DocumentText:
    """A document as HTML, or a note that says why there is none."""
    kind = DOCUMENT_TYPES[media_type]
    if body.startswith(OLE):
        return DocumentText(note=unread("protected by a password, or of an old format"))
    module, function = _READERS[kind]
    read = getattr(import_module(f"dowse.documents.{module}"), function)
    markup, note, lack = Markup(), "", "it has no text; perhaps it is a picture of pages"
    try:
        read(body, markup)
    except Unreadable as error:
        note, lack = f"read only in part: {error}", str(error)
    except Enough as enough:
        note, lack = f"read only in part: {enough}", f"no text in {enough}"
    except MemoryError:
        return DocumentText(note=unread("it takes too much memory"))
    if not markup.has_text:
        return DocumentText(note=unread(lack))
    return DocumentText(markup.finished(), note)


def unread(why: str) -> str:
    """What the story of a document says that was not read."""
    return f"its text was not read: {why}"
