"""Schedules: a crawl is visited again by a watch, which is a process of its own."""

from __future__ import annotations

from fastapi import APIRouter

from dowse.core.errors import CrawlLocked, JobError
from dowse.settings import watch_settings
from dowse.store.watch_book import is_watched
from dowse.web.api_values import CRAWL_PROBLEMS
from dowse.web.asked_jobs import shown_option
from dowse.web.crawl_api import Here
from dowse.web.job_values import OptionShown, ScheduleAsked, ScheduleShown
from dowse.web.served_folders import Place
from dowse.workflows import started_watches

ROUTER = APIRouter(prefix="/api", tags=["schedules"])

_USUAL = ("every", "cron", "budget", "notify_email", "notify_webhook")
_REFUSED = ("notify_command",)
_NO_COMMAND = "commands are not run from the page; start dowse watch in a terminal for that"
_ELSEWHERE = "it is watched from elsewhere: end that watch where it was started"


def schedule_options() -> list[OptionShown]:
    """The options of a schedule, those that people give most first."""
    settings = {setting.name: setting for setting in watch_settings() if setting.name not in _REFUSED}
    return [shown_option(settings[name], usual=name in _USUAL) for name in dict.fromkeys((*_USUAL, *settings))]


def shown_schedule(place: Place) -> ScheduleShown:
    """How the schedule of a crawl stands."""
    watching = started_watches.find(place.directory)
    options = watching.options if watching is not None else {}
    return ScheduleShown(
        watched=is_watched(place.directory),
        ours=watching is not None and watching.is_running,
        options=options,
        command=started_watches.shown_command(place.directory, options) if options else "",
        log=started_watches.printed(place.directory),
    )


@ROUTER.get("/crawls/{crawl_id}/schedule", responses=CRAWL_PROBLEMS)
def get_schedule(place: Here) -> ScheduleShown:
    """The schedule of a crawl."""
    return shown_schedule(place)


@ROUTER.post("/crawls/{crawl_id}/schedule", responses=CRAWL_PROBLEMS)
def begin_schedule(place: Here, asked: ScheduleAsked) -> ScheduleShown:
    """Visit a crawl again by a schedule, with the options of `dowse watch`. The watch goes on without the page."""
    for name, value in dict(asked.options).items():
        if name in _REFUSED and value:
            raise JobError(f"{name}: {_NO_COMMAND}")
        if "file:" in str(value) and name in ("webhook_key", "smtp_password"):
            raise JobError(f"{name}: the page reads no secrets from files; name an environment variable: env:NAME")
    started_watches.begin(place.directory, asked.options)
    return shown_schedule(place)


@ROUTER.post("/crawls/{crawl_id}/schedule/end", responses=CRAWL_PROBLEMS)
def end_schedule(place: Here) -> ScheduleShown:
    """End the schedule of a crawl."""
    if not started_watches.end(place.directory) and is_watched(place.directory):
        raise CrawlLocked(f"{place.name}: {_ELSEWHERE}")
    return shown_schedule(place)
