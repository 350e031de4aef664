"""The smallest PDF that viewers accept: one page, one font, a title and lines of text."""

from __future__ import annotations

import textwrap

LINE_WIDTH = 88


def pdf(title: str, paragraphs: list[str]) -> bytes:
    """One A4 page as PDF 1.4. Text beyond Latin-1 is replaced, as the built-in fonts have no more."""
    lines = [line for paragraph in paragraphs for line in [*textwrap.wrap(paragraph, LINE_WIDTH), ""]]
    content = [f"BT /F1 18 Tf 56 780 Td ({_escape(title)}) Tj /F1 11 Tf 0 -32 Td 15 TL"]
    content += [f"({_escape(line)}) Tj T*" for line in lines]
    stream = "\n".join([*content, "ET"]).encode("latin-1", "replace")
    return _file(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources 6 0 R >>",
            b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
            b"<< /Font << /F1 5 0 R >> >>",
            f"<< /Title ({_escape(title)}) >>".encode("latin-1", "replace"),
        ]
    )


def _file(objects: list[bytes]) -> bytes:
    """Objects, then the table of their offsets, then where that table begins. The last object is the info."""
    out = bytearray(b"%PDF-1.4\n")
    offsets = []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    out += b"trailer\n<< /Size %d /Root 1 0 R /Info %d 0 R >>\n" % (len(objects) + 1, len(objects))
    out += b"startxref\n%d\n%%%%EOF\n" % table
    return bytes(out)


def _escape(text: str) -> str:
    return text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
