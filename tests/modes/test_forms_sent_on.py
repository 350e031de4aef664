"""Crawls for forms whose answers are redirects to pages that are there already: they are read from the archive."""

from __future__ import annotations

import os
import signal
import sqlite3
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from dowse import app
from dowse.config import make_job
from dowse.core.errors import CrawlInterrupted
from dowse.store.crawl_store import CrawlStore
from tests.servers import Answer, Reply, Request, Site

QUICK: dict[str, Any] = {"delay": 0.0, "retries": 0, "robots": "ignore", "harvest": True}


def page(body: str, title: str) -> str:
    return f"<html><head><title>{title}</title></head><body><h1>{title}</h1>{body}</body></html>"


def sends_on(_request: Request) -> Answer:
    return Reply("", status=302, headers={"Location": "/none"})


def shop(forms: int) -> dict[str, Any]:
    """A site with so many forms. Each sends all queries on to a page that the site links to as well."""
    boxes = "".join(
        f"<form action=/find{each} role=search><input type=search name=q{each}><button>Search</button></form>"
        for each in range(forms)
    )
    words = "<p>A red kettle and a blue cup of tea for the green garden</p><a href=/none>Nothing</a>"
    pages = {"/": page(boxes + words, "A shop"), "/none": page("No results were found. Sorry.", "None")}
    return pages | {f"/find{each}": sends_on for each in range(forms)}


def start(directory: Path, site: Site, **options: Any) -> None:
    app.start(make_job("forms", [site.url], output=str(directory), **{**QUICK, **options}))


def standing(directory: Path) -> tuple[list[str], int]:
    """Why each form is not asked any more, and how many queries wait for an answer."""
    with sqlite3.connect(directory / "crawl.db") as connection:
        endings = [ending for (ending,) in connection.execute("SELECT ending FROM form ORDER BY id")]
        return endings, connection.execute("SELECT count(*) FROM form_query WHERE out").fetchone()[0]


def test_forms_that_send_on_to_one_page_are_all_asked_to_the_end(tmp_path: Path) -> None:
    with Site(shop(3)) as site:
        start(tmp_path / "out", site, per_host=16)
        asked = Counter(request.path for request in site.asked())
    endings, out = standing(tmp_path / "out")
    assert out == 0
    assert all(endings)
    assert len({asked[f"/find{each}"] for each in range(3)}) == 1, "one as often as the other"


def test_a_harvest_goes_on_after_an_interrupt(tmp_path: Path) -> None:
    pages = shop(1)
    asked: list[str] = []

    def find(request: Request) -> Answer:
        asked.append(request.target)
        if len(asked) == 6:
            os.kill(os.getpid(), signal.SIGINT)
        return sends_on(request)

    with Site(pages | {"/find0": find}) as site:
        with pytest.raises(CrawlInterrupted):
            start(tmp_path / "out", site)
        before = len(asked)
        app.resume(tmp_path / "out")
    assert len(asked) > before + 10
    assert standing(tmp_path / "out")[1] == 0


class Killed(BaseException):
    """The end of a process, as far as its memory goes."""


@pytest.mark.parametrize("has_bodies", [True, False], ids=["with its bodies", "whose bodies are gone"])
def test_a_harvest_goes_on_after_a_kill(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_bodies: bool) -> None:
    """It comes when a stored page was read and this is not written yet."""
    commit = CrawlStore.commit

    def killed(self: CrawlStore, outcomes: Any, *others: Any) -> Any:
        if any(outcome.task.body for outcome in outcomes):
            raise Killed
        return commit(self, outcomes, *others)

    def unfinished(*_given: Any) -> None:
        raise Killed

    with Site(shop(1)) as site:
        with monkeypatch.context() as patched:
            patched.setattr(CrawlStore, "commit", killed)
            patched.setattr(CrawlStore, "finish", unfinished)
            with pytest.raises(Killed):
                start(tmp_path / "out", site)
        before = len(site.asked())
        if not has_bodies:
            for part in (tmp_path / "out" / "warc").iterdir():
                part.unlink()
        app.resume(tmp_path / "out")
        assert len(site.asked()) > before
    endings, out = standing(tmp_path / "out")
    assert out == 0
    assert all(endings)
