"""The pages of a crawl as Markdown, and one page by itself, as users ask for them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import dowse
from dowse.crawls import stored_markdown
from dowse.crawls.stored_markdown import MarkdownRows
from tests.commands import invoke
from tests.crawling import crawl
from tests.servers import Site

SENTENCE = "The valve is closed by hand before the pump is started, and opened again when it runs at its full speed. "
PAGES = 40


@pytest.fixture
def crawled(site: Site, tmp_path: Path) -> Path:
    """A crawl of a manual: each page has an address of its own kind, a note that all pages have, and a section."""
    ways = "".join(f"<li><a href='/m/{number}/p.html'>Page {number}</a>" for number in range(PAGES))
    note = "<div><p>The works at the river have made pumps since the year of the flood.</p></div>"
    site.pages["/"] = f"<title>Start</title><h1>Start</h1><p>{SENTENCE}</p><ul>{ways}</ul>"
    for number in range(PAGES):
        own = f"<h1>Pump {number}</h1><p>{SENTENCE}</p><h2>See</h2><p>Number {number}: <a href='q.html#x'>more</a></p>"
        site.pages[f"/m/{number}/p.html"] = f"<title>P{number}</title>{note}<div>{own}</div>"
    folder = tmp_path / "out"
    crawl(folder, site.url)
    return folder


def test_a_folder_has_a_file_for_each_page(crawled: Path, site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    ended = invoke(capsys, "export", crawled, "markdown", "--to", "folder")
    assert (ended.code, ended.out.strip()) == (0, f"{crawled}/markdown: {PAGES + 1} pages")
    (file,) = (crawled / "markdown").glob("*/m/7/p.md")
    text = file.read_text()
    assert text.startswith(f'---\nurl: "{site.url}m/7/p.html"\ntitle: "P7"\n')
    assert f"# Pump 7\n\n{SENTENCE.strip()}\n\n## See\n\nNumber 7: [more]({site.url}m/7/q.html#x)\n" in text
    assert "flood" not in text  # which all pages say
    again = invoke(capsys, "export", crawled, "markdown", "--to", "folder")
    assert (again.code, again.out) == (2, "")
    assert "has something in it already" in again.err


def test_a_folder_can_be_named_and_lines_of_json(crawled: Path, tmp_path: Path) -> None:
    found = dowse.open(str(crawled))
    assert found.export("markdown", tmp_path / "pages", to="folder") == PAGES + 1
    assert found.export("markdown", tmp_path / "pages.jsonl") == PAGES + 1
    rows = [json.loads(line) for line in (tmp_path / "pages.jsonl").read_text().splitlines()]
    assert {row["title"] for row in rows} == {"Start", *(f"P{number}" for number in range(PAGES))}
    assert all(row["markdown"].startswith("# ") for row in rows)
    assert len(list((tmp_path / "pages").rglob("*.md"))) == PAGES + 1


def test_several_processes_write_the_same(crawled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = dowse.open(str(crawled))
    alone = list(MarkdownRows(crawled).of(found.stored_pages()))
    monkeypatch.setattr(stored_markdown, "FEW", 0)
    told: list[tuple[int, int]] = []
    rows = MarkdownRows(crawled, workers=2, told=lambda done, total: told.append((done, total)))
    assert list(rows.of(found.stored_pages())) == alone
    assert told[-1] == (PAGES + 1, PAGES + 1)
    assert len(told) > 1


def test_one_page_is_printed(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    site.pages["/a/b.html"] = f"<nav>Home</nav><h1>Pump</h1><p>{SENTENCE}<a href=c.html>c</a></p>"
    ended = invoke(capsys, "fetch", f"{site.url}a/b.html", "--to", "markdown")
    assert (ended.code, ended.out) == (0, f"# Pump\n\n{SENTENCE}[c]({site.url}a/c.html)\n")
    site.pages["/empty"] = "<nav>Home</nav>"
    ended = invoke(capsys, "fetch", f"{site.url}empty", "--to", "markdown")
    assert (ended.code, ended.out) == (1, "")
    assert "has no content to read" in ended.err
