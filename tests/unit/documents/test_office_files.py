"""Office files as HTML: structure, links, what readers do not see, and what the files say of themselves."""

from __future__ import annotations

import pytest

from dowse.core.document_kinds import usual_type
from dowse.documents.conversion import convert
from tests.office_files import (
    DRAWING,
    RELATIONS,
    SHEETS,
    SLIDES,
    WORD,
    archive,
    docx,
    epub,
    odf,
    paragraph,
    properties,
    relations,
)  # fmt: skip

_RUN = "<w:r><w:t>{}</w:t></w:r>"


def read(kind: str, body: bytes) -> str:
    found = convert(usual_type(kind), body)
    assert not found.note
    return found.html.decode()


def main_of(kind: str, body: bytes) -> str:
    return read(kind, body).partition("<main>")[2].partition("</main>")[0]


def test_word_headings_are_known_by_the_names_of_their_styles() -> None:
    text = paragraph("Fees", "berschrift1") + paragraph("Nets", "Unter") + paragraph("a &lt; b")
    assert main_of("docx", docx(text)) == "<h1>Fees</h1><h2>Nets</h2><p>a &lt; b</p>"


def test_word_says_its_title_and_language() -> None:
    found = read("docx", docx(paragraph("Text"), title="Fees of the port"))
    assert '<html lang="en-GB">' in found
    assert "<title>Fees of the port</title>" in found


