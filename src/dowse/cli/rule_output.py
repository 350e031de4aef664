"""What commands print of a rule crawl: what it kept, what each rule did, and how a URL came to its page type."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import json

from dowse.cli.wording import counted, printable
from dowse.core.rules import NO_LIMIT, Rule

if TYPE_CHECKING:
    from dowse.app import Crawl, Story
    from dowse.workflows.check_rules import RuleTrial, Trial

LIMITS = ("pattern", "id", "class", "tag", "filterField", "filterValue")


def kept_text(crawl: Crawl) -> Iterator[str]:
    """What a rule crawl kept and followed, and which rules matched nothing."""
    for name, rows, file in (("kept", crawl.kept, "keep.csv"), ("followed", crawl.followed, "follow.csv")):
        yield f"{name:<40}{len(rows):>12,}   {crawl.directory / file}"
    for row, (pages, links) in sorted(crawl.matches().items()):
        if not links:
            yield f"  row {row} matched nothing on {pages:,} {'page' if pages == 1 else 'pages'}: is it right?"
    yield ""


def check_text(trial: Trial) -> Iterator[str]:
    """The lines of `dowse rules check`."""
    rules, pages = counted(len(trial.rules), "rule"), counted(trial.pages, "page")
    yield f"{trial.table}: {rules} can be used; {pages} fetched to try them"
    for problem in (*trial.errors, *trial.warnings):
        yield f"  {'error' if problem.is_error else 'warning'}: {printable(str(problem))}"
    base = ""
    for tried in trial.rules:
        if tried.rule.base_url != base:
            base = tried.rule.base_url
            yield ""
            failure = trial.failures.get(base, "")
            yield printable(base + (f"  could not be fetched: {failure}" if failure else ""))
        yield from _trial_text(tried, is_down=base in trial.failures)


def _trial_text(tried: RuleTrial, *, is_down: bool) -> Iterator[str]:
    rule = tried.rule
    if tried.pages:
        found = counted(tried.links, "link") if tried.links else "warning: it matches nothing"
    else:
        cure = "" if is_down else "; give more --max-pages"
        found = f"not tried: no page of type {rule.from_type} was fetched{cure}"
    yield printable(f"  row {rule.row:<3} {way_text(rule):<28} {limits_text(rule)}".rstrip())
    yield f"          {found}"
    for url in tried.samples:
        yield f"            {printable(url)}"
    if tried.samples and tried.links > len(tried.samples):
        yield f"            and {tried.links - len(tried.samples):,} more"


def way_text(rule: Rule) -> str:
    """From which pages a rule leads where."""
    return f"follow {rule.from_type} -> {rule.to_type}" if rule.to_type else f"keep {rule.from_type}"


def limits_text(rule: Rule) -> str:
    """What a rule asks of links."""
    written = rule.cells()
    return ", ".join(f"{name} {written[name]}" for name in LIMITS if written[name] not in ("", NO_LIMIT))


def ruled_facts(story: Story) -> Iterator[tuple[str, str]]:
    """What rules made of a URL, as names and values."""
    for kept in story.kept:
        yield "kept by", f"rule {kept['rule']}, on {kept['found_on']} (page type {kept['page_type']})"
    for each in story.page_types:
        if each["rule"]:
            how = f"by rule {each['rule']}, on {each['found_on']} (page type {each['from_type']})"
        else:
            how = f"redirected from {each['found_on']}" if each["found_on"] else "the base URL"
        yield "page type", f"{each['name']}, {how}" + ("" if each["applied"] else "; its rules are not applied yet")
    if story.instruction is not None:
        yield "instruction", json.encode(story.instruction).decode()
