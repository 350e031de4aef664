"""Documents that are no HTML and are read as pages all the same: their media types, their extensions, their text.

    pdf    docx odt rtf    xlsx ods    pptx odp    epub

Their relatives with macros and the templates of office programs are read as they are: the contents are alike.
"""

from __future__ import annotations

from msgspec import Struct

_OOXML = "application/vnd.openxmlformats-officedocument."
_ODF = "application/vnd.oasis.opendocument."
_MS = "application/vnd.ms-"

PDF = "pdf"

DOCUMENT_TYPES: dict[str, str] = {
    "application/pdf": PDF,
    "application/x-pdf": PDF,
    f"{_OOXML}wordprocessingml.document": "docx",
    f"{_OOXML}wordprocessingml.template": "docx",
    f"{_MS}word.document.macroenabled.12": "docx",
    f"{_ODF}text": "odt",
    f"{_ODF}text-template": "odt",
    "application/rtf": "rtf",
    "text/rtf": "rtf",
    f"{_OOXML}spreadsheetml.sheet": "xlsx",
    f"{_MS}excel.sheet.macroenabled.12": "xlsx",
    f"{_ODF}spreadsheet": "ods",
    f"{_OOXML}presentationml.presentation": "pptx",
    f"{_OOXML}presentationml.slideshow": "pptx",
    f"{_MS}powerpoint.presentation.macroenabled.12": "pptx",
    f"{_ODF}presentation": "odp",
    "application/epub+zip": "epub",
}
"""Media types, and the extensions by which their formats are called here."""

_MORE_EXTENSIONS = {"dotx": "docx", "docm": "docx", "xlsm": "xlsx", "pptm": "pptx", "ppsx": "pptx"}

DOCUMENT_EXTENSIONS: dict[str, str] = {kind: kind for kind in DOCUMENT_TYPES.values()} | _MORE_EXTENSIONS
"""Extensions of URLs, and the formats that they stand for."""

UNTOLD_TYPES = frozenset({"application/octet-stream", "binary/octet-stream", "application/zip"})
"""What servers call documents whose type they do not know. The bytes tell it (parse/media.py)."""


def usual_type(kind: str) -> str:
    """The media type of a format.

    >>> usual_type("rtf")
    'application/rtf'
    """
    return next(media_type for media_type, named in DOCUMENT_TYPES.items() if named == kind)


class DocumentText(Struct, frozen=True, array_like=True):
    """A document as HTML; b"" if it could not be read. `note` says why, or what of it was not read.

    >>> DocumentText(note="protected by a password").html
    b''
    """

    html: bytes = b""
    note: str = ""
