"""What commands print of a crawl: its summary, its ledger, the story of one URL."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from dowse.cli.spelling_output import spelling_facts, undoing
from dowse.cli.troubles_output import troubles_text
from dowse.cli.wording import counted, duration_text, moment_text, printable, shortened, size_text, state_text, wrapped
from dowse.core.job import ExtractOptions, asked_kinds
from dowse.core.model import REPEATED, UNFINISHED, State
from dowse.core.phrasing import run_text

if TYPE_CHECKING:
    from dowse.app import Crawl, LedgerRow, RenderingTotals, Story, Summary
    from dowse.core.results import Results
    from dowse.reextract import Extraction
    from dowse.store.reading.records import FieldCount

MOST_LINKS = 5
MOST_FIELDS = 30

STOP_REASONS = {
    "complete": "complete: nothing in scope is left to fetch",
    "max_pages": "stopped at the limit of max_pages",
    "max_time": "stopped at the limit of max_time",
    "interrupted": "stopped by you before it was complete",
    "saturated": "stopped because the last pages brought next to nothing more; --patience 0 goes on",
    "host_pages": "stopped at the limit of host_pages",
    "retried": "what failed was tried again; what that brought to light waits for dowse resume",
    "running": "running now",
    "killed": "not finished: its process was ended; dowse resume goes on",
}


def final_text(summary: Summary, crawl: Crawl) -> Iterator[str]:
    """The lines after a crawl: what came of it, where it is and what to do next."""
    took = f"{summary.elapsed:.1f} s" if summary.elapsed < 60 else duration_text(summary.elapsed)
    yield f"{counted(summary.pages, 'page')}, {size_text(summary.bytes_received)}; this run took {took}"
    yield STOP_REASONS.get(summary.stop_reason, summary.stop_reason)
    yield from rendering_text(crawl.rendering())
    yield ""
    yield from ledger_table(crawl.balance(), most_reasons=3)
    yield ""
    yield from learned_text(crawl)
    yield from fields_text(crawl)
    yield from results_text(crawl.results())
    yield from troubles_text(crawl.troubles)
    yield f"The crawl is in {summary.directory}. Next:"
    for command in next_commands(summary, crawl):
        yield f"  {command}"


def learned_text(crawl: Crawl) -> Iterator[str]:
    """What makes no difference on this site, and how to do without that."""
    if crawl.learned:
        yield "Learned, and skipped:"
        yield from (f"  {printable(sentence)}" for sentence in crawl.learned)
        directory = shlex.quote(str(crawl.directory))
        yield f"  undo with: dowse resume {directory} --keep-parameters NAME, or --dedup exact for all"
        yield ""
    if crawl.counted:
        yield "Learned, and fetched after all:"
        yield from (f"  {wrapped(printable(sentence), 2, 2)}" for sentence in crawl.counted)
        yield ""


def fields_text(crawl: Crawl) -> Iterator[str]:
    """How many records there are and how complete they are; a field that no page has is told, not left out."""
    if crawl.job.extract == ExtractOptions():
        return
    options, number = crawl.job.extract, len(crawl.records)
    yield f"{'records':<40}{number:>12,}" + ("   does --on match the pages?" if options.on and not number else "")
    kinds: dict[str, list[FieldCount]] = {kind: [] for kind in asked_kinds(options)}
    for count in crawl.fields():
        kinds.setdefault(count.kind, []).append(count)
    unfinished = kinds.pop(UNFINISHED, [])
    for kind, counts in kinds.items():
        yield from _kind_text(kind, counts, with_heading=len(kinds) > 1)
    for count in unfinished:
        name = shortened(printable(count.name), 20)
        yield f"  {name}: not read to the end on {counted(count.records, 'page')}"
    if unfinished:
        yield f"  why: dowse export {shlex.quote(str(crawl.directory))} records --kind {UNFINISHED} --to csv"
    if options.tables and (rows := len(crawl.records_of(REPEATED))):
        yield f"  tables that many pages have are left out but for one: {counted(rows, 'row')}"
        yield f"  see: dowse export {shlex.quote(str(crawl.directory))} records --kind {REPEATED} --to csv"
    if options.extract and not all(count.records for count in kinds["fields"]):
        yield f"  stored pages are searched by: dowse extract {shlex.quote(str(crawl.directory))}"
    yield ""


def _kind_text(kind: str, counts: list[FieldCount], *, with_heading: bool) -> Iterator[str]:
    indent = "  "
    if with_heading or not counts:
        yield f"  {kind}" if counts else f"  {kind:<38}{0:>12,}   on no page"
        indent = "    "
    for count in counts[:MOST_FIELDS]:
        warning = "" if count.records else "   none: see selector, type"
        name = shortened(printable(count.name), 39 - len(indent))
        yield f"{indent}{name:<{40 - len(indent)}}{count.records:>12,}{warning}"
    if len(counts) > MOST_FIELDS:
        yield f"{indent}and {counted(len(counts) - MOST_FIELDS, 'more field')}"


def fields_json(crawl: Crawl) -> dict[str, Any]:
    """The same for programs."""
    if crawl.job.extract == ExtractOptions():
        return {}
    fields = [{"kind": count.kind, "name": count.name, "records": count.records} for count in crawl.fields()]
    return {"records": len(crawl.records), "fields": fields}


def results_text(results: Results) -> Iterator[str]:
    """What a mode has to say of its crawl: the best results, numbers, notes."""
    wide = max((len(found.mark) for found in results.best), default=0)
    for found in results.best:
        yield f"  {found.mark:>{wide}}  {printable(found.text)}"
        if found.detail:
            yield f"  {'':>{wide}}  {printable(found.detail)}"
    if results.more:
        yield f"  {results.more}"
    if results.best:
        yield ""
    for number in results.numbers:
        value = f"{number.value:,}" if isinstance(number.value, int) else number.value
        yield f"{number.name:<40}{value:>12}" + (f"   {printable(number.note)}" if number.note else "")
    yield from (f"  {printable(note)}" for note in results.notes)
    if results.numbers or results.notes:
        yield ""


def extraction_text(result: Extraction, crawl: Crawl) -> Iterator[str]:
    """The lines after stored pages were read again."""
    yield f"{counted(result.records, 'record')} from {counted(result.pages, 'stored page')}"
    yield ""
    yield from fields_text(crawl)
    yield f"Next: dowse export {shlex.quote(str(crawl.directory))} records --to csv -f records.csv"


def next_commands(summary: Summary, crawl: Crawl) -> Iterator[str]:
    """The commands that are of use after a crawl that ended like this one."""
    directory, job = shlex.quote(summary.directory), crawl.job
    table = crawl.mode.result_table if job.extract == ExtractOptions() else "records"
    yield f"dowse export {directory} {table} --to csv -f {table}.csv"
    yield f"dowse status {directory}"
    yield f"dowse why {directory} {shlex.quote(job.seeds[0])}"
    match summary.stop_reason:
        case "max_pages":
            yield f"dowse resume {directory} --max-pages {2 * max(job.limits.max_pages, crawl.spent())}"
        case "max_time":
            yield f"dowse resume {directory} --max-time {2 * job.limits.max_time:g}"
        case "saturated":
            yield f"dowse resume {directory} --patience 0"
        case "interrupted" | "retried":
            yield f"dowse resume {directory}"
    if summary.counts.get("failed"):
        yield f"dowse retry {directory}"


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
        ("seeds", seeds[0] if len(seeds) == 1 else f"{seeds[0]} and {len(seeds) - 1} more"),
        ("state", STOP_REASONS.get(summary.stop_reason, summary.stop_reason)),
        ("pages", f"{summary.pages:,} ({size_text(summary.bytes_received)})"),
        ("time", duration_text(summary.elapsed)),
    ])  # fmt: skip
    yield from rendering_text(crawl.rendering())
    yield ""
    yield from ledger_table(crawl.balance())
    if crawl.learned or crawl.counted:
        yield ""
        yield from learned_text(crawl)
    if crawl.job.extract != ExtractOptions():
        yield ""
        yield from fields_text(crawl)
    if lines := list(results_text(crawl.results())):
        yield from ("", *lines)
    if crawl.troubles:
        yield ""
        yield from troubles_text(crawl.troubles)


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


def never_seen(crawl: Crawl, url: str) -> str:
    """Why a URL has no story."""
    text = f"{url} was never seen in this crawl: no link to it was read on any page"
    crowded = crawl.crowded()
    return f"{text}; {counted(crowded, 'page')} had more links than are read of one" if crowded else text


def story_json(story: Story) -> dict[str, Any]:
    """What `dowse why --json` prints: what the mode says of a URL stands beside the rest."""
    known = {name: getattr(story, name) for name in story.__struct_fields__ if name not in ("facts", "number")}
    return {**known, **story.facts}


def story_text(story: Story, directory: str, of_mode: Iterable[tuple[str, str]] = ()) -> Iterator[str]:
    """The lines of `dowse why`: how a URL was found, what was decided and what came of it.

    `of_mode` is what the crawl's mode has to say of it.
    """
    yield printable(story.url)
    reason = f" ({printable(story.reason)})" if story.reason not in ("", story.state) else ""
    yield from facts(_story_facts(story, state_text(story.state) + reason, directory, of_mode), indent="  ")


def _story_facts(
    story: Story, state: str, directory: str, of_mode: Iterable[tuple[str, str]]
) -> Iterator[tuple[str, str]]:
    yield "state", state
    if str(story.asked):
        yield "request", str(story.asked)
    if story.asked.why:
        yield "wanted because", story.asked.why
    yield from spelling_facts(story)
    if story.depth is not None:
        yield "depth", "a seed" if story.depth == 0 else f"{story.depth} from a seed"
    for parent, anchor in story.parents[:MOST_LINKS]:
        yield "linked from", f'{parent}  "{anchor}"' if anchor else parent
    if len(story.parents) > MOST_LINKS:
        yield "linked from", f"and {counted(len(story.parents) - MOST_LINKS, 'more page')}"
    yield from of_mode
    for name, reason in story.unfinished.items():
        yield "field", f"{name}: {reason}"
    if story.reached_by:
        yield "shown after", run_text(story.reached_by)
    if story.redirected_from:
        yield "redirected from", story.redirected_from
    for visit in story.visits:
        yield "visit", visit_text(visit)
    if story.copy_of:
        yield "last copy", f"{moment_text(story.copy_of)}; it stays in the tables until the page comes again or is gone"
    if story.redirected_to:
        yield "redirected to", story.redirected_to
    if story.duplicate_of:
        yield "same content as", story.duplicate_of
        if story.state == "duplicate":
            yield "undo", undoing(story, directory)
    if story.next_attempt:
        yield "next attempt", moment_text(story.next_attempt)
    for other in story.others[:MOST_LINKS]:
        yield "also asked for", f"{other}, {state_text(other.state)}" + (f": {other.why}" if other.why else "")
    if len(story.others) > MOST_LINKS:
        yield "also asked for", f"{counted(len(story.others) - MOST_LINKS, 'more request')}"


def visit_text(visit: dict[str, Any]) -> str:
    """One request and its answer."""
    words = [moment_text(visit["fetched_at"])]
    if visit.get("status"):
        words.append(str(visit["status"]))
    if visit.get("failure") or visit.get("detail"):
        words.append(": ".join(word for word in (visit["failure"], visit.get("detail")) if word))
    if visit.get("media_type"):
        words.append(visit["media_type"])
    if visit.get("size"):
        words.append(size_text(visit["size"]))
    words.append(f"{visit['elapsed']:.3f} s")
    if visit.get("rendered"):
        words.append(rendered_text(visit["rendered"]))
    return ", ".join(words)


def rendered_text(rendered: dict[str, Any]) -> str:
    """How a page was rendered."""
    text = f"rendered in {rendered['elapsed']:.2f} s" + (" until its time was up" if rendered["cut"] else "")
    for state in rendered["states"][-1:]:
        text += f" after {run_text(state['path'])}"
    if rendered["links"] is not None:
        text += f", {counted(rendered['links'], 'link')} and {counted(rendered['text'], 'character')} more"
    return text


def facts(rows: Iterable[tuple[str, str]], indent: str = "") -> Iterator[str]:
    """Names and values in two columns; a name that comes again is written once."""
    before = ""
    first = len(indent) + 17
    for name, value in rows:
        yield f"{indent}{name if name != before else '':<17}{wrapped(printable(value), first + 2, first)}"
        before = name
