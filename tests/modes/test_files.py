"""Crawls for files against real servers: few pages besides, names that are safe, and what was learned survives."""

from __future__ import annotations

import csv
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import dowse
from dowse import app
from dowse.cli.main import cli
from dowse.config import make_job
from dowse.core.errors import CrawlError, JobError
from dowse.fetch.replay import Replayed
from dowse.store.folder import DATABASE
from dowse.workflows.simulate import replayed
from tests.crawling import opened, path_of, states
from tests.servers import Page, Reply, Site

ONE_BY_ONE: dict[str, Any] = {"concurrency": 1, "per_host": 1, "delay": 0.0, "robots": "ignore", "patience": 0}
SECTIONS, PAGES = 20, 12
WITH_FILES = 3
"""The section that has all files."""


def pdf(name: str) -> Reply:
    return Reply(b"%PDF-1.4 \x00" + name.encode(), headers={"content-type": "application/pdf"})


def web() -> dict[str, Page]:
    """Twenty sections of twelve articles; the articles of one section have a report each."""
    pages: dict[str, Page] = {}
    tops = "".join(f"<li><a href=/s{section}/>Section {section}</a>" for section in range(SECTIONS))
    pages["/"] = f"<title>Start</title><ul class=menu>{tops}</ul>"
    for section in range(SECTIONS):
        inside = "".join(f"<li><a href=/s{section}/{page}.html>Article {page}</a>" for page in range(PAGES))
        pages[f"/s{section}/"] = f"<title>Section {section}</title><ol class=articles>{inside}</ol>"
        for page in range(PAGES):
            name = f"/s{section}/report{page}.pdf"
            report = f"<p class=get><a href={name}>Report {page}</a>" if section == WITH_FILES else ""
            pages[f"/s{section}/{page}.html"] = f"<title>{section} {page}</title><p>Text {section} {page}{report}"
            if report:
                pages[name] = pdf(name)
    return pages


def files(directory: Path, *seeds: str, **options: Any) -> dowse.Crawl:
    app.start(make_job("files", seeds, output=str(directory), **{"type": "pdf", **ONE_BY_ONE, **options}))
    return opened(directory)


def found(crawl: dowse.Crawl) -> list[str]:
    return [path_of(row["url"]) for row in crawl.files]


def requests(crawl: dowse.Crawl) -> list[str]:
    return [path_of(row["url"]) for row in crawl.pages]


def listed(directory: Path) -> list[str]:
    """The URLs in files.csv, as far as it is written."""
    path = directory / "files.csv"
    lines = path.read_text().splitlines(keepends=True) if path.exists() else []
    return [row["url"] for row in csv.DictReader(line for line in lines if line.endswith("\n"))]


def test_all_files_are_found_with_few_pages_besides(tmp_path: Path) -> None:
    with Site(web()) as site:
        crawl = files(tmp_path, site.url, max_pages=100)
        assert site.failures == []
    assert sorted(found(crawl)) == sorted(f"/s{WITH_FILES}/report{page}.pdf" for page in range(PAGES))
    assert len(requests(crawl)) == 100 < len(web())


def test_files_are_saved_under_their_names_and_listed(tmp_path: Path) -> None:
    with Site({"/": "<p><a href='/docs/a%20b.pdf'>The report</a>", "/docs/a%20b.pdf": pdf("x")}) as site:
        crawl = files(tmp_path, site.url)
        host = site.url.split("/")[2].replace(":", "_")
    (row,) = crawl.files
    assert row["file"] == f"files/{host}/docs/a b.pdf"
    assert (tmp_path / row["file"]).read_bytes() == b"%PDF-1.4 \x00x"
    assert (row["media_type"], row["size"], row["anchor"]) == ("application/pdf", 11, "The report")
    assert row["found_on"] == site.url
    with (tmp_path / "files.csv").open() as stream:
        (listed,) = csv.DictReader(stream)
    assert listed["url"] == row["url"]
    assert listed["file"] == row["file"]
    assert (tmp_path / "out.jsonl").exists() is False
    assert crawl.export("files", tmp_path / "out.jsonl") == 1


