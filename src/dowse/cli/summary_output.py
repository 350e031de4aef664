"""What commands print of a whole crawl: its summary, its ledger, and the commands to go on with."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from dowse.cli.results_output import fields_text, learned_text, results_text
from dowse.cli.troubles_output import troubles_text
from dowse.cli.wording import counted, duration_text, facts, printable, shortened, size_text, state_text
from dowse.config import asked_texts
from dowse.core.job import takes_records
from dowse.core.model import FailureKind, State
from dowse.core.revisits.changes import counts_text

if TYPE_CHECKING:
    from dowse.app import Crawl, LedgerRow, RenderingTotals, Summary
    from dowse.core.options.revisit_options import Upkeep
    from dowse.core.results import Results

_GONE = frozenset({"http 404", "http 410"})
"""Failures that a second try does not help: nearly every crawl has some."""

_MOST_SHOWN = 400
"""Characters of an option that are shown."""

STOP_REASONS = {
    "complete": "complete: nothing in scope is left to fetch",
    "max_pages": "stopped at the limit of max_pages",
    "max_bytes": "stopped at the limit of max_bytes",
    "max_results": "stopped at the limit of max_results",
    "max_time": "stopped at the limit of max_time",
    "budget": "stopped when its budget was spent",
    "collection": "stopped: no other URL is worth more than the pages of the collection",
    "interrupted": "stopped by you before it was complete",
    "saturated": "stopped: little is left to be found, as far as can be told; --patience 0 goes on",
    "host_pages": "stopped at the limit of host_pages",
    "retried": "what failed was tried again; what that brought to light waits for dowse resume",
    "running": "running now",
    "killed": "not finished: its process was ended; dowse resume goes on",
}


def final_text(summary: Summary, crawl: Crawl, *, says_goodbye: bool = False) -> Iterator[str]:
    """The lines after a crawl: what came of it, where it is and what to do next. If it `says_goodbye`, a last line is
    to follow that says how to resume it."""
    took = f"{summary.elapsed:.1f} s" if summary.elapsed < 60 else duration_text(summary.elapsed)
    more = f" and {counted(summary.requisites, 'requisite')}" if summary.requisites else ""
    yield f"{counted(summary.pages, 'page')}{more}, {size_text(summary.bytes_received)}; this run took {took}"
    yield STOP_REASONS.get(summary.stop_reason, summary.stop_reason)
    if crawl.job.store.store_only:
        yield f"stored {counted(len(crawl.pages), 'page')}, those that --store-only names"
    yield from rendering_text(crawl.rendering())
    if crawl.was_visited_again:
        yield f"since the last recrawl began: {counts_text(crawl.last_changes) or 'nothing changed'}"
    yield from upkeep_text(crawl.upkeep)
    yield ""
    yield from ledger_table(crawl.balance(), most_reasons=3)
    yield ""
    yield from learned_text(crawl)
    yield from fields_text(crawl)
    results = crawl.results()
    yield from results_text(results)
    yield from troubles_text(crawl.troubles)
    why = f", but {results.trouble.partition(';')[0]}. What may help" if results.cures else ". Next"
    yield f"The crawl is in {summary.directory}{why}:"
    for command in next_commands(summary, crawl, results, says_goodbye=says_goodbye):
        yield f"  {command}"


def next_commands(summary: Summary, crawl: Crawl, results: Results, *, says_goodbye: bool = False) -> Iterator[str]:
    """The commands that are of use after a crawl that ended like this one. The table of what was looked for is of none
    where that is empty, and more pages are of none where nothing is left to be found. It may have rows also where there
    was some trouble: a table of rules with an error keeps links by its other rows."""
    directory, job = shlex.quote(summary.directory), crawl.job
    if crawl.was_visited_again:
        yield f"dowse changes {directory}"
    table = "records" if takes_records(job) else crawl.mode.result_table
    if not results.trouble or next(crawl.frame(table).rows(), None) is not None:
        yield f"dowse export {directory} {table} --to csv -f {table}.csv"
    yield from results.cures
    yield f"dowse status {directory}"
    yield f"dowse why {directory} {shlex.quote(job.seeds[0])}"
    match summary.stop_reason:
        case "max_pages" if not results.cures or results.facts.get("estimated_left") != 0:
            yield f"dowse resume {directory} --max-pages {2 * max(job.limits.max_pages, crawl.spent())}"
        case "max_bytes":
            yield f"dowse resume {directory} --max-bytes {2 * max(job.limits.max_bytes, summary.bytes_received)}"
        case "max_results":
            yield f"dowse resume {directory} --max-results {2 * job.limits.max_results}"
        case "max_time":
            yield f"dowse resume {directory} --max-time {2 * job.limits.max_time:g}"
        case "saturated":
            yield f"dowse resume {directory} --patience 0"
        case "interrupted" | "retried" if not says_goodbye:
            yield f"dowse resume {directory}"
    reasons = {row.reason for row in crawl.balance() if row.state == "failed"} - _GONE
    if reasons:
        larger = f" --max-body {4 * job.fetch.max_body}" if reasons == {FailureKind.TOO_LARGE} else ""
        yield f"dowse retry {directory}{larger}"


def nothing_failed(crawl: Crawl) -> Iterator[str]:
    """The lines of `dowse retry` where there is nothing to try again."""
    summary = crawl.status()
    yield f"Nothing had failed in {summary.directory}, so nothing was tried again."
    if waiting := sum(summary.counts.get(state, 0) for state in ("waiting", "out", "not_reached")):
        waits = counted(waiting, "URL waits", "URLs wait")
        yield f"{waits} to be fetched: dowse resume {shlex.quote(summary.directory)}"


def status_text(crawl: Crawl) -> Iterator[str]:
    """The lines of `dowse status`."""
    summary = crawl.status()
    seeds = crawl.job.seeds
    yield from facts([
        ("crawl", summary.directory),
        ("mode", crawl.job.mode),
        *((name, shortened(text, _MOST_SHOWN)) for name, text in asked_texts(crawl.job).items()),
        *([("seeds", seeds[0] if len(seeds) == 1 else f"{seeds[0]} and {len(seeds) - 1} more")] if seeds else []),
        ("state", STOP_REASONS.get(summary.stop_reason, summary.stop_reason)),
        ("pages", f"{summary.pages:,} ({size_text(summary.bytes_received)})"),
        *([("requisites", f"{summary.requisites:,}")] if summary.requisites else []),
        ("time", duration_text(summary.elapsed)),
    ])  # fmt: skip
    yield from rendering_text(crawl.rendering())
    yield from upkeep_text(crawl.upkeep)
    yield ""
    yield from ledger_table(crawl.balance())
    if crawl.learned or crawl.counted:
        yield ""
        yield from learned_text(crawl)
    if lines := list(fields_text(crawl)):
        yield from ("", *lines)
    if lines := list(results_text(crawl.results())):
        yield from ("", *lines)
    if crawl.troubles:
        yield ""
        yield from troubles_text(crawl.troubles)


def upkeep_text(upkeep: Upkeep | None) -> Iterator[str]:
    """How a recrawl under a budget left the pages.

    >>> from dowse.core.options.revisit_options import Upkeep
    >>> list(upkeep_text(Upkeep(0.934, 100, room=100, let_go=3, quality=0.98)))
    ['freshness about 93 %', 'collection of at most 100 pages: 3 let go, quality 0.98']
    """
    if upkeep is None:
        return
    yield f"freshness about {100 * upkeep.freshness:.0f} %"
    if upkeep.room:
        room = counted(upkeep.room, "page")
        yield f"collection of at most {room}: {upkeep.let_go:,} let go, quality {upkeep.quality:.2f}"


def rendering_text(totals: RenderingTotals) -> Iterator[str]:
    """What the browser took and brought; nothing where there was none."""
    if totals.pages:
        line = f"rendered {counted(totals.pages, 'page')}, {totals.seconds / totals.pages:.2f} s each"
        if totals.compared:
            line += f"; {totals.richer:,} of them had more than was sent, {counted(totals.links, 'link')} in all"
        yield line


def ledger_table(rows: Iterable[LedgerRow], most_reasons: int | None = None) -> Iterator[str]:
    """Every discovered URL by state and reason; the counts of the states add up to the first line."""
    states: dict[str, list[tuple[str, int]]] = {state.name.lower(): [] for state in State}
    for row in rows:
        states[row.state].append((row.reason, row.count))
    total = sum(count for reasons in states.values() for _, count in reasons)
    yield f"{'discovered':<40}{total:>12,}"
    for state, reasons in states.items():
        count = sum(count for _, count in reasons)
        if not count:
            continue
        yield f"  {state_text(state):<38}{count:>12,}"
        # A reason that only repeats the state (robots) says nothing more.
        named = sorted((row for row in reasons if row[0] not in ("", state)), key=lambda row: (-row[1], row[0]))
        for reason, count in named[:most_reasons]:
            yield f"    {shortened(printable(reason), 35):<36}{count:>12,}"
        if most_reasons is not None and len(named) > most_reasons:
            yield f"    and {len(named) - most_reasons} more"
