"""What a crawl for forms says of one URL: the forms of the page, the query that it is, or which query brought it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from dowse.core.phrasing import counted
from dowse.store.database import Database

if TYPE_CHECKING:
    from dowse.store.reading.stories import Story

_FORMS = """SELECT type, searchable, topic, refusal, ending,
    (SELECT count(*) FROM form_record WHERE form_record.form = form.id) FROM form WHERE task = ? ORDER BY id"""
_QUERY = "SELECT text, answer, results, fresh, total FROM form_query WHERE task = ?"
_BROUGHT = """SELECT request.why, answer.url FROM form_record JOIN task AS answer ON answer.id = form_record.task
    JOIN request ON request.task = answer.id WHERE form_record.key = (SELECT url FROM task WHERE id = ?)"""


def facts(connection: Database, number: int) -> dict[str, Any]:
    """The facts, for programs; empty lists where there is nothing to say."""

    def rows(query: str, *names: str) -> list[dict[str, Any]]:
        return [dict(zip(names, row, strict=True)) for row in connection.execute(query, (number,))]

    return {
        "forms": rows(_FORMS, "type", "searchable", "topic", "refusal", "end", "records"),
        "queries": rows(_QUERY, "query", "answer", "results", "new", "total"),
        "brought_by": rows(_BROUGHT, "query", "url"),
    }


def lines(story: Story) -> Iterator[tuple[str, str]]:
    """The same for people, as names and values."""
    for form in story.forms:
        end = form["refusal"] or form["end"]
        records = counted(form["records"], "record") if form["records"] else ""
        topic = f", on topic {form['topic']:.2f}" if form["topic"] is not None else ""
        kind = f"{form['type']}, searchable {form['searchable']:.2f}{topic}"
        yield "form", "; ".join(filter(None, (kind, records, end)))
    for query in story.queries:
        total = f" of {query['total']:,}" if query["total"] is not None else ""
        brought = f"{counted(query['results'], 'result')}{total}, {query['new']:,} new"
        yield "query", f"{query['query']}: {query['answer'] or 'no answer yet'}, {brought}"
    for record in story.brought_by:
        yield "record of", f"{record['query']} ({record['url']})"
