"""One instruction carried out on one page, without a crawl: the links that its rules keep and follow."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from dowse.core.errors import CrawlError
from dowse.modes.rules.rule_instructions import Written, read_instruction
from dowse.modes.rules.rule_table import Instruction, build_instruction
from dowse.modes.rules.strategy import Plan
from dowse.parse.page import Page
from dowse.workflows.fetch_page import fetch_page, job_of_page


class KeptLink(Struct, frozen=True):
    """A link that a rule keeps, with what its page says of it."""

    url: str
    anchor: str
    context: str
    title: str
    rel: str


class FollowedLink(Struct, frozen=True):
    """A link that a rule follows, to a page of a type."""

    url: str
    anchor: str
    to_type: str


class Carried(Struct, frozen=True):
    """What came of an instruction. `url` is where redirects led."""

    instruction: Instruction
    url: str
    kept: list[KeptLink]
    followed: list[FollowedLink]


def apply_rules(instruction: Written, **options: Any) -> Carried:
    """Fetch the page of an instruction and apply its rules. Options are those of fetching, such as `fetch`."""
    url, rules = read_instruction(instruction)
    fetched = fetch_page(job_of_page(url, **options))
    if fetched.response.status >= 400:
        raise CrawlError(f"{fetched.url}: status {fetched.response.status}")
    page = Page(fetched.response)
    if page.trouble:
        raise CrawlError(f"{fetched.url}: {page.trouble}")
    carried = Carried(build_instruction(rules[0].base_url, url, rules), fetched.url, [], [])
    for link, marks in Plan(rules, describes=True).apply(page)[0]:
        for mark in {mark.to_type: mark for mark in marks.each}.values():
            if mark.to_type:
                carried.followed.append(FollowedLink(link.url, link.text, mark.to_type))
            else:
                carried.kept.append(KeptLink(link.url, link.text, mark.context, mark.title, mark.rel))
    return carried


__all__ = ["Carried", "FollowedLink", "KeptLink", "Written", "apply_rules"]
