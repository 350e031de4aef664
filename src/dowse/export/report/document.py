"""The report of a crawl: one HTML page, complete in itself.

The page loads nothing and runs nothing. Its policy forbids both, whatever a crawled page may have put into a title or
a URL: the one style sheet is let through by its checksum, and there are no scripts to let through.

    heading    what was crawled, when, how it ended; the main numbers
    ledger     every discovered URL by state and reason
    charts     over time, response times, status, media type, depth     (charts.py)
    listings   hosts, links, records, failures, extremes, copies        (listings.py)

A part that has nothing to show is left out.
"""

from __future__ import annotations

from importlib.resources import files
from typing import TextIO
from xml.etree.ElementTree import Element

from dowse.core.crawl_numbers import About, LedgerRow, Survey
from dowse.core.phrasing import counted, share_text, shortened, size_text, span_text, state_text
from dowse.export.document_heads import document_head, moment, subject
from dowse.export.report import charts, listings
from dowse.export.report.headlines import ledger_title
from dowse.export.report.markup import element, link, number, write_document
from dowse.export.report.plots import Part, bar_key, part_bar
from dowse.version import VERSION

MOST_REASONS = 8
MOST_SEEDS = 5

_ENDINGS = {
    "complete": "It is complete: nothing in scope is left to fetch.",
    "max_pages": "It stopped at its limit of pages.",
    "max_bytes": "It stopped at its limit of bytes.",
    "max_results": "It stopped at its limit of results.",
    "max_time": "It stopped at its limit of time.",
    "host_pages": "It stopped at its limit of pages a host.",
    "budget": "It stopped when the budget of its last run was spent.",
    "interrupted": "It was stopped before it was complete.",
    "retried": "Last, what had failed was tried again.",
    "running": "It was still running when this was written.",
    "killed": "It is not finished: its process was ended.",
}

_PLAIN = {"fetched": "page", "waiting": "not tried yet", "not_reached": "not tried yet", "out": "under way"}
"""What a URL is that needs no reason."""


def write_report(about: About, survey: Survey, stream: TextIO) -> None:
    """Write the page to a text stream."""
    parts = [part for part in (_ledger(survey), *charts.parts(survey), *listings.parts(survey, about)) if part]
    body = element("body", None, _heading(about, survey), _contents(parts))
    body.append(element("main", None, *(part.section for part in parts)))
    body.append(_footer(about, survey))
    write_document(element("html", {"lang": "en"}, _head(about), body), stream)


def _head(about: About) -> Element:
    style = files("dowse.export.report").joinpath("report.css").read_text(encoding="utf-8")
    return document_head(f"{_subject(about)}: report of a crawl", style)


def _subject(about: About) -> str:
    return subject(about.seeds, about.name)


def _heading(about: About, survey: Survey) -> Element:
    heading = element("header", None, element("h1", None, _subject(about)))
    lead = element("p", {"class": "lead"}, "A crawl from ")
    for place, seed in enumerate(about.seeds[:MOST_SEEDS]):
        lead.extend([element("span", None, ", " if place else ""), link(seed)])
    more = len(about.seeds) - MOST_SEEDS
    when = f" on {moment(survey.timeline.start)}. " if survey.timeline else ". "
    rest = (f" and {counted(more, 'more seed')}" if more > 0 else "") + when
    lead.append(element("span", None, rest + _ENDINGS.get(about.stop_reason, "")))
    heading.append(lead)
    tiles = element("dl", {"class": "tiles"})
    for name, value in _numbers(survey):
        tiles.append(element("div", None, element("dt", None, name), element("dd", None, value)))
    heading.append(tiles)
    return heading


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


def _contents(parts: list[charts.Chapter]) -> Element:
    contents = element("nav", {"aria-label": "Contents"})
    contents.extend(element("a", {"href": f"#{part.name}"}, part.short_title) for part in parts)
    return contents


def _ledger(survey: Survey) -> charts.Chapter:
    states: dict[str, list[LedgerRow]] = {}
    for row in survey.ledger:
        states.setdefault(row.state, []).append(row)
    whole = survey.discovered
    table = element("table", {"class": "ledger"})
    body = element("tbody")
    for state, rows in states.items():
        total = sum(row.count for row in rows)
        name = element("th", {"scope": "row"}, bar_key(state), state_text(state))
        body.append(_row("state", name, total, whole))
        reasons = [] if [row.reason for row in rows] in ([""], [state]) else sorted(rows, key=lambda row: -row.count)
        for row in reasons[:MOST_REASONS]:
            body.append(
                _row(
                    "reason",
                    element("th", {"scope": "row"}, shortened(row.reason or _PLAIN.get(state, "no reason"), 120)),
                    row.count,
                    whole,
                )
            )
        others = reasons[MOST_REASONS:]
        if others:
            more = element("th", {"scope": "row"}, counted(len(others), "other reason"))
            body.append(_row("reason", more, sum(row.count for row in others), whole))
    body.append(_row("total", element("th", {"scope": "row"}, "all that was discovered"), whole, whole))
    table.append(body)
    parts = [Part(state, sum(row.count for row in rows)) for state, rows in states.items()]
    bar = element("div", {"class": "whole"}, part_bar(parts, whole or 1, 22))
    note = "Every URL that was ever found stands once, in its state and with the reason; the states add up."
    return charts.chapter("ledger", "Ledger", ledger_title(survey), note, bar, table)


def _row(kind: str, name: Element, count: int, whole: int) -> Element:
    return element(
        "tr",
        {"class": kind},
        name,
        element("td", {"class": "number"}, number(count)),
        element("td", {"class": "number"}, share_text(count, whole)),
    )


def _footer(about: About, survey: Survey) -> Element:
    text = f"Written by dowse {VERSION} on {moment(about.written_at)} from the crawl {about.name}: "
    asked = counted(survey.requests, "request")
    return element("footer", None, f"{text}{asked} in all. This page loads nothing from elsewhere.")
