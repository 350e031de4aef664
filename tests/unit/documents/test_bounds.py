"""Hostile documents: whatever is in them, reading one takes only so much, and ends with a note."""

from __future__ import annotations

import pytest

from dowse.core.document_kinds import usual_type
from dowse.documents import zip_parts
from dowse.documents.conversion import convert
from dowse.documents.growing_html import MOST_TEXT
from dowse.parse.tree import parse_html
from tests.office_files import archive, docx, paragraph, relations

DOCX = usual_type("docx")


def test_entities_are_refused() -> None:
    entities = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><x>&b;</x>'
    found = convert(DOCX, docx(paragraph("text"), footnotes=entities))
    assert found.note == "read only in part: its XML declares entities"


def test_text_is_read_up_to_a_limit() -> None:
    found = convert(DOCX, docx(paragraph("fishing " * 300_000)))
    assert found.note == "read only in part: the first part, as much as is read of one"
    assert MOST_TEXT <= len(found.html) <= MOST_TEXT + 1_000
    assert found.html.endswith(b"</p></main></body></html>")


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
