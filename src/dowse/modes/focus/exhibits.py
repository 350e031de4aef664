"""What a focus crawl shows in its report: the harvest curve, and the best pages."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from dowse.core.exhibits import Curve, Exhibit, Line, Listing, Row
from dowse.core.phrasing import counted, share_text
from dowse.modes.best_first import harvest_line

if TYPE_CHECKING:
    from dowse.crawl import Crawl

MOST_PAGES = 25


def exhibits(crawl: Crawl) -> Iterator[Exhibit]:
    found = harvest_line(crawl, "pages that match")
    pages = len(found.values)
    if not pages:
        return
    matched = int(found.values[-1])
    title = f"{share_text(matched, pages).capitalize()} of the pages fetched match the topic"
    note = (
        "Pages that match, after each page that was fetched. The steeper the curve, the fewer downloads were in vain."
    )
    every = Line("if every page matched", tuple(range(1, matched + 1)))
    yield Curve("harvest", "Harvest", title, note, "pages fetched", (found, every))
    if not matched:
        return
    rows = [
        Row(row["title"] or row["url"], row["url"], value=row["relevance"], cells=(f"{row['relevance']:.3f}",))
        for row in islice(crawl.frame("matched"), MOST_PAGES)
    ]
    threshold = crawl.mode.matched_from(crawl.job)
    best = f"{counted(matched, 'page matches', 'pages match')} with a relevance of {threshold:.3f} or more"
    note = "The best pages first." if matched <= MOST_PAGES else f"The best {MOST_PAGES} of them."
    yield Listing("best", "Best pages", best, note, ("page", "relevance"), rows)
