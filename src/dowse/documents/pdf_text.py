"""PDF files, by PDFium: the lines of their pages with their places, their links, and what they say of themselves."""

from __future__ import annotations

import ctypes
import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from dowse.documents.growing_html import MOST_TEXT, Enough, Markup, Unreadable
from dowse.documents.pdf_layout import Line, Linked, plain, write_pages

MOST_PAGES = 5_000
_TO_READ = 0.7
"""The share of the time for pages to be read; the rest is for writing them."""
MOST_LINKS = 2_000
"""Links that are taken of one page."""

_LINE = re.compile(r"[^\r\n]+")
_FACTS = {"Title": "title", "Author": "author", "Subject": "description", "CreationDate": "date"}
_DATE = re.compile(r"(?:D:)?(\d{4})(\d\d)?(\d\d)?")
_FILE_NAME = re.compile(r"^Microsoft \w+ - |\.(?:docx?|indd|pptx?|xlsx?|dvi|tex|pdf)$", re.IGNORECASE)
_NO_TITLES = frozenset({"untitled", "untitled document", "title", "document", "no title"})
_LONGEST_URL = 4_000
_LONGEST_LANGUAGE = 40
_LONGEST_OUTLINE = 5_000
_DEEPEST_OUTLINE = 6


def read_pdf(body: bytes, markup: Markup) -> None:
    document = _opened(body)
    try:
        _note_facts(document, markup)
        pages = list(_pages(document, markup))
        title = write_pages(pages, _outline(document), markup)
        markup.note_fact("title", title)
        if len(pages) < len(document):
            raise Enough(f"the first {len(pages):,} of {len(document):,} pages")
    finally:
        document.close()


def _opened(body: bytes) -> Any:
    try:
        return pypdfium2.PdfDocument(body)
    except pypdfium2.PdfiumError as error:
        is_locked = getattr(error, "err_code", None) == pdfium.FPDF_ERR_PASSWORD
        raise Unreadable("protected by a password" if is_locked else "no whole PDF file") from error


def _note_facts(document: Any, markup: Markup) -> None:
    for key, value in document.get_metadata_dict().items():
        if key == "Title":
            value = _FILE_NAME.sub("", value.strip())  # noqa: PLW2901
            value = "" if value.lower() in _NO_TITLES else value  # noqa: PLW2901
        elif key == "CreationDate":
            date = _DATE.match(value)
            value = "-".join(filter(None, date.groups())) if date else ""  # noqa: PLW2901
        if key in _FACTS:
            markup.note_fact(_FACTS[key], value)
    markup.note_fact("language", _language(document))


def _language(document: Any) -> str:
    buffer = (ctypes.c_ushort * _LONGEST_LANGUAGE)()
    size = pdfium.FPDFCatalog_GetLanguage(document.raw, buffer, _LONGEST_LANGUAGE)
    return bytes(buffer).decode("utf-16-le", "ignore").rstrip("\0") if 2 < size <= _LONGEST_LANGUAGE else ""


def _outline(document: Any) -> dict[str, int]:
    """The levels of headings, as the file itself lists them."""
    levels: dict[str, int] = {}
    for entry in islice(document.get_toc(max_depth=_DEEPEST_OUTLINE), _LONGEST_OUTLINE):
        levels.setdefault(plain(entry.get_title()), entry.level)
    levels.pop("", None)
    return levels


def _pages(document: Any, markup: Markup) -> Iterator[list[Line]]:
    """The lines of each page, as many as are read of a document. A page that is damaged has none."""
    letters = 0
    for number in range(min(len(document), MOST_PAGES)):
        try:
            markup.check_time(_TO_READ)
        except Enough:
            return
        try:
            page = document[number]
        except pypdfium2.PdfiumError:
            yield []
            continue
        lines = _lines(document, page)
        page.close()
        letters += sum(len(line.text) + 1 for line in lines)
        if letters > MOST_TEXT:
            return
        yield lines


def _lines(document: Any, page: Any) -> list[Line]:
    try:
        text_page = page.get_textpage()
    except pypdfium2.PdfiumError:
        return []
    box = pdfium.FS_RECTF()
    lines = []
    for match in _LINE.finditer(text_page.get_text_range()):
        if match[0].isspace():
            continue
        # The first character, if it is not a space, is as tall as the others; to ask each would take ten times as long.
        pdfium.FPDFText_GetLooseCharBox(text_page.raw, match.start(), box)
        lines.append(Line(match[0], box.top, box.bottom, max(box.top - box.bottom, 0.1)))
    links = list(_links(document, page, text_page))
    text_page.close()
    return _with_links(lines, links) if links else lines


def _links(document: Any, page: Any, text_page: Any) -> Iterator[tuple[float, Linked]]:
    """The links of a page: how high they are, their words and their addresses."""
    position, link, box = ctypes.c_int(0), pdfium.FPDF_LINK(), pdfium.FS_RECTF()
    buffer = ctypes.create_string_buffer(_LONGEST_URL)
    for _ in range(MOST_LINKS):
        if not pdfium.FPDFLink_Enumerate(page.raw, position, link):
            return
        action = pdfium.FPDFLink_GetAction(link)
        if not action or pdfium.FPDFAction_GetType(action) != pdfium.PDFACTION_URI:
            continue
        size = pdfium.FPDFAction_GetURIPath(document.raw, action, buffer, _LONGEST_URL)
        if not 1 < size <= _LONGEST_URL or not pdfium.FPDFLink_GetAnnotRect(link, box):
            continue
        words = text_page.get_text_bounded(box.left, box.bottom, box.right, box.top)
        text = next((part.strip() for part in _LINE.findall(words) if part.strip()), "")
        href = buffer.raw[: size - 1].decode("utf-8", "replace")
        yield (box.top + box.bottom) / 2, Linked(text, href)


def _with_links(lines: list[Line], links: list[tuple[float, Linked]]) -> list[Line]:
    """The lines with the links on them; a link beside all lines goes to the one that is nearest."""
    on_lines: defaultdict[int, list[Linked]] = defaultdict(list)
    for middle, linked in links:
        having = [number for number, line in enumerate(lines) if linked.text and linked.text in line.text]
        near = having or range(len(lines))
        nearest = min(near, key=lambda at: abs((lines[at].top + lines[at].bottom) / 2 - middle), default=-1)
        if nearest >= 0:
            on_lines[nearest].append(linked)
    if not lines:
        return [Line("", 0, 0, 1, [linked for _, linked in links])]
    return [line._replace(links=on_lines[number]) if number in on_lines else line for number, line in enumerate(lines)]
