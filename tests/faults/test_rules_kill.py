"""kill -9 in a rule crawl: keep.csv and follow.csv lose no line and have none twice; no page type is forgotten."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from dowse import app
from tests.processes import dowse, running, wait_for_requests, wait_until
from tests.ruling import checked, crawl_by, follow, keep, kept, write_table
from tests.servers import Site

SLOWLY = ("--delay", "0", "--per-host", "4", "--concurrency", "8", "--quiet")
PAGES = 120


def web(site: Site) -> list[dict[str, str]]:
    """Pages in a chain and a list that gives each of them a second type later, each with two files."""
    for number in range(PAGES):
        links = "".join(f"<a href=/p{n}>p</a>" for n in range(number + 1, min(number + 4, PAGES)))
        files = f"<a href=/f{number}.pdf>f</a><a href=/f{number}.doc>f</a>"
        site.pages[f"/p{number}"] = f"<title>{number}</title>{links}{files}<a href=/l{number}>l</a>"
        site.pages[f"/l{number}"] = f"<title>l{number}</title><a href=/p{number}>p</a>"
    base = f"{site.url}p0"
    return [
        follow(base, "base>page", r"/p\d+$"),
        follow(base, "page>page", r"/p\d+$"),
        follow(base, "page>list", r"/l\d+$"),
        keep(base, "page", "pdf"),
        follow(base, "list>second", r"/p\d+$"),
        keep(base, "second", "doc"),
    ]


@pytest.mark.parametrize(("workers", "kills", "longest"), [(1, 12, 0.25), (2, 2, 0.6)])
def test_killed_again_and_again(
    serve: Callable[..., Site], tmp_path: Path, workers: int, kills: int, longest: float
) -> None:
    chance = Random(4)
    site = serve(latency=0.03)
    table = write_table(tmp_path / "rules.csv", *web(site))
    out = tmp_path / "out"
    words: tuple[str | Path, ...] = ("rules", "run", table, "-o", out, *SLOWLY, "--workers", str(workers))
    for _ in range(kills):
        before = len(site.asked())
        with running(*words) as crawl:
            wait_for_requests(site, before + 1)
            time.sleep(chance.uniform(0, longest))
            assert crawl.is_running, "the crawl was over before it could be killed: give it more pages"
            crawl.kill_all()
        words = ("resume", out, "--quiet")
    site.latency = 0.0
    assert dowse("resume", out, "--quiet").code == 0
    found = checked(out)  # the files are what the tables are
    assert found.status().stop_reason == "complete"
    pages = range(1, PAGES)
    assert sorted(kept(found)) == sorted(f"/f{n}.{kind}" for n in pages for kind in ("pdf", "doc"))
    asked = site.paths()
    assert len(asked) - len(set(asked)) <= kills * 8, "only what was under way is asked for again"


def test_the_lists_grow_while_the_crawl_runs(serve: Callable[..., Site], tmp_path: Path) -> None:
    site = serve(latency=0.05)
    table = write_table(tmp_path / "rules.csv", *web(site))
    keep_file, follow_file = tmp_path / "out" / "keep.csv", tmp_path / "out" / "follow.csv"
    with running("rules", "run", table, "-o", tmp_path / "out", *SLOWLY) as crawl:
        for file in (keep_file, follow_file):
            wait_until(lambda file=file: file.exists() and file.read_bytes().count(b"\n") > 3)  # type: ignore[misc]
        first = keep_file.read_bytes()
        wait_until(lambda: len(keep_file.read_bytes()) > len(first))
        assert keep_file.read_bytes().startswith(first), "it only ever grows"
        assert crawl.is_running


@pytest.mark.parametrize(
    "damage",
    [
        lambda file: file.write_bytes(file.read_bytes()[:-7]),
        lambda file: file.unlink(),
        lambda file: file.write_bytes(b""),
        lambda file: file.write_bytes(file.read_bytes() + b"http://half-a-li"),
        lambda file: file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:3])),
    ],
    ids=["half a line", "gone", "empty", "half a line more", "lines missing"],
)
def test_whatever_is_missing_is_added_when_the_crawl_goes_on(
    site: Site, tmp_path: Path, damage: Callable[[Path], object]
) -> None:
    crawl_by(tmp_path, *web(site), max_pages=40)
    damage(tmp_path / "out" / "keep.csv")
    app.resume(tmp_path / "out", max_pages=60)
    assert len(checked(tmp_path / "out").kept) > 50


def test_lines_that_the_database_lost_are_taken_back(site: Site, tmp_path: Path) -> None:
    """After a power cut the file may know more than the database: those pages are crawled again."""
    crawl_by(tmp_path, *web(site), max_pages=40)
    file = tmp_path / "out" / "keep.csv"
    file.write_bytes(file.read_bytes() + b"http://example.org/lost.pdf,x,y,page,4,z\n")
    app.resume(tmp_path / "out", max_pages=41)
    assert "lost.pdf" not in file.read_text()
    checked(tmp_path / "out")


def test_what_was_due_when_the_process_died_is_done_later(site: Site, tmp_path: Path) -> None:
    site.pages |= {"/": "<a href=/item>i</a>", "/item": "<a href=/x.pdf>x</a><a href=/x.doc>x</a>"}
    found = crawl_by(tmp_path, follow(site.url, "base>item"), keep(site.url, "item", "pdf"),
                     keep(site.url, "second", "doc"))  # fmt: skip
    assert kept(found) == ["/x.pdf"]
    with closing(sqlite3.connect(tmp_path / "out" / "crawl.db")) as connection:
        # as a batch leaves it that gave a fetched page another type
        connection.execute(
            "INSERT INTO page_type (task, base, name, rule, listed, source, from_type, anchor, applied)"
            " SELECT task, base, 'second', 1, 0, source, 'base', '', 2 FROM page_type WHERE name = 'item'"
        )
        connection.commit()
    app.resume(tmp_path / "out")
    assert kept(checked(tmp_path / "out")) == ["/x.pdf", "/x.doc"]
    assert site.paths() == ["/", "/item"]
