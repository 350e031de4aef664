"""Every mode with its tables in PostgreSQL: stopped, killed, retried and visited again, it tells what SQLite would."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

import dowse
from dowse import app
from dowse.config import dump_job
from dowse.store.reading.copy_groups import copy_groups
from dowse.store.reading.live_numbers import live_numbers
from dowse.store.reading.table_window import Window, look_through
from dowse.store.reading.url_paths import path_to
from tests.contract.mode_jobs import MODES, Runs, told
from tests.contract.test_modes_resume import held_up
from tests.crawling import opened
from tests.postgres import Server
from tests.processes import running

CASES = (*MODES, "site depth", "forms harvest")
"""What asks a database for more than one job of each mode does."""

AFTER = 4
"""Pages of the first run."""


@pytest.fixture
def store(postgres_server: Server) -> str:
    return postgres_server.database()


@pytest.mark.parametrize("case", CASES)
def test_a_crawl_in_two_runs_tells_what_it_tells_in_a_file(case: str, runs: Runs, tmp_path: Path, store: str) -> None:
    runs.give(tmp_path / "given")
    runs.crawl(case, tmp_path / "out", given=tmp_path / "given", max_pages=AFTER, store=store)
    shutil.rmtree(tmp_path / "given")
    app.resume(tmp_path / "out", max_pages=0)
    assert told(opened(tmp_path / "out")) == told(runs.undisturbed(case))
    assert not (tmp_path / "out" / "crawl.db").exists()


@pytest.mark.parametrize("case", MODES)
def test_a_crawl_that_was_killed_ends_as_one_run(case: str, runs: Runs, tmp_path: Path, store: str) -> None:
    out, file = tmp_path / "out", tmp_path / "job.toml"
    file.write_text(dump_job(runs.job(case, out, store=store)), encoding="utf-8")
    with running("run", file, "--quiet") as crawl, held_up(runs.site) as wait_until_held_up:
        wait_until_held_up()
        assert crawl.is_running
        crawl.kill_all()
    assert app.read(out).status().stop_reason == "killed"
    app.resume(out)
    assert told(opened(out)) == told(runs.undisturbed(case))


@pytest.mark.parametrize("case", MODES)
def test_all_that_can_be_asked_of_a_crawl_is_answered_as_from_a_file(
    case: str, runs: Runs, tmp_path: Path, store: str
) -> None:
    crawls = runs.copied(case, tmp_path / "file" / "out"), tmp_path / "out"
    runs.crawl(case, tmp_path / "out", store=store)
    answers = []
    for folder in crawls:
        app.retry(folder)
        app.recrawl(folder)
        answers.append(asked(folder, runs.site.url))
    assert answers[1] == answers[0]


def asked(folder: Path, home: str) -> dict[str, Any]:
    """What the readers say, without what is different in every run."""
    with dowse.open(folder) as crawl:
        survey, story = crawl.survey(), crawl.why(home)
        window = Window(words="fruit", sort="url", descending=True)
        return {
            **told(crawl),
            "records": [dict(row) for row in crawl.records],
            "edges": [dict(row) for row in crawl.frame("edges")],
            "levels": survey.levels,
            "statuses": survey.statuses,
            "hosts": [host.name for host in survey.hosts] if hasattr(survey, "hosts") else [],
            "story": story and (story.state, story.depth, story.parents),
            "changes": [row["url"] for row in crawl.changes()],
            "found": [hit["url"] for hit in crawl.search("fruit")],
            "balance": crawl.balance(),
            "window": [row[0] for row in look_through(crawl.reader.table("pages"), window).rows],
            "copies": copy_groups(crawl.reader.connection, 5, 0),
            "live": [visit.url for visit in live_numbers(crawl.reader.connection, 0.0).newest],
            "path": story and path_to(crawl.reader.connection, story.number),
            "report": crawl.report(folder / "report.html").stat().st_size > 1000,
            "again": crawl.at("2100-01-01").status().counts if hasattr(crawl, "at") else {},
        }


def test_a_database_without_a_host_is_found_again(
    runs: Runs, tmp_path: Path, store: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on most machines, where libpq knows the socket and the user by itself."""
    parts = urlsplit(store)
    monkeypatch.setenv("PGHOST", parse_qs(parts.query)["host"][0])
    monkeypatch.setenv("PGUSER", parts.username or "postgres")
    runs.crawl("site", tmp_path / "out", max_pages=AFTER, store=f"postgresql://{parts.path}")
    app.resume(tmp_path / "out", max_pages=0)
    assert told(opened(tmp_path / "out")) == told(runs.undisturbed("site"))
