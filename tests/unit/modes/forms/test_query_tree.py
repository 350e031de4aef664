"""Which queries are complete, and which are divided."""

from __future__ import annotations

from dowse.modes.forms.choice_fields import Facet
from dowse.modes.forms.form_fields import Divider
from dowse.modes.forms.queries import Values
from dowse.modes.forms.query_tree import MOST_FIELDS, QueryTree, Sample
from dowse.modes.forms.range_fields import RangeField, Scale
from dowse.parse.forms.controls import Option


def facet(name: str, values: str) -> Facet:
    return Facet(name, tuple(Option(each, each) for each in values), "")


MAKE, COLOUR, PRICE = facet("make", "abc"), facet("colour", "xy"), RangeField("low", "high", Scale(0, 9))


def tree(*dividers: Divider) -> QueryTree:
    return QueryTree(dividers, "")


def asked_next(of: QueryTree, asked: set[Values]) -> list[Values]:
    return [step.query.values for step in of.parts(asked, 10, with_root=True)]


def test_a_query_is_complete_with_all_of_its_parts() -> None:
    whole = tree(MAKE)
    for value in "ab":
        whole.finished((("make", value),), None)
    assert whole.covered_by == ""
    whole.finished((("make", "c"),), None)
    assert whole.is_whole
    assert whole.covered_by == "make"


def test_parts_of_parts_count() -> None:
    whole = tree(MAKE, COLOUR)
    for value in "ab":
        whole.finished((("make", value),), None)
    whole.finished((("make", "c"),), 5.0)
    for value in "xy":
        whole.finished((("colour", value), ("make", "c")), None)
    assert whole.is_whole


def test_only_what_is_cut_off_is_divided() -> None:
    whole = tree(MAKE, COLOUR)
    whole.finished((("make", "a"),), None)
    whole.finished((("make", "b"),), 7.0)
    asked: set[Values] = {(("make", "a"),), (("make", "b"),), (("make", "c"),)}
    assert asked_next(whole, asked) == [(("colour", "x"), ("make", "b"))], "nor is everything, which make has divided"


def test_what_came_with_a_larger_part_is_not_asked_again() -> None:
    whole = tree(MAKE, COLOUR)
    whole.finished((("colour", "x"),), None)
    whole.finished((("make", "b"),), 7.0)
    assert (("colour", "y"), ("make", "b")) in asked_next(whole, set())
    assert (("colour", "x"), ("make", "b")) not in asked_next(whole, set())


def test_a_half_is_the_whole_if_the_other_is_empty() -> None:
    whole = tree(PRICE)
    some = Sample(50, frozenset({"1", "2"}))
    whole.brought((), 2, some)
    whole.finished((), 48.0)
    (first,) = asked_next(whole, set())
    whole.brought(first, 0, Sample(None, frozenset()))
    whole.finished(first, None)
    (second,) = asked_next(whole, {first})
    assert len(second) == 2, "a half of the other half, which is not asked for itself"


def test_fields_that_change_nothing_are_left_alone() -> None:
    whole = tree(MAKE)
    for value in "abc":
        whole.brought((("make", value),), 0, Sample(50, frozenset({"1", "2"})))
    assert whole.dull == {"make"}
    different = tree(MAKE)
    for value in "abc":
        different.brought((("make", value),), 0, Sample(50, frozenset({value})))
    assert not different.dull


def test_fields_that_bring_errors_are_left_alone() -> None:
    whole = tree(MAKE)
    for value in "abc":
        whole.failed((("make", value),))
    assert whole.dull == {"make"}


def test_a_field_without_results_completes_nothing() -> None:
    """A form may answer a price alone with nothing, because it wants a make."""
    whole = tree(MAKE)
    for value in "abc":
        whole.brought((("make", value),), 0, Sample(None, frozenset()))
        whole.finished((("make", value),), None)
    assert not whole.is_whole


def test_a_query_has_few_fields() -> None:
    facets = [facet(f"f{each}", "ab") for each in range(6)]
    whole = tree(*facets)
    values: Values = ()
    for _ in range(6):
        whole.finished(values, 100.0)
        parts = [part for part in asked_next(whole, set()) if len(part) > len(values)]
        if not parts:
            break
        values = max(parts, key=len)
    assert len(values) == MOST_FIELDS
