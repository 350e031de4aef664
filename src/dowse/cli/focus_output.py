"""What commands print of a focus crawl: its results, best first, how much may be left, and what a score is made of."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

from dowse.cli.words import printable, shortened

if TYPE_CHECKING:
    from dowse.app import Crawl, Story

MOST_RESULTS = 10
_WEAK = 0.05


def results_text(crawl: Crawl) -> Iterator[str]:
    """The best pages, and what the numbers say of those that are left."""
    standing = crawl.standing()
    found = standing.prospect
    for row in islice(crawl.matched, MOST_RESULTS):
        yield f"  {row['relevance']:.3f}  {printable(shortened(row['title'] or row['url'], 90))}"
        if row["title"]:
            yield f"         {printable(row['url'])}"
    if found.matched > MOST_RESULTS:
        yield f"  and {found.matched - MOST_RESULTS:,} more in {crawl.directory / 'urls.txt'}"
    yield ""
    yield f"{'matched':<40}{found.matched:>12,}   relevance {standing.threshold:.3f} or more"
    yield f"{f'  of the last {found.window:,} pages':<40}{found.recent:>12,}"
    if found.matched and standing.waiting:
        left = round(found.total - found.matched)
        yield f"{'  estimated to be left':<40}{left:>12,}   estimated recall {found.recall:.2f}"
    yield ""


def results_json(crawl: Crawl) -> dict[str, Any]:
    """The same for programs."""
    standing = crawl.standing()
    return {
        "threshold": standing.threshold,
        "matched": standing.prospect.matched,
        "estimated_recall": standing.prospect.recall,
        "best": [to_builtins(row) for row in islice(crawl.matched, MOST_RESULTS)],
    }


def why_no_match(crawl: Crawl) -> str:
    """What to try when a crawl found nothing of its topic; "" if it did."""
    if crawl.standing().prospect.matched:
        return ""
    seeds = [story.relevance or 0.0 for seed in crawl.job.seeds if (story := crawl.why(seed)) is not None]
    hint = "use other or fewer words, or give an example with --like"
    if seeds and max(seeds) < _WEAK:
        hint = "the seed has nothing to do with it either: start from a page that is about the topic, or nearer to it"
    return f"no page matches the topic; {hint}, or go on with more --max-pages"


def judged_facts(story: Story) -> Iterator[tuple[str, str]]:
    """Why a focus crawl took a URL, or did not yet, and what it made of the page."""
    if story.worth:
        yield "worth", f"{sum(story.worth.values()):.3f}{_parts_text(story.worth)}"
    elif story.priority is not None and story.depth and story.relevance is None:
        yield "worth", f"{story.priority:.3f}"
    if story.relevance is not None:
        yield "relevance", f"{story.relevance:.3f}{_parts_text(story.parts)}"


def _parts_text(parts: dict[str, float]) -> str:
    ranked = sorted(parts.items(), key=lambda part: -abs(part[1]))
    return f" ({', '.join(f'{name} {value:.3g}' for name, value in ranked)})" if parts else ""
