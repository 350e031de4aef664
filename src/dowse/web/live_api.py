"""A crawl at this moment: one small answer that the page asks for again every second."""

from __future__ import annotations

import time

from fastapi import APIRouter
from msgspec import to_builtins

from dowse.core.errors import CrawlError
from dowse.core.job import Politeness
from dowse.core.model import State
from dowse.core.phrasing import span_text
from dowse.core.politeness import HostState, gap
from dowse.crawl import Crawl
from dowse.store.reading.live_numbers import AskedHost, live_numbers
from dowse.web.act_api import possible_acts
from dowse.web.api_values import CRAWL_PROBLEMS, LedgerCount
from dowse.web.crawl_api import Folders, Here, Lines
from dowse.web.crawl_lines import RUNNING, Counts
from dowse.web.inside_values import Failure, Live, ShownHost, ShownVisit
from dowse.web.served_folders import Place
from dowse.workflows import started_crawls

ROUTER = APIRouter(prefix="/api", tags=["crawls"])
MOST_REASONS = 60


@ROUTER.get("/crawls/{crawl_id}/live", responses=CRAWL_PROBLEMS)
def get_live(place: Here, lines: Lines, folders: Folders) -> Live:
    """How a crawl stands now: its speed, its queue, its ledger, its hosts, its newest decisions, what fails."""
    counts = lines.counts(place)
    if counts.line.trouble:
        raise CrawlError(counts.line.trouble)
    with folders.open(place.id) as crawl:
        return live_of(place, counts, crawl)


def live_of(place: Place, counts: Counts, crawl: Crawl) -> Live:
    """The same of a crawl that is open."""
    line, ledger = counts.line, counts.ledger
    now, is_at_work = time.time(), line.state == RUNNING
    numbers = live_numbers(crawl.reader.connection, now)
    run = started_crawls.find(place.directory)
    return Live(
        **line.model_dump(include={"state", "stop_reason", "pages", "waiting", "failed", "size", "elapsed"}),
        rate=numbers.rate if is_at_work else 0.0,
        discovered=sum(row.count for row in ledger),
        ledger=[LedgerCount.model_validate(row) for row in ledger[:MOST_REASONS]],
        hosts=[_host(host, crawl.job.politeness, now if is_at_work else 0.0) for host in numbers.hosts],
        newest=[ShownVisit(**{**to_builtins(visit), "state": _state(visit.state)}) for visit in numbers.newest],
        failures=[Failure(**to_builtins(group)) for group in counts.failures],
        acts=possible_acts(line, place),
        log=started_crawls.printed(place.directory) if run is not None and not is_at_work else [],
    )


def _state(number: int) -> str:
    return State(number).name.lower()


def _host(host: AskedHost, policy: Politeness, now: float) -> ShownHost:
    return ShownHost(
        name=host.name,
        pages=host.pages,
        waiting=host.waiting,
        delay=gap(host.politeness, policy),
        next_request=max(0.0, host.politeness.not_before - now) if now and host.waiting else 0.0,
        note=_note(host.politeness, policy),
    )


def _note(state: HostState, policy: Politeness) -> str:
    """Why the host is asked as often as it is."""
    delay = gap(state, policy)
    if state.backoff and state.backoff >= delay:
        return "it complained of too many requests, so it is asked less often"
    if policy.robots == "obey" and state.crawl_delay and state.crawl_delay >= delay:
        return "its robots.txt asks for that"
    if state.failures:
        return f"it did not answer {state.failures} times in a row"
    if policy.delay >= 0:
        return "as the job says"
    return f"its answers take {span_text(state.latency)}" if state.latency else "not asked yet"
