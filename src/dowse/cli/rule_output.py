"""What commands print of rule tables: their mistakes, and what each rule matches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dowse.cli.wording import counted, printable, wrapped
from dowse.modes.rules.rule_table import NO_LIMIT, Rule

if TYPE_CHECKING:
    from dowse.workflows.apply_rules import Carried
    from dowse.workflows.check_rules import RuleTrial, Trial

LIMITS = ("pattern", "id", "class", "tag", "filterField", "filterValue")


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


def carried_text(carried: Carried) -> Iterator[str]:
    """The lines of `dowse rules apply`."""
    yield printable(carried.url)
    yield f"  kept {len(carried.kept):,}"
    for kept in carried.kept:
        yield from _link_text(kept.url, kept.anchor)
    yield f"  followed {len(carried.followed):,}"
    for each in carried.followed:
        yield from _link_text(each.url, each.anchor, f"{each.to_type}  ")


def _link_text(url: str, anchor: str, kind: str = "") -> Iterator[str]:
    """A URL is not broken; what is said of it stands below."""
    yield f"    {printable(url)}"
    if kind or anchor:
        yield " " * 6 + wrapped(printable(f'{kind}"{anchor}"'), 6)


def _trial_text(tried: RuleTrial, *, is_down: bool) -> Iterator[str]:
    rule = tried.rule
    if tried.pages:
        found = counted(tried.links, "link") if tried.links else "warning: it matches nothing"
    else:
        cure = "" if is_down else "; give more --max-pages"
        found = f"not tried: no page of type {rule.from_type} was fetched{cure}"
    yield printable(f"  row {rule.row:<3} {action_text(rule):<28} {limits_text(rule)}".rstrip())
    yield f"          {found}"
    for url in tried.samples:
        yield f"            {printable(url)}"
    if tried.samples and tried.links > len(tried.samples):
        yield f"            and {tried.links - len(tried.samples):,} more"


def action_text(rule: Rule) -> str:
    """What a rule does, with links of which pages."""
    return f"{rule.rule_type} {rule.from_type}" + (f" -> {rule.to_type}" if rule.to_type else "")


def limits_text(rule: Rule) -> str:
    """What a rule asks of links."""
    written = rule.cells()
    return ", ".join(f"{name} {written[name]}" for name in LIMITS if written[name] not in ("", NO_LIMIT))
