"""`dowse report` over real crawls: finished, running, empty, with records, and of a site that means harm."""

from __future__ import annotations

import re
import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest

import dowse
from dowse.demo import DemoSite
from tests.commands import invoke
from tests.crawling import crawl, links
from tests.htmlpages import HtmlPage, check_inert, read_page
from tests.servers import Reply, Site

LIMIT = 1_000_000


def report_of(directory: Path) -> HtmlPage:
    path = dowse.open(str(directory)).report()
    assert path == directory / "report.html"
    source = path.read_text(encoding="utf-8")
    assert len(source) < LIMIT
    page = read_page(source)
    check_inert(page)
    return page


def test_the_sample_site(demo_site: DemoSite, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = crawl(tmp_path / "out", demo_site.url, extract=["title=//h1", "price=//nowhere"])
    ended = invoke(capsys, "report", tmp_path / "out")
    assert (ended.code, ended.out) == (0, f"{tmp_path / 'out' / 'report.html'}\n")
    page = read_page((tmp_path / "out" / "report.html").read_text(encoding="utf-8"))
    check_inert(page)
    assert page.chapters == [
        "ledger", "time", "speed", "status", "types", "depth", "structure", "linked", "records-1", "failures",
        "extremes", "copies",
    ]  # fmt: skip
    assert f"pages {len(found.pages)} URLs discovered {len(found.ledger)} " in page.text
    assert f"all that was discovered {len(found.ledger)} 100 %" in page.text
    assert any(title.endswith("; price is in none of them") for title in page.titles)
    assert "1 URL failed, with http 404" in page.titles
    assert 10 <= len(page.all("circle")) <= 40
    names = re.findall(r'<text x="[\d.]+" y="[\d.]+" text-anchor="\w+">(/[^<]*)</text>', page.source)
    assert "/news/" in names
    assert len(names) > len(page.all("circle")) / 2


def test_the_numbers_of_the_page_are_those_of_the_crawl(site: Site, tmp_path: Path) -> None:
    site.pages.update({"/": links("/a", "/b", "/c", "/gone"), "/a": "same", "/b": "same", "/c": links("/", "/a")})
    found = crawl(tmp_path / "out", site.url)
    page = report_of(tmp_path / "out")
    for row in found.balance():
        assert f"{row.reason} {row.count}" in page.text
    survey = found.survey()
    assert survey.pages == found.status().pages == len(found.pages)
    assert survey.size == found.status().bytes_received
    assert survey.discovered == len(found.ledger)
    assert survey.links.links == len(found.links)
    assert [(row.url, row.value) for row in survey.links.most_linked[:1]] == [(site.url + "a", 2)]
    assert f"{site.url}gone" in page.links


def test_a_site_that_means_harm(site: Site, tmp_path: Path) -> None:
    script = "<script>alert(1)</script>"
    bad = f'"><img src=x onerror=alert(1)>{script}'
    body = (
        f"<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;{bad}</title><h1>&lt;img src=x onerror=a()&gt;</h1>"
    )
    site.pages["/"] = body + "".join(
        f"<a href='{href}'>&lt;script&gt;alert(2)&lt;/script&gt;</a>"
        for href in (
            "javascript:alert(1)",
            "/%22%3E%3Cscript%3E",
            '/"><script>',
            "/a?<svg/onload=a()>",
            "/type",
            "data:text/html,x",
        )
    )
    site.pages["/*"] = body
    site.pages["/type"] = Reply("x", headers={"Content-Type": f'text/html"{bad}'})
    crawl(tmp_path / "out", site.url, extract=["heading=//h1"])
    page = report_of(tmp_path / "out")
    assert script not in page.source
    assert "records-1" in page.chapters


def test_a_crawl_without_a_page(site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    site.pages["/"] = Reply("gone", status=410)
    assert invoke(capsys, "site", site.url, "-o", tmp_path / "out", "-q").code == 1
    page = report_of(tmp_path / "out")
    assert page.chapters == ["ledger", "time", "speed", "status", "failures"]
    assert page.titles[-1] == "1 URL failed, with http 410"


def test_a_running_crawl(site: Site, tmp_path: Path) -> None:
    site.latency = 0.05
    site.pages.update({"/": links(*(f"/{number}" for number in range(60))), "/*": lambda request: request.path})
    runner = threading.Thread(target=crawl, args=(tmp_path / "out", site.url), kwargs={"per_host": 1})
    runner.start()
    try:
        deadline = time.monotonic() + 20
        while len(site.log) < 12 and time.monotonic() < deadline:
            time.sleep(0.02)
        page = report_of(tmp_path / "out")
    finally:
        runner.join(timeout=30)
    assert "It was still running when this was written." in page.text
    assert "waiting" in page.text
    assert "It is complete" in report_of(tmp_path / "out").text


def test_a_limit_leaves_what_was_not_reached(site: Site, tmp_path: Path) -> None:
    site.pages.update({"/": links("/a", "/b", "/c"), "/*": lambda request: request.path})
    crawl(tmp_path / "out", site.url, max_pages=2)
    page = report_of(tmp_path / "out")
    assert "not reached" in page.text
    assert "It stopped at its limit of pages." in page.text


def test_the_page_can_go_elsewhere(site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    site.pages["/"] = "x"
    crawl(tmp_path / "out", site.url)
    assert invoke(capsys, "report", tmp_path / "out", "-f", tmp_path / "a.html").out == f"{tmp_path / 'a.html'}\n"
    printed = invoke(capsys, "report", tmp_path / "out", "-f", "-").out
    read_page(printed)
    assert printed.startswith("<!doctype html>")
    assert not (tmp_path / "out" / "report.html").exists()
    refused = invoke(capsys, "report", tmp_path / "out", "-f", tmp_path / "none" / "a.html")
    assert refused.code == 2
    assert "No such file or directory" in refused.err
    assert invoke(capsys, "report", tmp_path / "nothing").code == 3


def test_the_time_between_two_runs_is_no_time_of_the_crawl(site: Site, tmp_path: Path) -> None:
    site.pages |= {"/": links(*(f"/{number}" for number in range(9))), "/*": lambda request: f"page {request.path}"}
    crawl(tmp_path, site.url, max_pages=5)
    with closing(sqlite3.connect(tmp_path / "crawl.db")) as connection, connection:
        connection.execute("UPDATE visit SET fetched_at = fetched_at - 3600")
    dowse.resume(str(tmp_path), max_pages=0)
    found = dowse.open(str(tmp_path))
    timeline = found.survey().timeline
    assert timeline is not None
    assert timeline.seconds == found.status().elapsed < 3600
    assert timeline.end - timeline.start < 3600
    assert "There were 2 runs; the time between them is left out." in report_of(tmp_path).text
