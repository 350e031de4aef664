"""The chapters of a report that name things: hosts, links, records, failures, extremes, copies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from dowse.core.crawl_numbers import About, CopyGroup, FailureGroup, FieldRow, LinkSample, PageRow, RecordGroup, Survey
from dowse.core.phrasing import share_text, shortened, size_text, span_text
from dowse.core.record import UNFINISHED
from dowse.export.pages.network import STRONGEST_LINES, network_plot
from dowse.export.pages.plots import Bar, Label, Pair, Part, bar_table
from dowse.export.pages.sections import section_graph
from dowse.export.pages.templates import number
from dowse.export.report import headlines
from dowse.export.report.chapters import Chapter

FEWEST_SECTIONS = 3
MOST_KINDS = 8
LONGEST_EXAMPLE = 70
LONGEST_ADDRESS = 60


def parts(survey: Survey, about: About) -> Iterator[Chapter]:
    """The listings that this crawl has something for."""
    if survey.host_count > 1 and survey.pages:
        yield host_list(survey)
    yield from _structure(survey.links)
    if survey.links.most_linked:
        yield most_linked_list(survey.links, survey.pages)
    if survey.other_sites:
        yield other_sites_list(survey)
    found = {group.kind for group in survey.records}
    nothing = [RecordGroup(kind, 0, 0, []) for kind in about.asked_fields if kind not in found and survey.pages]
    for place, group in enumerate([*survey.records[:MOST_KINDS], *nothing]):
        yield record_list(_with_asked(group, about.asked_fields.get(group.kind, ())), f"records-{place + 1}")
    if survey.failures:
        yield failure_list(survey.failures, survey.in_state("failed"))
    if survey.pages > 1:
        yield extreme_lists(survey)
    if survey.copies:
        yield copy_list(survey.copies, survey.in_state("duplicate"))


def host_list(survey: Survey) -> Chapter:
    bars = [
        Bar(
            Label(host.name),
            (Part("page", host.pages), Part("bad", host.failed)),
            (number(host.pages), number(host.failed), size_text(host.size), span_text(host.median)),
        )
        for host in survey.hosts
    ]
    table = bar_table(("host", "pages", "failed", "received", "median answer"), bars, "pages")
    left = survey.host_count - len(survey.hosts)
    note = "Pages and failures of each host that was asked." + (f" {number(left)} more are not shown." if left else "")
    return Chapter("hosts", "Hosts", headlines.host_title(survey), note, (table,))


def _structure(links: LinkSample) -> Iterator[Chapter]:
    if not len(links.sources):
        return
    graph = section_graph(links.urls, links.sources, links.targets)
    if len(graph.sections) < FEWEST_SECTIONS:
        return
    title = headlines.network_title(int(graph.links.trace()), int(graph.links.sum()))
    note = (
        "Each circle is a part of the site, by the beginning of its paths: its area is the number of pages, its colour "
        f"the larger part it belongs to. Lines are links between parts, the {STRONGEST_LINES} strongest of each. "
        "A star stands for what is left of a part when its larger parts are drawn on their own."
    )
    if links.step > 1:
        note += f" Drawn from every {links.step}th page."
    yield Chapter("structure", "Link graph", title, note, (network_plot(graph, links.step),))


def most_linked_list(links: LinkSample, pages: int) -> Chapter:
    cells = [(number(row.value), share_text(min(row.value, pages), pages)) for row in links.most_linked]
    bars = _page_bars(links.most_linked, cells)
    table = bar_table(("URL", "linked from", "of all pages"), bars, "pages")
    note = "URLs by the number of pages that link to them."
    if links.step > 1:
        note += f" Estimated from every {links.step}th page."
    return Chapter("linked", "Most linked", headlines.most_linked_title(links, pages), note, (table,))


def other_sites_list(survey: Survey) -> Chapter:
    bars = [Bar(Label(site.name), (Part("other", site.count),), (number(site.count),)) for site in survey.other_sites]
    table = bar_table(("site", "URLs"), bars)
    note = "Hosts outside the scope by the number of different URLs that were found there, and not fetched."
    return Chapter("elsewhere", "Other sites", headlines.other_sites_title(survey), note, (table,))


def record_list(group: RecordGroup, name: str) -> Chapter:
    bars = [
        Bar(
            _field_label(field),
            (Part("page", field.filled), Part("empty", group.looked_at - field.filled)),
            (share_text(field.filled, group.looked_at), number(field.distinct)),
        )
        for field in group.fields
    ]
    table = bar_table(("field, and a value of it", "filled", "different values"), bars, "pages")
    note = "How many of the records have each field."
    if group.kind == UNFINISHED:
        note = "Fields that would have taken too long on some pages, and one of the reasons. dowse why tells of a page."
    if group.looked_at < group.records:
        note += f" Counted among {number(group.looked_at)} of them, evenly over the crawl."
    return Chapter(name, f"Records: {shortened(group.kind, 20)}", headlines.record_title(group), note, (table,))


def _with_asked(group: RecordGroup, asked: Sequence[str]) -> RecordGroup:
    """Fields that were asked for and never found come last, rather than not at all."""
    known = {field.name for field in group.fields}
    return replace(group, fields=[*group.fields, *(FieldRow(name, 0, 0, None) for name in asked if name not in known)])


class FailureExample(NamedTuple):
    """A URL that failed, what was said of it beyond the kind, and a page that links to it."""

    url: str
    detail: str
    found_on: str


class Failed(Struct, frozen=True):
    """The URLs that failed alike."""

    reason: str
    count: int
    examples: list[FailureExample]
    more: int


class Failures(Struct, frozen=True):
    """All of them, by kind."""

    groups: list[Failed]

    drawn_as: ClassVar[str] = "failures"


def shown_failures(failures: Sequence[FailureGroup]) -> Failures:
    """What failed, by kind; what the kind says already is not said again."""
    groups = []
    for group in failures:
        known = ("", group.reason, group.reason.replace("http", "status"))
        examples = [
            FailureExample(url, "" if detail in known else detail, found_on) for url, detail, found_on in group.examples
        ]
        groups.append(Failed(group.reason, group.count, examples, group.count - len(examples)))
    return Failures(groups)


def failure_list(failures: Sequence[FailureGroup], failed: int) -> Chapter:
    shown = sum(group.count for group in failures)
    note = "By kind, with the first of each." + (f" {number(failed - shown)} of rarer kinds." if failed > shown else "")
    return Chapter("failures", "Failures", headlines.failure_title(failures, failed), note, (shown_failures(failures),))


def extreme_lists(survey: Survey) -> Chapter:
    slow, large = survey.slowest[0], survey.largest[0]
    title = f"The slowest page took {span_text(slow.value)}, the largest has {size_text(large.value)}"
    slowest = _page_bars(survey.slowest, [(span_text(row.value),) for row in survey.slowest])
    largest = _page_bars(survey.largest, [(size_text(row.value),) for row in survey.largest])
    pair = Pair(bar_table(("slowest", "time"), slowest, "pages"), bar_table(("largest", "size"), largest, "pages"))
    return Chapter("extremes", "Slowest, largest", title, "Pages by response time and by bytes received.", (pair,))


def copy_list(copies: Sequence[CopyGroup], skipped: int) -> Chapter:
    bars = [
        Bar(
            Label(group.title, group.url, "also at", group.example),
            (Part("duplicate", group.copies),),
            (number(group.copies),),
        )
        for group in copies
    ]
    table = bar_table(("page, and one of its copies", "copies"), bars, "pages")
    note = "Pages whose content was known from another URL, by the page that was first."
    return Chapter("copies", "Duplicates", headlines.copies_title(skipped), note, (table,))


def _page_bars(rows: Sequence[PageRow], cells: Sequence[tuple[str, ...]]) -> list[Bar]:
    """Pages by their titles, and by their addresses too where titles do not tell them apart."""
    titles = [row.title for row in rows if row.title]
    alike = len(set(titles)) < len(titles)
    bars = []
    for row, texts in zip(rows, cells, strict=True):
        address = shortened(row.url.partition("//")[2], LONGEST_ADDRESS) if alike and row.title else ""
        bars.append(Bar(Label(row.title, row.url, address), (Part("page", row.value),), texts))
    return bars


def _field_label(field: FieldRow) -> Label:
    example = "" if field.example is None else shortened(str(field.example), LONGEST_EXAMPLE)
    return Label(shortened(field.name, 60), small=example)
