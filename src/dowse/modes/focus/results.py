"""The results of a focus crawl: the pages, best first, an estimate of the rest, and advice if there are none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import to_builtins

from dowse.core.model import WORTH_LESS
from dowse.core.phrasing import counted, shortened
from dowse.core.results import Found, Results
from dowse.modes.best_first import best_rows, left_facts, more_text, numbers

if TYPE_CHECKING:
    from dowse.crawl import Crawl

_WEAK = 0.05


def results(crawl: Crawl) -> Results:
    """The best pages, and the estimate of the rest."""
    standing = crawl.standing()
    found = standing.prospect
    best = list(best_rows(crawl.frame("matched")))
    return Results(
        best=tuple(
            Found(
                f"{row['relevance']:.3f}", shortened(row["title"] or row["url"], 71), row["url"] if row["title"] else ""
            )
            for row in best
        ),
        more=more_text(found.matched, crawl.directory / "urls.txt"),
        numbers=numbers(standing, "matched", f"relevance {standing.threshold:.3f} or more", "page"),
        trouble="" if found.matched else _why_none(crawl),
        facts={
            "threshold": standing.threshold,
            "matched": found.matched,
            "estimated_recall": found.recall,
            **left_facts(standing),
            "best": [to_builtins(row) for row in best],
        },
    )


def _why_none(crawl: Crawl) -> str:
    """What to try when a crawl found nothing of its topic."""
    least = crawl.mode.of(crawl.job).least_worth
    if dropped := sum(row.count for row in crawl.balance() if row.reason.startswith(WORTH_LESS)):
        links = counted(dropped, "link was", "links were")
        return f"no page matches the topic; {links} dropped because of --least-worth {least:g}: give a lower one, or 0"
    seeds = [story.facts.get("relevance") or 0.0 for seed in crawl.job.seeds if (story := crawl.why(seed)) is not None]
    hint = "use other or fewer words, or give an example with --like"
    if seeds and max(seeds) < _WEAK:
        hint = "the seed has nothing to do with it either: start from a page that is about the topic, or nearer to it"
    return f"no page matches the topic; {hint}, or go on with more --max-pages"
