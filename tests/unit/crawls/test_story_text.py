"""What is printed of one URL."""

from __future__ import annotations

from typing import Any

import pytest

from dowse.crawls.story_text import story_text
from dowse.export.text_layout import moment_text
from dowse.modes.registry import find_mode
from dowse.store.reading.stories import Story


def story_of(url: str, **facts: Any) -> Story:
    return Story(url, **{"state": "fetched", "reason": "", "depth": 0, "parents": [], "visits": [], **facts})


def test_a_story() -> None:
    story = story_of(
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
        f"  visit            {moment_text(0.0)}, 503, http: Busy, 250 ms",
        f"                   {moment_text(60.0)}, 200, text/html, 34.2 kB, 12 ms",
        "  redirected to    http://example.org/new",
        "  same content as  http://example.org/twin",
        f"  next attempt     {moment_text(3600.0)}",
    ]


@pytest.mark.parametrize(("reason", "dedup"), [("near_duplicate", "exact"), ("mirror", "off")])
def test_the_story_of_a_duplicate_says_how_alike_it_is_and_how_to_undo_it(reason: str, dedup: str) -> None:
    visit = {"fetched_at": 0.0, "status": 200, "failure": "", "detail": "97% of the text is the same", "elapsed": 0.5}
    story = story_of(
        "http://example.org/b",
        state="duplicate",
        reason=reason,
        visits=[visit],
        duplicate_of="http://example.org/twin",
    )
    assert "\n".join(story_text(story, "a b")).splitlines()[-4:] == [
        f"  visit            {moment_text(0.0)}, 200, 97% of the text is the same, 500 ms",
        "  same content as  http://example.org/twin",
        f"  undo             dowse resume 'a b' --dedup {dedup} fetches it and follows its",
        "                     links",
    ]


def test_a_story_keeps_to_the_width_of_a_terminal() -> None:
    worth = {f"what is said of it {number}": 0.1 for number in range(9)}
    address = "http://example.org/" + "long/" * 20
    judged = {"worth": worth, "relevance": None, "parts": {}, "priority": 0.9}
    story = story_of("http://example.org/b", facts=judged, parents=[(address, "words")])
    lines = "\n".join(story_text(story, "out", find_mode("focus").story_lines(story))).splitlines()
    assert [line for line in lines if len(line) > 80] == [f"  linked from      {address}"]
    start = next(number for number, line in enumerate(lines) if line.startswith("  worth "))
    whole = "  worth            0.900 (" + ", ".join(f"{name} 0.1" for name in worth) + ")"
    assert " ".join(" ".join(lines[start:]).split()).startswith(" ".join(whole.split()))
    assert all(line.startswith(" " * 21) for line in lines[start + 1 : start + 4])
