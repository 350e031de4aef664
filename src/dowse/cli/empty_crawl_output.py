"""What commands print of a crawl that has no page: why, and what to do."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from dowse.cli.wording import counted, printable, state_text
from dowse.core.fate import WITHHELD
from dowse.core.model import FailureKind

if TYPE_CHECKING:
    from dowse.app import Crawl, Story

MOST_HOPS = 20

# Answers that a server may change: it is busy, or has had enough of us.
_MAY_PASS = frozenset({"http 403", "http 408", "http 425", "http 429"})


def why_nothing(crawl: Crawl) -> str:
    """Why a crawl has no page: what became of its first seed, or of where that was redirected to, and what to do."""
    seeds = crawl.job.seeds
    url, story = _end_of(crawl, seeds[0])
    # Where the code of the user failed, the page was fetched; it is the reading of it that failed.
    is_own = story is not None and story.reason == FailureKind.CALLBACK
    refusal = f"no page could be {'read' if is_own else 'fetched'}: {_fate_of(url, story)}"
    if len(seeds) > 1:
        refusal += f" (nor from {counted(len(seeds) - 1, 'other seed')})"
    directory = shlex.quote(str(crawl.directory))
    return f"{refusal}; {_cure_of(story, directory) or f'try again with: dowse retry {directory}'}"


def _end_of(crawl: Crawl, url: str) -> tuple[str, Story | None]:
    for _ in range(MOST_HOPS):
        story = crawl.why(url)
        if story is None or not story.redirected_to:
            break
        url = story.redirected_to
    return url, story


def _cure_of(story: Story | None, directory: str) -> str:
    """What helps where asking again would bring the same answer; "" elsewhere."""
    if story is None:
        return ""
    if story.reason == FailureKind.CALLBACK:
        return f"mend your code, then: dowse retry {directory}"
    if story.reason == WITHHELD:
        return "start from a page that its site allows to be used for that"
    if story.reason == FailureKind.TOO_LARGE and not _last_detail(story).startswith("headers"):
        more = f"allow more with: dowse retry {directory} --max-body BYTES"
        return f"{more}, or take the first part of pages with --cut-body"
    if story.state == "robots":
        return "start from a page that robots.txt allows"
    if story.state == "out_of_scope":
        return "start from another page, or name what else is in scope (dowse site --help)"
    if story.reason == "http 401":
        return "the server asks for a name and a password, or knows others: give --auth USER:env:NAME"
    is_final = story.reason.startswith("http 4") and story.reason not in _MAY_PASS
    return "check its address, or start from another page" if story.state == "failed" and is_final else ""


def _last_detail(story: Story) -> str:
    return str(story.visits[-1].get("detail") or "") if story.visits else ""


def _fate_of(url: str, story: Story | None) -> str:
    if story is None:
        return f"{printable(url)}: never tried"
    detail = _last_detail(story)
    words = [state_text(story.state)]
    for word in (story.reason, detail):
        # robots is both a state and a reason, 404 both a reason and a status; once is enough
        if word and word.removeprefix("status ") not in words[-1]:
            words.append(word)
    return printable(f"{url}: {', '.join(words)}")
