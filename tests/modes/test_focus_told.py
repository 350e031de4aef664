"""What a person is told of a focus crawl: while it runs, when it ends, and when it is replayed."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

import dowse
from dowse import app
from dowse.cli.main import cli
from dowse.cli.progress import progress_line
from dowse.cli.summary_output import final_text, next_commands, status_text
from dowse.config import make_job
from dowse.core.errors import CrawlError
from dowse.core.optional_libraries import install_command, install_line
from dowse.engine.events import Event, Stopped
from dowse.score import semantic
from dowse.store.crawl_store import CrawlStore
from tests.crawling import opened
from tests.modes.test_focus import ONE_BY_ONE, TOPIC, focus, served
from tests.servers import Page, Site


def test_progress_counts_the_pages_that_match(tmp_path: Path) -> None:
    heard: list[Event] = []
    with served() as site:
        app.start(
            make_job("focus", [site.url], output=str(tmp_path), topic=TOPIC, max_pages=30, **ONE_BY_ONE), heard.append
        )
        matched = opened(tmp_path).standing().prospect.matched
        app.resume(tmp_path, heard.append, max_pages=31)
    ends = [progress_line(event.progress) for event in heard if isinstance(event, Stopped)]
    assert f", {matched} matched pages, " in ends[0]
    assert f", {opened(tmp_path).standing().prospect.matched} matched pages, " in ends[1]
    assert matched > 10


def test_a_simulation_says_what_counted_as_relevant(tmp_path: Path) -> None:
    labels = tmp_path / "labels.csv"
    with served() as site:
        focus(tmp_path / "out", site.url, by="breadth")
        labels.write_text(f"url\n{site.url}sort/1.html\n")
    words = ["simulate", str(tmp_path / "out"), "--by", "breadth", "--topic", TOPIC, "--max-pages", "5"]
    told = CliRunner().invoke(cli, words).output
    assert "relevant: 41 pages with most of the keywords, for want of labels" in told
    assert "does not tell which pages are on topic" in told
    assert f"relevant: 1 URL of {labels}\n" in CliRunner().invoke(cli, [*words, "--truth", str(labels)]).output


def test_why_a_crawl_ended_does_not_deny_what_may_be_left(tmp_path: Path) -> None:
    with served() as site:
        words = ["focus", site.url, "-o", str(tmp_path), "--topic", TOPIC, "--by", "keywords", "--patience", "20"]
        told = CliRunner().invoke(cli, [*words, "--delay", "0", "--robots", "ignore"]).output
    assert "stopped: little is left to be found, as far as can be told; --patience 0 goes on" in told
    assert re.search(r"left, as far as can be told +about \d", told)


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """An install without extras."""
    monkeypatch.setattr(semantic, "is_installed", lambda: False)


NO_SUCH: dict[str, Any] = {"topic": "xylophone quartets", "max_pages": 20}
CONTEXT = install_command("context")


@pytest.mark.usefixtures("plain")
def test_where_nothing_matches_what_comes_next_is_what_helps(tmp_path: Path) -> None:
    with served() as site:
        words = [
            "focus",
            site.url,
            "-o",
            str(tmp_path),
            "--delay",
            "0",
            "--topic",
            NO_SUCH["topic"],
            "--max-pages",
            "20",
        ]
        told = CliRunner().invoke(cli, words).output
    _, _, after = told.partition(f"The crawl is in {tmp_path}, but no page matches the topic. What may help:\n")
    other, install, label, *_ = map(str.strip, after.splitlines())
    assert other == f'dowse resume {tmp_path} --topic "OTHER WORDS"'
    assert install == install_line("context", "then a new crawl")
    assert label == f"dowse label {tmp_path}"
    assert "export" not in after


@pytest.mark.parametrize(("left", "is_offered"), [(0, False), (3, True), (None, True)])
def test_more_pages_are_offered_only_where_something_may_be_left(
    left: int | None, is_offered: bool, tmp_path: Path
) -> None:
    with served() as site:
        crawl = focus(tmp_path, site.url, **NO_SUCH)
    found = replace(crawl.results(), facts={"estimated_left": left})
    told = " ".join(next_commands(crawl.status(), crawl, found))
    assert ("--max-pages 40" in told) is is_offered


def test_records_are_offered_also_where_no_page_matches(tmp_path: Path) -> None:
    with served() as site:
        crawl = focus(tmp_path, site.url, **NO_SUCH, extract=["name=css:title"])
    assert len(crawl.records) == 20
    told = list(next_commands(crawl.status(), crawl, crawl.results()))
    assert f"dowse export {tmp_path} records --to csv -f records.csv" in told
    assert any("OTHER WORDS" in command for command in told)


@pytest.mark.usefixtures("plain")
def test_python_warns_of_the_extra_where_nothing_matches(tmp_path: Path) -> None:
    with served() as site, pytest.warns(UserWarning, match="no page matches the topic.*tasks in plain words") as told:
        dowse.focus(site.url, output=str(tmp_path), delay=0.0, robots="ignore", **NO_SUCH)
    assert CONTEXT in str(told[0].message)


@pytest.mark.parametrize(
    ("options", "is_named"), [({}, True), ({"context": False}, False), ({"language": "de"}, False)]
)
def test_the_extra_that_lacks_is_named_where_it_would_help(
    options: dict[str, Any], is_named: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(semantic, "is_installed", lambda: True)
    monkeypatch.setattr("dowse.modes.focus.results.lack_of_context", lambda: "the model is not installed")
    monkeypatch.setattr("dowse.modes.focus.reading_choice.lack_of_context", lambda: "the model is not installed")
    with served() as site:
        trouble = focus(tmp_path, site.url, **NO_SUCH, **options).results().trouble
    assert (CONTEXT in trouble) is is_named


def test_a_crawl_that_was_interrupted_is_to_go_on_whatever_it_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served() as site:
        crawl = focus(tmp_path, site.url, **{**NO_SUCH, "max_pages": 4})
    monkeypatch.setattr(dowse.Crawl, "stop_reason", "interrupted")
    told = "\n".join(final_text(replace(crawl.status(), stop_reason="interrupted"), crawl))
    assert f"The crawl is in {tmp_path}. Next:\n" in told
    assert told.endswith(f"dowse resume {tmp_path}")
    assert "OTHER WORDS" not in told, "it has hardly begun"
    assert "export" not in told, "the table is empty"


def test_status_and_report_tell_what_was_asked_for(tmp_path: Path) -> None:
    with served() as site:
        crawl = focus(tmp_path, site.url, max_pages=5, threshold=0.6)
    told = "\n".join(status_text(crawl))
    assert re.search(rf"^mode +focus\ntopic +{TOPIC}\nthreshold +0.6\npatience +0\nseeds ", told, re.MULTILINE)
    assert f"mode: focus; topic: {TOPIC}; threshold: 0.6; patience: 0" in crawl.report().read_text()


def test_status_tells_how_many_pages_are_to_be_judged_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with served() as site:
        focus(tmp_path, site.url, max_pages=30)
    job = make_job("focus", [site.url], output=str(tmp_path), **{**ONE_BY_ONE, "topic": "birds", "max_pages": 30})
    mode = opened(tmp_path).mode
    CrawlStore(tmp_path, job, mode.lease_policy(job), mode.bookkeeping(job, opened(tmp_path).reader.briefing())).close()
    assert opened(tmp_path).standing().rereads == 30
    assert re.search(r"pages to be judged again +30 ", "\n".join(status_text(opened(tmp_path))))


def test_a_simulation_takes_the_topic_of_the_crawl(tmp_path: Path) -> None:
    labels = tmp_path / "labels.csv"
    with served() as site:
        focus(tmp_path / "out", site.url, by="breadth")
        labels.write_text(f"url\n{site.url}sort/1.html\n{site.url}nowhere\n")
    words = ["simulate", str(tmp_path / "out"), "--by", "breadth", "--max-pages", "5"]
    told = CliRunner().invoke(cli, words).output
    assert "relevant: 41 pages with most of the keywords" in told
    told = CliRunner().invoke(cli, [*words, "--truth", str(labels)]).output
    assert f"relevant: 2 URLs of {labels}, 1 of which is not among the pages\n" in told


def test_a_crawl_names_what_it_can_be_asked(tmp_path: Path) -> None:
    with served() as site:
        crawl = focus(tmp_path, site.url, max_pages=5)
    assert {"matched", "label", "unsure", "pages"} <= set(dir(crawl))
    with pytest.raises(CrawlError, match="wanted: expected True, False or None, got 'yes'"):
        crawl.label(site.url, "yes")


def test_pages_that_nearly_match_are_counted(tmp_path: Path) -> None:
    with served() as site:
        focus(tmp_path, site.url, by="learned", max_pages=30)
    with sqlite3.connect(tmp_path / "crawl.db") as connection:
        connection.execute("UPDATE judgement SET relevance = 0.1 WHERE relevance < 0.5")
        connection.execute("UPDATE judgement SET relevance = 0.4 WHERE task IN (SELECT task FROM judgement LIMIT 2)")
    results = opened(tmp_path).results()
    assert results.facts["nearly_matched"] == 2
    (line,) = [each for each in results.numbers if "nearly" in each.name]
    assert (line.value, line.note) == (2, "relevance 0.300 or more")


def test_a_page_without_a_title_is_told_by_its_first_heading(tmp_path: Path) -> None:
    pages: dict[str, Page] = {
        "/": "<title>Start</title><a href=/owl.html>an owl</a> <a href=/bare.html>another owl</a>",
        "/owl.html": "<h1>The nest of an owl</h1><p>How the nest of an owl is made. " * 3,
        "/bare.html": "<p>The nest of an owl, and how the nest of an owl is made. " * 3,
    }
    with Site(pages) as site:
        options: dict[str, Any] = {"topic": "nest of an owl", "score": "keywords", "threshold": 0.1, **ONE_BY_ONE}
        app.start(make_job("focus", [site.url], output=str(tmp_path), **options))
    best = {found.detail or found.text: found.text for found in opened(tmp_path).results().best}
    assert best[f"{site.url}owl.html"] == "The nest of an owl"
    assert best[f"{site.url}bare.html"] == f"{site.url}bare.html"
