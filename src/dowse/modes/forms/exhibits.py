"""What a crawl for forms shows in its report: the search forms, and how the records behind them came."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from typing import TYPE_CHECKING

from dowse.core.exhibits import Curve, Exhibit, Line, Listing, Row
from dowse.core.phrasing import counted
from dowse.modes.forms.messages import SEARCHABLE

if TYPE_CHECKING:
    from dowse.crawl import Crawl

MOST_FORMS = 25
_NEW = "SELECT fresh FROM form_query WHERE task IS NOT NULL AND kind <> 'renewal' ORDER BY id"


def exhibits(crawl: Crawl) -> Iterator[Exhibit]:
    forms = [row for row in crawl.frame("forms") if row["searchable"] >= SEARCHABLE]
    if not forms:
        return
    forms.sort(key=lambda row: (-row["records"], -row["searchable"]))
    rows = [
        Row(
            row["url"],
            row["url"],
            small=row["reason"],
            value=row["records"],
            cells=(f"{row['records']:,}", f"{row['queries']:,}", f"{row['requests']:,}", f"{row['searchable']:.2f}"),
        )
        for row in forms[:MOST_FORMS]
    ]
    records = sum(row["records"] for row in forms)
    title = f"{counted(len(forms), 'search form')}, and {counted(records, 'record')} from behind them"
    note = "The forms with most records first." if len(forms) <= MOST_FORMS else f"The {MOST_FORMS} with most records."
    heads = ("page with a form", "records", "queries", "requests", "searchable")
    yield Listing("search-forms", "Search forms", title, note, heads, rows)
    fresh = [new or 0 for (new,) in crawl.reader.connection.execute(_NEW).fetchall()]
    if records and fresh:
        title = f"{counted(len(fresh), 'query', 'queries')} brought {counted(records, 'record')}"
        note = "Records that were new, after each query. Where the curve is flat, queries bring little more."
        yield Curve("queries", "Queries", title, note, "queries", (Line("records", tuple(accumulate(fresh))),))
