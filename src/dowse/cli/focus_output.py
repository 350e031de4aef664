"""What commands print of a focus crawl: its results, best first, how much may be left, and what a score is made of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

from dowse.cli.found_output import count_text, left_json, shown_rows
from dowse.cli.wording import printable, shortened

if TYPE_CHECKING:
    from dowse.app import Crawl, Story

_WEAK = 0.05


def results_text(crawl: Crawl) -> Iterator[str]:
    """The best pages, and what the numbers say of those that are left."""
    standing = crawl.standing()
    for row in shown_rows(crawl.matched):
        yield f"  {row['relevance']:.3f}  {printable(shortened(row['title'] or row['url'], 71))}"
        if row["title"]:
            yield f"         {printable(row['url'])}"
    least = f"relevance {standing.threshold:.3f} or more"
    yield from count_text(standing, crawl.directory / "urls.txt", "matched", least, "pages")


def results_json(crawl: Crawl) -> dict[str, Any]:
    """The same for programs."""
    standing = crawl.standing()
    return {
        "threshold": standing.threshold,
        "matched": standing.prospect.matched,
        "estimated_recall": standing.prospect.recall,
        **left_json(standing),
        "best": [to_builtins(row) for row in shown_rows(crawl.matched)],
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
