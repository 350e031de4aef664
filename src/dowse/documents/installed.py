"""Which documents can be read on this machine."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec

from dowse.core.document_kinds import DOCUMENT_TYPES, PDF
from dowse.core.optional_libraries import install_command


@cache
def has_pdf_reader() -> bool:
    """Whether what reads PDF files is installed; the other formats need nothing."""
    return find_spec("pypdfium2") is not None


def pdf_needs() -> str:
    """What to do so that PDF files are read; "" if nothing is to be done."""
    return "" if has_pdf_reader() else f"to read PDF files, {install_command('documents')}"


def readable_kinds() -> frozenset[str]:
    """The formats that can be read."""
    return frozenset(kind for kind in DOCUMENT_TYPES.values() if kind != PDF or has_pdf_reader())
