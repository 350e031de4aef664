"""A crawl keeps what servers answered: every visit's body is there, once, whatever happened to the process."""

from __future__ import annotations

import gzip
import resource
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random

import pytest

from dowse import app
from dowse.core.model import Response
from dowse.store.warc.body_reader import BodyReader
from tests.archiving import found_by_warcio
from tests.crawling import crawl, links, opened, path_of
from tests.processes import dowse, running, wait_for_requests
from tests.servers import Reply, Site
from tests.webs import random_web

Serve = Callable[..., Site]

PACKED = b"packed " * 200
FILLER = "<p>words enough to be worth a reference</p>" * 20


def answers(folder: Path) -> dict[str, Response]:
    """What the visits point at, by path; the last one counts."""
    with BodyReader(folder / "warc") as reader:
        return {path_of(row["url"]): reader.read(row["body"]) for row in app.read(folder).bodies}


def test_every_answer_is_kept(site: Site, tmp_path: Path) -> None:
    pages: dict[str, str | Reply] = {
        "/": links("/a", "/mirror", "/moved", "/gone", "/packed") + FILLER,
        "/a": "<title>a</title>" + FILLER,
        "/mirror": "<title>a</title>" + FILLER,
        "/gone": Reply("gone", 404),
        "/moved": Reply("moved", 301, {"Location": "/a"}),
        "/packed": Reply(gzip.compress(PACKED), headers={"Content-Encoding": "gzip", "Content-Type": "text/html"}),
    }
    site.pages.update(pages)
    found = crawl(tmp_path, site.url)
    kept = answers(tmp_path)
    assert set(kept) == {*pages, "/robots.txt"}
    assert {path: answer.status for path, answer in kept.items() if answer.status != 200} == {
        "/robots.txt": 404,
        "/gone": 404,
        "/moved": 301,
    }
    assert kept["/"].body.decode() == pages["/"]
    assert kept["/a"].body == kept["/mirror"].body == b"<title>a</title>" + FILLER.encode()
    assert (kept["/packed"].body, kept["/packed"].headers["content-encoding"]) == (PACKED, "gzip")
    assert kept["/moved"].headers["location"] == "/a"
    assert sum(" " in row["body"] for row in found.bodies) == 1, "the mirror is a reference"


def test_unwanted_and_unchanged_bodies_are_not_kept_again(site: Site, tmp_path: Path) -> None:
    site.pages.update(
        {"/": links("/image", "/a"), "/image": Reply(body=b"\x89PNG\r\n\x1a\n" + bytes(900)), "/a": FILLER}
    )
    crawl(tmp_path, site.url)
    assert set(answers(tmp_path)) == {"/robots.txt", "/", "/a"}
    app.recrawl(tmp_path)
    (again,) = sorted((tmp_path / "warc").iterdir())[1:]
    kinds = sorted(record.kind for record in found_by_warcio(again))
    assert kinds == [*["request"] * 3, "response", *["revisit"] * 2, "warcinfo"], "robots.txt is asked for again"
    assert answers(tmp_path)["/a"].body.decode() == FILLER
    site.pages["/a"] = FILLER + "and more"
    app.recrawl(tmp_path)
    assert answers(tmp_path)["/a"].body.decode() == FILLER + "and more"
    assert len(list(opened(tmp_path).bodies)) == 6 + 3


def test_no_bodies_keeps_none_and_loads_nothing_for_it(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = FILLER
    script = (
        "import sys; from dowse.cli.main import main; code = main(sys.argv[1:]);"
        "print(code, 'dowse.store.warc.body_writer' in sys.modules, 'isal' in sys.modules)"
    )
    for words, loaded in ((("--no-bodies",), False), ((), True)):
        folder = tmp_path / str(loaded)
        command = [sys.executable, "-c", script, "site", site.url, "-o", str(folder), "--quiet", *words]
        done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=True)
        assert done.stdout == f"0 {loaded} {loaded}\n"
        assert (folder / "warc").exists() is loaded
        assert len(list(opened(folder).bodies)) == 2 * loaded, "the page and robots.txt"


