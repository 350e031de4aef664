"""What a person said of pages: whether they are on topic. It is kept with what was learned, and outlives a resume.

Answers belong to the topic they were given for. When a crawl goes on with another topic they are set aside under its
name, and they come back with it.

While a process runs the crawl, others leave answers in the table `said`. They are taken up with the next page that
comes home, or in the end. An answer of None takes back the one that was given before.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import msgspec

from dowse.store.database import Database
from dowse.store.folder import connect, explained
from dowse.store.fragments import upsert

_NAME = "answers"
TABLES = (
    """
CREATE TABLE IF NOT EXISTS said (
    id     INTEGER PRIMARY KEY,
    task   INTEGER NOT NULL,
    wanted INTEGER NOT NULL
)""",
)

_TAKEN_BACK = -1
_LEFT = "SELECT id, task, wanted FROM said ORDER BY id"
_SAVE = upsert("model", ("name", "state"), ["name"])


def read_answers(connection: Database) -> dict[int, bool]:
    """By the numbers of their tasks, in the order they were given."""
    row = connection.execute("SELECT state FROM model WHERE name = ?", (_NAME,)).fetchone()
    return dict(msgspec.msgpack.decode(row[0], type=list[tuple[int, bool]])) if row else {}


def given_answers(connection: Database) -> dict[int, bool]:
    """The same with those that were left and are not taken up yet."""
    given = read_answers(connection)
    for _, task, wanted in connection.execute(_LEFT):
        given = _merged(given, {task: _answer(wanted)})
    return given


def add_answers(connection: Database, answers: Mapping[int, bool | None]) -> None:
    """Of two answers on one page the later holds; what was left by others came before."""
    take_up(connection)
    _add(connection, answers)


def leave_answer(directory: Path, task: int, wanted: bool | None) -> None:
    """Say something to the process that runs the crawl of a folder."""
    said = _TAKEN_BACK if wanted is None else int(wanted)
    with closing(connect(directory)) as database, explained("write"), database.transaction():
        database.execute("INSERT INTO said (task, wanted) VALUES (?, ?)", (task, said))


def change_topic(connection: Database, before: str, now: str) -> tuple[int, int]:
    """Set the answers for one topic aside, and bring those back that were given for another; how many of both."""
    take_up(connection)
    aside, back = len(read_answers(connection)), f"{_NAME} for {now}"
    connection.execute("UPDATE model SET name = ? WHERE name = ?", (f"{_NAME} for {before}", _NAME))
    connection.execute("UPDATE model SET name = ? WHERE name = ?", (_NAME, back))
    return aside, len(read_answers(connection))


def take_up(connection: Database) -> bool:
    """Add what was left by others to the answers; whether there was something."""
    rows = connection.execute(_LEFT).fetchall()
    for number, task, wanted in rows:
        _add(connection, {task: _answer(wanted)})
        connection.execute("DELETE FROM said WHERE id = ?", (number,))
    return bool(rows)


def _add(connection: Database, answers: Mapping[int, bool | None]) -> None:
    state = msgspec.msgpack.encode(list(_merged(read_answers(connection), answers).items()))
    connection.execute(_SAVE, (_NAME, state))


def _answer(wanted: int) -> bool | None:
    return None if wanted == _TAKEN_BACK else bool(wanted)


def _merged(before: Mapping[int, bool], said: Mapping[int, bool | None]) -> dict[int, bool]:
    """In the order in which they were given, the last for each page."""
    kept = {task: wanted for task, wanted in before.items() if task not in said}
    return kept | {task: wanted for task, wanted in said.items() if wanted is not None}
