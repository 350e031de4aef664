"""What a person says of the pages of a focus crawl, from Python and from the terminal."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

import dowse
from dowse import app
from dowse.core.errors import CrawlError
from tests.commands import invoke
from tests.crawling import path_of
from tests.modes.test_focus import focus, served


def relevance(crawl: dowse.Crawl) -> dict[str, float]:
    return {path_of(row["url"]): row["relevance"] for row in crawl.crawled}


def test_a_label_is_the_verdict_on_its_page_and_moves_others(tmp_path: Path) -> None:
    with served() as site:
        crawl = focus(tmp_path, site.url, max_pages=60)
        before = relevance(crawl)
        url = next(row["url"] for row in crawl.crawled if "/birds/" in row["url"])
        wrong = path_of(url)
        crawl.label(url, True)
        again = dowse.open(str(tmp_path))
        after = relevance(again)
        assert after[wrong] == 1
        others = [path for path in before if path.startswith("/birds/") and path != wrong]
        assert sum(after[path] for path in others) > sum(before[path] for path in others)
        assert url in (tmp_path / "urls.txt").read_text().split()
        assert "answered" in again.why(url).parts  # type: ignore[union-attr]


def test_labels_outlive_a_resume(tmp_path: Path) -> None:
    with served() as site:
        crawl = focus(tmp_path, site.url, max_pages=20)
        right = next(iter(crawl.matched))["url"]
        crawl.label(right, False)
        app.resume(tmp_path, max_pages=40)
        after = relevance(dowse.open(str(tmp_path)))
        assert len(after) == 40
        assert after[path_of(right)] == 0


def test_pages_it_is_least_sure_of_come_first_and_only_once(tmp_path: Path) -> None:
    with served() as site:
        crawl = focus(tmp_path, site.url, max_pages=20)
        unsure = crawl.unsure(20)
        doubts = [abs(value - 0.5) for _url, _title, value in unsure]
        assert doubts == sorted(doubts)
        crawl.label(unsure[0][0], True)
        assert unsure[0][0] not in [url for url, *_ in dowse.open(str(tmp_path)).unsure(20)]


def test_what_was_not_judged_cannot_be_labelled(tmp_path: Path) -> None:
    with served() as site:
        crawl = focus(tmp_path, site.url, max_pages=5)
        with pytest.raises(CrawlError, match="is no page that this crawl has judged"):
            crawl.label(site.url + "nowhere", True)


def test_a_ranker_by_keywords_takes_no_labels(tmp_path: Path) -> None:
    with served() as site:
        crawl = focus(tmp_path, site.url, max_pages=5, by="keywords")
        with pytest.raises(CrawlError, match="the scorer of this one is keywords"):
            crawl.label(site.url, True)


def test_without_a_terminal_the_pages_are_named(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with served() as site:
        focus(tmp_path, site.url, max_pages=10)
        told = invoke(capfd, "label", tmp_path).out
        assert "least sure of:" in told
        assert f"dowse label {tmp_path} --yes URL --no URL" in told
        url = told.splitlines()[1].split()[1]
        assert "on topic now" in invoke(capfd, "label", tmp_path, "--yes", url).out
        assert relevance(dowse.open(str(tmp_path)))[path_of(url)] == 1


def test_at_a_terminal_it_asks_and_counts_each_answer(tmp_path: Path) -> None:
    with served() as site:
        focus(tmp_path, site.url, max_pages=10)
    asked = dowse.open(str(tmp_path)).unsure(1)[0][0]
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "dowse", "label", str(tmp_path)]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, close_fds=True) as process:
        os.close(theirs)
        said, deadline = b"", time.monotonic() + 60
        for answer in (b"y\n", b"q\n"):
            before = said.count(b"y/n/s/q")
            while said.count(b"y/n/s/q") == before and time.monotonic() < deadline:
                if select.select([ours], [], [], 1)[0]:
                    said += os.read(ours, 4096)
            os.write(ours, answer)
        assert process.wait(timeout=60) == 0
    os.close(ours)
    assert relevance(dowse.open(str(tmp_path)))[path_of(asked)] == 1