def test_names_that_differ_in_case_alone_are_told_apart(tmp_path: Path) -> None:
    pages: dict[str, Page] = {"/": "<a href=/A.pdf>a</a> <a href=/a.pdf>b</a> <a href=/a.pdf/b.pdf>c</a>"}
    pages |= {path: pdf(path) for path in ("/A.pdf", "/a.pdf", "/a.pdf/b.pdf")}
    with Site(pages) as site:
        before = {row["url"]: row["file"] for row in files(tmp_path, site.url).files}
        site.pages["/A.pdf"] = pdf("changed")
        app.recrawl(tmp_path)
    assert len({name.casefold() for name in before.values()}) == 3
    assert {row["url"]: row["file"] for row in opened(tmp_path).files} == before
    saved = {path_of(url): (tmp_path / name).read_bytes() for url, name in before.items()}
    assert saved == {
        "/A.pdf": pdf("changed").body,
        "/a.pdf": pdf("/a.pdf").body,
        "/a.pdf/b.pdf": pdf("/a.pdf/b.pdf").body,
    }


def test_no_name_leads_out_of_the_folder(tmp_path: Path) -> None:
    sly = ["/..%2F..%2F..%2Fevil.pdf", "/%2e%2e%5C..%5Cevil2.pdf", "/a%00b.pdf", "/con.pdf", "/" + "x" * 300 + ".pdf"]
    pages: dict[str, Page] = {"/": "".join(f'<p><a href="{path}">x</a>' for path in sly), "/*": lambda r: pdf(r.target)}
    with Site(pages) as site:
        crawl = files(tmp_path / "out", site.url)
    names = [row["file"] for row in crawl.files]
    assert len(names) == len(sly) == len(set(names))
    saved = [path for path in tmp_path.rglob("*.pdf") if path.is_file()]
    assert len(saved) == len(sly)
    assert all(path.is_relative_to(tmp_path / "out" / "files") for path in saved)


def test_a_file_is_what_its_answer_says(tmp_path: Path) -> None:
    pages: dict[str, Page] = {
        "/": "<a href=/get?id=1>one</a> <a href=/get?id=2>two</a> <a href=/not.pdf>no</a> <a href=/odd.pdf>odd</a>"
        " <a href=/b.zip>b</a>",
        "/get?id=1": pdf("1"),
        "/get?id=2": Reply(b"a,b\n", headers={"content-type": "text/csv"}),
        "/not.pdf": "<!doctype html><title>Sorry</title>The report is gone",
        "/odd.pdf": Reply(b"%PDF-1.7 \x00odd", headers={"content-type": "application/octet-stream"}),
        "/b.zip": Reply(b"PK\x03\x04\x00", headers={"content-type": "application/zip"}),
    }
    with Site(pages) as site:
        crawl = files(tmp_path, site.url)
        assert "/b.zip" not in site.paths()
    assert sorted(found(crawl)) == ["/get?id=1", "/odd.pdf"]
    (name,) = [row["file"].rpartition("/")[2] for row in crawl.files if "get" in row["url"]]
    assert name.startswith("get_id=1-")
    assert name.endswith(".pdf")
    assert states(crawl)["/get?id=2"] == "out_of_scope"


def test_files_of_other_hosts_are_taken_but_not_their_pages(tmp_path: Path) -> None:
    other_pages: dict[str, Page] = {
        "/far.pdf": pdf("far"),
        "/moved.pdf": pdf("moved"),
        "/page.html": "<title>x</title>",
    }
    with Site(other_pages, addresses=("127.0.0.2",)) as other, Site() as site:
        there = f"http://127.0.0.2:{other.port}"
        site.pages["/"] = f"<a href={there}/far.pdf>far</a> <a href={there}/page.html>page</a> <a href=/go>go</a>"
        site.pages["/go"] = Reply(status=302, headers={"location": f"{there}/moved.pdf"})
        crawl = files(tmp_path, site.url, allow_private=True)
        assert sorted(other.paths()) == ["/far.pdf", "/moved.pdf"]
    assert sorted(found(crawl)) == ["/far.pdf", "/moved.pdf"]


