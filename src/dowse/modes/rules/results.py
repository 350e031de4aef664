"""The results of a rule crawl: links kept and followed, rules without a match, and the page types of a URL."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import json

from dowse.core.phrasing import counted
from dowse.core.results import Number, Results
from dowse.modes.rules.briefing import unpack_rules
from dowse.modes.rules.rule_table import Problem

if TYPE_CHECKING:
    from dowse.crawl import Crawl
    from dowse.store.reading.stories import Story


def results(crawl: Crawl) -> Results:
    kept, followed = len(crawl.frame("kept")), len(crawl.frame("followed"))
    errors = unpack_rules(crawl.reader.briefing()).errors
    idle = [(row, pages) for row, (pages, links) in sorted(crawl.matches().items()) if not links]
    return Results(
        numbers=(
            Number("kept", kept, str(crawl.directory / "keep.csv")),
            Number("followed", followed, str(crawl.directory / "follow.csv")),
        ),
        notes=tuple(f"row {row} matched nothing on {counted(pages, 'page')}: is it right?" for row, pages in idle),
        trouble=_left_out(errors) if errors else "",
        facts={"kept": kept, "followed": followed},
    )


def _left_out(errors: list[Problem]) -> str:
    return f"{counted(len(errors), 'error')} in the rule table, whose rows were left out: {errors[0]}"


def _unapplied(state: str) -> str:
    """Why the rules for a page type were not applied to a URL in that state."""
    if state == "kept":
        return "it is kept and not fetched, so its rules are not applied"
    if state in ("waiting", "out", "not_reached", "fetched"):
        return "its rules are not applied yet"
    return "no page came, so its rules are not applied"


def story_lines(story: Story) -> Iterator[tuple[str, str]]:
    """What rules made of a URL, as names and values."""
    for kept in story.kept:
        yield "kept by", f"rule {kept['rule']}, on {kept['found_on']} (page type {kept['page_type']})"
    for each in story.page_types:
        if each["rule"]:
            how = f"by rule {each['rule']}, on {each['found_on']} (page type {each['from_type']})"
        else:
            how = f"redirected from {each['found_on']}" if each["found_on"] else "the base URL"
        yield "page type", f"{each['name']}, {how}" + ("" if each["applied"] else f"; {_unapplied(story.state)}")
    if story.instruction is not None:
        yield "instruction", json.encode(story.instruction).decode()
