"""What can be done with a crawl: pause, resume, stop, retry, recrawl, delete.

A crawl that was started from a terminal belongs to that terminal: it can be looked at here, and is stopped there.
"""

from __future__ import annotations

import time
from contextlib import suppress
from typing import Literal

from fastapi import APIRouter

from dowse.core.errors import CrawlError, CrawlLocked, JobError
from dowse.crawl import remove
from dowse.store.folder import holds_crawl, is_running
from dowse.store.watch_book import is_watched
from dowse.web.api_values import CRAWL_PROBLEMS, CrawlLine
from dowse.web.crawl_api import Here, Lines
from dowse.web.crawl_lines import RUNNING
from dowse.web.job_values import ActAsked, Acted, DeleteAsked
from dowse.web.served_folders import Place
from dowse.workflows import started_crawls, started_watches

ROUTER = APIRouter(prefix="/api", tags=["crawls"])

ELSEWHERE = "it was not started from this page: stop it where it was started, with Ctrl-C"
_PATIENCE = 20.0
_LOOK = 0.05

Onward = Literal["resume", "retry", "recrawl"]
End = Literal["pause", "stop"]


def possible_acts(line: CrawlLine, place: Place) -> list[str]:
    """What can be done with a crawl as it stands."""
    if line.trouble:
        return ["delete"]
    if line.state == RUNNING:
        run = started_crawls.find(place.directory)
        return ["pause", "stop"] if run is not None and run.is_running else []
    acts = ["resume"] if line.waiting or line.state != "done" else []
    acts += ["retry"] if line.failed else []
    return [*acts, "recrawl", "duplicate", "delete"]


@ROUTER.post("/crawls/{crawl_id}/go/{act}", responses=CRAWL_PROBLEMS)
def go_on(place: Here, act: Onward, asked: ActAsked, lines: Lines) -> Acted:
    """Let a crawl go on: `resume` it, `retry` what failed, or `recrawl` all its pages."""
    words: list[str] = []
    if act == "resume" and asked.max_pages is not None:
        words = ["--max-pages", str(asked.max_pages)]
    if act == "recrawl" and asked.budget:
        words = ["--budget", str(asked.budget)]
    started_crawls.go_on(place.directory, act, *words)
    lines.forget(place)
    return Acted(state=lines.of(place).state)


@ROUTER.post("/crawls/{crawl_id}/end/{act}", responses=CRAWL_PROBLEMS)
def end(place: Here, act: End, lines: Lines) -> Acted:
    """End the run of a crawl. `pause` lets come home what is under way, `stop` does not wait for it. Either way the
    crawl can be resumed."""
    if not is_running(place.directory):
        return Acted(state=lines.of(place).state)
    if not started_crawls.stop(place.directory, at_once=act == "stop"):
        raise CrawlLocked(f"{place.name} runs, but {ELSEWHERE}")
    until = time.monotonic() + _PATIENCE
    while is_running(place.directory) and time.monotonic() < until:
        time.sleep(_LOOK)
    lines.forget(place)
    return Acted(state=lines.of(place).state)


@ROUTER.post("/crawls/{crawl_id}/delete", responses=CRAWL_PROBLEMS)
def delete(place: Here, asked: DeleteAsked) -> Acted:
    """Remove a crawl with its pages. Its name confirms which is meant. Other files in its folder stay."""
    if asked.name != place.name:
        raise JobError(f"name: to delete this crawl, give its name, {place.name}")
    if is_watched(place.directory):
        raise CrawlLocked(f"{place.name} is being watched; end its schedule first")
    remove(place.directory)
    if holds_crawl(place.directory):
        raise CrawlError(f"{place.name} could not be removed")
    ours = (started_crawls.JOB, started_crawls.RUN, started_crawls.LOG, started_watches.SCHEDULE, started_watches.LOG)
    for name in (*ours, "crawl.lock", "watch.lock", "watch.db"):
        with suppress(OSError):
            (place.directory / name).unlink(missing_ok=True)
    with suppress(OSError):  # somebody's files are in it
        place.directory.rmdir()
    return Acted(state="deleted")
