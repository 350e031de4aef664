"""What commands print of URLs that were taken for one another."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import TYPE_CHECKING

from dowse.cli.wording import counted
from dowse.core.fate import MIRROR
from dowse.core.url_spellings import BY_PARAMETER

if TYPE_CHECKING:
    from dowse.app import Story


def spelling_facts(story: Story) -> Iterator[tuple[str, str]]:
    """How URLs were taken for one another by parameters of the built-in list."""
    merged = story.merged
    if merged.unseen:
        taken = f"it would be taken for this one: {merged.by} is not counted"
        yield "spelling", f"there is no record of {merged.unseen}; {taken}"
    elif merged.same:
        yield "spelling", f"{merged.same} counts as this URL"
    elif merged.by:
        yield "spelling", f"the URL that was asked about was taken for this one: {merged.by} is not counted"
    if merged.spellings:
        same = f"; {merged.probes:,} of them fetched, and the same" if merged.probes else ""
        yield "spellings", f"{counted(merged.spellings, 'other address', 'other addresses')} of this page{same}"
    for name in merged.matter:
        yield "parameter", f"{name} is counted: pages of this host that differ in it alone say different things"


def undoing(story: Story, directory: str) -> str:
    """How a page that was skipped can be had."""
    if story.reason.startswith(BY_PARAMETER) and " at " not in story.reason:
        names = story.reason.removeprefix(BY_PARAMETER).replace(", ", " --keep-parameters ")
        return f"a new crawl with --keep-parameters {names} takes it for a page of its own"
    dedup = "off" if story.reason == MIRROR else "exact"
    return f"dowse resume {shlex.quote(directory)} --dedup {dedup} fetches it and follows its links"
