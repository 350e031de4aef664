"""Results are taken from answers without selectors."""

from __future__ import annotations

import pytest

from dowse.modes.forms.result_list import find_results, shown_words
from tests.reading import page_of

NUMBERS = range(8)
LINKS = [f"<a href=/goods/{each}>Lamp number {each}</a>" for each in NUMBERS]
HEAD = "<table><thead><tr><th>Name</th><th>Price</th></tr></thead><tbody>"


def repeated(shape: str) -> str:
    return "".join(shape.format(link=link, at=at) for at, link in enumerate(LINKS))


SHAPES = {
    "list": f"<ol>{repeated('<li>{link}<p>A fine lamp, {at} pounds.</p></li>')}</ol>",
    "divisions": repeated("<div class=hit><h3>{link}</h3><p>A lamp, {at} pounds.</p></div>"),
    "definitions": f"<dl>{repeated('<dt>{link}</dt><dd>A lamp, {at} pounds.</dd>')}</dl>",
    "titles": repeated("<h3>{link}</h3><p>A lamp, {at} pounds.</p>"),
    "table": f"{HEAD}{repeated('<tr><td>{link}</td><td>{at}</td></tr>')}</tbody></table>",
}
SINGLE = {
    "list": f"<ol><li>{LINKS[0]}<p>A fine lamp.</p></li></ol>",
    "divisions": f"<div class=hit><h3>{LINKS[0]}</h3><p>A lamp.</p></div>",
    "table": f"{HEAD}<tr><td>{LINKS[0]}</td><td>1</td></tr></tbody></table>",
}


@pytest.mark.parametrize("shape", SHAPES)
def test_results_in_every_shape(shape: str) -> None:
    page = page_of(f"<nav><a href=/>Home</a></nav><h1>Results</h1>{SHAPES[shape]}")
    items = find_results(page, frozenset()).items
    assert [item.link.rpartition("/")[2] for item in items] == [str(each) for each in NUMBERS]
    assert all("lamp" in item.words for item in items)


def test_cells_of_a_table_have_their_headings() -> None:
    items = find_results(page_of(SHAPES["table"]), frozenset()).items
    assert items[3].fields == {"link": items[3].link, "Name": "Lamp number 3", "Price": "3"}


@pytest.mark.parametrize("shape", SINGLE)
def test_a_single_result_is_found_where_others_stood(shape: str) -> None:
    place = find_results(page_of(f"<h1>Results</h1>{SHAPES[shape]}"), frozenset()).path
    results = find_results(page_of(f"<h1>Results</h1>{SINGLE[shape]}"), frozenset(), place)
    assert [item.link.rpartition("/")[2] for item in results.items] == ["0"]


def test_results_without_links_are_told_apart_by_their_text() -> None:
    page = page_of(f"{HEAD}{repeated('<tr><td>Lamp</td><td>{at}</td></tr>')}</tbody></table>")
    items = find_results(page, frozenset()).items
    assert len({item.key for item in items}) == len(NUMBERS)
    assert all(item.key.startswith("text:") for item in items)


def test_a_page_without_a_list_has_no_results() -> None:
    assert find_results(page_of("<p>One text.</p>"), frozenset()).items == []


def test_the_choices_of_a_select_are_words_of_their_own() -> None:
    form = "<form><select><option>1990<option>1991</select><button>Find</button><button>Clear</button></form>"
    assert shown_words(page_of(f"<title>Boats</title><p>Vessels by year</p>{form}")) == [
        *("boats", "vessels", "by", "year", "1990", "1991", "find", "clear")
    ]
