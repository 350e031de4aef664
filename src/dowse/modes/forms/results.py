"""The results of a crawl for forms: the forms, the records behind them, and how many may be left."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dowse.core.phrasing import counted
from dowse.core.results import Found, Number, Results
from dowse.modes.best_first import MOST_SHOWN
from dowse.modes.forms.database_size import database_size
from dowse.modes.forms.harvest import ALL_PARTS, LISTS_ALL
from dowse.modes.forms.messages import SEARCHABLE
from dowse.modes.forms.options import FormsOptions
from dowse.modes.forms.topic_of_crawl import ON_TOPIC

if TYPE_CHECKING:
    from dowse.crawl import Crawl
    from dowse.store.database import Database

_ASKED = """SELECT form.id, form.ending, count(*) FROM form JOIN form_record ON form_record.form = form.id
    GROUP BY form.id, form.ending"""
_TIMES = """SELECT count(*) FROM query_record JOIN form_query ON form_query.id = query_record.query
    WHERE form_query.kind = 'word' AND form_query.form = ? GROUP BY query_record.record"""


def results(crawl: Crawl, options: FormsOptions) -> Results:
    """The search forms, and what came of their queries."""
    forms = [row for row in crawl.frame("forms") if row["searchable"] >= SEARCHABLE]
    records = sum(row["records"] for row in forms)
    numbers = [Number("search forms", len(forms))]
    if options.topic:
        numbers.append(Number("  on topic", sum((row["topic"] or 0.0) >= ON_TOPIC for row in forms)))
    if options.harvest:
        numbers += [
            Number("records", records),
            Number("  queries", sum(row["queries"] for row in forms)),
            Number("  requests for them", sum(row["requests"] for row in forms)),
            *_left(crawl.reader.connection),
        ]
    return Results(
        best=tuple(Found(f"{row['searchable']:.2f}", row["url"], _told(row)) for row in forms[:MOST_SHOWN]),
        more=f"and {len(forms) - MOST_SHOWN:,} more" if len(forms) > MOST_SHOWN else "",
        numbers=tuple(numbers),
        trouble="" if forms else "no search form was found; go deeper with --depth, or start nearer to one",
        facts={"search_forms": len(forms), "harvested": records},
    )


def _left(connection: Database) -> list[Number]:
    """How many records may be left behind the forms that do not say that all came."""
    asked = connection.execute(_ASKED).fetchall()
    rest = [(number, records) for number, ending, records in asked if not ending.startswith((LISTS_ALL, ALL_PARTS))]
    if asked and not rest:
        return [Number("  left", "0", "all came whole")]
    sizes = [(database_size(count for (count,) in connection.execute(_TIMES, (each,))), had) for each, had in rest]
    known = [(max(0.0, size.records - had), max(0.0, size.most - had)) for size, had in sizes if size is not None]
    if not known:
        return []
    about, most = (round(sum(numbers)) for numbers in zip(*known, strict=True))
    return [Number("  left, by a rough estimate", f"about {about:,}", f"up to {most:,}")]


def _told(row: dict[str, Any]) -> str:
    if not row["queries"]:
        return str(row["reason"])
    records, queries = counted(row["records"], "record"), counted(row["queries"], "query", "queries")
    return f"{records}, {queries}; {row['reason']}"
