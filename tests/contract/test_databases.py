"""What every database promises the store: transactions, many rows, one writer, readers beside it, trouble in our words.

Run over every driver. How a test fills, damages or disturbs a database is the driver's own matter.
"""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from uuid import uuid4

import pytest

from dowse.core.errors import CrawlError, CrawlLocked, CrawlMissing, JobError, StoreFull
from dowse.store.database import Database
from dowse.store.folder import DATABASE, connect, connect_memory, explained, is_running, take_over
from dowse.store.fragments import (
    count_if,
    hexadecimal,
    json_length,
    json_part,
    json_rows,
    place_of,
    rounded,
    three_digits,
    upsert,
    whole,
)
from dowse.store.postgres.address import Address
from dowse.store.postgres.connection import PostgresDatabase
from dowse.store.reading.link_graph import LinkGraph
from dowse.store.reading.table_window import Window, look_through
from dowse.store.reading.tables import QueryTable
from dowse.store.sqlite import open_file
from tests.postgres import Server

LIST, OBJECT = "'[1, 2, 3]'", "'{\"a\": [4, 5]}'"
PUT = upsert("word", ("name", "number"), ["name"])


class SqlitePlace:
    """A database in a folder."""

    name = "crawl.db"

    def __init__(self, folder: Path, _server: Callable[[], Server]) -> None:
        self._folder = folder
        self._path = folder / DATABASE

    def write(self) -> Database:
        return take_over(self._folder)

    def read(self) -> Database:
        return connect(self._folder, read_only=True)

    def intrude(self) -> Database:
        """A program that does not ask who may write, and has no patience."""
        return open_file(self._path, patience=0.05)

    def has_writer(self) -> bool:
        return is_running(self._folder)

    def fill(self, database: Database) -> None:
        """There is no room for more, as on a full disk."""
        (size,) = database.execute("PRAGMA page_count").fetchone()
        database.execute(f"PRAGMA max_page_count = {size}")

    def make_room(self, database: Database) -> None:
        database.execute(f"PRAGMA max_page_count = {2**30}")

    def damage(self) -> None:
        content = bytearray(self._path.read_bytes())
        content[100:] = b"\xff" * (len(content) - 100)
        self._path.write_bytes(content)


class PostgresPlace:
    """A schema in a database of a real server."""

    def __init__(self, folder: Path, server: Callable[[], Server]) -> None:
        self._folder = folder / f"crawl-{uuid4().hex[:8]}"
        self._server = server()
        self._url = self._server.shared()
        self.name = self._folder.name

    def write(self) -> Database:
        return take_over(self._folder, self._url)

    def read(self) -> Database:
        if not self._folder.exists():
            return PostgresDatabase(Address(self._url, self.name), read_only=True)
        return connect(self._folder, read_only=True)

    def intrude(self) -> Database:
        """A program that does not ask who may write, and has no patience."""
        database = PostgresDatabase(Address(self._url, self.name))
        database.execute("SET lock_timeout = '50ms'")
        return database

    def has_writer(self) -> bool:
        return is_running(self._folder)

    def fill(self, database: Database) -> None:
        """There is no room for more: temporary files are all that a server can be told to have no room for."""
        database.execute(
            "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS"
            " $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$"
        )
        database.execute("CREATE TRIGGER full_disk BEFORE INSERT ON word EXECUTE FUNCTION refuse()")

    def make_room(self, database: Database) -> None:
        database.execute("DROP TRIGGER full_disk ON word")


AnyPlace = SqlitePlace | PostgresPlace


