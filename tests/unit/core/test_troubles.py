"""What is told at the end of a crawl, and what of it means that the job was not done."""

from __future__ import annotations

from typing import Any

import pytest

from dowse.core.job import ExtractOptions, FetchOptions, Job
from dowse.core.troubles import Effect, Facts, Group, troubles_of
from dowse.modes.site.options import SiteOptions

SOME = Group(3, "https://example.org/a")
QUIET = Facts(pages=10, rendered=10, records=0, cut=Group(), effects={}, signed_out=Group(), log_in=Group())


def told(facts: Facts, *, is_complete: bool = True, **fetch: Any) -> list[tuple[str, bool]]:
    """What is said and whether it is fatal."""
    extract = fetch.pop("extract", ())
    job = Job(
        seeds=("https://example.org/",),
        mode="site",
        options=SiteOptions(),
        fetch=FetchOptions(**fetch),
        extract=ExtractOptions(extract=extract),
    )
    return [(trouble.text, trouble.fatal) for trouble in troubles_of(job, facts, is_complete=is_complete)]


def test_nothing_is_said_where_all_went_well() -> None:
    effects = {"ready .a": Effect(10, Group()), "click .b": Effect(1, SOME)}
    assert told(QUIET._replace(effects=effects), fetch="browser", ready=".a", step=("click .b",)) == []
    assert told(QUIET._replace(pages=0), fetch="browser", ready=".a") == []


@pytest.mark.parametrize(
    ("fetch", "is_complete", "fatal"),
    [("browser", True, True), ("browser", False, False), ("auto", True, False), ("http", False, True)],
)
def test_a_step_for_no_page(fetch: str, is_complete: bool, fatal: bool) -> None:
    ((text, is_fatal),) = told(QUIET, fetch=fetch, step=("/x => click .b",), is_complete=is_complete)
    assert text.startswith("--step '/x => click .b' had no effect")
    assert is_fatal == fatal


def test_conditions_that_hold_nowhere_and_somewhere() -> None:
    effects = {"ready .a": Effect(0, SOME)}
    assert told(QUIET._replace(effects=effects), fetch="browser", ready=".a") == [
        ("--ready .a never appeared (3 of 3 pages)", True)
    ]
    effects = {"ready .a": Effect(7, SOME)}
    assert told(QUIET._replace(effects=effects), fetch="browser", ready=".a") == [
        ("--ready .a did not appear on 3 of 10 pages", False)
    ]


def test_pages_that_were_late_are_the_reason_where_nothing_was_found() -> None:
    late = QUIET._replace(cut=SOME)
    assert [fatal for _, fatal in told(late, fetch="browser")] == [False]
    assert [fatal for _, fatal in told(late, fetch="browser", extract=("a=//a",))] == [True]
    assert [fatal for _, fatal in told(late._replace(records=1), fetch="browser", extract=("a=//a",))] == [False]


def test_pages_without_a_log_in() -> None:
    assert [fatal for _, fatal in told(QUIET._replace(signed_out=SOME), profile="me.json")] == [False]
    assert [fatal for _, fatal in told(QUIET._replace(signed_out=Group(6, "u")), profile="me.json")] == [True]
    assert [fatal for _, fatal in told(QUIET._replace(pages=0, log_in=SOME), profile="me.json")] == [True]
