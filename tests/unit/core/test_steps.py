"""Steps as people write them, and which of them are for a page."""

from __future__ import annotations

import pytest

from dowse.config import make_job
from dowse.core.errors import JobError
from dowse.core.steps import Step, Steps, parse_step


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("click #accept", Step("click", "#accept")),
        ("click-until-gone .more", Step("click-until-gone", ".more", times=50)),
        ("click-until-gone .list > .more x 7", Step("click-until-gone", ".list > .more", times=7)),
        ("scroll", Step("scroll", times=30)),
        ("scroll x 3", Step("scroll", times=3)),
        ("type #q = a = b", Step("type", "#q", "a = b")),
        ("select select[name=x] = France", Step("select", "select[name=x]", "France")),
        ("/search\\? => press #q = Enter", Step("press", "#q", "Enter", on="/search\\?")),
        ("  wait  .results  ", Step("wait", ".results")),
        ("click .x x 3", Step("click", ".x x 3")),
    ],
)
def test_steps_are_read(text: str, expected: Step) -> None:
    assert parse_step(text) == expected


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "expected [PATTERN =>]"),
        ("jump .x", "one of click, click-until-gone"),
        ("click", "click needs the selector"),
        ("type #q", "type needs a value"),
        ("scroll .x", "scroll takes no element"),
        ("scroll x 0", "from 1 to 10,000"),
        ("( => click .x", "regular expression"),
    ],
)
def test_wrong_steps_are_named(text: str, said: str) -> None:
    with pytest.raises(JobError) as caught:
        make_job("site", "http://e.org/", step=[text or "=>"])
    assert said in str(caught.value)
    assert "step:" in str(caught.value)


def test_steps_are_for_the_pages_they_name() -> None:
    steps = Steps(["click #accept", "/list => scroll", "/item => hover .x"])
    assert [step.verb for step in steps.for_page("http://e.org/list/1")] == ["click", "scroll"]
    assert steps.are_for("http://e.org/item/1")
    assert not steps.are_for("http://e.org/")


def test_a_secret_is_not_shown() -> None:
    assert str(parse_step("type #password = hidden")) == "type #password"
