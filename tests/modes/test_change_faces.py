"""Changes as a page, a feed and a mail: what was crawled is only text there, and the page works in a browser."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from dowse import app
from tests.browsing import tab
from tests.commands import invoke
from tests.crawling import FAST, crawl, links
from tests.servers import Site

ATOM = "{http://www.w3.org/2005/Atom}"
EVIL = "<script>alert(1)</script>"
WRITTEN = "&lt;script&gt;alert(1)&lt;/script&gt;"


@pytest.fixture
def changed(site: Site, tmp_path: Path) -> Path:
    site.pages |= {"/": links("/a", "/b"), "/a": f"<title>{WRITTEN}</title><p>Fees are 12 EUR.", "/b": "<p>*Boats*"}
    crawl(tmp_path / "out", site.url, extract=["fee=//p"])
    site.pages |= {"/a": f"<title>{WRITTEN}</title><p>Fees are {WRITTEN} EUR.", "/b": "<p>*Boats* and _nets_"}
    app.recrawl(tmp_path / "out", **FAST)
    return tmp_path / "out"


def test_the_page_shows_differences_and_runs_nothing_of_what_was_crawled(
    changed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "changes.html"
    assert "4 changes" in invoke(capsys, "changes", changed, "-f", file).err
    text = file.read_text(encoding="utf-8")
    assert EVIL not in text
    assert WRITTEN in text
    assert "src=" not in text
    with tab(offline=True) as page:
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        page.on("dialog", lambda dialog: said.append(dialog.message))
        page.goto(file.as_uri())
        assert page.locator("article:visible").count() == 4
        assert page.locator("ins").first.is_visible()
        page.locator("input[value=record]").uncheck()
        assert page.locator("article:visible").count() == 2
        page.locator("#sought").fill("nets")
        assert page.locator("article:visible").count() == 1
        assert page.locator("#shown").inner_text() == "1 of 4 shown"
        page.set_viewport_size({"width": 390, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        assert said == []


def test_the_feed_has_the_same_ids_whenever_it_is_written(
    changed: Path, site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    def entries() -> dict[str, str]:
        root = ElementTree.fromstring(invoke(capsys, "changes", changed, "--to", "atom").out)
        assert root.tag == f"{ATOM}feed"
        assert {child.tag for child in root} >= {f"{ATOM}{name}" for name in ("id", "title", "updated", "author")}
        found = list(root.iter(f"{ATOM}entry"))
        parts = [[entry.findtext(f"{ATOM}{name}", "") for name in ("id", "updated", "title")] for entry in found]
        assert all(all(part) for part in parts)
        assert [part[1] for part in parts] == sorted((part[1] for part in parts), reverse=True)
        return {identity: title for identity, _, title in parts}

    before = entries()
    assert len(before) == 4
    assert f"changed: {EVIL}" in before.values()
    site.pages["/b"] = "<p>Boats"
    app.recrawl(changed, **FAST)
    assert entries().items() > before.items()


def test_a_mail_marks_what_changed_and_nothing_else(changed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = invoke(capsys, "changes", changed, "--to", "markdown", "--what", "page").out
    assert r"\*Boats\* **and \_nets\_**" in text
    assert r"~~12~~**\<script\>alert(1)\</script\>**" in text
    assert "## Changed (2)" in text
