"""The disk: full, not ours, not a crawl, damaged. A message and a status, nothing lost and nothing overwritten."""

from __future__ import annotations

import os
import resource
import signal
import sqlite3
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from warcio.archiveiterator import ArchiveIterator

from dowse import app
from dowse.config import make_job
from dowse.core.archive import Location
from dowse.core.errors import CrawlError
from dowse.store.schema import MIGRATIONS, SCHEMA_VERSION
from tests.commands import invoke
from tests.crawling import crawl, links, opened
from tests.processes import Running, dowse, running
from tests.servers import Site
from tests.webs import HOSTS, random_web

Serve = Callable[..., Site]
Capture = pytest.CaptureFixture[str]

NO_LIMIT = resource.RLIM_INFINITY
FAST = ("--delay", "0", "--per-host", "16", "--no-sitemaps")

# A full disk: for the kernel a file that may not grow is the same


def limit_files(command: Running, size: int) -> None:
    """Let the files of a running command grow no further than this."""
    resource.prlimit(command.process.pid, resource.RLIMIT_FSIZE, (size, NO_LIMIT))


def wait_for_pause(command: Running) -> None:
    assert command.process.stderr is not None
    line = command.process.stderr.readline()
    assert line == "paused: cannot write crawl.db: disk I/O error; waiting for room (make some, or stop with Ctrl-C)\n"


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="only Linux limits another process")
@pytest.mark.parametrize("size", [240_000, 440_000])
def test_a_full_disk_pauses_the_crawl_and_room_lets_it_go_on(serve: Serve, tmp_path: Path, size: int) -> None:
    web = random_web(Random(11), 500)
    site = serve(latency=0.01)
    site.pages.update(web.pages(site.port))
    with running("site", site.url, "-o", tmp_path, "--dedup", "off", *FAST) as command:
        limit_files(command, size)
        wait_for_pause(command)
        asked = len(site.asked())
        limit_files(command, NO_LIMIT)
        assert command.ended().code == 0
    assert 0 < asked < len(web.expected())
    found = opened(tmp_path)
    assert found.status().stop_reason == "complete"
    assert {path for path, times in Counter(site.paths()).items() if times > 1} == set()
    assert {request.host + request.target for request in site.asked()} == web.expected(HOSTS[0])
    assert len(list(found.pages)) == len(web.expected(kinds=("page", "copy")))


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="only Linux limits another process")
def test_a_crawl_that_waits_for_room_can_be_stopped_and_resumed(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = links(*(f"/{number}" for number in range(300)))
    site.pages["/*"] = lambda request: links(request.path)
    with running("site", site.url, "-o", tmp_path, *FAST) as command:
        limit_files(command, 220_000)
        wait_for_pause(command)
        command.signal_all(signal.SIGINT)
        ended = command.ended()
    assert ended.code == 3
    assert ended.err.splitlines()[-1] == (
        "dowse: error: cannot write crawl.db: disk I/O error; stopped, and nothing that was stored is lost: make room,"
        " then dowse resume goes on"
    )
    assert dowse("resume", tmp_path, "--quiet").code == 0
    assert opened(tmp_path).status().counts == {"fetched": 301}


# Folders that cannot be one


@pytest.mark.parametrize("place", ["file", "file/below", "/proc/dowse", "/dev/null", "locked/crawl"])
def test_a_place_where_no_crawl_can_be(site: Site, tmp_path: Path, capsys: Capture, place: str) -> None:
    if place.startswith("locked") and os.geteuid() == 0:
        pytest.skip("nothing is locked for root")
    (tmp_path / "file").write_text("precious", encoding="utf-8")
    (tmp_path / "locked").mkdir(mode=0o500)
    folder = tmp_path / place
    ended = invoke(capsys, "site", site.url, "-o", folder)
    assert (ended.code, ended.out) == (3, "")
    assert ended.err.startswith(f"dowse: error: {folder} cannot be the folder of a crawl: ")
    assert site.log == []
    assert (tmp_path / "file").read_text(encoding="utf-8") == "precious"
    with pytest.raises(CrawlError, match="cannot be the folder"):
        app.start(make_job("site", site.url, output=str(folder)))


def test_a_file_is_no_crawl(site: Site, tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "file").write_text("precious", encoding="utf-8")
    ended = invoke(capsys, "site", site.url, "-o", tmp_path / "file")
    assert "cannot be the folder of a crawl: it is a file; name another place (-o)" in ended.err
    for command in ("status", "resume"):
        ended = invoke(capsys, command, tmp_path / "file")
        assert ended.code == 3
        assert ended.err == f"dowse: error: {tmp_path / 'file'} is a file; name the folder of a crawl\n"


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is locked for root")
@pytest.mark.parametrize(
    ("locked", "said"),
    [
        ("crawl.lock", "{} cannot be written to: Permission denied; "),
        ("crawl.db", "attempt to write a readonly database; "),
    ],
)
def test_a_folder_that_may_only_be_read(site: Site, tmp_path: Path, capsys: Capture, locked: str, said: str) -> None:
    site.pages["/"] = "one page"
    crawl(tmp_path, site.url)
    (tmp_path / locked).chmod(0o400)
    for words in (("resume", tmp_path), ("extract", tmp_path, "--extract", "title=//title")):
        ended = invoke(capsys, *words)
        assert (ended.code, ended.out) == (3, "")
        assert said.format(tmp_path) in ended.err
        assert "work on a copy of the folder" in ended.err
    assert invoke(capsys, "status", tmp_path).code == 0


# Files that are not a crawl, or not a whole one


def newer(database: Path) -> None:
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE meta SET value = '99' WHERE name = 'schema'")
    connection.close()


def foreign(database: Path) -> None:
    database.unlink()
    with sqlite3.connect(database) as connection:
        connection.execute("CREATE TABLE meta (name TEXT, other TEXT)")
    connection.close()


def without_a_job(database: Path) -> None:
    with sqlite3.connect(database) as connection:
        connection.execute("DELETE FROM meta WHERE name = 'job'")
    connection.close()


NOT_A_CRAWL: dict[str, tuple[Callable[[Path], object], str]] = {
    # what is wrong: how it came to be, what the message says
    "random bytes": (
        lambda path: path.write_bytes(Random(1).randbytes(20_000)),
        "crawl.db: file is not a database; restore it from a copy, or crawl anew into another folder",
    ),
    "a text": (lambda path: path.write_text("my notes\n" * 2000, encoding="utf-8"), "file is not a database; restore"),
    "nothing": (lambda path: path.write_bytes(b""), "is not a crawl of dowse, or it was ended before it began"),
    "another program's": (foreign, "is not a crawl of dowse"),
    "of a later dowse": (
        newer,
        f"the crawl has schema 99 and this dowse reads {min(MIGRATIONS) - 1} to {SCHEMA_VERSION};",
    ),
    "killed before it began": (without_a_job, "was ended before it began"),
}


@pytest.mark.parametrize(("damage", "message"), NOT_A_CRAWL.values(), ids=NOT_A_CRAWL.keys())
def test_what_is_not_a_crawl_is_refused_and_left_alone(
    site: Site, tmp_path: Path, capsys: Capture, damage: Callable[[Path], object], message: str
) -> None:
    site.pages["/"] = "one page"
    crawl(tmp_path, site.url)
    database = tmp_path / "crawl.db"
    damage(database)
    before = database.read_bytes()
    for words in (("resume", tmp_path), ("retry", tmp_path), ("recrawl", tmp_path), ("status", tmp_path)):
        ended = invoke(capsys, *words)
        assert (ended.code, ended.out, ended.err.count("\n")) == (3, "", 1)
        assert message in ended.err
    assert invoke(capsys, "site", site.url, "-o", tmp_path).code == 3
    assert database.read_bytes() == before
    assert len(site.asked()) == 1


def test_a_damaged_body_costs_an_export_that_page_alone(site: Site, tmp_path: Path, capsys: Capture) -> None:
    site.pages["/"] = links(*(f"/{number}" for number in range(20)))
    site.pages["/*"] = lambda request: links(request.path) + "word " * 200
    found = crawl(tmp_path, site.url)
    (archive,) = (tmp_path / "warc").iterdir()
    content = bytearray(archive.read_bytes())
    (place,) = [Location.parse(row["body"]).place for row in found.bodies if row["url"].endswith("/10")]
    content[place.offset + 200 : place.offset + 210] = b"\xff" * 10
    archive.write_bytes(content)
    for table, file in (("bodies", "all.warc.gz"), ("bodies", "all.wacz"), ("pages", "pages.md")):
        ended = invoke(capsys, "export", tmp_path, table, "-f", tmp_path / file)
        assert ended.code == 1
        assert "damaged: http" in ended.err
        assert "1 stored page could not be read, all others are written" in ended.err
        assert f"{archive} is damaged" in ended.err
        assert (tmp_path / file).stat().st_size > 1000
    with (tmp_path / "all.warc.gz").open("rb") as stream:
        assert sum(record.rec_type == "response" for record in ArchiveIterator(stream)) == 21, (
            "the others and robots.txt"
        )


@pytest.mark.parametrize("part", [0.2, 0.5, 0.8])
def test_a_damaged_crawl_is_told_and_not_a_traceback(site: Site, tmp_path: Path, capsys: Capture, part: float) -> None:
    site.pages["/"] = links(*(f"/{number}" for number in range(600)))
    site.pages["/*"] = lambda request: links(request.path)
    crawl(tmp_path, site.url, max_pages=450)
    database = tmp_path / "crawl.db"
    content = bytearray(database.read_bytes())
    middle = int(len(content) * part) // 4096 * 4096
    size = len(content) // 5  # so much that it is not all of tables that this crawl has no rows in
    content[middle : middle + size] = b"\xff" * size
    database.write_bytes(content)
    said = ""
    for words in (("status",), ("export", "pages"), ("export", "links"), ("export", "ledger"), ("why", site.url)):
        ended = invoke(capsys, words[0], tmp_path, *words[1:])
        assert ended.code in (0, 1, 3)
        said += ended.err
    assert database.read_bytes() == content
    ended = invoke(capsys, "resume", tmp_path, "--max-pages", "0")
    assert ended.code in (0, 3)
    assert "crawl.db: database disk image is malformed" in said + ended.err
