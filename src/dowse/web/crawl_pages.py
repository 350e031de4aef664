"""The pages of crawls: the list, one crawl as it stands, its schedule, and the form of a new one."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from dowse.config import dump_job, written_options
from dowse.core.results import Results
from dowse.core.troubles import Trouble
from dowse.crawl import Crawl
from dowse.export.report.chapters import Chapter, of_mode
from dowse.export.report.document import ENDINGS, ledger_charts
from dowse.export.report.listings import shown_failures
from dowse.modes.registry import find_mode, offered_modes
from dowse.store.reading.live_numbers import WINDOW
from dowse.web.asked_jobs import shown_mode
from dowse.web.crawl_api import Folders, Here, Lines
from dowse.web.crawl_lines import CrawlLines
from dowse.web.html_answers import Entry, page
from dowse.web.inside_pages import frame_of
from dowse.web.live_api import MOST_REASONS, live_of
from dowse.web.schedule_api import schedule_options, shown_schedule
from dowse.web.served_folders import Place, ServedFolders

ROUTER = APIRouter(include_in_schema=False)
MENU = (Entry("Crawls", "/"), Entry("New crawl", "/new"))


@ROUTER.get("/")
def crawls(request: Request, lines: Lines, folders: Folders) -> Response:
    """The list of crawls; where there are none, what to do first."""
    return page(request, "crawls.html", crawls=lines.all(), home=folders.home)


@ROUTER.get("/new")
def new_crawl(request: Request, folders: Folders, mode: str = "", like: str = "") -> Response:
    """The form of a new crawl; `like` is the id of a crawl whose job it begins with."""
    values: dict[str, Any] = {}
    seeds: list[str] = []
    if like:
        with folders.open(like) as crawl:
            job = crawl.job
            values, mode, seeds = written_options(job), job.mode, list(job.seeds)
    chosen = shown_mode(find_mode(mode) if mode else offered_modes()[0])
    names = [(each.name, (each.__doc__ or "").strip().partition("\n")[0]) for each in offered_modes()]
    if chosen.start:
        seeds = []
    return page(request, "new_crawl.html", mode=chosen, modes=names, values=values, seeds=seeds, like=like)


@ROUTER.get("/crawls/{crawl_id}")
def crawl(request: Request, place: Here, lines: Lines, folders: Folders) -> Response:
    """One crawl, live."""
    return page(request, "crawl.html", **_live(place, lines, folders))


@ROUTER.get("/crawls/{crawl_id}/live")
def live(request: Request, place: Here, lines: Lines, folders: Folders) -> Response:
    """The parts of that page that change; its script puts them in the place of those that are there."""
    return page(request, "live.html", **_live(place, lines, folders))


def _live(place: Place, lines: CrawlLines, folders: ServedFolders) -> dict[str, Any]:
    counts = lines.counts(place)
    line = counts.line
    if line.trouble:
        return {"crawl": line, "tabs": [], "tab": "", "live": None}
    with folders.open(place.id) as crawl:
        now = live_of(place, counts, crawl)
        chapters, results, troubles = lines.remembered(place, lambda: _found(crawl))
        return {
            **frame_of(crawl, line),
            "live": now,
            "window": WINDOW,
            "ending": ENDINGS.get(line.stop_reason, ""),
            "ledger": ledger_charts(counts.ledger[:MOST_REASONS]),
            "failures": shown_failures(counts.failures),
            "chapters": chapters,
            "job": dump_job(crawl.job),
            "results": results,
            "troubles": troubles,
        }


def _found(crawl: Crawl) -> tuple[list[Chapter], Results, list[Trouble]]:
    """What only crawls of its mode have, such as the harvest curve, its results, and what did not go as asked."""
    results = crawl.results()
    lack = results.trouble if crawl.status().pages else "no page could be fetched; the errors below say why"
    troubles = [*([Trouble(lack, 0, "", fatal=True)] if lack else []), *crawl.troubles]
    return list(of_mode(crawl.mode.exhibits(crawl))), results, troubles


@ROUTER.get("/crawls/{crawl_id}/schedule")
def schedule(request: Request, place: Here, lines: Lines, folders: Folders) -> Response:
    """When a crawl is visited again."""
    with folders.open(place.id) as crawl:
        values = frame_of(crawl, lines.of(place), here="schedule")
    return page(request, "schedule.html", **values, schedule=shown_schedule(place), options=schedule_options())
