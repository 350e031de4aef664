"""How complete records are, for the report: which of a kind's fields are filled, in at most `MOST_RECORDS` of them."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from dowse.core.crawl_numbers import FieldRow, RecordGroup
from dowse.core.record import ABOUT, ARTICLE_PAGE, REPEATED, WORDS
from dowse.store.database import Database
from dowse.store.fragments import THEN_JOIN, json_rows

MOST_RECORDS = 20_000
MOST_FIELDS = 30

_KINDS = f"""
    SELECT kind, count(*) FROM record WHERE kind NOT IN ('{REPEATED}', '{WORDS}', '{ABOUT}', '{ARTICLE_PAGE}')
    GROUP BY 1 ORDER BY 2 DESC, 1
"""
_FIELDS = (
    f"SELECT fields FROM {json_rows('?', 'wanted')} {THEN_JOIN} record ON record.id = CAST(wanted.value AS BIGINT)"
)
_NOTHING = frozenset({b"null", b'""', b"[]", b"{}"})

_decode = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
_encode = msgspec.json.Encoder().encode


def survey_records(connection: Database) -> list[RecordGroup]:
    """Every kind of records with its fields, the kind with most records first."""
    return [_survey_kind(connection, kind, records) for kind, records in connection.execute(_KINDS).fetchall()]


def _survey_kind(connection: Database, kind: str, records: int) -> RecordGroup:
    numbers = [row[0] for row in connection.execute("SELECT id FROM record WHERE kind = ? ORDER BY id", (kind,))]
    looked_at = numbers[:: max(1, -(-records // MOST_RECORDS))]
    texts = (row[0] for row in connection.execute(_FIELDS, (_encode(looked_at).decode(),)))
    return RecordGroup(kind, records, len(looked_at), count_fields(texts))


def count_fields(texts: Iterable[str]) -> list[FieldRow]:
    """The fields of records given as JSON, the fullest first; equal ones in the order in which they were met."""
    filled: dict[str, int] = {}
    examples: dict[str, bytes] = {}
    values: dict[str, set[int]] = {}  # hashes: the values may be whole articles
    for text in texts:
        for name, raw in _decode(text).items():
            value = bytes(raw)
            there = value not in _NOTHING
            filled[name] = filled.get(name, 0) + there
            if there:
                examples.setdefault(name, value)
                values.setdefault(name, set()).add(hash(value))
    rows = [
        FieldRow(name, count, len(values[name]), msgspec.json.decode(examples[name]))
        if count
        else FieldRow(name, 0, 0, None)
        for name, count in filled.items()
    ]
    return sorted(rows, key=lambda row: -row.filled)[:MOST_FIELDS]
