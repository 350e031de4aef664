"""What a person said of pages: whether they are on topic. It is kept with what was learned, and outlives a resume."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from dowse.store.database import Database
from dowse.store.fragments import upsert

_NAME = "answers"
_SAVE = upsert("model", ("name", "state"), ["name"])


def read_answers(connection: Database) -> dict[int, bool]:
    """By the numbers of their tasks, in the order they were given."""
    row = connection.execute("SELECT state FROM model WHERE name = ?", (_NAME,)).fetchone()
    return dict(msgspec.msgpack.decode(row[0], type=list[tuple[int, bool]])) if row else {}


def write_answers(connection: Database, answers: Mapping[int, bool]) -> None:
    state = msgspec.msgpack.encode(list(answers.items()))
    connection.execute(_SAVE, (_NAME, state))
