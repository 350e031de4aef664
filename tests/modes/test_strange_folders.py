"""A crawl's folder from a stranger: whatever is in it, nothing is written outside of it and no secret leaves."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

import dowse
from dowse.core.errors import CrawlError, DowseError
from dowse.store.inner_paths import inside
from tests.commands import invoke
from tests.ruling import crawl_by, keep
from tests.servers import Reply, Site

HOSTILE_NAMES = [
    "../../home/precious", "../../home/new", "/tmp/../{victim}/precious", "a/../../../home/x", "..", ".", "",
    "../crawl.db", "../../home/a\0b", "../files/../../home/y",
]  # fmt: skip


def pdf(name: str) -> Reply:
    return Reply(b"%PDF-1.4 " + name.encode(), headers={"content-type": "application/pdf"})


@pytest.fixture
def victim(tmp_path: Path) -> Iterator[Path]:
    """A folder with a file that nobody may touch."""
    folder = tmp_path / "home"
    folder.mkdir()
    (folder / "precious").write_text("precious")
    yield folder
    assert [path.name for path in folder.rglob("*")] == ["precious"]
    assert (folder / "precious").read_text() == "precious"


@pytest.fixture
def crawled(site: Site, tmp_path: Path) -> Path:
    """A crawl for files, as it was before a stranger had it."""
    site.pages |= {"/": "<a href=/a.pdf>a</a><a href=/b.pdf>b</a>", "/a.pdf": pdf("a"), "/b.pdf": pdf("b")}
    folder = tmp_path / "crawl"
    dowse.files(site.at("127.0.0.1", "/"), type="pdf", output=folder, delay=0.0)
    assert (folder / "files.csv").exists()
    return folder


def everything(folder: Path) -> None:
    """All that one does with a folder; trouble may be told, as an error of ours."""
    for act in (
        lambda: dowse.open(str(folder)).status(),
        lambda: dowse.resume(str(folder)),
        lambda: dowse.retry(str(folder)),
        lambda: dowse.recrawl(str(folder)),
        lambda: dowse.open(str(folder)).report(),
        lambda: dowse.open(str(folder)).extract(extract="t=//title"),
    ):
        with suppress(DowseError):
            act()


@pytest.mark.parametrize("name", HOSTILE_NAMES)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_names_of_files_lead_nowhere_else(crawled: Path, victim: Path, name: str) -> None:
    with closing(sqlite3.connect(crawled / "crawl.db")) as database, database:
        name = name.format(victim=victim)
        database.execute("UPDATE file SET name = ? WHERE task = (SELECT min(task) FROM file)", (name,))
    shutil.rmtree(crawled / "files")
    everything(crawled)
    with closing(sqlite3.connect(crawled / "crawl.db")) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert len(list((crawled / "files").rglob("*.pdf"))) == 1, "the other file is there"


@pytest.mark.parametrize("link", ["crawl.lock", "files.csv", "report.html", "crawl.db-wal", "crawl.db-shm", "crawl.db",
                                  "crawl.db-journal"])  # fmt: skip
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_links_in_a_folder_are_not_written_through(crawled: Path, victim: Path, link: str) -> None:
    for target in (victim / "precious", victim / "new"):
        (crawled / link).unlink(missing_ok=True)
        (crawled / link).symlink_to(target)
        everything(crawled)


@pytest.mark.parametrize("folder", ["warc", "files"])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_folders_in_a_folder_may_be_no_links_out(site: Site, crawled: Path, victim: Path, folder: str) -> None:
    site.pages["/"] = "<a href=/c.pdf>c</a>"
    site.pages["/c.pdf"] = pdf("c")
    shutil.rmtree(crawled / folder)
    (crawled / folder).symlink_to(victim)
    everything(crawled)


@pytest.mark.parametrize("list_", ["keep.csv", "follow.csv"])
def test_lists_of_rules_are_not_written_through_links(site: Site, tmp_path: Path, victim: Path, list_: str) -> None:
    site.pages |= {"/": "<a href=/a>a</a>", "/a": "a"}
    crawl_by(tmp_path, keep(site.at("127.0.0.1", "/"), "base", "/a"))
    folder = tmp_path / "out"
    (folder / list_).unlink()
    (folder / list_).symlink_to(victim / "precious")
    with pytest.raises(CrawlError, match="leads out of its folder"):
        dowse.resume(str(folder))


def test_a_folder_may_itself_be_a_link(site: Site, crawled: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(crawled)
    assert len(dowse.recrawl(str(tmp_path / "link")).files) == 2


def test_a_folder_tells_what_is_wrong_with_it(crawled: Path, victim: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (crawled / "crawl.lock").unlink(missing_ok=True)
    (crawled / "crawl.lock").symlink_to(victim / "precious")
    ended = invoke(capsys, "resume", crawled)
    assert ended.code == 3
    assert "crawl.lock leads out of its folder" in ended.err


def test_places(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    assert inside(tmp_path, "sub/new") == tmp_path / "sub/new"
    for name in ("..", "../x", "/etc", "sub/../..", "", "."):
        with pytest.raises(CrawlError):
            inside(tmp_path, name)