def test_word_links_are_relations_or_fields() -> None:
    field = (
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> HYPERLINK "/nets" </w:instrText></w:r>'
        '<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>nets</w:t></w:r>'
        '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )
    simple = f"<w:fldSimple w:instr='HYPERLINK \"/pots\"'>{_RUN.format('pots')}</w:fldSimple>"
    related = f'<w:hyperlink r:id="L1">{_RUN.format("the law")}</w:hyperlink>'
    body = docx(
        f"<w:p>{related}{_RUN.format(', ')}{field}{_RUN.format(', ')}{simple}</w:p>",
        {"L1": "https://a.test/?b=1&amp;c"},
    )
    assert main_of("docx", body) == (
        '<p><a href="https://a.test/?b=1&amp;c">the law</a>, <a href="/nets">nets</a>, <a href="/pots">pots</a></p>'
    )


def test_word_tables_and_lists() -> None:
    item = '<w:p><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>{}</w:t></w:r></w:p>'
    cell = f"<w:tc>{paragraph('{}')}</w:tc>"
    table = f"<w:tbl><w:tr>{cell.format('net')}{cell.format('12')}</w:tr></w:tbl>"
    assert main_of("docx", docx(item.format("one") + item.format("two") + table)) == (
        "<ul><li>one</li><li>two</li></ul><table><tr><td><p>net</p></td><td><p>12</p></td></tr></table>"
    )


def test_word_leaves_out_what_readers_do_not_see() -> None:
    hidden = "<w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r>"
    deleted = "<w:del><w:r><w:delText>deleted</w:delText></w:r></w:del>"
    twice = (
        '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">'
        f"<mc:Choice>{_RUN.format('once')}</mc:Choice><mc:Fallback>{_RUN.format('twice')}</mc:Fallback>"
        "</mc:AlternateContent>"
    )
    assert main_of("docx", docx(f"<w:p>{hidden}{deleted}{twice}</w:p>")) == "<p>once</p>"


def test_word_notes_stand_at_the_end() -> None:
    notes = f'<w:footnotes xmlns:w="{WORD}"><w:footnote>{paragraph("a note")}</w:footnote></w:footnotes>'
    assert main_of("docx", docx(paragraph("text"), footnotes=notes)) == "<p>text</p><p>a note</p>"


def test_open_document_text() -> None:
    text = (
        '<text:tracked-changes><text:p>gone</text:p></text:tracked-changes><text:h text:outline-level="2">Fees</text:h>'
        '<text:p>The <text:span>port</text:span> of<text:s text:c="2"/>'
        '<text:a xlink:href="https://a.test/">all flags</text:a>'
        "<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>note</text:p></text:note-body>"
        "</text:note><office:annotation><text:p>comment</text:p></office:annotation>.</text:p>"
        "<text:list><text:list-item><text:p>one</text:p></text:list-item></text:list>"
    )
    found = read("odt", odf("text", text, title="Port"))
    assert '<html lang="de-DE">' in found
    assert "<title>Port</title>" in found
    assert found.partition("<main>")[2].startswith(
        '<h2>Fees</h2><p>The port of  <a href="https://a.test/">all flags</a> (note).</p><ul><li><p>one</p></li></ul>'
    )


def test_open_document_sheets_and_slides() -> None:
    row = "<table:table-row><table:table-cell><text:p>net</text:p></table:table-cell></table:table-row>"
    sheet = odf("spreadsheet", f'<table:table table:name="Fees">{row}</table:table>')
    assert main_of("ods", sheet) == "<h2>Fees</h2><table><tr><td><p>net</p></td></tr></table>"
    box = "<draw:frame{}><draw:text-box><text:p>{}</text:p></draw:text-box></draw:frame>"
    slide = box.format(' presentation:class="title"', "Port") + box.format("", "Text")
    notes = "<presentation:notes><text:p>say hello</text:p></presentation:notes>"
    assert main_of("odp", odf("presentation", f"<draw:page>{slide}{notes}</draw:page>")) == "<h2>Port</h2><p>Text</p>"


def pptx() -> bytes:
    run = "<a:p><a:r>{}<a:t>{}</a:t></a:r></a:p>"
    shape = f"<p:sp><p:nvSpPr><p:nvPr>{{}}</p:nvPr></p:nvSpPr><p:txBody>{run}</p:txBody></p:sp>"
    title = shape.format('<p:ph type="title"/>', "", "Port {}")
    text = shape.format("", '<a:rPr><a:hlinkClick r:id="L"/></a:rPr>', "the law")
    slide = f'<p:sld xmlns:p="{SLIDES}" xmlns:a="{DRAWING}" xmlns:r="{RELATIONS}">{title}{text}</p:sld>'
    order = '<p:sldIdLst><p:sldId id="257" r:id="two"/><p:sldId id="256" r:id="one"/></p:sldIdLst>'
    return archive({
        "_rels/.rels": relations(("a", "officeDocument", "ppt/presentation.xml")),
        "docProps/core.xml": properties("Slides"),
        "ppt/presentation.xml": f'<p:presentation xmlns:p="{SLIDES}" xmlns:r="{RELATIONS}">{order}</p:presentation>',
        "ppt/_rels/presentation.xml.rels": relations(
            ("one", "slide", "slides/slide1.xml"), ("two", "slide", "/ppt/slides/slide2.xml")
        ),
        "ppt/slides/slide1.xml": slide.format(1),
        "ppt/slides/slide2.xml": slide.format(2),
        "ppt/slides/_rels/slide1.xml.rels": relations(("L", "hyperlink", "https://a.test/law")),
    })  # fmt: skip


def test_slides_come_in_the_order_in_which_they_are_shown() -> None:
    assert main_of("pptx", pptx()) == (
        '<h2>Port 2</h2><p>the law</p><h2>Port 1</h2><p><a href="https://a.test/law">the law</a></p>'
    )


def xlsx() -> bytes:
    rows = (
        '<row><c r="A1" t="s"><v>1</v></c><c r="B1"><v>12.5</v></c></row>'
        '<row><c r="A2" t="str"><f>HYPERLINK("https://a.test/pot","pot")</f><v>pot</v></c>'
        '<c r="B2" t="inlineStr"><is><t>seven</t></is></c></row>'
    )
    sheet = (
        f'<worksheet xmlns="{SHEETS}" xmlns:r="{RELATIONS}"><sheetData>{rows}</sheetData>'
        '<hyperlinks><hyperlink ref="A1" r:id="L"/></hyperlinks></worksheet>'
    )
    sheets = '<sheet name="Fees" sheetId="1" r:id="one"/><sheet name="Own" sheetId="2" state="hidden" r:id="two"/>'
    return archive({
        "_rels/.rels": relations(("a", "officeDocument", "xl/workbook.xml")),
        "xl/workbook.xml": f'<workbook xmlns="{SHEETS}" xmlns:r="{RELATIONS}"><sheets>{sheets}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": relations(
            ("one", "worksheet", "worksheets/sheet1.xml"), ("two", "worksheet", "worksheets/sheet1.xml"),
            ("three", "sharedStrings", "sharedStrings.xml"),
        ),
        "xl/sharedStrings.xml": f'<sst xmlns="{SHEETS}"><si><t>gear</t></si>'
        "<si><r><t>fishing </t></r><r><t>net</t></r></si></sst>",
        "xl/worksheets/sheet1.xml": sheet,
        "xl/worksheets/_rels/sheet1.xml.rels": relations(("L", "hyperlink", "https://a.test/net")),
    })  # fmt: skip