def test_images_inside_of_pages_are_files_too(tmp_path: Path) -> None:
    pages: dict[str, Page] = {
        "/": "<img src=/in.png alt=Map><a href=/b.html>b</a>",
        "/in.png": Reply(b"\x89PNG\r\n\x1a\n\x00", headers={"content-type": "image/png"}),
        "/b.html": "<a href=/link.png>x</a>",
        "/link.png": Reply(b"\x89PNG\r\n\x1a\n\x00\x01", headers={"content-type": "image/png"}),
    }
    with Site(pages) as site:
        assert sorted(found(files(tmp_path / "images", site.url, type="images"))) == ["/in.png", "/link.png"]
        before = len(site.log)
        with pytest.raises(CrawlError, match="was not made by dowse files"):
            _ = dowse.site(site.url, output=str(tmp_path / "site"), robots="ignore").files
        assert "/in.png" not in [hit.request.path for hit in site.log[before:]]


def test_a_pattern_narrows_types_or_stands_for_itself(tmp_path: Path) -> None:
    pages: dict[str, Page] = {
        "/": "<a href=/2023/a.pdf>a</a> <a href=/2024/b.pdf>b</a> <a href=/2024/c.html>c</a>",
        "/2023/a.pdf": pdf("a"),
        "/2024/b.pdf": pdf("b"),
        "/2024/c.html": "<title>c</title>",
    }
    with Site(pages) as site:
        assert found(files(tmp_path / "both", site.url, pattern=["/2024/"])) == ["/2024/b.pdf"]
        alone = files(tmp_path / "alone", site.url, type=(), pattern=["/2024/"])
    assert sorted(found(alone)) == ["/2024/b.pdf", "/2024/c.html"]


def test_the_crawl_ends_when_nothing_more_is_to_be_expected(tmp_path: Path) -> None:
    with Site(web()) as site:
        crawl = files(tmp_path, site.url, patience=60)
    assert crawl.stop_reason == "saturated"
    assert len(found(crawl)) == PAGES
    assert len(requests(crawl)) < len(web()) - 50


def test_a_crawl_does_not_end_before_the_files_that_it_was_just_told_of(tmp_path: Path) -> None:
    """After the 20th answer it is asked whether the crawl may end, and that answer is the list of the late files."""
    pages: dict[str, Page] = {f"/{number}.html": f"<a href=/{number + 1}.html>on</a>" for number in range(1, 40)}
    pages |= {"/": "<a href=/first.pdf>first</a> <a href=/1.html>on</a>", "/first.pdf": pdf("first")}
    late = {f"/late{number}.pdf": pdf(f"late {number}") for number in range(5)}
    pages["/18.html"] = "".join(f"<a href={path}>late</a> " for path in [*late, "/19.html"])
    with Site({**pages, **late}) as site:
        crawl = files(tmp_path, site.url, patience=20)
    assert requests(crawl)[19] == "/18.html"
    assert sorted(found(crawl)) == ["/first.pdf", *late]


def test_a_stopped_crawl_goes_on_with_what_it_learned(tmp_path: Path) -> None:
    with Site(web()) as site:
        whole = files(tmp_path / "whole", site.url, max_pages=90)
        files(tmp_path / "halves", site.url, max_pages=40)
        app.resume(tmp_path / "halves", max_pages=90)
        with pytest.raises(JobError, match="type: cannot be changed"):
            app.resume(tmp_path / "halves", type="csv")
    halves = opened(tmp_path / "halves")
    assert requests(halves) == requests(whole)
    assert found(halves) == found(whole)
    assert all((tmp_path / "halves" / row["file"]).exists() for row in halves.files)


def test_a_crawl_of_another_version_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    with Site(web()) as site:
        before = files(tmp_path, site.url, max_pages=12).status()
        with closing(sqlite3.connect(tmp_path / DATABASE)) as tables, tables:
            tables.execute("UPDATE model SET state = ? WHERE name = 'ranker'", (b"\x81\xa5pages\x0c",))
        with pytest.raises(CrawlError, match="saved by another version of dowse"):
            app.resume(tmp_path, max_pages=20)
    assert opened(tmp_path).status().pages == before.pages


