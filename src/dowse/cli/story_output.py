"""What commands print of a URL that has no story, of several that may be meant, and stories for programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from dowse.cli.wording import counted, printable

if TYPE_CHECKING:
    from dowse.app import Crawl, Story

MOST_CHOICES = 20


def never_seen(crawl: Crawl, url: str) -> str:
    """Why a URL has no story."""
    text = f"{url} was never seen in this crawl: no link to it was read on any page"
    crowded = crawl.crowded()
    return f"{text}; {counted(crowded, 'page')} had more links than are read of one" if crowded else text


def choice_text(urls: list[str]) -> Iterator[str]:
    """The URLs of which one is to be named."""
    yield from map(printable, urls[:MOST_CHOICES])
    if len(urls) > MOST_CHOICES:
        yield f"and {len(urls) - MOST_CHOICES:,} more"


def story_json(story: Story) -> dict[str, Any]:
    """What `dowse why --json` prints: what the mode says of a URL stands beside the rest."""
    known = {name: getattr(story, name) for name in story.__struct_fields__ if name not in ("facts", "number", "text")}
    return {**known, **story.facts}
