"""The tables of a crawl for forms, and how a harvest is written there and read back.

form           a form, once for all pages that have it
form_query     what was asked of a form, and what came of it
form_record    the records behind a form, with the words that they can be asked for by
query_record   which query brought which record
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, get_args

import msgspec

from dowse.modes.forms.harvest import Harvest
from dowse.modes.forms.messages import FoundForm
from dowse.modes.forms.queries import Progress, Query
from dowse.modes.forms.query_answers import Answer, Kind
from dowse.modes.forms.result_list import Item
from dowse.parse.forms.form import Submission
from dowse.store.database import Database

TABLES = (
    """
CREATE TABLE IF NOT EXISTS form (
    id         INTEGER PRIMARY KEY,
    shape      TEXT NOT NULL UNIQUE,       -- by which it is known on other pages
    task       INTEGER NOT NULL,           -- the page that has it
    type       TEXT NOT NULL,
    searchable REAL NOT NULL,
    topic      REAL,                       -- how probably it is on the topic of the crawl, if that has one
    fields     TEXT NOT NULL,              -- JSON: the types of its fields by name
    refusal    TEXT NOT NULL,              -- why it must not be sent
    pages      INTEGER NOT NULL DEFAULT 1, -- pages that have it
    gone       INTEGER NOT NULL DEFAULT 0, -- whether its page has it no more
    words      TEXT NOT NULL,              -- of its page
    found      BLOB NOT NULL,              -- the form itself
    known      BLOB NOT NULL DEFAULT '',   -- what the answer to a nonsense word shows
    place      TEXT NOT NULL DEFAULT '',   -- where its results stand
    in_browser INTEGER NOT NULL DEFAULT 0, -- whether it is filled in and sent on its page
    ending     TEXT NOT NULL DEFAULT ''    -- why it is not asked any more
)""",
    """
CREATE TABLE IF NOT EXISTS form_query (
    id       INTEGER PRIMARY KEY,
    form     INTEGER NOT NULL,
    kind     TEXT NOT NULL,
    query    BLOB NOT NULL,
    text     TEXT NOT NULL,
    task     INTEGER,                      -- its first request; none if it is only planned
    requests INTEGER NOT NULL DEFAULT 0,
    answer   TEXT NOT NULL DEFAULT '',
    results  INTEGER NOT NULL DEFAULT 0,
    fresh    INTEGER NOT NULL DEFAULT 0,   -- records that no query had brought before
    total    INTEGER,                      -- results that there are, as the answer says
    page     INTEGER NOT NULL DEFAULT 1,   -- the last page of its results that was asked for
    further  BLOB NOT NULL DEFAULT '',     -- the request for the next
    size     INTEGER NOT NULL DEFAULT 0,   -- results on the last page
    out      INTEGER NOT NULL DEFAULT 1,   -- whether an answer is waited for
    UNIQUE (form, query)
)""",
    """
CREATE TABLE IF NOT EXISTS form_record (
    id    INTEGER PRIMARY KEY,
    form  INTEGER NOT NULL,
    key   TEXT NOT NULL,
    words TEXT NOT NULL,
    task  INTEGER NOT NULL,                -- the answer that brought it first
    UNIQUE (form, key)
)""",
    """
CREATE TABLE IF NOT EXISTS query_record (
    query  INTEGER NOT NULL,
    record INTEGER NOT NULL,
    UNIQUE (query, record)
)""",
    "CREATE INDEX IF NOT EXISTS form_page ON form (task)",
)

KNOWN = "known"
"""The answer to a query whose request was made before, by other values."""

_forms = msgspec.msgpack.Decoder(FoundForm)
_queries = msgspec.msgpack.Decoder(Query)
_further = msgspec.msgpack.Decoder(Submission)
_numbers = msgspec.msgpack.Decoder(list[int])
encode = msgspec.msgpack.encode

_QUERIES = """SELECT id, query, answer, out, results, fresh, total, page, further, size FROM form_query
    WHERE form = ? AND task IS NOT NULL ORDER BY id"""
_RECORDS = """SELECT form_record.key, form_record.words FROM query_record
    JOIN form_record ON form_record.id = query_record.record WHERE query_record.query = ?"""


class Standing(NamedTuple):
    """A form that is asked: its harvest, and how many queries it had."""

    harvest: Harvest
    queries: int


def stored_forms(connection: Database) -> Iterator[FoundForm]:
    """All forms, in the order in which they were found."""
    for (found,) in connection.execute("SELECT found FROM form ORDER BY id").fetchall():
        yield _forms.decode(found)


def stored_harvests(connection: Database, *, browser: bool) -> Iterator[tuple[int, Standing]]:
    """The harvests of all forms that may be asked, as they stood. `browser` says whether pages can be shown in one."""
    query = "SELECT id, found, words, known, place, ending, in_browser FROM form WHERE refusal = '' ORDER BY id"
    for number, found, words, known, place, ending, in_browser in connection.execute(query).fetchall():
        form = _forms.decode(found)
        harvest = Harvest(form.form, words.split(), browser=browser)
        harvest.in_browser = bool(in_browser) or harvest.in_browser
        queries = 0
        for row, packed, answer, out, *numbers, further, size in connection.execute(_QUERIES, (number,)).fetchall():
            asked, progress = _queries.decode(packed), Progress(*numbers)
            queries += asked.kind != "renewal"
            items = [Item(key, "", "", words) for key, words in connection.execute(_RECORDS, (row,))]
            if not out or items:
                kind: Kind = answer if answer in get_args(Kind) else "no match"
                harvest.answered(asked, Answer(kind, items, progress.total))
            if further:
                harvest.goes_on(asked, _further.decode(further), size, progress)
            elif not out and answer != KNOWN:
                harvest.finished(asked, progress)
        harvest.known = frozenset(_numbers.decode(known) if known else form.shown)
        harvest.place = place
        harvest.end = ending or harvest.end
        yield number, Standing(harvest, queries)
