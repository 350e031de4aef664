"""The marks of a report: how long bars are, where columns stand, and what the axes say."""

from __future__ import annotations

from typing import Any
from xml.etree.ElementTree import Element, fromstring

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.core.crawl_numbers import Count, Interval, Level, Speed, Timeline
from dowse.export.pages.plots import (
    Bar,
    Column,
    Label,
    Mark,
    Part,
    WholeBar,
    bar_table,
    column_plot,
    drawn,
    nice_steps,
    part_bar,
    short_number,
)
from dowse.export.report.charts import MOST_LEVELS, depth_chart, shortlist, speed_chart, status_chart, time_chart
from dowse.export.report.headlines import depth_title, percentile, time_title


def markup(*charts: Any) -> Element:
    """Charts as they are written, which must be well formed."""
    return fromstring(f"<section>{''.join(map(drawn, charts))}</section>")


def percents(bar: Element, name: str) -> list[float]:
    return [float(rect.attrib[name].rstrip("%")) for rect in bar.iter("rect") if name in rect.attrib]


def texts(plot: Element, colour: str) -> list[str]:
    return [text.text or "" for text in plot.iter("text") if text.attrib["class"] == colour]


@pytest.mark.parametrize(
    ("most", "steps"),
    [(0, [0, 1]), (1, [0, 1]), (7, [0, 2, 4, 6, 8]), (100, [0, 20, 40, 60, 80, 100]), (2974, [0, 1000, 2000, 3000])],
)
def test_steps_are_round(most: float, steps: list[float]) -> None:
    assert nice_steps(most) == steps


@given(st.integers(1, 10**12))
def test_steps_reach_the_top_and_are_few(most: int) -> None:
    steps = nice_steps(most)
    assert steps[-1] >= most > steps[-2]
    assert 2 <= len(steps) <= 7
    assert all(step == int(step) for step in steps)


@pytest.mark.parametrize(
    ("value", "text"), [(0, "0"), (950, "950"), (9_999, "9,999"), (12_000, "12k"), (1_500_000, "1.5M")]
)
def test_numbers_on_an_axis(value: float, text: str) -> None:
    assert short_number(value) == text


def test_a_bar_in_parts_is_as_long_as_its_sum() -> None:
    bar = markup(WholeBar(part_bar([Part("page", 30), Part("bad", 0), Part("other", 20)], 100, 12), 12))
    assert percents(bar, "x") == [0, 30]
    assert percents(bar, "width") == [30, 20]
    assert [rect.attrib["class"] for rect in bar.iter("rect")] == ["page", "other"]


def test_the_longest_bar_of_a_table_fills_its_cell() -> None:
    bars = [Bar(Label("a"), (Part("page", 2),), ("2",)), Bar(Label("b"), (Part("page", 8),), ("8",))]
    table = markup(bar_table(("name", "count"), bars))
    assert percents(table, "width") == [25, 100]
    assert [(cell.text or "").strip() for cell in table.iter("th")] == ["name", "count", "a", "b"]


def test_a_table_of_nothings_is_drawn() -> None:
    assert percents(markup(bar_table(("name", "count"), [Bar(Label("a"), (Part("page", 0),), ("0",))])), "width") == []


def test_columns_are_stacked_and_as_high_as_the_axis_says() -> None:
    column = Column(0.5, 0.1, (Part("page", 60), Part("bad", 20)), "60 pages")
    ticks = [Mark(0, "0"), Mark(0.5, "5"), Mark(1, "10")]
    plot = markup(column_plot([column], ticks, "seconds", "pages", [Mark(0.9, "here")]))
    pages, failures = plot.iter("rect")
    assert (float(pages.attrib["height"]), float(failures.attrib["height"])) == (150, 50)  # of 200, which is 80 here
    assert float(pages.attrib["y"]) == 50
    assert float(failures.attrib["y"]) == 0
    assert [title.text for title in plot.iter("title")] == ["60 pages"]
    assert texts(plot, "tick") == ["0", "20", "40", "60", "80", "0", "5", "10"]
    assert texts(plot, "mark") == ["here"]


# Charts


def test_times_are_columns_from_the_first_answer_on() -> None:
    timeline = Timeline(100.0, 109.5, 1.0, [Interval(0, 5, 0, 0), Interval(9, 3, 1, 1)])
    section = markup(*time_chart(timeline, 8).content)
    assert percents(section, "x")[-1] == pytest.approx(90, abs=0.5)
    assert texts(section, "tick")[-6:] == ["0", "2 s", "4 s", "6 s", "8 s", "10 s"]


@pytest.mark.parametrize(
    ("span", "pages", "title"),
    [
        (0, 1, "1 page came at one moment"),
        (2, 1, "1 page in 2 s, 30 a minute"),
        (10, 500, "500 pages in 10 s, 50 a second"),
        (86_400, 48, "48 pages in 1 day, 2 an hour"),
    ],
)
def test_how_fast_a_crawl_was(span: float, pages: int, title: str) -> None:
    assert time_title(Timeline(0.0, float(span), 1.0, []), pages) == title


@given(st.lists(st.floats(0, 1000), min_size=1, max_size=50))
def test_every_answer_is_in_the_histogram(seconds: list[float]) -> None:
    section = markup(*speed_chart([Speed(value, 1) for value in sorted(seconds)]).content)
    hints = [title.text or "" for title in section.iter("title")]
    assert sum(int(hint.rpartition(": ")[2].split()[0]) for hint in hints) == len(seconds)
    assert all(0 <= float(line.attrib["x1"].rstrip("%")) <= 100 for line in section.iter("line"))


def test_percentiles_are_of_the_answers() -> None:
    speeds = [Speed(0.1, 50), Speed(0.2, 40), Speed(0.9, 10)]
    assert [percentile(speeds, part) for part in (50, 90, 91, 100)] == [0.1, 0.2, 0.9, 0.9]
    assert percentile([], 50) == 0


def test_failures_have_their_own_colour() -> None:
    section = markup(*status_chart([Count("200", 9), Count("301", 2), Count("503", 1), Count("999", 1)]).content)
    assert [rect.attrib["class"] for rect in section.iter("rect")] == ["page", "other", "bad", "bad"]


def test_what_does_not_fit_is_summed_up() -> None:
    rows = shortlist([Count(str(number), 2, 5) for number in range(30)])
    assert len(rows) == 10
    assert rows[-1] == Count("21 others", 42, 105)
    assert sum(row.count for row in rows) == 60


def test_deep_sites_are_cut_off_without_losing_a_page() -> None:
    section = markup(*depth_chart([Level(depth, 2, 1) for depth in range(1000)]).content)
    hints = [title.text or "" for title in section.iter("title")]
    assert len(hints) == MOST_LEVELS + 1
    assert hints[-1] == f"depth {MOST_LEVELS} and more: 960 pages, 960 not fetched"


@pytest.mark.parametrize(
    ("pages", "title"),
    [
        ([3], "All pages are seeds"),
        ([1, 9], "90 % of the pages are 1 click from a seed"),
        ([1, 2, 3, 2, 0], "Pages lie up to 3 clicks from a seed, most of them 2"),
    ],
)
def test_how_deep_a_site_is(pages: list[int], title: str) -> None:
    assert depth_title([Level(depth, count, count) for depth, count in enumerate(pages)]) == title
