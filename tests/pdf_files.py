"""Small PDF files for tests: text at places, links, an outline, a title, a lock.

What TeX and office programs write is measured in benchmarks/documents.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

PDF_TYPE = "application/pdf"
_LOCK = b" /Encrypt << /Filter /Standard /V 1 /R 2 /O <%s> /U <%s> /P -4 >>" % (b"1f" * 32, b"2e" * 32)
"""Keys that fit no password."""


class Put(NamedTuple):
    """Text at a place of a page, which is 595 by 842 points, seen from its lower left corner."""

    text: str
    y: int
    size: int = 11
    x: int = 56


class PdfLink(NamedTuple):
    """A link over a part of a page: left, bottom, right, top."""

    href: str
    box: tuple[int, int, int, int]


class PdfPage(NamedTuple):
    texts: Sequence[Put]
    links: Sequence[PdfLink] = ()


def letter(text: str, href: str = "", title: str = "", language: str = "") -> bytes:
    """A file of one page, with a link over its text if it has an address."""
    links = [PdfLink(href, (50, 695, 595, 712))] if href else []
    return pdf(PdfPage([Put("Letter of the port", 780, 20), Put(text, 700)], links), title=title, language=language)


def pdf(
    *pages: PdfPage, title: str = "", language: str = "", outline: Sequence[str] = (), locked: bool = False
) -> bytes:
    """A file of some pages. The headings of its outline are all of the first level and lead to the first page."""
    made = _Objects()
    font = made.add(b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
    parent = made.number + 1 + 3 * len(pages)  # what the pages refer to comes after them
    kids = [_add_page(made, page, font, parent) for page in pages]
    listed = " ".join(f"{kid} 0 R" for kid in kids)
    assert made.add(f"<< /Type /Pages /Kids [{listed}] /Count {len(kids)} >>".encode()) == parent
    catalog = f"<< /Type /Catalog /Pages {parent} 0 R"
    if language:
        catalog += f" /Lang ({language})"
    if outline:
        catalog += f" /Outlines {_add_outline(made, outline, kids[0])} 0 R"
    root = made.add(f"{catalog} >>".encode())
    info = made.add(f"<< /Title ({title}) >>".encode() if title else b"<< >>")
    return made.file(root, info, _LOCK if locked else b"")


def _add_page(made: _Objects, page: PdfPage, font: int, parent: int) -> int:
    shown = " ".join(f"BT /F1 {put.size} Tf {put.x} {put.y} Td ({put.text}) Tj ET" for put in page.texts)
    content = made.stream(shown.encode("cp1252"))
    links = [
        f"<< /Type /Annot /Subtype /Link /Rect [{' '.join(map(str, box))}] /A << /S /URI /URI ({href}) >> >>"
        for href, box in page.links
    ]
    notes = made.add(f"[{' '.join(links)}]".encode())
    return made.add(
        f"<< /Type /Page /Parent {parent} 0 R /MediaBox [0 0 595 842] /Contents {content} 0 R /Annots {notes} 0 R"
        f" /Resources << /Font << /F1 {font} 0 R >> >> >>".encode()
    )


def _add_outline(made: _Objects, headings: Sequence[str], page: int) -> int:
    first = made.number + 1
    last = first + len(headings) - 1
    for at, heading in enumerate(headings, first):
        following = f" /Next {at + 1} 0 R" if at < last else ""
        made.add(f"<< /Title ({heading}) /Parent {last + 1} 0 R /Dest [{page} 0 R /Fit]{following} >>".encode())
    return made.add(f"<< /Type /Outlines /First {first} 0 R /Last {last} 0 R /Count {len(headings)} >>".encode())


class _Objects:
    """The numbered objects of a file, as they are added."""

    def __init__(self) -> None:
        self._objects: list[bytes] = []

    @property
    def number(self) -> int:
        return len(self._objects)

    def add(self, content: bytes) -> int:
        self._objects.append(content)
        return self.number

    def stream(self, content: bytes) -> int:
        return self.add(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content))

    def file(self, root: int, info: int, more: bytes) -> bytes:
        """All objects, the table of their places, and where that begins."""
        out, places = b"%PDF-1.7\n", []
        for number, content in enumerate(self._objects, 1):
            places.append(len(out))
            out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
        size, start = self.number + 1, len(out)
        out += b"xref\n0 %d\n0000000000 65535 f \n" % size + b"".join(b"%010d 00000 n \n" % place for place in places)
        trailer = b"<< /Size %d /Root %d 0 R /Info %d 0 R /ID [<00> <00>]%s >>" % (size, root, info, more)
        return out + b"trailer %s\nstartxref\n%d\n%%%%EOF\n" % (trailer, start)
