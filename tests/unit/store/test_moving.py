"""The tables of a crawl copied into PostgreSQL and back: the same crawl, wherever the copying was stopped."""

from __future__ import annotations

from pathlib import Path

import pytest

import dowse
from dowse import app
from dowse.core.errors import CrawlError, CrawlLocked, JobError
from dowse.store import moving
from dowse.store.folder import take_over
from dowse.store.moving import BEFORE, FILE, move
from tests.contract.mode_jobs import told
from tests.crawling import crawl, opened
from tests.postgres import Server
from tests.servers import Site


@pytest.fixture
def folder(site: Site, tmp_path: Path) -> Path:
    """A crawl with records, and with texts that not every database likes."""
    site.pages["/"] = "<title>a\0b 'q' ?:x é</title><h1>one\0</h1>" + "".join(
        f"<a href=/{number}?utm_source=a>to {number}\0 \\u0000</a>" for number in range(40)
    )
    site.pages.update({f"/{number}": f"<title>{number}</title><h1>page {number}</h1>" for number in range(30)})
    crawl(tmp_path / "crawl", site.url, extract=["heading=//h1"])
    return tmp_path / "crawl"


def test_there_and_back_is_the_same_crawl(folder: Path, postgres_server: Server) -> None:
    before = told(opened(folder))
    heard: list[tuple[int, int]] = []
    there = move(folder, postgres_server.database(), lambda done, total: heard.append((done, total)))
    assert heard[-1] == (sum(there.rows.values()),) * 2
    assert not (folder / "crawl.db").exists()
    assert (folder / BEFORE).exists()
    (folder / BEFORE).unlink()  # the list of files is compared, too
    assert told(opened(folder)) == before
    app.recrawl(folder)  # rows get numbers from the database
    again = told(opened(folder))
    back = move(folder, FILE, remove=True)
    assert back.rows["visit"] > there.rows["visit"]
    assert not (folder / "crawl.store").exists()
    assert (folder / "crawl.db").stat().st_mode & 0o777 == 0o600
    assert told(opened(folder)) == again
    assert app.resume(folder).stop_reason == "complete"


def test_python_copies_too(folder: Path, postgres_server: Server) -> None:
    there = dowse.copy(folder, postgres_server.database())
    assert len(there.pages) == len(dowse.copy(folder, "sqlite", remove=True).pages) > 0
    with pytest.raises(dowse.CrawlError, match="in a file already"):
        dowse.copy(folder, "sqlite")


@pytest.mark.parametrize("target", ["server", FILE])
def test_a_copy_that_was_stopped_leaves_the_crawl_where_it_was(
    folder: Path, postgres_server: Server, target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = postgres_server.database()
    if target == FILE:
        move(folder, url, remove=True)
    files, before = sorted(path.name for path in folder.iterdir()), told(opened(folder))

    def stop(_done: int, _total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        move(folder, FILE if target == FILE else url, stop)
    (folder / "crawl.db.new").unlink(missing_ok=True)
    assert {*files} <= {path.name for path in folder.iterdir()}
    assert told(opened(folder)) == before
    with monkeypatch.context() as patch:  # a row that is lost on the way
        patch.setattr(moving, "_portions", lambda rows: iter([list(rows)[1:]]))
        with pytest.raises(
            CrawlError, match=r"the table \w+ is not the same after it was copied: .* nothing was changed"
        ):
            move(folder, FILE if target == FILE else url)
    assert told(opened(folder)) == before
    move(folder, FILE if target == FILE else url, remove=True)
    assert told(opened(folder)) == before


def test_what_cannot_be_copied_is_told(folder: Path, postgres_server: Server, tmp_path: Path) -> None:
    url = postgres_server.database()
    with pytest.raises(CrawlError, match="there is no crawl in"):
        move(tmp_path / "nowhere", url)
    with pytest.raises(CrawlError, match="are in a file already"):
        move(folder, FILE)
    with pytest.raises(JobError, match="copied to postgresql://USER@HOST/DATABASE or to sqlite, not to 'mysql://"):
        move(folder, "mysql://host/crawls")
    running = take_over(folder)
    with pytest.raises(CrawlLocked):
        move(folder, url)
    running.close()
    move(folder, url)
    with pytest.raises(CrawlError, match="in a database already"):
        move(folder, url)
    move(folder, FILE)
    with pytest.raises(CrawlError, match="there is a crawl already in crawl in postgresql"):
        move(folder, url)
