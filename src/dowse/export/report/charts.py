"""The chapters of a report that are charts: over time, response times, status, media type, depth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil, floor, log10

from dowse.core.crawl_numbers import Count, Level, Speed, Survey, Timeline
from dowse.core.phrasing import counted, share_text, size_text, span_text
from dowse.export.pages.plots import Bar, Column, Keys, Label, Mark, Part, bar_table, column_plot
from dowse.export.pages.templates import number
from dowse.export.report import headlines
from dowse.export.report.chapters import Chapter

MOST_BARS = 10
MOST_LEVELS = 40
BINS_A_DECADE = 10

# Lengths of time for the ticks of an axis, in seconds.
_TICKS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14400, 28800, 43200, 86400)


def parts(survey: Survey) -> Iterator[Chapter]:
    """The charts that this crawl has something for."""
    if survey.timeline:
        yield time_chart(survey.timeline, survey.pages)
    if survey.speeds:
        yield speed_chart(survey.speeds)
    if survey.statuses:
        yield status_chart(survey.statuses)
    if survey.media_types:
        yield media_chart(survey.media_types)
    if survey.pages:
        yield depth_chart(survey.levels)


def time_chart(timeline: Timeline, pages: int) -> Chapter:
    span = max(timeline.end - timeline.start, timeline.width)
    whole = ceil(span / timeline.width) * timeline.width
    columns = []
    for interval in timeline.intervals:
        begin = interval.number * timeline.width
        parts = (Part("page", interval.pages), Part("other", interval.others), Part("bad", interval.failures))
        said = f"{counted(interval.pages, 'page')}, {counted(interval.failures, 'failure')}"
        columns.append(Column(begin / whole, timeline.width / whole, parts, f"after {span_text(begin)}: {said}"))
    step = next((step for step in _TICKS if whole / step <= 5.5), 86400 * ceil(whole / 86400 / 5))
    ticks = [
        Mark(step * place / whole, span_text(step * place) if place else "0") for place in range(int(whole / step) + 1)
    ]
    width = span_text(timeline.width)
    title = headlines.time_title(timeline, pages)
    keys = Keys((("page", "pages"), ("other", "redirects, sitemaps, unwanted types"), ("bad", "failures")))
    plot = column_plot(columns, ticks, "time since the first answer", title)
    pauses = f" There were {timeline.runs} runs; the time between them is left out." if timeline.runs > 1 else ""
    return Chapter("time", "Over time", title, f"Answers in each {width}, as they came.{pauses}", (keys, plot))


def speed_chart(speeds: Sequence[Speed]) -> Chapter:
    """A histogram on a logarithmic axis: answers of one crawl often differ a thousandfold."""

    def bin_of(seconds: float) -> int:
        return floor(log10(max(seconds, 1e-5)) * BINS_A_DECADE + 1e-9)

    high = bin_of(speeds[-1].seconds) + 1
    low = min(bin_of(speeds[0].seconds), high - 5)
    counts = dict.fromkeys(range(low, high), 0)
    for speed in speeds:
        counts[bin_of(speed.seconds)] += speed.count
    columns = []
    for place, count in counts.items():
        begin, end = 10 ** (place / BINS_A_DECADE), 10 ** ((place + 1) / BINS_A_DECADE)
        hint = f"{span_text(begin)} to {span_text(end)}: {counted(count, 'answer')}"
        columns.append(Column((place - low) / (high - low), 1 / (high - low), (Part("page", count),), hint))

    def place_of(seconds: float) -> float:
        return (log10(max(seconds, 1e-5)) * BINS_A_DECADE - low) / (high - low)

    factors = (1, 10) if high - low > 25 else (1, 2, 5, 10)
    values = sorted({factor * 10.0**power for power in range(-5, 5) for factor in factors})
    ticks = [Mark(place_of(value), span_text(value)) for value in values if 0 <= place_of(value) <= 1]
    marks = [
        Mark(place_of(headlines.percentile(speeds, part)), f"{name} {span_text(headlines.percentile(speeds, part))}")
        for part, name in ((50, "median"), (90, "90 %"), (99, "99 %"))
    ]
    title = headlines.speed_title(speeds)
    note = "Answers by the time from the request to the last byte. The scale is logarithmic."
    plot = column_plot(columns, ticks, "response time", title, marks)
    return Chapter("speed", "Response times", title, note, (plot,))


def status_chart(statuses: Sequence[Count]) -> Chapter:
    whole = sum(count.count for count in statuses)
    bars = [
        Bar(Label(headlines.status_name(row.name)), (Part(_status_colour(row.name), row.count),), _cells(row, whole))
        for row in shortlist(statuses)
    ]
    table = bar_table(("status", "URLs", "share"), bars)
    return Chapter("status", "Status", headlines.status_title(statuses), "The last answer for each URL.", (table,))


def media_chart(media_types: Sequence[Count]) -> Chapter:
    bars = [
        Bar(Label(row.name), (Part("page", row.count),), (number(row.count), size_text(row.size)))
        for row in shortlist(media_types)
    ]
    table = bar_table(("media type", "pages", "bytes"), bars)
    note = "As the servers said, or as the first bytes show."
    return Chapter("types", "Media types", headlines.media_title(media_types), note, (table,))


def depth_chart(levels: Sequence[Level]) -> Chapter:
    title = headlines.depth_title(levels)
    shown = list(levels[:MOST_LEVELS])
    rest = levels[MOST_LEVELS:]
    if rest:
        shown.append(Level(rest[0].depth, sum(row.found for row in rest), sum(row.pages for row in rest)))
    columns, ticks = [], []
    for place, level in enumerate(shown):
        name = f"{level.depth} and more" if rest and place == MOST_LEVELS else str(level.depth)
        left = level.found - level.pages
        hint = f"depth {name}: {counted(level.pages, 'page')}, {number(left)} not fetched"
        parts = (Part("page", level.pages), Part("empty", left))
        columns.append(Column((place + 0.1) / len(shown), 0.8 / len(shown), parts, hint))
        if len(shown) <= 12 or level.depth % 5 == 0:
            ticks.append(Mark((place + 0.5) / len(shown), name))
    keys = Keys((("page", "fetched"), ("empty", "in scope, not fetched: failed, waiting or not reached")))
    plot = column_plot(columns, ticks, "clicks from the nearest seed", title)
    return Chapter("depth", "Depth", title, "URLs in scope by the fewest links that lead to them.", (keys, plot))


def shortlist(counts: Sequence[Count]) -> list[Count]:
    """The first, and the rest in one row."""
    if len(counts) <= MOST_BARS:
        return list(counts)
    rest = counts[MOST_BARS - 1 :]
    other = Count(counted(len(rest), "other"), sum(row.count for row in rest), sum(row.size for row in rest))
    return [*counts[: MOST_BARS - 1], other]


def _cells(row: Count, whole: int) -> tuple[str, str]:
    return number(row.count), share_text(row.count, whole)


def _status_colour(status: str) -> str:
    return {"2": "page", "3": "other"}.get(status[:1], "bad")
