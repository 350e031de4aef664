"""Curves: what is drawn of them, and that there are few points however many values there are."""

from __future__ import annotations

import io

import pytest

from dowse.export.pages.lines import MOST_POINTS, line_plot
from dowse.export.pages.plots import HEIGHT
from dowse.export.report.curves import Curve, write_curves
from tests.htmlpages import check_inert, read_page


def test_a_curve_begins_at_nothing_and_ends_at_its_last_value() -> None:
    [line] = line_plot([("found", [1, 1, 2, 4])], "pages", "found, by pages").lines
    points = [[float(number) for number in point.split(",")] for point in line.points.split()]
    assert points[0] == [0, HEIGHT]
    assert points[-1] == [1000, 0]
    assert len(points) >= 5


def test_the_axis_is_that_of_the_longest_and_highest() -> None:
    plot = line_plot([("one", [1, 2]), ("other", list(range(80)))], "pages", "both")
    assert [tick.text for tick in plot.ticks] == ["0", "20", "40", "60", "80"]
    assert [text for _, text in plot.steps] == ["0", "20", "40", "60", "80"]
    assert [line.colour for line in plot.lines] == ["series0", "series1"]


def test_points_are_few() -> None:
    [line] = line_plot([("found", range(100_000))], "pages", "found").lines
    assert len(line.points.split()) <= 2 * MOST_POINTS + 2


@pytest.mark.parametrize("values", [[], [0], [0, 0, 0]])
def test_nothing_is_drawn_as_nothing(values: list[float]) -> None:
    assert len(line_plot([("found", values)], "pages", "found").lines) == bool(values)


def test_the_page_of_curves_is_complete_in_itself() -> None:
    stream = io.StringIO()
    evil = "<script>alert(1)</script>"
    write_curves(evil, ["area"], [Curve(evil, [1, 2, 3], ["0.5"]), Curve("random", [0, 0, 1], ["0.1"])], stream)
    page = read_page(stream.getvalue())
    check_inert(page)
    assert len(page.all("polyline")) == 2
    assert "random 0.1" in page.text