def test_a_killed_crawl_loses_no_file(tmp_path: Path) -> None:
    with Site(web()) as site:
        whole = files(tmp_path / "whole", site.url, max_pages=120)
        site.latency = 0.02
        words = ["files", site.url, "--type", "pdf", "-o", str(tmp_path / "killed"), "--max-pages", "120", "-q"]
        options = ["--concurrency", "1", "--per-host", "1", "--delay", "0", "--robots", "ignore", "--patience", "0"]
        process = subprocess.Popen([sys.executable, "-m", "dowse", *words, *options])
        end = time.monotonic() + 30
        while len(listed(tmp_path / "killed")) < 3 and time.monotonic() < end:
            time.sleep(0.01)
        os.kill(process.pid, signal.SIGKILL)
        process.wait(10)
        early = listed(tmp_path / "killed")
        site.latency = 0.0
        app.resume(tmp_path / "killed")
    killed = opened(tmp_path / "killed")
    assert 3 <= len(early) < len(listed(tmp_path / "killed"))
    assert early == listed(tmp_path / "killed")[: len(early)]
    assert listed(tmp_path / "killed") == [row["url"] for row in killed.files]
    assert requests(killed) == requests(whole)
    assert sorted(found(killed)) == sorted(found(whole))
    assert all((tmp_path / "killed" / row["file"]).exists() for row in killed.files)


def test_a_file_that_a_recrawl_could_not_get_stays(site: Site, tmp_path: Path) -> None:
    site.pages |= {"/": "<a href=/a.pdf>a</a> <a href=/b.pdf>b</a>", "/a.pdf": pdf("a"), "/b.pdf": pdf("b")}
    files(tmp_path, site.url)
    before = [dict(row) for row in opened(tmp_path).files]
    site.pages["/a.pdf"] = Reply(status=500)
    app.recrawl(tmp_path, retries=0)
    assert [dict(row) for row in opened(tmp_path).files] == before
    assert sorted(path.name for path in (tmp_path / "files").rglob("*.pdf")) == ["a.pdf", "b.pdf"]
    assert len(listed(tmp_path)) == 2


def test_a_file_that_was_deleted_comes_back_and_a_changed_one_is_written_again(tmp_path: Path) -> None:
    with Site({"/": "<a href=/a.pdf>a</a> <a href=/b.pdf>b</a>", "/a.pdf": pdf("a"), "/b.pdf": pdf("b")}) as site:
        crawl = files(tmp_path, site.url)
        first, second = (tmp_path / row["file"] for row in crawl.files)
        first.unlink()
        site.pages["/b.pdf"] = pdf("c")
        app.recrawl(tmp_path)
    assert first.read_bytes() == b"%PDF-1.4 \x00a"
    assert second.read_bytes() == b"%PDF-1.4 \x00c"
    assert len(opened(tmp_path).files) == 2


def test_it_does_the_same_simulated_as_live(tmp_path: Path) -> None:
    with Site(web()) as site:
        crawl = files(tmp_path, site.url, max_pages=60)
        bodies = {f"{site.url.rstrip('/')}{path}": page for path, page in web().items()}

        def find(url: str) -> Replayed | None:
            page = bodies.get(url)
            if isinstance(page, Reply):
                return Replayed(200, {"content-type": "application/pdf"}, page.body)  # type: ignore[arg-type]
            return Replayed(200, {"content-type": "text/html"}, page.encode()) if isinstance(page, str) else None

        job = make_job("files", site.url, type="pdf", max_pages=60, sitemaps=False, **ONE_BY_ONE)
        run = replayed(job, find)
    assert [path_of(url) for url, relevance in run if relevance] == found(crawl)
    assert [path_of(url) for url, _ in run] == requests(crawl)


