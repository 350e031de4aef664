"""The report of a crawl: one HTML page, complete in itself.

The page loads nothing and runs nothing. Its policy forbids both, whatever a crawled page may have put into a title or
a URL: the one style sheet is let through by its checksum, and there are no scripts to let through.

    heading    what was crawled, when, how it ended; the main numbers
    ledger     every discovered URL by state and reason
    the mode   what only crawls of its kind have: a curve, a graph, listings   (chapters.py)
    charts     over time, response times, status, media type, depth     (charts.py)
    listings   hosts, links, records, failures, extremes, copies        (listings.py)

A part that has nothing to show is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, TextIO

from msgspec import Struct

from dowse.core.crawl_numbers import About, LedgerRow, Survey
from dowse.core.exhibits import Exhibit
from dowse.core.phrasing import counted, shortened, size_text, span_text, state_text
from dowse.export.pages.page_heads import subject
from dowse.export.pages.plots import Part, WholeBar, part_bar
from dowse.export.pages.templates import number, write_document
from dowse.export.report import charts, listings
from dowse.export.report.chapters import Chapter, of_mode
from dowse.export.report.headlines import ledger_title

MOST_REASONS = 8
MOST_SEEDS = 5

ENDINGS = {
    "complete": "It is complete: nothing in scope is left to fetch.",
    "max_pages": "It stopped at its limit of pages.",
    "max_bytes": "It stopped at its limit of bytes.",
    "max_results": "It stopped at its limit of results.",
    "max_time": "It stopped at its limit of time.",
    "host_pages": "It stopped at its limit of pages a host.",
    "collection": "It stopped because no other URL is worth more than the pages of its collection.",
    "budget": "It stopped when the budget of its last run was spent.",
    "interrupted": "It was stopped before it was complete.",
    "retried": "Last, what had failed was tried again.",
    "running": "It was still running when this was written.",
    "killed": "It is not finished: its process was ended.",
}

_PLAIN = {"fetched": "page", "waiting": "not tried yet", "not_reached": "not tried yet", "out": "under way"}
"""What a URL is that needs no reason."""


class Line(Struct, frozen=True):
    """A row of the ledger: a state with its colour, one of its reasons, or the sum."""

    kind: str
    text: str
    count: int
    colour: str = ""


class Ledger(Struct, frozen=True):
    """All of them."""

    rows: list[Line]
    total: int

    drawn_as: ClassVar[str] = "ledger"


def write_report(about: About, survey: Survey, stream: TextIO, exhibits: Sequence[Exhibit] = ()) -> None:
    """Write the page to a text stream. `exhibits` are what the mode of the crawl shows of it."""
    more = len(about.seeds) - MOST_SEEDS
    write_document(
        stream,
        "report.html",
        ("colours.css", "theme.css", "charts.css", "report.css"),
        subject=subject(about.seeds, about.name),
        seeds=about.seeds[:MOST_SEEDS],
        wish=about.wish,
        more_seeds=f" and {counted(more, 'more seed')}" if more > 0 else "",
        started=survey.timeline.start if survey.timeline else None,
        ending=ENDINGS.get(about.stop_reason, ""),
        numbers=_numbers(survey),
        chapters=[_ledger(survey), *of_mode(exhibits), *charts.parts(survey), *listings.parts(survey, about)],
        written_at=about.written_at,
        name=about.name,
        requests=survey.requests,
    )


def _numbers(survey: Survey) -> list[tuple[str, str]]:
    span = survey.timeline.seconds if survey.timeline else 0.0
    about = "about " if survey.links.step > 1 else ""
    return [
        ("pages", number(survey.pages)),
        ("URLs discovered", number(survey.discovered)),
        ("links on the pages", about + number(survey.links.links)),
        ("received", size_text(survey.size)),
        ("time at work", span_text(span) if span else "0 s"),
        ("failed", number(survey.in_state("failed"))),
    ]


def _ledger(survey: Survey) -> Chapter:
    note = "Every URL that was ever found stands once, in its state and with the reason; the states add up."
    return Chapter("ledger", "Ledger", ledger_title(survey), note, ledger_charts(survey.ledger))


def ledger_charts(ledger: Sequence[LedgerRow]) -> tuple[WholeBar, Ledger]:
    """The ledger as one bar in parts, and as lines with their reasons."""
    states: dict[str, list[LedgerRow]] = {}
    for row in ledger:
        states.setdefault(row.state, []).append(row)
    whole = sum(row.count for row in ledger)
    lines: list[Line] = []
    for state, rows in states.items():
        lines.append(Line("state", state_text(state), sum(row.count for row in rows), state))
        reasons = [] if [row.reason for row in rows] in ([""], [state]) else sorted(rows, key=lambda row: -row.count)
        lines += [
            Line("reason", shortened(row.reason or _PLAIN.get(state, "no reason"), 120), row.count)
            for row in reasons[:MOST_REASONS]
        ]
        if others := reasons[MOST_REASONS:]:
            lines.append(Line("reason", counted(len(others), "other reason"), sum(row.count for row in others)))
    lines.append(Line("total", "all that was discovered", whole))
    parts = [Part(state, sum(row.count for row in rows)) for state, rows in states.items()]
    return WholeBar(part_bar(parts, whole or 1, 22), 22), Ledger(lines, whole)
