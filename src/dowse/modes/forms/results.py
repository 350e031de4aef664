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

_ASKED = """SELECT form.ending, form.id, count(*), coalesce(known_form.records, 0), (
        SELECT total FROM form_query WHERE form_query.form = form.id AND kind = 'everything' AND results > 0)
    FROM form JOIN form_record ON form_record.form = form.id LEFT JOIN known_form ON known_form.shape = form.shape
    GROUP BY form.ending, form.id, known_form.records"""
_WORDS = "SELECT results, fresh FROM form_query WHERE kind = 'word' AND form = ? ORDER BY id"


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
    rest = [numbers for ending, *numbers in asked if not ending.startswith((LISTS_ALL, ALL_PARTS))]
    if asked and not rest:
        return [Number("  left", "0", "all came whole")]
    known = [left for numbers in rest if (left := _left_behind(connection, *numbers)) is not None]
    if not known:
        return []
    about, most = (round(sum(numbers)) for numbers in zip(*known, strict=True))
    return [Number("  left, by a rough estimate", f"about {about:,}", f"up to {most:,}" if most else "")]


def _left_behind(
    connection: Database, number: int, came: int, earlier: int, said: int | None
) -> tuple[float, float] | None:
    """How many records of a form are left, about and at most; None if nothing can be said.

    So many came in this crawl, and so many in earlier ones. `said` is how many there are by the list of all of them. It
    is wrong if more came.
    """
    had = max(came, earlier)
    if said is not None and said >= came:
        return (left := max(0.0, float(said - had))), left
    size = database_size(came, connection.execute(_WORDS, (number,)).fetchall())
    return (max(0.0, size.records - had), max(0.0, size.most - had)) if size is not None else None


def _told(row: dict[str, Any]) -> str:
    if not row["queries"]:
        return str(row["reason"])
    records, queries = counted(row["records"], "record"), counted(row["queries"], "query", "queries")
    return f"{records}, {queries}; {row['reason']}"
