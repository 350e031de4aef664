"""The full-text index of SQLite (FTS5), in `search.db` beside the crawl's database.

    state   one row a fact: the version of the index and of its words, the stamp of the crawl
    page    one row a page, with what searches are filtered by
    body    what was read of it, compressed: for snippets, and to take its words out again
    form    words that are written otherwise than they are found by
    words   the index itself: titles and texts as words parted by spaces, and nothing else of them

The index has no copy of the texts (content=''), which halves the file. So a page is taken out by telling FTS5 the words
that it was put in with. They are made again of what was read, and so an index whose words were made by another version
is thrown away as a whole.

`ascii` is the tokenizer that parts at spaces and leaves letters of other scripts alone: words were made before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from msgspec.structs import astuple

from dowse.store.database import Database
from dowse.store.search.search_index import Hit, PageFacts, Phrase, ReadPage, SearchFilter, Wanted

VERSION = "1"

TITLE_WEIGHT = 8.0
"""How much more a word counts in a title than in a text."""

MOST_FORMS = 50
"""Words that what somebody typed may be the beginning of."""

_MOST_MET = 200_000

_TABLES = (
    "CREATE TABLE state (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    """CREATE TABLE page (
        id         INTEGER PRIMARY KEY,
        task       INTEGER NOT NULL UNIQUE,
        digest     INTEGER NOT NULL,
        url        TEXT NOT NULL,
        site       TEXT NOT NULL,
        type       TEXT NOT NULL,
        fetched_at REAL NOT NULL,
        relevance  REAL,
        title      TEXT NOT NULL,
        language   TEXT NOT NULL,
        date       REAL
    )""",
    "CREATE TABLE body (id INTEGER PRIMARY KEY, text BLOB NOT NULL)",
    "CREATE TABLE form (form TEXT NOT NULL, stem TEXT NOT NULL, PRIMARY KEY (form, stem)) WITHOUT ROWID",
    "CREATE VIRTUAL TABLE words USING fts5 (title, text, content = '', tokenize = 'ascii')",
    f"INSERT INTO words (words, rank) VALUES ('rank', 'bm25({TITLE_WEIGHT}, 1.0)')",
)
_FACTS = "task, digest, url, site, type, fetched_at, relevance"
_ADD = f"INSERT INTO page ({_FACTS}, title, language, date) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id"
_SET = "INSERT OR REPLACE INTO state (name, value) VALUES (?, ?)"
_REMOVE = "INSERT INTO words (words, rowid, title, text) VALUES ('delete', ?, ?, ?)"
_REFRESH = "UPDATE page SET digest = ?, url = ?, site = ?, type = ?, fetched_at = ?, relevance = ? WHERE task = ?"

Reader = Callable[[str, bytes, str], tuple[str, str]]
"""Makes the words of a title and of what was read of a text, in a language."""


class Fts5Index:
    """Implements `SearchIndex`."""

    def __init__(self, database: Database, words_version: str, words: Reader) -> None:
        """`words_version` is that of the words, which `words` makes."""
        self._database = database
        self._words = words
        self._is = {"version": VERSION, "words": words_version}
        self._met: set[tuple[str, str]] = set()

    def prepare(self) -> None:
        """Make the tables, and in the place of those of another version."""
        if "state" in self._database.tables() and all(self._state(name) == value for name, value in self._is.items()):
            return
        with self._database.transaction():
            for name in ("words", "form", "body", "page", "state"):
                self._database.execute(f"DROP TABLE IF EXISTS {name}")
            for statement in _TABLES:
                self._database.execute(statement)
            self._database.executemany(_SET, self._is.items())

    def is_readable(self) -> bool:
        """Whether its tables are those of this version."""
        has = "state" in self._database.tables()
        return has and all(self._state(name) == value for name, value in self._is.items())

    def stamp(self) -> str:
        return self._state("stamp")

    def _state(self, name: str) -> str:
        row = self._database.execute("SELECT value FROM state WHERE name = ?", (name,)).fetchone()
        return str(row[0]) if row else ""

    def known(self) -> dict[int, PageFacts]:
        rows = self._database.execute(f"SELECT {_FACTS} FROM page")
        return {row[0]: PageFacts(*row) for row in rows}

    def size(self) -> int:
        row = self._database.execute("SELECT coalesce(max(id), 0) FROM page").fetchone()
        return int(row[0])

    def languages(self) -> list[str]:
        return self._state("languages").split(",")

    @contextmanager
    def changing(self) -> Iterator[None]:
        try:
            with self._database.transaction():
                yield
        except BaseException:
            self._met.clear()  # what it had written is not there
            raise

    def add(self, pages: Iterable[tuple[PageFacts, ReadPage]]) -> None:
        for facts, read in pages:
            self.remove((facts.task,))
            number = self._database.execute(_ADD, (*astuple(facts), read.title, read.language, read.date)).fetchone()[0]
            self._database.execute("INSERT INTO body VALUES (?, ?)", (number, read.text))
            self._database.execute(
                "INSERT INTO words (rowid, title, text) VALUES (?, ?, ?)", (number, read.title_words, read.text_words)
            )
            new = [form for form in read.forms if form not in self._met]
            if len(self._met) > _MOST_MET:
                self._met.clear()
            self._met.update(new)
            self._database.executemany("INSERT OR IGNORE INTO form VALUES (?, ?)", new)

    def refresh(self, facts: Iterable[PageFacts]) -> None:
        rows = ((f.digest, f.url, f.site, f.type, f.fetched_at, f.relevance, f.task) for f in facts)
        self._database.executemany(_REFRESH, rows)

    def remove(self, tasks: Iterable[int]) -> None:
        query = "SELECT page.id, title, text, language FROM page JOIN body USING (id) WHERE task = ?"
        for task in tasks:
            row = self._database.execute(query, (task,)).fetchone()
            if row is not None:
                number, title, text, language = row
                self._database.execute(_REMOVE, (number, *self._words(title, text, language)))
                self._database.execute("DELETE FROM page WHERE id = ?", (number,))
                self._database.execute("DELETE FROM body WHERE id = ?", (number,))

    def finish(self, stamp: str, *, much: bool) -> None:
        with self.changing():
            if much:
                self._database.execute("INSERT INTO words (words) VALUES ('optimize')")
            rows = self._database.execute("SELECT language FROM page GROUP BY 1 ORDER BY count(*) DESC").fetchall()
            self._database.execute(_SET, ("languages", ",".join(language for (language,) in rows)))
            self._database.execute(_SET, ("stamp", stamp))

    def forms(self, word: str, *, begins: bool = False) -> set[str]:
        if begins:
            query, values = "form >= ? AND form < ?", (word, word + "\U0010ffff")
        else:
            query, values = "form = ? AND ? <> ''", (word, word)
        rows = self._database.execute(f"SELECT DISTINCT stem FROM form WHERE {query} LIMIT {MOST_FORMS}", values)
        return {stem for (stem,) in rows}

    def count(self, wanted: Wanted, which: SearchFilter) -> int:
        condition, values = _condition(which)
        query = "SELECT count(*) FROM words"
        if condition:
            query += f" JOIN page ON page.id = words.rowid AND {condition}"
        row = self._database.execute(f"{query} WHERE words MATCH ?", (*values, _expression(wanted))).fetchone()
        return int(row[0])

    def find(self, wanted: Wanted, which: SearchFilter, limit: int) -> list[Hit]:
        condition, values = _condition(which)
        joined = f"CROSS JOIN page ON page.id = words.rowid{f' AND {condition}' if condition else ''}"
        rows = self._database.execute(
            "SELECT page.id, -rank, url, page.title, site, type, language, date, fetched_at, relevance"
            f" FROM words {joined} WHERE words MATCH ? ORDER BY rank LIMIT ?",
            (*values, _expression(wanted), limit),
        )
        return [Hit(*row) for row in rows]

    def texts(self, numbers: Sequence[int]) -> dict[int, bytes]:
        marks = ", ".join("?" * len(numbers))
        return dict(self._database.execute(f"SELECT id, text FROM body WHERE id IN ({marks})", numbers).fetchall())

    def close(self) -> None:
        self._database.close()


def _condition(which: SearchFilter) -> tuple[str, list[Any]]:
    parts: list[str] = []
    values: list[Any] = []
    if which.site:
        parts.append("(site = ? OR substr(site, -length(?) - 1) = '.' || ?)")
        values += [which.site] * 3
    if which.types:
        parts.append(f"type IN ({', '.join('?' * len(which.types))})")
        values += which.types
    for column, sign, value in (
        ("coalesce(date, fetched_at)", ">=", which.since),
        ("coalesce(date, fetched_at)", "<", which.until),
        ("relevance", ">=", which.relevance),
    ):
        if value is not None:
            parts.append(f"{column} {sign} ?")
            values.append(value)
    return " AND ".join(parts), values


def _expression(wanted: Wanted) -> str:
    """What FTS5 is asked. Words have no quotation marks in them."""
    groups = [" OR ".join(map(_phrase, group)) for group in wanted.groups]
    between = " OR " if wanted.any_will_do else " AND "
    asked = between.join(f"({group})" for group in groups)
    if wanted.in_title:
        asked = f"title : ({asked})"
    if wanted.excluded:
        asked = f"({asked}) NOT ({' OR '.join(map(_phrase, wanted.excluded))})"
    return asked


def _phrase(phrase: Phrase) -> str:
    return f'"{" ".join(phrase.words)}"{"*" if phrase.begins else ""}'
