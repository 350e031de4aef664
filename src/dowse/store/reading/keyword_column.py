"""The column of keywords: the words that each page has and few others, by the words that were kept of all pages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from dowse.core.page_keywords import PageWords, weigh
from dowse.core.record import WORDS
from dowse.store.database import Database
from dowse.store.folder import explained
from dowse.store.reading.tables import Table, TableOver

COLUMN = "keywords"
SELECTED = f"""(SELECT fields FROM record WHERE record.task = task.id AND record.kind = '{WORDS}' AND record.key = '')
    AS {COLUMN},"""
"""What a query for pages has in the place of keywords: the words of the page."""

_WORDS = f"SELECT fields FROM record WHERE kind = '{WORDS}' AND key = ''"

_decode = msgspec.json.Decoder(PageWords).decode


class KeywordColumn(TableOver):
    """A table of pages with keywords in the place of words. All words are read once before its first row."""

    def __init__(self, table: Table, connection: Database, number: int) -> None:
        """`number` is how many keywords a page has at most."""
        super().__init__(table)
        self._connection = connection
        self._number = number

    def rows(self) -> Iterator[tuple[Any, ...]]:
        place = self.columns.index(COLUMN)
        with explained("read"):
            weights = weigh(_decode(fields) for (fields,) in self._connection.stream(_WORDS))
        for row in self._table.rows():
            words = row[place]
            keywords = ", ".join(weights.best(_decode(words), self._number)) if words else None
            yield (*row[:place], keywords, *row[place + 1 :])
