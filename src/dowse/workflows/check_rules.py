"""A rule table tried out: its mistakes, and the links that each rule matches on the first pages."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from dowse import app
from dowse.config import make_job
from dowse.modes.rules.rule_places import read_rules, shown_place
from dowse.modes.rules.rule_table import Problem, Rule

_SAMPLES = 3


class RuleTrial(Struct, frozen=True):
    """The trial of one rule: the pages it was applied to, the links it matched, and the first of these links."""

    rule: Rule
    pages: int
    links: int
    samples: list[str]


class Trial(Struct, frozen=True):
    """The trial of a table. `failures` has the base URLs without a page, and why."""

    table: str
    errors: list[Problem]
    warnings: list[Problem]
    rules: list[RuleTrial]
    pages: int
    failures: dict[str, str]


def check_rules(table: str, **options: Any) -> Trial:
    """Read a table, fetch its base pages (or up to `max_pages` pages), and see which links the rules match."""
    found = read_rules(table, options.get("base", ()))
    trial = Trial(shown_place(table), found.errors, found.warnings, [], 0, {})
    if not found.rules:
        return trial
    with tempfile.TemporaryDirectory(prefix="dowse-check-") as folder:
        wanted = {"max_pages": len(found.bases), **options}
        job = make_job("rules", (), **wanted, table=table, output=str(Path(folder) / "crawl"))
        summary = app.start(job)
        crawl = app.read(job.output)
        matches = crawl.matches()
        samples: dict[int, list[str]] = {}
        for row in [*crawl.kept, *crawl.followed]:
            if len(known := samples.setdefault(row["rule"], [])) < _SAMPLES:
                known.append(row["url"])
        rules = [_trial(rule, matches, samples) for rule in found.rules]
        failures = {base: trouble for base in found.bases if (trouble := _trouble(crawl, base))}
        crawl.close()
    return replace(trial, rules=rules, pages=summary.pages, failures=failures)


def _trial(rule: Rule, matches: dict[int, tuple[int, int]], samples: dict[int, list[str]]) -> RuleTrial:
    pages, links = matches.get(rule.row, (0, 0))
    return RuleTrial(rule, pages, links, samples.get(rule.row, []))


def _trouble(crawl: app.Crawl, base: str) -> str:
    """Why a base URL has no page; "" if it has one, there or where it redirects to."""
    story, hops = crawl.why(base), 0
    while story is not None and story.redirected_to and hops < 20:
        story, hops = crawl.why(story.redirected_to), hops + 1
    if story is None or story.instruction is not None:
        return ""
    detail = story.visits[-1].get("detail") if story.visits else ""
    return ": ".join(word for word in (story.reason or story.state, detail) if word)
