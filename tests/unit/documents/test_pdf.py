"""PDF files as HTML: text in order, headings, links, what the file says of itself, and files that cannot be read."""

from __future__ import annotations

from functools import partial

import pytest

from dowse.core.document_kinds import DocumentText
from dowse.documents import conversion, pdf_text
from dowse.documents.conversion import convert
from dowse.documents.growing_html import Markup
from tests.pdf_files import PDF_TYPE, PdfLink, PdfPage, Put, letter
from tests.pdf_files import pdf as file_of

LONG = "The fees of the port are paid at the gate before the vessel leaves."


def body_of(found: DocumentText) -> str:
    return found.html.decode().partition("<main>")[2].partition("</main>")[0]


def test_lines_become_paragraphs_and_larger_letters_headings() -> None:
    page = PdfPage([
        Put("Port of Tarnmoor", 780, 20), Put("Fees", 740, 15), Put("The fees of the port are", 700),
        Put("paid at the gate.", 687), Put("Another paragraph.", 650), Put("Closing", 600, 15), Put("The end.", 560),
    ])  # fmt: skip
    assert body_of(convert(PDF_TYPE, file_of(page))) == (
        "<h1>Port of Tarnmoor</h1><h2>Fees</h2><p>The fees of the port are paid at the gate.</p>"
        "<p>Another paragraph.</p><h2>Closing</h2><p>The end.</p>"
    )


def test_the_outline_knows_headings_that_their_letters_do_not_tell() -> None:
    lines = [Put("Title", 780, 20), Put("1.2 Fees", 740), Put("Text of no heading", 700), Put("Remark", 650, 16)]
    found = body_of(convert(PDF_TYPE, file_of(PdfPage(lines), outline=["Fees"])))
    assert found == "<h1>Title</h1><h2>1.2 Fees</h2><p>Text of no heading</p><p>Remark</p>"


def test_what_it_says_of_itself_is_in_the_head() -> None:
    found = convert(PDF_TYPE, letter("Text", title="A &lt; B", language="de-CH")).html.decode()
    assert '<html lang="de-CH">' in found
    assert "<title>A &amp;lt; B</title>" in found


@pytest.mark.parametrize("title", ["", "untitled"])
def test_without_a_title_its_largest_letters_are_its_title(title: str) -> None:
    assert "<title>Letter of the port</title>" in convert(PDF_TYPE, letter(LONG, title=title)).html.decode()


def test_the_name_of_its_file_is_no_part_of_the_title() -> None:
    found = convert(PDF_TYPE, letter("Text", title="Microsoft Word - Fees.docx")).html.decode()
    assert "<title>Fees</title>" in found


def test_links_stand_where_their_words_stand() -> None:
    page = PdfPage(
        [Put("See the law of the port", 700), Put("and a picture", 650)],
        [PdfLink("https://example.org/?a=1&b=2", (78, 697, 116, 712)), PdfLink("/picture", (56, 300, 90, 320))],
    )
    assert body_of(convert(PDF_TYPE, file_of(page))) == (
        '<p>See <a href="https://example.org/?a=1&amp;b=2">the law</a> of the port</p>'
        '<p>and a picture <a href="/picture">/picture</a></p>'
    )


def test_links_on_a_page_without_text_are_links() -> None:
    found = body_of(convert(PDF_TYPE, file_of(PdfPage([], [PdfLink("https://example.org/x", (9, 9, 99, 99))]))))
    assert found == '<p> <a href="https://example.org/x">https://example.org/x</a></p>'


def test_what_is_no_address_on_the_web_is_no_link() -> None:
    page = PdfPage([Put("click here", 700)], [PdfLink("javascript:alert\\(1\\)", (50, 690, 200, 715))])
    assert body_of(convert(PDF_TYPE, file_of(page))) == "<p>click here</p>"


def test_titles_that_run_over_the_pages_are_left_out() -> None:
    pages = [
        PdfPage([Put("Fees of the port", 820), Put(f"Text {name}", 600), Put(f"page {number}", 30)])
        for number, name in enumerate(["one", "two", "three", "four"])
    ]
    found = body_of(convert(PDF_TYPE, file_of(*pages)))
    assert found == "<p>Text one</p><p>Text two</p><p>Text three</p><p>Text four</p>"


def test_entries_of_a_table_of_contents_are_one_each() -> None:
    page = PdfPage([Put("Fees . . . . . . . . 12", 700), Put("Nets . . . . . . . . 13", 687)])
    assert body_of(convert(PDF_TYPE, file_of(page))) == "<p>Fees 12</p><p>Nets 13</p>"


def test_bullets_are_items_of_one_list() -> None:
    page = PdfPage([Put("\u2022 nets", 700), Put("\u2022 pots", 687)])
    assert body_of(convert(PDF_TYPE, file_of(page))) == "<ul><li>nets</li><li>pots</li></ul>"


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"%PDF-1.7\nnothing else", "no whole PDF file"),
        (b"<!doctype html><p>log in first", "no whole PDF file"),
        (file_of(PdfPage([Put("text", 700)]), locked=True), "protected by a password"),
        (file_of(PdfPage([])), "it has no text; perhaps it is a picture of pages"),
    ],
)
def test_what_cannot_be_read_says_why(body: bytes, why: str) -> None:
    assert convert(PDF_TYPE, body) == DocumentText(note=f"its text was not read: {why}")


def test_of_many_pages_the_first_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf_text, "MOST_PAGES", 3)
    found = convert(PDF_TYPE, file_of(*(PdfPage([Put(f"Page number {name}", 700)]) for name in "abcde")))
    assert found.note == "read only in part: the first 3 of 5 pages"
    assert body_of(found) == "<p>Page number a</p><p>Page number b</p><p>Page number c</p>"


def test_of_much_text_the_first_pages_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf_text, "MOST_TEXT", 100)
    found = convert(PDF_TYPE, file_of(*(PdfPage([Put(name * 40, 700)]) for name in "abcde")))
    assert found.note == "read only in part: the first 2 of 5 pages"


def test_when_time_is_over_what_was_read_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conversion, "Markup", partial(Markup, most_seconds=0.0))
    found = convert(PDF_TYPE, file_of(PdfPage([Put("text", 700)])))
    assert found.note.startswith("its text was not read: no text in the first 0 of 1 pages")