def test_a_workbook_is_a_table_for_each_sheet_that_is_shown() -> None:
    assert main_of("xlsx", xlsx()) == (
        "<h2>Fees</h2><table><tr><td>fishing net</td><td>12.5</td></tr>"
        '<tr><td><a href="https://a.test/pot">pot</a></td><td>seven</td></tr></table>'
        '<ul><li><a href="https://a.test/net">fishing net</a></li></ul>'
    )


CHAPTER = (
    '<h1 id="a">Chapter {}</h1><script>alert(1)</script>'
    '<p>See <a href="https://a.test/">this</a> and <a href="one.xhtml">that</a>.</p>'
)


def test_a_book_is_its_chapters_in_reading_order() -> None:
    found = read("epub", epub(CHAPTER.format("one"), CHAPTER.format("two")))
    assert '<html lang="fr">' in found
    assert "<title>Port</title>" in found
    assert found.index("Chapter two") < found.index("Chapter one")
    assert found.count("Chapter two") == 1
    assert found.count('<a href="https://a.test/">this</a> and that.') == 2
    assert "alert" not in found
    assert "onload" not in found


def test_the_structure_of_a_chapter_is_kept() -> None:
    """Lists, tables and links in their own elements; what others hold is read without them."""
    inner = (
        '<base href="https://b.test/"/><ol class="x">\n<li>one</li>\n<li>two<ul><li>three</li></ul></li></ol>'
        '<table><tr><th colspan="2" onclick="x()">a</th><td/></tr></table>'
        "<pre>1 &lt; 2<br/>3</pre><p><font>a <em>b</em></font> c</p>"
        '<a href="https://a.test/?a&amp;b"><img src="x"/></a>'
    )
    assert read("epub", epub(inner)).partition("<main>")[2].partition("</main>")[0] == (
        "<section><ol>\n<li>one</li>\n<li>two<ul><li>three</li></ul></li></ol>"
        '<table><tbody><tr><th colspan="2">a</th><td></td></tr></tbody></table>'
        '<pre>1 &lt; 2\n3</pre><p>a <em>b</em> c</p><a href="https://a.test/?a&amp;b"></a></section>'
    )


RICH = rb"""{\rtf1\ansi\ansicpg1251{\fonttbl{\f0 Times;}}
{\stylesheet{\s1\outlinelevel0 heading 1;}{\s2 body;}{\s3\sbasedon1 heading 2;}}
{\info{\title Fees of the port}{\author A. Writer}}{\header head}
\pard\s1 Fees\par \pard\s2 The \b port\b0  of {\field{\*\fldinst HYPERLINK "https://a.test/"}{\fldrslt all flags}}
{\*\footnote\pard a note}.\par \pard \'ef\'ee\'f0\'f2 \u8364? {\v hidden} x\~y\par
\pard\s3 Nets\par \pard{\listtext\pard \bullet\tab}one\par}"""


def test_rich_text() -> None:
    found = read("rtf", RICH)
    assert "<title>Fees of the port</title>" in found
    assert '<meta name="author" content="A. Writer">' in found
    assert found.partition("<main>")[2].partition("</main>")[0] == (
        '<h1>Fees</h1><p>The port of <a href="https://a.test/">all flags</a> (a note).</p>'
        "<p>порт €  x\u00a0y</p><h2>Nets</h2><ul><li>one</li></ul>"
    )


def test_what_stands_before_the_damage_is_read() -> None:
    found = convert(usual_type("docx"), docx(paragraph("text") + "<w:p>"))
    assert b"<main><p>text</p></main>" in found.html
    assert found.note == "read only in part: damaged at word/document.xml: mismatched tag"


LOCKED = archive({"content.xml": "<a/>", "META-INF/manifest.xml": "<encryption-data/>"})


@pytest.mark.parametrize(
    ("kind", "body", "why"),
    [
        ("docx", b"PK\x03\x04 and no more", "no whole zip archive"),
        ("docx", archive({"a": "b"}), "it has no main part"),
        ("docx", bytes.fromhex("d0cf11e0a1b11ae1") + bytes(500), "protected by a password, or of an old format"),
        ("docx", docx("<w:p><w:r>"), "damaged at word/document.xml: mismatched tag"),
        ("odt", LOCKED, "protected by a password"),
        ("odt", archive({"mimetype": "x"}), "it has no content.xml"),
        ("epub", archive({"mimetype": "x"}), "it does not say where its chapters are"),
        ("rtf", b"text", "it does not begin as rich text does"),
        ("rtf", rb"{\rtf1 \par}", "it has no text; perhaps it is a picture of pages"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_says_why(kind: str, body: bytes, why: str) -> None:
    found = convert(usual_type(kind), body)
    assert (found.html, found.note) == (b"", f"its text was not read: {why}")
