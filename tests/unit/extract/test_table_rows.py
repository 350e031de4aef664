"""Tables to rows."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.extract.table_grid import MOST_CELLS, grid_of
from dowse.extract.table_rows import MOST_ROWS, TableExtractor
from tests.unit.extract.pages import page_of


def rows_of(html: str) -> list[dict[str, Any]]:
    return [record.fields for record in TableExtractor().extract(page_of(html))]


@pytest.mark.parametrize(
    ("html", "rows"),
    [
        # headings
        ("<tr><th>a<th>b<tr><td>1<td>2<tr><td>3<td>4", [{"a": "1", "b": "2"}, {"a": "3", "b": "4"}]),
        ("<thead><tr><td>a<td>b<tbody><tr><td>1<td>2", [{"a": "1", "b": "2"}]),
        (
            "<thead><tr><th>a<th>b</thead><tr><td>1<td>2<tr><th>a<th>b<tr><td>3<td>4",
            [{"a": "1", "b": "2"}, {"a": "3", "b": "4"}],
        ),
        ("<tr><th>a<th>a<th><tr><td>1<td>2<td>3", [{"a": "1", "a 2": "2", "column_3": "3"}]),
        ("<tr><th>table<th>caption<tr><td>1<td>2", [{"table 2": "1", "caption 2": "2"}]),
        ("<tr><th>url<th>kind<tr><td>1<td>2", [{"url 2": "1", "kind 2": "2"}]),
        ("<tr><th>a:<th> b \n c <tr><td>1<td>2", [{"a": "1", "b c": "2"}]),
        ("<tr><th>x<th>a<tr><th>r<td>1<tr><th>s<td>2", [{"x": "r", "a": "1"}, {"x": "s", "a": "2"}]),
        # headings that only look like some
        (
            "<tr><td>Port<td>High<tr><td>Leith<td>5.6<tr><td>Hull<td>7,1 m",
            [{"Port": "Leith", "High": "5.6"}, {"Port": "Hull", "High": "7,1 m"}],
        ),
        (
            "<tr><td><b>Port</b><td><b>Sea</b><tr><td>Leith<td>North<tr><td>Cork<td>Celtic",
            [{"Port": "Leith", "Sea": "North"}, {"Port": "Cork", "Sea": "Celtic"}],
        ),
        ("<tr><td>a<td>b<tr><td>c<td>d<tr><td>e<td>f", [{"column_1": x, "column_2": y} for x, y in ("ab", "cd", "ef")]),
        ("<tr><td>1<td>2<tr><td>3<td>4<tr><td>5<td>6", [{"column_1": x, "column_2": y} for x, y in ("12", "34", "56")]),
        # headings at the left
        ("<tr><th>Brand<td>X<tr><th>Price<td>5", [{"Brand": "X", "Price": "5"}]),
        ("<tr><th>Brand<td>X<td>Y<tr><th>Price<td>5<td>", [{"Brand": "X", "Price": "5"}, {"Brand": "Y"}]),
        ("<tr><td>Brand:<td>X<tr><td>価格\uff1a<td>5", [{"Brand": "X", "価格": "5"}]),
        # spans
        ("<tr><th>a<th>b<tr><td rowspan=2>1<td>2<tr><td>3", [{"a": "1", "b": "2"}, {"a": "1", "b": "3"}]),
        ("<tr><th>a<th>b<th>c<tr><td colspan=2>1<td>2", [{"a": "1", "b": "1", "c": "2"}]),
        ("<tr><th>a<th>b<tr><td>1<td rowspan=0>x<tr><td>2<tr><td>3", [{"a": n, "b": "x"} for n in "123"]),
        (
            "<tr><th>a<th>b<th>c<tr><td rowspan=2 colspan=2>1<td>2<tr><td>3",
            [{"a": "1", "b": "1", "c": "2"}, {"a": "1", "b": "1", "c": "3"}],
        ),
        ("<tr><th>a<th>b<tr><td colspan=x>1<td rowspan=-2>2", [{"a": "1", "b": "2"}]),
        (
            "<thead><tr><th colspan=2>2025<th rowspan=2>Sum<tr><th>Q1<th>Q2<tbody><tr><td>1<td>2<td>3",
            [{"2025 Q1": "1", "2025 Q2": "2", "Sum": "3"}],
        ),
        # rows
        ("<tr><th>a<th>b<tr><td>1<tr><td><td>2<tr><td><td>", [{"a": "1"}, {"b": "2"}]),
        ("<tr><th>a<th>b<tr><td>1<td>2<td>3", [{"a": "1", "b": "2", "column_3": "3"}]),
        ("<tfoot><tr><td>sum<td>3</tfoot><tr><th>a<th>b<tr><td>1<td>2", [{"a": "1", "b": "2"}, {"a": "sum", "b": "3"}]),
        (
            "<tr><th>a<th>b<tr><td colspan=2>Europe<tr><td>1<td>2<tr><td colspan=2>Asia<tr><td>3<td>4",
            [{"section": "Europe", "a": "1", "b": "2"}, {"section": "Asia", "a": "3", "b": "4"}],
        ),
        # cells that hang down: not into the next part of the table, and past cells that are missing
        ("<thead><tr><th rowspan=9>a<th>b<tbody><tr><td>1<td>2", [{"a": "1", "b": "2"}]),
        (
            "<tr><th>a<th>b<th>c<tr><td>1<td>2<td rowspan=2>3<tr><td>4<tr><td>5<td>6<td>7",
            [{"a": "1", "b": "2", "c": "3"}, {"a": "4", "c": "3"}, {"a": "5", "b": "6", "c": "7"}],
        ),
        ("<tr><th>a<th>b<tr><td rowspan=2>1<td rowspan=2>2<tr>", [{"a": "1", "b": "2"}]),
        # one column, if it has a name
        ("<thead><tr><th>Function<tbody><tr><td>abs", [{"Function": "abs"}]),
        ("<tr><th>Function<tr><td>abs<tr><td>sin", [{"Function": "abs"}, {"Function": "sin"}]),
        (
            "<caption>Functions</caption><tr><td>abs<tr><td>sin",
            [{"caption": "Functions", "column_1": "abs"}, {"caption": "Functions", "column_1": "sin"}],
        ),
        # records of two rows each
        (
            "".join(f"<tr><td>Option{n}<td>on<td>s<tr><td colspan=3>What option {n} does" for n in range(3)),
            [
                {"column_1": f"Option{n}", "column_2": "on", "column_3": "s", "column_4": f"What option {n} does"}
                for n in range(3)
            ],
        ),
        (
            "".join(f"<tr><td rowspan=2>{n}<td>{n}a<tr><td>{n}b" for n in "567"),
            [{"column_1": n, "column_2": f"{n}{letter}"} for n in "567" for letter in "ab"],
        ),
        (
            "".join(f"<tr><td colspan=2>Group {n}<tr><td>{n}a<td>{n}b" for n in range(4)),
            [{"section": f"Group {n}", "column_1": f"{n}a", "column_2": f"{n}b"} for n in range(4)],
        ),
        # captions
        (
            "<caption>Tides <b>2025</b></caption><tr><th>a<th>b<tr><td>1<td>2",
            [{"caption": "Tides 2025", "a": "1", "b": "2"}],
        ),
        ("<tr><th colspan=2>Tides<tr><th>a<th>b<tr><td>1<td>2", [{"caption": "Tides", "a": "1", "b": "2"}]),
        # text
        (
            "<tr><th>日本<th>Größe<tr><td>東京<td><p>1 <b>m</b></p><p>2 m<script>x</script>",
            [{"日本": "東京", "Größe": "1 m 2 m"}],
        ),
    ],
)
def test_a_table(html: str, rows: list[dict[str, Any]]) -> None:
    assert rows_of(f"<table>{html}</table>") == [{"table": 1, **row} for row in rows]


@pytest.mark.parametrize(
    "html",
    [
        "<table></table>",
        "<table><tr><td>a<td>b</table>",
        "<table><tr><td>a<tr><td>b<tr><td>c</table>",
        "<table role=presentation><tr><th>a<th>b<tr><td>1<td>2</table>",
        "<table><tr><td><h1>Shop</h1><td>Basket<tr><td>Home<td>News</table>",
        "<table><tr><td>Search<td><form><input></form><tr><td>a<td>b</table>",
        f"<table><tr><td>{'word ' * 100}<td>{'word ' * 100}<tr><td>{'word ' * 100}<td>x</table>",
        "<table><tr><td>a<td><td><td><tr><td><td>b<td><td><tr><td><td><td>c<td></table>",
        "<table><tr><td>a<td>b<td>c<tr><td>d<tr><td>e<td>f<tr><td>g<td>h<td>i<td>j</table>",
    ],
)
def test_tables_that_arrange_a_page_are_passed_over(html: str) -> None:
    assert rows_of(html) == []


TITLES = "<tr><td>Appendix K. Limits<td><a href=h>Home</a><td>Appendix M. Glossary"
STEPS = f"<tr><td><a href=k>Prev</a><td><a href=u>Up</a><td><a href=m>Next</a>{TITLES}"


@pytest.mark.parametrize(
    "html",
    [
        f"<table>{STEPS}</table>",
        f"<table>{STEPS}</table>".replace("Prev", "Zurück").replace("Up", "^").replace("Next", "Weiter"),
        f"<table>{STEPS}</table>".replace("k>Prev", "k rel=prev>前").replace("m>Next", "m rel=next>次"),
        f"<table summary='Navigation footer'>{STEPS.replace('Prev', 'K').replace('Next', 'M')}</table>",
        f"<div class=navfooter><table>{STEPS.replace('Prev', 'K').replace('Next', 'M')}</table></div>",
        "<nav><table><tr><th>Shops<th>Opening<tr><td>Leith<td>9 to 5</table></nav>",
        "<table><tr><td><a href=1>Cars</a><td><a href=2>Boats</a><tr><td><a href=3>Bikes</a><td><a href=4>Air</a>",
        "<table><thead><tr><th>Sections<tbody><tr><td><a href=1>Cars</a><tr><td><a href=2>Boats</a></table>",
    ],
)
def test_tables_that_lead_elsewhere_are_passed_over(html: str) -> None:
    assert rows_of(html) == []


@pytest.mark.parametrize(
    "html",
    [
        "<table><tr><th>Page<th>Next<tr><td><a href=1>one</a><td><a href=2>two</a></table>",
        "<table><tr><td><a href=1>Next</a><td>5.6 m<tr><td>Prev<td>7.1 m</table>",
        "<table id=menu><tr><td>Soup<td>4.50<tr><td>Fish<td>12.90</table>",
        f"<table>{''.join(f'<tr><td><a href={n}a>audio{n}</a><td><a href={n}b>video{n}</a>' for n in range(4))}",
    ],
)
def test_data_that_has_links_stays(html: str) -> None:
    assert rows_of(html)


def test_what_a_table_says_of_itself_is_its_caption() -> None:
    head = "<tr><th>a<th>b<tr><td>1<td>2"
    assert rows_of(f"<table summary=' Tides \n 2025 '>{head}</table>")[0]["caption"] == "Tides 2025"
    assert rows_of(f"<table aria-label=Tides>{head}</table>")[0]["caption"] == "Tides"
    assert rows_of(f"<table summary=x><caption>Tides</caption>{head}</table>")[0]["caption"] == "Tides"
    assert rows_of("<table summary=Layout><tr><td>a<tr><td>b</table>") == []


def test_a_table_within_a_layout_is_taken_alone() -> None:
    inner = "<table><tr><th>a<th>b<tr><td>1<td>2</table>"
    html = f"<table><tr><td>menu<td>news<tr><td>left<td>{inner}</table>"
    assert rows_of(html) == [{"table": 1, "a": "1", "b": "2"}]


def test_a_table_within_a_cell_is_not_text_of_the_cell() -> None:
    inner = "<table><tr><th>c<th>d<tr><td>3<td>4</table>"
    html = f"<table><tr><th>a<th>b<tr><td>1<td>x {inner} y</table>"
    assert rows_of(html) == [{"table": 1, "a": "1", "b": "x y"}, {"table": 2, "c": "3", "d": "4"}]


def test_rows_have_keys_in_the_order_of_the_page() -> None:
    table = "<table><tr><th>a<th>b<tr><td>1<td>2<tr><td>3<td>4</table>"
    records = TableExtractor().extract(page_of(table + "<table><tr><td>x</table>" + table))
    assert [record.key for record in records] == ["001-00001", "001-00002", "002-00001", "002-00002"]
    assert {record.kind for record in records} == {"table"}


@pytest.mark.parametrize("content_type", ["text/plain", "application/json"])
def test_what_is_no_html_has_no_tables(content_type: str) -> None:
    assert TableExtractor().extract(page_of("<table><tr><th>a<th>b<tr><td>1<td>2</table>", content_type)) == []


@pytest.mark.parametrize(
    "html",
    [
        "<table>" + "<tr><td rowspan=65000 colspan=1000>x" * 1_000,
        "<table><tr><th>a<th>b" + "<tr><td>1<td>2" * 100_000,
        "<table><tr><th>a<td>" * 20_000 + "x" * 10_000,
        "<table><tr>" + "<th>a" * 5_000 + ("<tr>" + "<td>b" * 5_000) * 20,
        "<table></table>" * 50_000,
        "<table>" + "<tr><td rowspan=65534>a<td rowspan=65534 colspan=1000>b" + "<tr><td>c" * 60_000,
        "<table>" + "<tr><td>" * 3 + "<a href=x>next</a>" * 100_000,
        "<table>" + "<tr><td>a<td>b<tr><td colspan=2>c" * 50_000,
        "<table><tr><th rowspan=99999999999999999999 colspan=99999999999999999999>a<th>b<tr><td>1",
    ],
)
def test_hostile_tables_are_bounded(html: str) -> None:
    page = page_of(html)
    assert page.tree is not None
    started = time.process_time()
    assert len(TableExtractor().extract(page)) <= MOST_ROWS
    assert time.process_time() - started < 10


CELLS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=0, max_size=4)


@given(st.lists(CELLS, max_size=6))
@settings(max_examples=100, deadline=None)
def test_a_grid_is_a_rectangle_and_has_every_cell(rows: list[list[tuple[int, int]]]) -> None:
    number = 0
    html = "<table>"
    for row in rows:
        html += "<tr>"
        for down, across in row:
            html += f"<td rowspan={down} colspan={across}>c{number}</td>"
            number += 1
    table = page_of(html + "</table>").tree.select_one("table")
    assert table is not None
    grid = grid_of(table, has_nested=False)
    assert {len(row.cells) for row in grid.rows} <= {grid.width}
    assert sum(len(row.cells) for row in grid.rows) <= MOST_CELLS
    assert {cell.text for row in grid.rows for cell in row.cells} - {""} == {f"c{n}" for n in range(number)}
    assert sum(row.own_cells for row in grid.rows) == number