@pytest.mark.parametrize("workers", [1, 2])
def test_after_kill_9_every_committed_visit_has_its_body(serve: Serve, tmp_path: Path, workers: int) -> None:
    chance = Random(4)
    bodies = {f"/{number}": "<p>" + chance.randbytes(4000).hex() for number in range(300)}
    site = serve({"/": links(*bodies), **bodies}, latency=0.01)
    words: tuple[str | Path, ...] = (
        "site",
        site.url,
        "-o",
        tmp_path,
        "--delay",
        "0",
        "--workers",
        str(workers),
        "--quiet",
    )
    for _ in range(4):
        before = len(site.asked())
        with running(*words) as command:
            wait_for_requests(site, before + 15)
            time.sleep(chance.uniform(0, 0.2))
            command.kill_all()
        kept = answers(tmp_path)
        fetched = {path_of(row["url"]) for row in app.read(tmp_path).pages}
        assert set(kept) - {"/robots.txt"} == fetched
        assert all(kept[path].body.decode() == bodies[path] for path in kept if path in bodies)
        words = ("resume", tmp_path, "--quiet")
    assert dowse(*words).code == 0
    assert {path: answer.body.decode() for path, answer in answers(tmp_path).items() if path in bodies} == bodies
    files = list((tmp_path / "warc").iterdir())
    assert len(files) >= 5, "a new process begins a new file"


def test_export_to_one_file(site: Site, tmp_path: Path) -> None:
    site.pages.update({"/": links("/a", "/b"), "/a": "<title>Ä</title>" + FILLER, "/b": "<title>Ä</title>" + FILLER})
    crawl(tmp_path / "crawl", site.url)
    assert dowse("export", tmp_path / "crawl", "bodies", "-f", tmp_path / "one.warc.gz").code == 0
    records = found_by_warcio(tmp_path / "one.warc.gz")
    assert sorted(record.kind for record in records) == [
        "request", "request", "request", "request", "response", "response", "response", "revisit", "warcinfo",
    ]  # fmt: skip
    assert dowse("export", tmp_path / "crawl", "bodies", "-f", tmp_path / "one.wacz").code == 0
    with zipfile.ZipFile(tmp_path / "one.wacz") as package:
        assert package.read("pages/pages.jsonl").count(b"\n") == 4
    assert dowse("export", tmp_path / "crawl", "bodies", "--to", "csv").code == 2
    assert dowse("export", tmp_path / "crawl", "pages", "--to", "warc").code == 2


@contextmanager
def full_disk(pid: int, size: int) -> Iterator[None]:
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
    yield
    with suppress(ProcessLookupError):
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="only Linux limits another process")
@pytest.mark.parametrize("ending", ["room", "interrupt"])
def test_a_disk_too_full_for_bodies_pauses_the_crawl(serve: Serve, tmp_path: Path, ending: str) -> None:
    chance = Random(5)
    bodies = {f"/{number}": "<p>" + chance.randbytes(40_000).hex() for number in range(100)}
    site = serve({"/": links(*bodies), **bodies}, latency=0.01)
    with running("site", site.url, "-o", tmp_path, "--delay", "0", "--per-host", "16", "--no-sitemaps") as command:
        with full_disk(command.process.pid, 700_000):
            assert command.process.stderr is not None
            line = command.process.stderr.readline()
            while not line.startswith("paused"):
                line = command.process.stderr.readline()
            assert "warc.gz: File too large; waiting for room" in line
            if ending == "interrupt":
                command.signal_all(signal.SIGINT)
                assert command.ended().code == 130
        if ending == "room":
            assert command.ended().code == 0
    assert dowse("resume", tmp_path, "--quiet").code == 0
    found = opened(tmp_path)
    assert found.status().counts == {"fetched": 101}
    assert {path: answer.body.decode() for path, answer in answers(tmp_path).items() if path in bodies} == bodies
    assert not [row for row in found.ledger if row["attempts"] > 1], "waiting for room is no failure of a page"


def test_any_web_is_kept_whole(serve: Serve, tmp_path: Path) -> None:
    web = random_web(Random(9), 200)
    site = serve()
    pages = web.pages(site.port)
    site.pages.update(pages)
    found = crawl(tmp_path, site.url, workers=2, dedup="off")
    with BodyReader(tmp_path / "warc") as reader:
        kept = {row["url"]: reader.read(row["body"]) for row in found.bodies}
    assert {row["url"] for row in found.pages} <= set(kept)
    assert {url for url, answer in kept.items() if answer.request.url != url} == set()
