"""Which request a harvest wants next."""

from __future__ import annotations

from dowse.modes.forms.harvest import Harvest
from dowse.modes.forms.queries import Progress, Query, Step
from dowse.modes.forms.query_answers import Answer
from dowse.modes.forms.result_list import Item
from dowse.parse.forms.form import Submission
from dowse.parse.forms.form_finding import find_forms
from tests.unit.extract.pages import page_of

BOX = "<form action=/find role=search><input type=search name=q><button>Search</button></form>"


def items(first: int, last: int) -> list[Item]:
    return [Item(f"/{number}", "", "", f"red lamp {number}") for number in range(first, last)]


def shop_with_one_order() -> tuple[Harvest, Query]:
    """`red` brought 40 records. The first ten of 300 lamps are among them, for all lists have the same order."""
    (form,) = find_forms(page_of(BOX))
    harvest = Harvest(form, ["red", "lamp"])
    while (step := harvest.next()) is not None and step.query.kind != "word":
        harvest.answered(step.query, Answer("no match"))
    red, lamp = (Query("word", (("q", word),)) for word in ("red", "lamp"))
    harvest.answered(red, Answer("results", items(0, 40), 40))
    harvest.finished(red, Progress(40, 40, 40, 4))
    harvest.answered(lamp, Answer("results", items(0, 10), 300))
    harvest.goes_on(lamp, Submission("/find?q=lamp&page=2"), 10, Progress(10, 0, 300, 1))
    return harvest, lamp


def test_a_first_page_without_anything_new_does_not_end_a_list_that_must_have_more() -> None:
    harvest, lamp = shop_with_one_order()
    step = harvest.next()
    assert step is not None
    assert (step.query, step.page) == (lamp, 2)
    assert round(step.promise, 2) == round(10 * 260 / 290, 2), "260 lamps of the other 290 are not known"


def test_lists_go_on_when_no_further_query_may_be_asked() -> None:
    harvest, lamp = shop_with_one_order()
    step: Step | None = harvest.next(is_full=True)
    assert step is not None
    assert step.query == lamp
    harvest.answered(lamp, Answer("results", items(10, 20), 300))
    harvest.finished(lamp, Progress(20, 0, 300, 2))
    assert harvest.next(is_full=True) is None
    assert harvest.end == "max_queries"
