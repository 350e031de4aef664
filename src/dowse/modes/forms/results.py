"""The results of a crawl for forms: the forms, the records behind them, and how many may be left."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dowse.core.phrasing import counted
from dowse.core.results import Found, Number, Results
from dowse.modes.best_first import MOST_SHOWN
from dowse.modes.forms.database_size import database_size
from dowse.modes.forms.harvest import LISTS_ALL
from dowse.modes.forms.messages import SEARCHABLE
from dowse.modes.forms.options import FormsOptions

if TYPE_CHECKING:
    from dowse.crawl import Crawl

_TIMES = """SELECT count(*) FROM query_record JOIN form_query ON form_query.id = query_record.query
    WHERE form_query.kind = 'word' GROUP BY query_record.record"""


def results(crawl: Crawl, options: FormsOptions) -> Results:
    """The search forms, and what came of their queries."""
    forms = [row for row in crawl.frame("forms") if row["searchable"] >= SEARCHABLE]
    records = sum(row["records"] for row in forms)
    numbers = [Number("search forms", len(forms))]
    if options.harvest:
        numbers += [
            Number("records", records),
            Number("  queries", sum(row["queries"] for row in forms)),
            Number("  requests for them", sum(row["requests"] for row in forms)),
            *([] if {row["reason"] for row in forms} <= {LISTS_ALL} else _left(crawl, records)),
        ]
    return Results(
        best=tuple(Found(f"{row['searchable']:.2f}", row["url"], _told(row)) for row in forms[:MOST_SHOWN]),
        more=f"and {len(forms) - MOST_SHOWN:,} more" if len(forms) > MOST_SHOWN else "",
        numbers=tuple(numbers),
        trouble="" if forms else "no search form was found; go deeper with --depth, or start nearer to one",
        facts={"search_forms": len(forms), "harvested": records},
    )


def _left(crawl: Crawl, records: int) -> list[Number]:
    size = database_size(count for (count,) in crawl.reader.connection.execute(_TIMES))
    if size is None or not records:
        return []
    most = round(size.most) - records
    return [
        Number(
            "  left, by a rough estimate", f"about {max(0, round(size.records) - records):,}", f"up to {max(0, most):,}"
        )
    ]


def _told(row: dict[str, Any]) -> str:
    if not row["queries"]:
        return str(row["reason"])
    records, queries = counted(row["records"], "record"), counted(row["queries"], "query", "queries")
    return f"{records}, {queries}; {row['reason']}"
