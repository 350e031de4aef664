"""What is printed of a crawl."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.cli.output import ledger_table, story_text
from dowse.cli.wording import duration_text, moment_text, printable, shortened, size_text
from dowse.core.model import State
from dowse.modes.registry import find_mode


class Row:
    def __init__(self, state: str, reason: str, count: int) -> None:
        self.state, self.reason, self.count = state, reason, count


STATES = [state.name.lower() for state in State]
ROWS = st.builds(Row, st.sampled_from(STATES), st.text(max_size=50), st.integers(0, 10**9))


@given(st.lists(ROWS, max_size=30, unique_by=lambda row: (row.state, row.reason)))
def test_the_states_of_a_ledger_add_up_and_fit_the_screen(rows: list[Any]) -> None:
    lines = list(ledger_table(rows))
    numbers = [int(line.split()[-1].replace(",", "")) for line in lines if not line.startswith("    ")]
    assert numbers[0] == sum(numbers[1:]) == sum(row.count for row in rows)
    assert all(len(line) <= 80 for line in lines)


def test_a_ledger() -> None:
    rows: list[Any] = [
        Row("fetched", "", 5000), Row("fetched", "redirect", 12), Row("robots", "robots", 2), Row("out", "", 0),
        Row("out_of_scope", "host", 70), Row("out_of_scope", "length", 4), Row("out_of_scope", "depth 3", 40),
    ]  # fmt: skip
    assert list(ledger_table(rows, most_reasons=2)) == [
        "discovered                                     5,128",
        "  fetched                                      5,012",
        "    redirect                                      12",
        "  out of scope                                   114",
        "    host                                          70",
        "    depth 3                                       40",
        "    and 1 more",
        "  refused by robots                                2",
    ]


def test_a_story(app: Any) -> None:
    story = app.story(
        "http://example.org/b",
        state="failed",
        reason="http 503",
        depth=2,
        parents=[("http://example.org/", "To \x1b[2Jb"), *[("http://example.org/a", "")] * 6],
        visits=[
            {"fetched_at": 0.0, "status": 503, "failure": "http", "detail": "Busy", "elapsed": 0.25, "size": 0},
            {"fetched_at": 60.0, "status": 200, "elapsed": 0.0125, "size": 34_211, "media_type": "text/html"},
        ],
        redirected_from="http://example.org/old",
        redirected_to="http://example.org/new",
        duplicate_of="http://example.org/twin",
        next_attempt=3600.0,
    )
    assert list(story_text(story, "out")) == [
        "http://example.org/b",
        "  state            failed (http 503)",
        "  depth            2 from a seed",
        '  linked from      http://example.org/  "To  [2Jb"',
        *["                   http://example.org/a"] * 4,
        "                   and 2 more pages",
        "  redirected from  http://example.org/old",
        f"  visit            {moment_text(0.0)}, 503, http: Busy, 0.250 s",
        f"                   {moment_text(60.0)}, 200, text/html, 34.2 kB, 0.013 s",
        "  redirected to    http://example.org/new",
        "  same content as  http://example.org/twin",
        f"  next attempt     {moment_text(3600.0)}",
    ]


@pytest.mark.parametrize(("reason", "dedup"), [("near_duplicate", "exact"), ("mirror", "off")])
def test_the_story_of_a_duplicate_says_how_alike_it_is_and_how_to_undo_it(app: Any, reason: str, dedup: str) -> None:
    visit = {"fetched_at": 0.0, "status": 200, "failure": "", "detail": "97% of the text is the same", "elapsed": 0.5}
    story = app.story(
        "http://example.org/b",
        state="duplicate",
        reason=reason,
        visits=[visit],
        duplicate_of="http://example.org/twin",
    )
    assert "\n".join(story_text(story, "a b")).splitlines()[-5:] == [
        f"  visit            {moment_text(0.0)}, 200, 97% of the text is the same,",
        "                     0.500 s",
        "  same content as  http://example.org/twin",
        f"  undo             dowse resume 'a b' --dedup {dedup} fetches it and follows its",
        "                     links",
    ]


def test_a_story_keeps_to_the_width_of_a_terminal(app: Any) -> None:
    worth = {f"what is said of it {number}": 0.1 for number in range(9)}
    address = "http://example.org/" + "long/" * 20
    judged = {"worth": worth, "relevance": None, "parts": {}, "priority": 0.9}
    story = app.story("http://example.org/b", facts=judged, parents=[(address, "words")])
    lines = "\n".join(story_text(story, "out", find_mode("focus").story_lines(story))).splitlines()
    assert [line for line in lines if len(line) > 80] == [f"  linked from      {address}"]
    start = next(number for number, line in enumerate(lines) if line.startswith("  worth "))
    whole = "  worth            0.900 (" + ", ".join(f"{name} 0.1" for name in worth) + ")"
    assert " ".join(" ".join(lines[start:]).split()).startswith(" ".join(whole.split()))
    assert all(line.startswith(" " * 21) for line in lines[start + 1 : start + 4])


@pytest.mark.parametrize(
    ("size", "text"),
    [(0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (140_200_000, "140.2 MB"), (3e9, "3.0 GB"), (5e15, "5000.0 TB")],
)
def test_size_text(size: float, text: str) -> None:
    assert size_text(size) == text


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0:00"), (12.9, "0:12"), (185, "3:05"), (3723, "1:02:03"), (90_000, "25:00:00")]
)
def test_duration_text(seconds: float, text: str) -> None:
    assert duration_text(seconds) == text


def test_moment_text_is_on_the_clock_of_this_machine() -> None:
    assert time.mktime(time.strptime(moment_text(1_000_000_000.0), "%Y-%m-%d %H:%M:%S")) == 1_000_000_000.0


@given(st.text())
def test_nothing_from_the_web_steers_the_terminal(text: str) -> None:
    clean = printable(text)
    assert not set(clean) & {*map(chr, range(32)), *map(chr, range(127, 160)), "\u202e", "\u2066"}
    clean.encode()


@pytest.mark.parametrize(("text", "short"), [("abc", "abc"), ("abcd", "ab…")])
def test_shortened(text: str, short: str) -> None:
    assert shortened(text, 3) == short
