"""Focus crawls that read pages in context: what is said in other words matches, also after a stop, and in processes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import dowse
from dowse import app
from dowse.config import make_job
from dowse.modes.focus.ranker import build_topic
from dowse.modes.focus.reading_choice import lack_of_context
from dowse.score import semantic
from tests.crawling import opened, path_of
from tests.servers import Page, Site

TOPIC = "undo the last commit"
ONE_BY_ONE: dict[str, Any] = {"concurrency": 1, "per_host": 1, "delay": 0.0, "robots": "ignore", "patience": 0}
UNDOES = {
    "reset": ("Reset", "Undo a commit", "Moves HEAD back to an earlier revision, so that the commit is undone."),
    "revert": ("Revert", "Reverse a commit", "Makes a new commit that reverses the changes of an earlier commit."),
}
OTHERS = {
    "push": ("Push", "Upload commits", "Uploads the last commit and all that it needs to a server."),
    "log": ("Log", "List commits", "Shows who made the last commit, and when."),
    "branch": ("Branch", "Name a line of work", "A branch is a name that moves on with each commit."),
    **{f"part{number}": (f"Part {number}", f"Piece {number}", f"Paint it, part {number}.") for number in range(9)},
}  # fmt: skip


@pytest.fixture(autouse=True)
def model() -> None:
    if lack := lack_of_context():
        pytest.skip(lack)


def served() -> Site:
    pages: dict[str, Page] = {
        f"/{name}.html": f"<title>{title}</title><h2>{heading}</h2><p>{text}<p><a href=/>start</a>"
        for name, (title, heading, text) in {**UNDOES, **OTHERS}.items()
    }
    pages["/"] = "<title>Start</title>" + "".join(f"<p><a href={path}>{path}</a>" for path in pages)
    return Site(pages)


def focus(directory: Path, site: Site, **options: Any) -> dict[str, float]:
    job = make_job("focus", site.url, output=str(directory), topic=TOPIC, **{**ONE_BY_ONE, **options})
    app.start(job)
    return relevances(opened(directory))


def relevances(found: dowse.Crawl) -> dict[str, float]:
    return {path_of(row["url"]): row["relevance"] for row in found.crawled}


def test_pages_that_say_it_in_other_words_come_first(tmp_path: Path) -> None:
    with served() as site:
        closely = focus(tmp_path / "closely", site)
        words = focus(tmp_path / "words", site, context=False)
        assert "in context" in str(opened(tmp_path / "closely").why(f"{site.url}reset.html"))
        assert "in context" not in str(opened(tmp_path / "words").why(f"{site.url}reset.html"))
    best = sorted(closely, key=closely.__getitem__)[-2:]
    assert set(best) == {f"/{name}.html" for name in UNDOES}
    assert closely["/push.html"] < 0.5 < min(closely[path] for path in best), (closely, words)


def test_a_crawl_that_was_stopped_ends_with_the_same_verdicts(tmp_path: Path) -> None:
    with served() as site:
        whole = focus(tmp_path / "whole", site)
        focus(tmp_path / "parts", site, max_pages=6)
        app.resume(tmp_path / "parts", max_pages=0)
        assert relevances(opened(tmp_path / "parts")) == pytest.approx(whole, abs=0.01)


def test_a_crawl_begun_by_words_goes_on_by_words_where_more_is_installed_by_now(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served() as site, monkeypatch.context() as plain:
        plain.setattr(semantic, "is_installed", lambda: False)
        build_topic.cache_clear()
        whole = focus(tmp_path / "whole", site)
        focus(tmp_path / "parts", site, max_pages=6)
        plain.undo()
        build_topic.cache_clear()
        app.resume(tmp_path / "parts", max_pages=0)
        assert relevances(opened(tmp_path / "parts")) == pytest.approx(whole, abs=0.01)
        assert "in context" not in str(opened(tmp_path / "parts").why(f"{site.url}reset.html"))


def test_processes_read_in_context_too(tmp_path: Path) -> None:
    with served() as site:
        alone = focus(tmp_path / "alone", site)
        assert focus(tmp_path / "processes", site, workers=2) == pytest.approx(alone, abs=0.05)