@pytest.fixture(params=[SqlitePlace, PostgresPlace], ids=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> AnyPlace:
    made: AnyPlace = request.param(tmp_path, lambda: request.getfixturevalue("postgres_server"))
    return made


@pytest.fixture
def writer(place: AnyPlace) -> Iterator[Database]:
    with closing(place.write()) as database:
        database.execute("CREATE TABLE word (name TEXT PRIMARY KEY, number INTEGER NOT NULL)")
        yield database


@pytest.fixture(params=["disk", "memory"])
def database(request: pytest.FixtureRequest, place: AnyPlace) -> Iterator[Database]:
    with closing(place.write() if request.param == "disk" else connect_memory()) as made:
        made.execute("CREATE TABLE word (name TEXT PRIMARY KEY, number INTEGER NOT NULL)")
        yield made


def words(database: Database) -> dict[str, int]:
    return dict(database.execute("SELECT name, number FROM word").fetchall())


# Transactions


def test_what_is_written_in_a_transaction_is_there_afterwards(writer: Database, place: AnyPlace) -> None:
    with writer.transaction():
        writer.execute(PUT, ("a", 1))
    with closing(place.read()) as reader:
        assert words(reader) == {"a": 1}


@pytest.mark.parametrize("trouble", [ValueError, KeyboardInterrupt])
def test_a_transaction_that_fails_leaves_nothing(database: Database, trouble: type[BaseException]) -> None:
    def fail() -> None:
        with database.transaction():
            database.execute(PUT, ("a", 1))
            raise trouble

    with pytest.raises(trouble):
        fail()
    assert words(database) == {}
    with database.transaction():
        database.execute(PUT, ("b", 2))
    assert words(database) == {"b": 2}


def test_there_is_no_transaction_inside_of_another(database: Database) -> None:
    def nest() -> None:
        with database.transaction():
            database.execute(PUT, ("a", 1))
            with database.transaction():
                database.execute(PUT, ("b", 2))

    with pytest.raises(RuntimeError, match="no transaction inside of another"):
        nest()
    assert words(database) == {}


def test_a_mistake_in_a_statement_is_no_trouble_with_the_database(database: Database) -> None:
    with pytest.raises(Exception, match="nowhere") as raised, explained("read"), database.transaction():
        database.execute("SELECT 1 FROM nowhere")
    assert not isinstance(raised.value, CrawlError)


# Rows


def test_many_rows_are_written_at_once_and_the_last_of_a_key_stays(database: Database) -> None:
    with database.transaction():
        database.executemany(PUT, ((str(number), number) for number in range(10_000)))
        database.executemany(PUT, [("7", -7)])
    assert len(words(database)) == 10_000
    assert words(database)["7"] == -7


def test_statements_say_how_many_rows_they_changed_and_what_their_columns_are(database: Database) -> None:
    database.executemany(PUT, [("a", 1), ("b", 2)])
    assert database.execute("UPDATE word SET number = 0 WHERE number > ?", (0,)).rowcount == 2
    assert database.execute("INSERT INTO word VALUES ('a', 1) ON CONFLICT DO NOTHING").rowcount == 0
    rows = database.execute("SELECT name, number AS n FROM word WHERE name = :name", {"name": "a"})
    assert [column[0] for column in rows.description] == ["name", "n"]
    assert list(rows) == [("a", 0)]


def test_a_database_knows_its_tables(database: Database) -> None:
    assert database.tables().keys() == {"word"}
    database.execute("CREATE TABLE other (name TEXT NOT NULL DEFAULT 'x')")
    assert database.columns("other") == {"name": "'x'"}
    assert database.columns("nowhere") == {}


@pytest.mark.parametrize("text", ["a?b :c 'd' %s $1", "back\\slash \\u0000", "é\U0001f600", "", "a\nb\tc\\N"])
def test_texts_come_back_as_they_were(database: Database, text: str) -> None:
    database.execute(PUT, (text, 1))
    database.executemany(PUT, [(f"{text} {number}", number) for number in range(50)])
    assert words(database).keys() == {text, *(f"{text} {number}" for number in range(50))}
    assert database.execute("SELECT number FROM word WHERE name = ?", (text,)).fetchone() == (1,)


def test_numbers_and_bytes_come_back_as_they_were(database: Database) -> None:
    database.execute("CREATE TABLE kinds (whole INTEGER, point REAL, bytes BLOB, text TEXT)")
    rows = [
        (-(2**63), 0.1, b"", None),
        (2**63 - 1, 1e300, bytes(range(256)), "x"),
        (True, 5, b"\\x41", ""),
        (None, None, None, None),
        *[(number, number / 3, b"%d" % number, str(number)) for number in range(50)],
    ]
    insert = "INSERT INTO kinds (whole, point, bytes, text) VALUES (?, ?, ?, ?)"
    for row in rows:
        database.execute(insert, row)
    for _ in range(2):
        found = database.execute("SELECT * FROM kinds").fetchall()
        assert Counter(found) == Counter(rows)
        assert list(database.stream("SELECT * FROM kinds")) == found
        database.execute("DELETE FROM kinds")
        database.executemany(insert, rows)
    (total,) = database.execute("SELECT sum(whole) FROM kinds WHERE whole BETWEEN 0 AND 99").fetchone()
    assert (total, type(total)) == (sum(range(50)) + 1, int)


def test_texts_are_in_the_order_of_their_bytes(database: Database) -> None:
    names = ["b", "B", "é", "a b", "a-b", "ab", "A", "~", "_", "1", "10", "2"]
    database.executemany(PUT, [(name, 1) for name in names])
    found = [name for (name,) in database.execute("SELECT name FROM word ORDER BY name")]
    assert found == sorted(names, key=str.encode)


def test_windows_of_a_table_put_nothing_first_and_have_every_row_once(database: Database) -> None:
    database.execute("CREATE TABLE score (name TEXT NOT NULL, number INTEGER)")
    rows = [(f"{number:03}", number % 3 or None) for number in range(300)]
    database.executemany("INSERT INTO score (name, number) VALUES (?, ?)", rows)
    table = QueryTable(database, LinkGraph(database), "SELECT name, number FROM score ORDER BY name")
    for descending, values in ((False, [None, 1, 2]), (True, [2, 1, None])):
        windows = [
            Window(offset=offset, limit=50, sort="number", descending=descending) for offset in range(0, 300, 50)
        ]
        found = [row for window in windows for row in look_through(table, window).rows]
        assert list(dict.fromkeys(number for _, number in found)) == values
        assert Counter(found) == Counter(rows)


@pytest.mark.parametrize(
    ("column", "text", "found"),
    [
        ("status", "2", ["b"]), ("status", "2.0", ["b"]), ("status", "9" * 30, []), ("relevance", "1", ["b"]),
        ("relevance", "0.30000000000000004", ["a"]), ("matched", "1", ["b"]), ("matched", "true", ["b"]),
        ("matched", "0", ["a"]), ("url", "a", ["a"]),
    ],
)  # fmt: skip
def test_a_window_has_the_rows_of_one_value(database: Database, column: str, text: str, found: list[str]) -> None:
    database.execute("CREATE TABLE score (name TEXT NOT NULL, whole INTEGER, part REAL)")
    database.executemany("INSERT INTO score VALUES (?, ?, ?)", [("a", 1, 0.1 + 0.2), ("b", 2, 1.0)])
    query = "SELECT name AS url, whole AS status, part AS relevance, whole > 1 AS matched FROM score"
    table = QueryTable(database, LinkGraph(database), query)
    assert [row[0] for row in look_through(table, Window(equal={column: text})).rows] == found
    with pytest.raises(JobError, match="value: relevance has numbers"):
        look_through(table, Window(equal={"relevance": "nan"}))


@pytest.mark.parametrize("typed", ["Ärzte", "ärzte", "ÄRZTE", "ärZte"])
def test_words_are_found_in_a_window_however_they_are_written(database: Database, typed: str) -> None:
    database.executemany(PUT, [(name, 1) for name in ("die Ärzte", "die ärzte", "DIE ÄRZTE", "Arzte", "100%_x\\y")])
    table = QueryTable(database, LinkGraph(database), "SELECT name FROM word ORDER BY name")
    found = look_through(table, Window(words=f"{typed} DIE"))
    assert [name for (name,) in found.rows] == ["DIE ÄRZTE", "die Ärzte", "die ärzte"]
    assert look_through(table, Window(words="0%_X\\y")).total == 1


@pytest.mark.parametrize(
    ("fragment", "value"),
    [
        (place_of("'/'", "'ab/c'"), 3),
        (place_of("'/'", "'abc'"), 0),
        (rounded("0.123456"), 0.1235),
        (whole("2.9"), 2),
        (three_digits("0.0123456"), 0.0123),
        (hexadecimal("255"), "00000000000000ff"),
        (hexadecimal("-1"), "ffffffffffffffff"),
        (json_part("'[7, \"x\"]'", "$[1]"), "x"),
        (json_part("'{\"n\": 7}'", "$.n", "BIGINT"), 7),
        (json_part("'{\"n\": 0.5}'", "$.n", "REAL"), 0.5),
        (json_part("'{\"n\": 7}'", "$.m", "BIGINT"), None),
        (json_length("'[1, [2, 3]]'"), 2),
        (f"(SELECT {count_if('CAST(each.value AS BIGINT) > 1')} FROM {json_rows(LIST, 'each')})", 2),
        (f"(SELECT max(CAST(each.value AS BIGINT)) FROM {json_rows(OBJECT, 'each', '$.a')})", 5),
    ],
)
def test_fragments_mean_what_their_names_say(database: Database, fragment: str, value: object) -> None:
    assert database.execute(f"SELECT {fragment}").fetchone() == (value,)


# One writer, and readers beside it


def test_a_second_writer_is_refused_with_words_until_the_first_is_done(place: AnyPlace) -> None:
    with closing(place.write()):
        assert place.has_writer()
        with pytest.raises(CrawlLocked, match="another process is running the crawl"):
            place.write()
    assert not place.has_writer()
    place.write().close()


def test_a_program_that_writes_without_asking_is_told_of(place: AnyPlace, writer: Database) -> None:
    with closing(place.intrude()) as other, writer.transaction():
        writer.execute(PUT, ("a", 1))
        with pytest.raises(CrawlError, match="another program has it"), other.transaction():
            other.execute(PUT, ("a", 2))
    assert words(writer) == {"a": 1}


def test_a_reader_beside_the_writer_sees_what_is_committed(place: AnyPlace, writer: Database) -> None:
    with closing(place.read()) as reader:
        before = reader.stamp()
        with writer.transaction():
            writer.execute(PUT, ("a", 1))
            assert words(reader) == {}
        assert words(reader) == {"a": 1}
        assert reader.stamp() != before


def test_all_that_is_read_in_a_snapshot_is_of_one_moment(place: AnyPlace, writer: Database) -> None:
    with closing(place.read()) as reader:
        with reader.snapshot():
            reader.execute("CREATE TEMP TABLE found AS SELECT name FROM word")
            with writer.transaction():
                writer.execute(PUT, ("a", 1))
            assert words(reader) == {}
        assert words(reader) == {"a": 1}
        reader.execute("CREATE TEMP TABLE found AS SELECT name FROM word")


def test_one_thread_may_use_what_another_has_opened(writer: Database) -> None:
    thread = threading.Thread(target=lambda: writer.execute(PUT, ("a", 1)))
    thread.start()
    thread.join()
    assert words(writer) == {"a": 1}


# Trouble in our words


def test_a_full_database_refuses_a_batch_whole_and_takes_it_when_there_is_room(
    place: AnyPlace, writer: Database
) -> None:
    rows = [("x" * 500 + str(number), number) for number in range(500)]
    place.fill(writer)
    for _ in range(2):
        with pytest.raises(StoreFull, match=f"cannot write {re.escape(place.name)}"), writer.transaction():
            writer.executemany(PUT, rows)
        assert words(writer) == {}
    place.make_room(writer)
    with writer.transaction():
        writer.executemany(PUT, rows)
    assert len(words(writer)) == 500


def test_what_was_opened_to_be_read_cannot_be_written_to(place: AnyPlace, writer: Database) -> None:
    with closing(place.read()) as reader:
        with pytest.raises(CrawlError, match="get the right to write to it"), reader.transaction():
            reader.execute(PUT, ("a", 1))
        assert words(reader) == {}


def test_nothing_is_made_where_there_is_nothing_to_read(place: AnyPlace, tmp_path: Path) -> None:
    with pytest.raises(CrawlMissing, match="cannot open"):
        place.read()
    assert list(tmp_path.iterdir()) == []


def test_damage_is_told_of_with_what_to_do(place: AnyPlace) -> None:
    if not isinstance(place, SqlitePlace):
        pytest.skip("a server looks after its own files")
    with closing(place.write()) as database:
        database.execute("CREATE TABLE word (name TEXT)")
    place.damage()
    with closing(place.read()) as reader, pytest.raises(CrawlError, match="restore it from a copy"), explained("read"):
        reader.execute("SELECT * FROM word").fetchall()
