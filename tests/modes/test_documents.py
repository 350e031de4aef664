"""Documents as pages of a crawl: judged, extracted, linked; and what becomes of those that cannot be read."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import dowse
from dowse import app, page_tools
from dowse.documents import installed
from dowse.documents.conversion import OLE
from dowse.store.folder import BODIES
from dowse.store.warc.body_reader import BodyReader
from tests.commands import invoke
from tests.crawling import FAST, crawl, opened
from tests.office_files import DOCX_TYPE, docx, paragraph
from tests.pdf_files import PDF_TYPE, PdfPage, Put, letter, pdf
from tests.servers import Reply, Site

OLD = OLE + bytes(500)
LAW = "The law says which fishing vessels may land the catch of fishing vessels in the port."


def sent(body: bytes, media_type: str = PDF_TYPE, **headers: str) -> Reply:
    return Reply(body, headers={"Content-Type": media_type, **headers})


@pytest.fixture
def port(site: Site) -> Site:
    """A page that links to a PDF file and a Word document, which link to further pages."""
    site.pages |= {
        "/": "<title>Port</title><p><a href=/law.pdf>the law</a> <a href=/fees.docx>fees</a> <a href=/tea.html>tea</a>",
        "/law.pdf": sent(letter(LAW, "/cited.html", title="Law of the port", language="en")),
        "/cited.html": "<title>Cited</title>",
        "/fees.docx": sent(docx(_linked("Fees are paid at the gate.", "L"), {"L": "paid.html"}, "Fees"), DOCX_TYPE),
        "/paid.html": "<title>Paid</title>",
        "/tea.html": "<title>Tea</title><p>Tea is made of leaves and of water that boils, and it is served in cups.",
    }
    return site


def _linked(text: str, link: str) -> str:
    return f'<w:p><w:hyperlink r:id="{link}"><w:r><w:t>{text}</w:t></w:r></w:hyperlink></w:p>'


def titles(found: dowse.Crawl) -> dict[str, str]:
    return {row["url"].rpartition("/")[2]: row["title"] for row in found.pages}


def test_a_site_crawl_leaves_documents_alone_unless_it_is_told_to_read_them(port: Site, tmp_path: Path) -> None:
    found = crawl(tmp_path / "out", port.url)
    assert titles(found) == {"": "Port", "tea.html": "Tea"}
    story = found.why("/law.pdf")
    assert story is not None
    assert story.reason == "extension .pdf"


def test_documents_are_pages_and_their_links_are_links(port: Site, tmp_path: Path) -> None:
    found = crawl(tmp_path / "out", port.url, documents=True, describe=True)
    assert titles(found) == {
        "": "Port", "law.pdf": "Law of the port", "fees.docx": "Fees", "tea.html": "Tea", "cited.html": "Cited",
        "paid.html": "Paid",
    }  # fmt: skip
    story = found.why("/cited.html")
    assert story is not None
    assert story.parents == [(f"{port.url}law.pdf", LAW)]
    (law,) = [row for row in found.pages if row["url"].endswith("law.pdf")]
    assert (law["media_type"], law["language"], law["words"], law["charset"]) == (PDF_TYPE, "en", 20, "")
    assert found.page("/law.pdf").text.endswith(LAW)
    assert law["size"] == len(letter(LAW, "/cited.html", title="Law of the port", language="en"))


def test_bodies_are_kept_as_they_came(port: Site, tmp_path: Path) -> None:
    found = crawl(tmp_path / "out", port.url, documents=True)
    stored = {page.url: page.location for page in found.stored_pages()}
    with BodyReader(tmp_path / "out" / BODIES) as bodies:
        assert bodies.read(stored[f"{port.url}law.pdf"]).body.startswith(b"%PDF")


def test_a_topic_is_found_in_documents(port: Site, tmp_path: Path) -> None:
    found = dowse.focus(port.url, "fishing vessels", output=tmp_path / "out", **FAST)
    best = next(iter(found.matched))
    assert (best["url"], best["title"]) == (f"{port.url}law.pdf", "Law of the port")
    relevance = {row["url"].rpartition("/")[2]: row["relevance"] for row in found.crawled}
    assert relevance["law.pdf"] > relevance["tea.html"]
    assert "cited.html" in relevance


def test_a_document_is_known_by_its_bytes_where_the_server_does_not_say(site: Site, tmp_path: Path) -> None:
    site.pages |= {
        "/": "<a href=/get?id=1>1</a> <a href=/get?id=2>2</a> <a href=/get?id=3>3</a> <a href=/get?id=4>4</a>",
        "/get?id=1": sent(letter(LAW, title="One"), "application/octet-stream"),
        "/get?id=2": sent(docx(paragraph("text"), title="Two"), "application/zip"),
        "/get?id=3": sent(b"\x7fELF\0\0\0\0 no document", "application/octet-stream"),
        "/get?id=4": sent(b"{\\rtf1{\\info{\\title Four}}text}", "application/octet-stream"),
    }
    found = crawl(tmp_path / "out", site.url, documents=True)
    kinds = {row["url"][-1]: (row["title"], row["media_type"]) for row in found.pages}
    assert kinds["1"] == ("One", PDF_TYPE)
    assert kinds["2"] == ("Two", DOCX_TYPE)
    assert kinds["4"] == ("Four", "application/rtf")
    story = found.why("/get?id=3")
    assert story is not None
    assert (story.state, story.reason) == ("out_of_scope", "media type application/octet-stream")


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"%PDF-1.7\nhalf a file", "its text was not read: no whole PDF file"),
        (pdf(PdfPage([Put("secret", 700)]), locked=True), "its text was not read: protected by a password"),
    ],
)
def test_what_cannot_be_read_stays_a_file_and_its_story_says_why(
    body: bytes, why: str, site: Site, tmp_path: Path
) -> None:
    site.pages |= {"/": "<a href=/a.pdf>a</a> <a href=/b.html>b</a>", "/a.pdf": sent(body), "/b.html": "<title>B"}
    found = crawl(tmp_path / "out", site.url, documents=True)
    story = found.why("/a.pdf")
    assert story is not None
    assert story.state == "fetched"
    assert [visit["detail"] for visit in story.visits] == [why]
    assert titles(found)["b.html"] == "B"


def test_a_document_that_is_read_in_part_is_a_page_with_a_note(site: Site, tmp_path: Path) -> None:
    broken = docx(paragraph("text") + "<w:p>", title="A")
    site.pages |= {"/": "<a href=/a.docx>a</a>", "/a.docx": sent(broken, DOCX_TYPE)}
    story = crawl(tmp_path / "out", site.url, documents=True).why("/a.docx")
    assert story is not None
    assert story.visits[0]["detail"].startswith("read only in part: damaged at word/document.xml")


def test_headers_for_robots_hold_for_documents(site: Site, tmp_path: Path) -> None:
    site.pages |= {
        "/": "<a href=/a.pdf>a</a>",
        "/a.pdf": sent(letter(LAW, "/secret.html", title="A"), **{"X-Robots-Tag": "noindex, nofollow"}),
    }
    found = crawl(tmp_path / "out", site.url, documents=True)
    reasons = {row["url"].rpartition("/")[2]: row["reason"] for row in found.ledger}
    assert (reasons["a.pdf"], reasons["secret.html"]) == ("noindex", "nofollow")


def test_extensions_that_the_user_does_not_want_are_not_read(port: Site, tmp_path: Path) -> None:
    found = crawl(tmp_path / "out", port.url, documents=True, skip_extensions=["pdf"])
    assert "law.pdf" not in titles(found)
    assert "fees.docx" in titles(found)


def test_several_workers_read_documents(port: Site, tmp_path: Path) -> None:
    found = crawl(tmp_path / "out", port.url, documents=True, workers=2)
    assert titles(found)["law.pdf"] == "Law of the port"


def test_no_process_is_started_for_pages(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dowse.documents.document_reader._Child", None)
    site.pages |= {"/": "<a href=/b.html>b</a>", "/b.html": "<title>B</title>"}
    assert titles(crawl(tmp_path / "out", site.url, documents=True)) == {"": "", "b.html": "B"}


def test_a_crawl_for_files_takes_them_as_they_are(port: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dowse.documents.document_reader._Child", None)
    found = dowse.files(port.url, type=["pdf", "docx"], documents=True, output=tmp_path / "out", **FAST)
    assert sorted(row["url"].rpartition("/")[2] for row in found.files) == ["fees.docx", "law.pdf"]


def test_a_crawl_for_files_can_find_them_through_documents(port: Site, tmp_path: Path) -> None:
    port.pages["/law.pdf"] = sent(letter(LAW, "/data.csv"))
    port.pages["/data.csv"] = sent(b"a,b\n1,2\n", "text/csv")
    found = dowse.files(port.url, type=["csv"], documents=True, output=tmp_path / "out", **FAST)
    assert [row["url"] for row in found.files] == [f"{port.url}data.csv"]


@contextmanager
def no_library() -> Iterator[None]:
    """As if nothing were installed that reads PDF files."""
    with pytest.MonkeyPatch.context() as lacking:
        lacking.setattr(installed, "find_spec", lambda name: None)
        installed.has_pdf_reader.cache_clear()
        try:
            yield
        finally:
            installed.has_pdf_reader.cache_clear()


def test_without_the_library_pdf_files_are_left_alone_and_that_is_told(
    port: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with no_library():
        ended = invoke(capsys, "focus", port.url, "--topic", "fishing vessels, fees", "-o", tmp_path / "out")
        found = opened(tmp_path / "out")
        assert "fees.docx" in titles(found)
        assert "law.pdf" not in titles(found)
        remedy = "1 PDF file was left out; to read PDF files, pip install 'dowse-crawler[documents]'"
        assert " ".join(ended.out.split()).count(remedy) == 1
        assert [trouble.text for trouble in found.troubles] == [remedy]
        fetched = invoke(capsys, "fetch", f"{port.url}law.pdf", "--to", "markdown")
        assert fetched.code == 1
        assert "pip install 'dowse-crawler[documents]'" in fetched.err


@pytest.mark.parametrize("go_on", [app.resume, app.recrawl])
def test_a_library_that_is_installed_later_is_used(go_on: Callable[..., Any], port: Site, tmp_path: Path) -> None:
    with no_library():
        found = crawl(tmp_path / "out", port.url, documents=True)
    assert "law.pdf" not in titles(found)
    story = found.why("/law.pdf")
    assert story is not None
    assert story.reason == "extension .pdf: needs [documents]"
    assert [trouble.text for trouble in found.troubles] == [
        f"1 PDF file was left out; it can be read now: dowse resume {tmp_path / 'out'}"
    ]
    go_on(tmp_path / "out")
    again = opened(tmp_path / "out")
    assert {"law.pdf", "cited.html"} <= set(titles(again))
    assert again.troubles == []


def test_extensions_of_ones_own_are_no_want_of_a_library(port: Site, tmp_path: Path) -> None:
    with no_library():
        found = crawl(tmp_path / "out", port.url, documents=True, skip_extensions=["pdf"])
        assert found.troubles == []


def test_a_single_document_is_read_as_markdown(port: Site, capsys: pytest.CaptureFixture[str]) -> None:
    ended = invoke(capsys, "fetch", f"{port.url}law.pdf", "--to", "markdown")
    assert ended.out == f"# Letter of the port\n\n[{LAW}]({port.url}cited.html)\n"
    assert invoke(capsys, "fetch", f"{port.url}law.pdf", "--show", "links").out == f"{port.url}cited.html\n"
    ended = invoke(capsys, "fetch", f"{port.url}law.pdf", "--extract", "heading=//h1")
    assert json.loads(ended.out)["heading"] == "Letter of the port"


def test_a_single_document_that_cannot_be_read_says_why(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    site.pages["/a.pdf"] = sent(b"%PDF-1.7\n")
    ended = invoke(capsys, "fetch", f"{site.url}a.pdf", "--to", "markdown")
    assert ended.code == 1
    assert "a.pdf: its text was not read: no whole PDF file" in ended.err


def test_page_tools_read_documents(port: Site) -> None:
    page = page_tools.fetch(f"{port.url}law.pdf")
    assert (page.title, page.media_type, page.language, page.note) == ("Law of the port", PDF_TYPE, "en", "")
    assert page.response.body.startswith(b"%PDF")
    assert page.headers["content-type"] == PDF_TYPE
    assert LAW in page.markdown


def test_stored_documents_are_read_again(port: Site, tmp_path: Path) -> None:
    found = dowse.files(port.url, type=["pdf", "docx"], output=tmp_path / "out", **FAST)
    assert found.export("markdown", tmp_path / "pages.jsonl") >= 2
    rows = [json.loads(line) for line in (tmp_path / "pages.jsonl").read_text().splitlines()]
    assert {row["title"] for row in rows} >= {"Law of the port", "Fees"}
    found.extract(extract=["heading=//h1"])
    assert [row["heading"] for row in found.records if "heading" in row] == ["Letter of the port"]


def test_documents_without_text_are_told_when_pages_are_written(
    port: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    port.pages["/"] = "<a href=/law.pdf>law</a> <a href=/a.pdf>a</a> <a href=/b.pdf>b</a> <a href=/c.doc>c</a>"
    port.pages |= {
        "/a.pdf": sent(b"%PDF-1.7\na"),
        "/b.pdf": sent(b"%PDF-1.7\nb"),
        "/c.doc": sent(OLD, "application/msword"),
    }
    found = dowse.files(port.url, type=["pdf", "doc"], output=tmp_path / "out", **FAST)
    ended = invoke(capsys, "export", tmp_path / "out", "markdown", "-f", tmp_path / "pages.md")
    assert ended.code == 0
    told = " ".join(ended.err.split())
    assert re.search(r"2 documents left out, such as \S+/[ab]\.pdf: its text was not read: no whole PDF file", told)
    assert f"1 document left out, {port.url}c.doc: the old formats" in told
    with pytest.warns(UserWarning, match="left out") as warned:
        found.export("markdown", tmp_path / "pages.jsonl")
    assert [str(each.message).partition(" left out")[0] for each in warned] == ["2 documents", "1 document"]


def test_a_document_of_an_old_format_says_so(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    site.pages["/old.doc"] = sent(OLD, "application/msword")
    ended = invoke(capsys, "fetch", f"{site.url}old.doc", "--to", "markdown")
    assert ended.code == 1
    assert "old.doc: the old formats of Microsoft Office (doc, xls, ppt) are not read" in ended.err


def test_a_document_can_be_an_example(port: Site, tmp_path: Path) -> None:
    example = tmp_path / "example.pdf"
    example.write_bytes(letter(LAW))
    found = dowse.focus(port.url, like=[str(example)], output=tmp_path / "out", **FAST)
    assert next(iter(found.matched))["url"] == f"{port.url}law.pdf"
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7\n\0")
    with pytest.raises(dowse.JobError, match="no whole PDF file"):
        dowse.focus(port.url, like=[str(broken)], output=tmp_path / "other", **FAST)


def test_a_simulation_reads_the_documents_of_a_crawl(port: Site, tmp_path: Path) -> None:
    crawl(tmp_path / "out", port.url, documents=True)
    truth = tmp_path / "truth.txt"
    truth.write_text(f"{port.url}law.pdf\n{port.url}cited.html\n")
    (run,) = dowse.simulate(str(tmp_path / "out"), ["breadth"], topic="fishing vessels", truth=truth)
    assert run.found.value == 1.0


def test_code_of_the_user_sees_documents(port: Site, tmp_path: Path) -> None:
    seen: dict[str, Any] = {}

    def look(page: Any) -> None:
        seen[page.url.rpartition("/")[2]] = (page.media_type, page.response.body[:4], page.tree.select("h1")[:1])

    dowse.site(port.url, documents=True, on_page=look, output=tmp_path / "out", **FAST)
    kind, start, headings = seen["law.pdf"]
    assert (kind, start, headings[0].text) == (PDF_TYPE, b"%PDF", "Letter of the port")
