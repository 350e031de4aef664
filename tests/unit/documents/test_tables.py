"""Tables of documents: every cell in its column, rows of one length, headings, and tables of rich text."""

from __future__ import annotations

import pytest

from dowse.core.document_kinds import usual_type
from dowse.documents import growing_html
from dowse.documents.conversion import convert
from dowse.documents.growing_html import Markup
from tests.office_files import docx, odf, paragraph, rich_text, workbook


def tables_of(kind: str, body: bytes) -> str:
    """What comes of a document, without the paragraphs in cells."""
    found = convert(usual_type(kind), body)
    assert not found.note
    inside = found.html.decode().partition("<main>")[2].partition("</main>")[0]
    return inside.replace("<td><p>", "<td>").replace("<th><p>", "<th>").replace("</p></t", "</t")


def row(*cells: str, tag: str = "td") -> str:
    return "<tr>" + "".join(f"<{tag}>{cell}</{tag}>" for cell in cells) + "</tr>"


def text_cell(place: str, text: str) -> str:
    return f'<c r="{place}" t="inlineStr"><is><t>{text}</t></is></c>'


def test_cells_that_a_sheet_leaves_out_are_empty_ones() -> None:
    rows = (
        f"<row>{text_cell('A1', 'Port')}{text_cell('B1', 'Vessels')}{text_cell('C1', 'Note')}<c r='D1'/></row>"
        f"<row>{text_cell('A2', 'Vigo')}{text_cell('B2', '12')}</row>"
        f"<row>{text_cell('A3', 'Hull')}{text_cell('C3', 'closed')}</row><row><c r='A4'/></row>"
    )
    expected = row("Port", "Vessels", "Note") + row("Vigo", "12", "") + row("Hull", "", "closed")
    assert tables_of("xlsx", workbook(rows)) == f"<h2>Fees</h2><table>{expected}</table>"


def ods_cell(text: str, more: str = "") -> str:
    return f"<table:table-cell {more}>{f'<text:p>{text}</text:p>' if text else ''}</table:table-cell>"


def test_cells_that_a_sheet_counts_are_written() -> None:
    often = 'table:number-columns-repeated="{}"'.format
    rows = (
        f"<table:table-row>{ods_cell('Fees')}<table:covered-table-cell/>"
        f"{ods_cell('', often(16_382))}</table:table-row>"
        f"<table:table-row>{ods_cell('a')}{ods_cell('0', often(2))}{ods_cell('', often(2))}{ods_cell('b')}"
        f"{ods_cell('', often(16_378))}</table:table-row>"
    )
    found = tables_of("ods", odf("spreadsheet", f'<table:table table:name="S">{rows}</table:table>'))
    assert found == f"<h2>S</h2><table>{row('Fees', '', '', '', '', '')}{row('a', '0', '0', '', '', 'b')}</table>"


def test_rows_that_a_sheet_counts_are_written() -> None:
    twice, empty = (f'<table:table-row table:number-rows-repeated="{number}">' for number in (2, 1_048_570))
    rows = (
        f"<table:table-row>{ods_cell('Port')}{ods_cell('Fee')}</table:table-row>{twice}{ods_cell('Vigo')}"
        f"</table:table-row>{empty}{ods_cell('')}</table:table-row>"
    )
    found = tables_of("ods", odf("spreadsheet", f'<table:table table:name="S">{rows}</table:table>'))
    assert found == f"<h2>S</h2><table>{row('Port', 'Fee')}{row('Vigo', '') * 2}</table>"


def test_only_so_many_empty_cells_are_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growing_html, "MOST_EMPTY_CELLS", 10)
    markup = Markup()
    markup.begin("table")
    for _ in range(3):
        markup.begin("tr")
        markup.skip_cells(6)
        markup.block("td", "far")
        markup.end()
    assert markup.finished().count(b"<td></td>") == 10


def test_rows_of_headings_are_told_apart() -> None:
    cells = "".join(f"<w:tc>{paragraph(text)}</w:tc>" for text in ("Port", "Fee"))
    wide = f'<w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr>{paragraph("all")}</w:tc><w:tc>{paragraph("x")}</w:tc>'
    head = "<w:trPr><w:tblHeader/></w:trPr>"
    rows = f"<w:tr>{head}{cells}</w:tr><w:tr>{cells}</w:tr><w:tr>{wide}</w:tr>"
    expected = row("Port", "Fee", "", tag="th") + row("Port", "Fee", "") + row("all", "", "x")
    assert tables_of("docx", docx(f"<w:tbl>{rows}</w:tbl>")) == f"<table>{expected}</table>"

    plain = f"<table:table-row>{ods_cell('Port')}{ods_cell('Fee')}</table:table-row>"
    table = f"<table:table><table:table-header-rows>{plain}</table:table-header-rows>{plain}</table:table>"
    expected = row("Port", "Fee", tag="th") + row("Port", "Fee")
    assert tables_of("odt", odf("text", table)) == f"<table>{expected}</table>"


def test_rows_of_rich_text_are_a_table() -> None:
    body = rich_text(
        r"\pard Before\par \trowd\trhdr\cellx9\cellx99 \pard\intbl Port\cell Fee\cell\row"
        r"\trowd\cellx9\cellx99\pard\intbl{Vigo\par}{\b Bay\par}\cell\cell\row"
        r"\pard\intbl Hull\cell\pard\intbl 7\cell\pard\intbl\trowd\cellx9\row \pard After\par"
        r"{\trowd\intbl{{\pard\intbl one\par}\cell}\intbl\row}"
    )
    expected = row("Port", "Fee", tag="th") + row("Vigo</p><p>Bay", "") + row("Hull", "7")
    assert tables_of("rtf", body) == (f"<p>Before</p><table>{expected}</table><p>After</p><table>{row('one')}</table>")


def test_items_of_rich_text_are_known_by_their_bullets() -> None:
    body = rich_text(r"{\pard \fi-360 \bullet \tx360\tab one\par}{\pard \'95\tab two\par}\par Text\par")
    assert tables_of("rtf", body) == "<ul><li>\tone</li><li>\ttwo</li></ul><p>Text</p>"


def test_a_title_is_the_first_heading_in_every_format() -> None:
    styles = (
        '<office:automatic-styles><style:style xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"'
        ' style:name="P1" style:parent-style-name="Title"/></office:automatic-styles>'
    )
    titled = '<text:p text:style-name="{}">Port</text:p>'
    for text in (titled.format("Title"), styles + titled.format("P1")):
        assert tables_of("odt", odf("text", text)) == "<h1>Port</h1>"
    assert tables_of("rtf", rich_text(r"{\stylesheet{\s5\sbasedon0 Title;}}\pard\s5 Port\par")) == "<h1>Port</h1>"
    assert tables_of("docx", docx(paragraph("Port", "Titel"))) == "<h1>Port</h1>"