def test_why_tells_the_parts_of_the_score(tmp_path: Path) -> None:
    with Site(web()) as site:
        crawl = files(tmp_path, site.url, max_pages=80)
        file = crawl.why(site.url + found(crawl)[0].lstrip("/"))
        waiting = next(row["url"] for row in crawl.ledger if row["state"] == "not_reached")
        page = crawl.why(waiting)
        told = CliRunner().invoke(cli, ["why", str(tmp_path), waiting]).output
    assert file is not None
    assert file.relevance == 1.0
    assert file.worth["file"] > 100
    assert page is not None
    assert any(name.startswith("group ") for name in page.worth)
    assert sum(page.worth.values()) == pytest.approx(page.priority, abs=0.2)
    assert "seldom tried" in told


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "type: no type of file is named; write extensions (pdf, csv)"),
        (["--type", "documnts"], "'documnts' is no type of file; did you mean documents?"),
        (["--type", "pdf,image"], "'image' is no type of file"),
        (["--type", "html"], "pages are no files; dowse site gets those"),
        (["--type", "/pdf"], "'/pdf' is not a media type"),
        (["--type", "pdf", "--pattern", "("], "pattern: "),
        (["--type", "pdf", "--patience", "-1"], "--patience: must be at least 0"),
    ],
)
def test_bad_input_is_refused_with_the_cure(words: list[str], message: str, tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "dowse", "files", "http://127.0.0.1:9/", "-o", str(tmp_path / "out"), *words],
        capture_output=True, text=True, check=False, timeout=30,
    )  # fmt: skip
    assert ended.returncode == 2
    assert message in ended.stderr
    assert not (tmp_path / "out").exists()


def test_a_site_without_such_files_says_what_it_has(tmp_path: Path) -> None:
    pages: dict[str, Page] = {"/": "<a href=/a.zip>a</a> <a href=/b.zip>b</a> <a href=/c.csv>c</a>"}
    with Site(pages) as site:
        words = ["files", site.url, "--type", "pdf", "-o", str(tmp_path / "out"), "--delay", "0", "-q"]
        ended = CliRunner().invoke(cli, words)
    assert ended.exit_code == 1
    assert "no file of these types was found; links that were seen lead to zip (2), csv (1)" in ended.output


def test_links_that_lead_nowhere_are_no_types_that_were_seen(tmp_path: Path) -> None:
    pages: dict[str, Page] = {
        "/": "<a href=/a.pdf>a</a> <a href=/b.pdf>b</a> <a href=/gone.tex>c</a> <a href=/sorry.pdf>d</a>",
        "/b.pdf": Reply(b"no", status=403),
        "/gone.tex": Reply(b"no", status=404),
        "/sorry.pdf": "<title>Sorry</title>The report is gone",
    }
    with Site(pages) as site:
        words = ["files", site.url, "--type", "pdf", "-o", str(tmp_path / "out"), "--delay", "0", "-q"]
        ended = CliRunner().invoke(cli, words)
    assert ended.exit_code == 1
    told = "no file of these types was found; links to such files failed: http 404 (1), http 403 (1)\n"
    assert ended.output.endswith(told)


def test_files_that_could_not_be_had_are_told_beside_those_that_were(tmp_path: Path) -> None:
    pages: dict[str, Page] = {
        "/": "<a href=/a.pdf>a</a> <a href=/b.pdf>b</a> <a href=/c.pdf>c</a> <a href=/gone.html>d</a>",
        "/a.pdf": Reply(b"%PDF-1.4", headers={"Content-Type": "application/pdf"}),
        "/b.pdf": Reply(b"no", status=403),
    }
    with Site(pages) as site:
        words = ["files", site.url, "--type", "pdf", "-o", str(tmp_path / "out"), "--delay", "0"]
        ended = CliRunner().invoke(cli, words)
    assert ended.exit_code == 0
    (told,) = [" ".join(line.split()) for line in ended.output.splitlines() if "could not be had" in line]
    assert told == "that could not be had 2 http 403 (1), http 404 (1)"


def test_the_summary_names_the_files_and_the_reason(tmp_path: Path) -> None:
    with Site(web()) as site:
        words = ["files", site.url, "--type", "pdf", "-o", str(tmp_path / "out"), "--delay", "0", "--max-pages", "200"]
        ended = CliRunner().invoke(cli, [*words, "--concurrency", "1", "--robots", "ignore"])
        status = CliRunner().invoke(cli, ["status", str(tmp_path / "out"), "--json"])
    assert ended.exit_code == 0
    assert "files.csv" in ended.stdout
    assert "left, as far as can be told" in ended.stdout
    assert "dowse export" in ended.stdout
    assert '"files":12' in status.stdout


def test_python_has_it_too(tmp_path: Path) -> None:
    with Site({"/": "<a href=/a.pdf>a</a>", "/a.pdf": pdf("a")}) as site:
        crawl = dowse.files(site.url, type="documents", output=str(tmp_path / "out"), delay=0.0)
    assert [row["media_type"] for row in crawl.files] == ["application/pdf"]
