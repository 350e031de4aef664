"""The titles of a report: each says in a sentence what its picture shows."""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus

from dowse.core.crawl_numbers import Count, FailureGroup, Level, LinkSample, RecordGroup, Speed, Survey, Timeline
from dowse.core.phrasing import counted, share_text, shortened, span_text
from dowse.core.record import UNFINISHED
from dowse.export.pages.templates import number

STATES = {  # of one URL, of several
    "out_of_scope": ("lies outside the scope", "lie outside the scope"),
    "robots": ("is refused by robots.txt", "are refused by robots.txt"),
    "kept": ("is a result that rules keep", "are results that rules keep"),
    "failed": ("failed", "failed"),
    "not_reached": ("was not reached", "were not reached"),
    "waiting": ("is still waiting", "are still waiting"),
    "out": ("is being fetched now", "are being fetched now"),
    "duplicate": ("is a copy of another page", "are copies of other pages"),
}
_PHRASES = {str(int(status)): status.phrase for status in HTTPStatus}
_NEARLY_ALL = 0.9


def ledger_title(survey: Survey) -> str:
    found = counted(survey.discovered, "URL was", "URLs were")
    others = {state: survey.in_state(state) for state in STATES}
    most = max(others, key=lambda state: others[state])
    if not others[most]:
        return f"{found} discovered, and {'it' if survey.discovered == 1 else 'every one'} was fetched"
    one, many = STATES[most]
    if survey.discovered == 1:
        return f"{found} discovered; it {one}"
    return f"{found} discovered; {number(others[most])} of them {one if others[most] == 1 else many}"


def time_title(timeline: Timeline, pages: int) -> str:
    span = timeline.seconds
    if span < 0.001:
        return f"{counted(pages, 'page')} came at one moment"
    rate, unit = pages / span, "a second"
    for longer, seconds in (("a minute", 60), ("an hour", 60), ("a day", 24)):
        if rate < 1:
            rate, unit = rate * seconds, longer
    speed = f"{rate:.1f}".removesuffix(".0") if rate < 9.95 else number(rate)
    return f"{counted(pages, 'page')} in {span_text(span)}, {speed} {unit}"


def speed_title(speeds: Sequence[Speed]) -> str:
    return (
        f"Half of the answers came within {span_text(percentile(speeds, 50))}, "
        f"nine in ten within {span_text(percentile(speeds, 90))}"
    )


def percentile(speeds: Sequence[Speed], per_cent: float) -> float:
    """The time within which so many of the answers came."""
    wanted = sum(speed.count for speed in speeds) * per_cent / 100
    reached = 0
    for speed in speeds:
        reached += speed.count
        if reached >= wanted:
            return speed.seconds
    return 0.0


def status_name(status: str) -> str:
    return f"{status} {_PHRASES.get(status, '')}".strip()


def status_title(statuses: Sequence[Count]) -> str:
    name = status_name(statuses[0].name)
    if len(statuses) == 1:
        return f"Every answer was {name}"
    return f"{_share(statuses).capitalize()} of the URLs asked for answered {name}"


def media_title(media_types: Sequence[Count]) -> str:
    if len(media_types) == 1:
        return f"Every page is {media_types[0].name}"
    return f"{_share(media_types).capitalize()} of the pages are {media_types[0].name}"


def depth_title(levels: Sequence[Level]) -> str:
    pages = sum(level.pages for level in levels)
    most = max(levels, key=lambda level: level.pages)
    one, clicks = "is a seed", "are seeds"
    if most.depth:
        one, clicks = (f"{verb} {counted(most.depth, 'click')} from a seed" for verb in ("is", "are"))
    if most.pages == pages:
        return f"All pages {clicks}" if pages > 1 else f"The only page {one}"
    if 2 * most.pages >= pages:
        return f"{share_text(most.pages, pages).capitalize()} of the pages {clicks}"
    deepest = max(level.depth for level in levels if level.pages)
    return f"Pages lie up to {counted(deepest, 'click')} from a seed, most of them {most.depth}"


def host_title(survey: Survey) -> str:
    first = survey.hosts[0]
    others = counted(survey.host_count - 1, "more host")
    return f"{first.name} gave {share_text(first.pages, survey.pages)} of the pages, {others} the rest"


def other_sites_title(survey: Survey) -> str:
    if survey.other_site_count == 1:
        return f"The pages link to one other site, {survey.other_sites[0].name}"
    return (
        f"The pages link to {number(survey.other_site_count)} other sites, most often to {survey.other_sites[0].name}"
    )


def network_title(inside: int, links: int) -> str:
    return f"{share_text(inside, links).capitalize()} of the links stay within their part of the site"


def most_linked_title(links: LinkSample, pages: int) -> str:
    everywhere = [row for row in links.most_linked if row.value >= _NEARLY_ALL * pages]
    if len(everywhere) == len(links.most_linked) and len(everywhere) > 1:
        return f"At least {len(everywhere)} URLs are linked from nearly every page"
    if len(everywhere) > 1:
        return f"{len(everywhere)} URLs are linked from nearly every page"
    first = links.most_linked[0]
    return f"{shortened(first.title or first.url, 60)} is linked from {share_text(first.value, pages)} of the pages"


def record_title(group: RecordGroup) -> str:
    if not group.records:
        return f"No page had any of the {group.kind} asked for"
    records = f"{counted(group.records, 'record')} of kind {shortened(group.kind, 40)}"
    if group.kind == UNFINISHED:
        return f"On {counted(group.records, 'page')} fields were not looked for to the end"
    emptiest = min(group.fields, key=lambda field: field.filled, default=None)
    if emptiest is None:
        return f"{records} without a field"
    several = group.records > 1
    if emptiest.filled == group.looked_at:
        return f"{records}, and every field is filled{' in all of them' if several else ''}"
    if not emptiest.filled:
        return f"{records}; {shortened(emptiest.name, 40)} is {'in none of them' if several else 'not in it'}"
    missing = share_text(group.looked_at - emptiest.filled, group.looked_at)
    return f"{records}; {shortened(emptiest.name, 40)} is missing from {missing} of them"


def failure_title(failures: Sequence[FailureGroup], failed: int) -> str:
    first = failures[0]
    part = "" if failed == 1 else "all " if first.count == failed else "most often "
    return f"{counted(failed, 'URL')} failed, {part}with {first.reason}"


def copies_title(copies: int) -> str:
    found = counted(copies, "page was a copy of another", "pages were copies of others")
    return f"{found}; {'its' if copies == 1 else 'their'} links were not followed"


def _share(counts: Sequence[Count]) -> str:
    return share_text(counts[0].count, sum(count.count for count in counts))
