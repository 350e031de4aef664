"""Hostile documents: whatever is in them, reading one takes only so much, and ends with a note."""

from __future__ import annotations

import pytest

from dowse.core.document_kinds import usual_type
from dowse.documents import growing_html, zip_parts
from dowse.documents.conversion import convert
from dowse.documents.growing_html import MOST_TEXT
from dowse.parse.tree import parse_html
from tests.office_files import archive, docx, epub, paragraph, relations

DOCX = usual_type("docx")
FIRST_PART = "read only in part: the first part, as much as is read of one"


def test_entities_are_refused() -> None:
    entities = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><x>&b;</x>'
    found = convert(DOCX, docx(paragraph("text"), footnotes=entities))
    assert found.note == "read only in part: its XML declares entities"


def test_text_is_read_up_to_a_limit() -> None:
    found = convert(DOCX, docx(paragraph("fishing " * 300_000)))
    assert found.note == FIRST_PART
    assert MOST_TEXT <= len(found.html) <= MOST_TEXT + 1_000
    assert found.html.endswith(b"</p></main></body></html>")


def linking_docx() -> bytes:
    link = '<w:p><w:hyperlink r:id="L"/></w:p>'
    return docx(paragraph("first") + link * 10_000, {"L": f"https://a.test/{'x' * 1_000}"})


def linking_odt() -> bytes:
    link = f'<p><a href="https://a.test/{"x" * 1_000}"/></p>'
    return archive({"content.xml": f"<text><p>first</p>{link * 5_000}</text>"})


def narrow_ods() -> bytes:
    cells = "<table-row><table-cell><p>1</p></table-cell></table-row>" * 50_000
    return archive({"content.xml": f"<spreadsheet><p>first</p><table>{cells}</table></spreadsheet>"})


def ampersands_docx() -> bytes:
    return docx(paragraph("first" + "&amp;" * 190_000))


@pytest.mark.parametrize(
    ("kind", "body"),
    [("docx", linking_docx()), ("odt", linking_odt()), ("ods", narrow_ods()), ("docx", ampersands_docx())],
    ids=["links of docx", "links of odt", "cells", "escapes"],
)
def test_tags_and_addresses_count(kind: str, body: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is in an archive a thousand times takes little room there, and much in the HTML."""
    monkeypatch.setattr(growing_html, "MOST_HTML", most := 500_000)
    assert len(body) < 50_000
    found = convert(usual_type(kind), body)
    assert found.note == FIRST_PART
    assert b"first" in found.html
    assert 0.8 * most < len(found.html) < most + 1_000
    assert found.html.endswith(b"</main></body></html>")


def test_empty_paragraphs_take_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growing_html, "MOST_HTML", 1_000)
    found = convert(usual_type("odt"), archive({"content.xml": f"<text>{'<p/>' * 1_000}<p>last</p></text>"}))
    assert found.note == ""
    assert b"<main><p>last</p></main>" in found.html


def test_a_chapter_is_read_up_to_a_limit() -> None:
    found = convert(usual_type("epub"), epub("<h1>First</h1>" + "<p>fishing vessels</p>" * 200_000 + "<p>last</p>"))
    assert found.note == FIRST_PART
    assert b"<section><h1>First</h1><p>fishing vessels</p><p>" in found.html
    assert found.html.endswith(b"</p></section></main></body></html>")
    assert b"last" not in found.html


def test_a_deep_chapter_becomes_flat() -> None:
    found = convert(usual_type("epub"), epub("<div>" * 400 + "deep" + "</div>" * 400 + "<p>after</p>"))
    assert found.html.count(b"<div>") < 40
    assert b"deep" in found.html
    assert b"<p>after</p>" in found.html


def test_an_archive_is_unpacked_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zip_parts, "MOST_BYTES", 1_000_000)
    bomb = docx(paragraph("text") + "<w:p/>" * 1_000_000)
    assert len(bomb) < 50_000
    found = convert(DOCX, bomb)
    assert found.note == "read only in part: the first part, for it unpacks to far too much"
    assert b"<p>text</p>" in found.html


def test_deep_nesting_becomes_flat() -> None:
    deep = "<w:tbl><w:tr><w:tc>" * 20_000 + paragraph("deep") + "</w:tc></w:tr></w:tbl>" * 20_000
    found = convert(DOCX, docx(deep + paragraph("after")))
    assert len(found.html) < 2_000
    tree = parse_html(found.html, {}).tree
    assert [element.text for element in tree.select("p")] == ["after"]  # that of the depth has no element of its own
    assert "deep" in tree.to_text()


def test_groups_of_rich_text_may_not_nest_without_end() -> None:
    found = convert(usual_type("rtf"), b"{\\rtf1 text\\par" + b"{" * 100_000)
    assert found.note == "read only in part: its groups are nested too deeply"


def test_links_out_of_the_archive_lead_nowhere() -> None:
    """Parts are found by their names in the archive, whatever path somebody writes."""
    relation = relations(("a", "officeDocument", "../../../../etc/passwd"))
    assert convert(DOCX, archive({"_rels/.rels": relation})).note == "its text was not read: it has no main part"


def test_markup_in_text_is_text() -> None:
    markup = "&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;"
    found = convert(DOCX, docx(paragraph(markup), title=markup))
    assert b"<script" not in found.html


def test_a_link_cannot_leave_its_attribute() -> None:
    link = '<w:p><w:hyperlink r:id="L"><w:r><w:t>x</w:t></w:r></w:hyperlink></w:p>'
    found = convert(DOCX, docx(link, {"L": "https://a.test/&quot;&gt;&lt;script&gt;"}))
    assert b'<a href="https://a.test/&quot;&gt;&lt;script&gt;">x</a>' in found.html


def test_empty_cells_take_no_room_unless_they_are_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growing_html, "MOST_HTML", 1_000)
    rows = "<table-row><table-cell/><table-cell/></table-row>" * 1_000
    table = f"<table>{rows}<table-row><table-cell><p>last</p></table-cell></table-row></table>"
    found = convert(usual_type("ods"), archive({"content.xml": f"<spreadsheet>{table}</spreadsheet>"}))
    assert b"<td><p>last</p></td>" in found.html


def test_padding_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows of one cell below a wide one are as wide as that."""
    monkeypatch.setattr(growing_html, "MOST_HTML", most := 100_000)
    cell = "<table-cell><p>1</p></table-cell>"
    rows = f"<table-row>{cell * 1_000}</table-row>" + f"<table-row>{cell}</table-row>" * 1_000
    found = convert(usual_type("ods"), archive({"content.xml": f"<spreadsheet><table>{rows}</table></spreadsheet>"}))
    assert 0.9 * most < len(found.html) < most + 1_000


def test_rows_that_are_repeated_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growing_html, "MOST_HTML", most := 100_000)
    row = '<table-row number-rows-repeated="9999"><table-cell><p>1</p></table-cell></table-row>'
    found = convert(usual_type("ods"), archive({"content.xml": f"<spreadsheet><table>{row * 9}</table></spreadsheet>"}))
    assert found.note == FIRST_PART
    assert 0.9 * most < len(found.html) < most + 1_000
