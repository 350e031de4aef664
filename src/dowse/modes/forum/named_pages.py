"""Pages that the user named: they may be further pages of a thread, and have any URL that leads to it."""

from __future__ import annotations

from collections.abc import Sequence

from dowse.store.database import Database

_NAMED = """SELECT page.task, page.url, page.type FROM forum_page AS page JOIN task ON task.id = page.task
    WHERE task.parent = 0 AND page.base = page.task AND page.task <> ?"""
_NAMED_SAME = """SELECT page.task FROM forum_page AS page JOIN task ON task.id = page.task
    WHERE task.parent = 0 AND page.base = ? AND page.content = ?"""
_TURNED_TO = "SELECT url FROM forum_link WHERE base = ?"


def claim(connection: Database, base: int, pages: Sequence[tuple[str, int | None]]) -> int:
    """A page that the user named was the first of its board or thread until this one says that it is its fourth, or
    turns to the same pages. How many threads there are less by that."""
    numbers = {url: number for url, number in pages if number is not None and number > 1}
    less = 0
    for task, url, kind in connection.execute(_NAMED, (base,)).fetchall():
        turned = {each for (each,) in connection.execute(_TURNED_TO, (task,)).fetchall()}
        if url in numbers or not turned.isdisjoint(numbers):
            connection.execute("UPDATE forum_page SET base = ? WHERE base = ?", (base, task))
            connection.execute("UPDATE forum_link SET base = ? WHERE base = ?", (base, task))
            if url in numbers:
                connection.execute("UPDATE forum_page SET number = ? WHERE task = ?", (numbers[url], task))
            less += kind == "thread"
    return less


def is_named(connection: Database, content: int, base: int, number: int) -> bool:
    """Whether a page is the one that the user named, under its own URL, which tells its number."""
    row = connection.execute(_NAMED_SAME, (base, content)).fetchone()
    if row is not None and number > 1:
        connection.execute("UPDATE forum_page SET number = ? WHERE task = ?", (number, row[0]))
    return row is not None
