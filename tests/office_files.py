"""Small office files for tests, written as the standards say: Office Open XML and OpenDocument.

What office programs and TeX write is measured in benchmarks/documents.py.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
SLIDES = "http://schemas.openxmlformats.org/presentationml/2006/main"
SHEETS = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"

DOCX_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


def archive(files: Mapping[str, str | bytes]) -> bytes:
    """A zip archive. A file called mimetype is not compressed, as the standards want it."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in files.items():
            packing = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            made.writestr(name, content, packing)
    return out.getvalue()


def relations(*targets: tuple[str, str, str]) -> str:
    """A part that lists (id, kind, target) of another; a kind of hyperlink leads out of the file."""
    outside = {"hyperlink": ' TargetMode="External"'}
    rows = "".join(
        f'<Relationship Id="{number}" Type="{RELATIONS}/{kind}" Target="{target}"{outside.get(kind, "")}/>'
        for number, kind, target in targets
    )
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{rows}</Relationships>'


def properties(title: str, language: str = "") -> str:
    return (
        f'<cp:coreProperties xmlns:cp="{_PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f"<dc:title>{title}</dc:title><dc:language>{language}</dc:language></cp:coreProperties>"
    )


def docx(body: str, links: Mapping[str, str] | None = None, title: str = "", **parts: str) -> bytes:
    """A Word document: the inside of its body as XML, and its links by their ids. `parts` are others by name."""
    targets = [(number, "hyperlink", href) for number, href in (links or {}).items()]
    styles = (
        f'<w:styles xmlns:w="{WORD}"><w:docDefaults><w:rPrDefault><w:rPr><w:lang w:val="en-GB"/></w:rPr></w:rPrDefault>'
        '</w:docDefaults><w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>'
        '<w:style w:styleId="Titel"><w:name w:val="Title"/></w:style>'
        '<w:style w:styleId="Unter"><w:name w:val="Own"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style></w:styles>'
    )
    return archive({
        "[Content_Types].xml": "<Types/>",
        "_rels/.rels": relations(("a", "officeDocument", "word/document.xml")),
        "docProps/core.xml": properties(title),
        "word/_rels/document.xml.rels": relations(
            ("s", "styles", "styles.xml"), *((kind, kind, f"{kind}.xml") for kind in parts), *targets
        ),
        "word/styles.xml": styles,
        **{f"word/{kind}.xml": text for kind, text in parts.items()},
        "word/document.xml": f'<w:document xmlns:w="{WORD}" xmlns:r="{RELATIONS}"><w:body>{body}</w:body></w:document>',
    })  # fmt: skip


def paragraph(text: str, style: str = "") -> str:
    """A paragraph of a Word document."""
    named = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{named}<w:r><w:t>{text}</w:t></w:r></w:p>"


def workbook(rows: str) -> bytes:
    """A workbook with one sheet, called Fees: its rows as XML."""
    return archive({
        "_rels/.rels": relations(("a", "officeDocument", "xl/workbook.xml")),
        "xl/workbook.xml": f'<workbook xmlns="{SHEETS}" xmlns:r="{RELATIONS}"><sheets>'
        '<sheet name="Fees" sheetId="1" r:id="one"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": relations(("one", "worksheet", "worksheets/sheet1.xml")),
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{SHEETS}"><sheetData>{rows}</sheetData></worksheet>',
    })  # fmt: skip


def rich_text(inside: str) -> bytes:
    return b"{\\rtf1\\ansi " + inside.encode("ascii") + b"}"


def odf(kind: str, body: str, title: str = "") -> bytes:
    """An OpenDocument file of a kind (text, spreadsheet, presentation): the inside of that element as XML."""
    names = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{long}:1.0"'
        for name, long in {"office": "office", "text": "text", "table": "table", "draw": "drawing",
                           "presentation": "presentation"}.items()
    )  # fmt: skip
    return archive(
        {
            "mimetype": f"application/vnd.oasis.opendocument.{kind}",
            "meta.xml": f'<m xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{title}</dc:title>'
            "<dc:language>de-DE</dc:language></m>",
            "META-INF/manifest.xml": "<manifest/>",
            "content.xml": f'<office:document-content {names} xmlns:xlink="http://www.w3.org/1999/xlink"><office:body>'
            f"<office:{kind}>{body}</office:{kind}></office:body></office:document-content>",
        }
    )


def epub(*chapters: str) -> bytes:
    """A book of these chapters, which is read from the last to the first; its last is named twice."""
    names = [f"chapter{number}" for number in range(len(chapters))]
    items = "".join(f'<item id="{name}" href="{name}.xhtml" media-type="application/xhtml+xml"/>' for name in names)
    order = "".join(f'<itemref idref="{name}"/>' for name in [*reversed(names), names[-1]])
    page = '<html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body onload="x()">{}</body></html>'
    return archive(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": '<c><rootfile full-path="in/book.opf"/></c>',
            "in/book.opf": '<package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>Port</dc:title>'
            f"<dc:language>fr</dc:language></metadata><manifest>{items}</manifest><spine>{order}</spine></package>",
        }
        | {f"in/{name}.xhtml": page.format(chapter) for name, chapter in zip(names, chapters, strict=True)}
    )
