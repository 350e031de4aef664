"""What is new on the boards of a forum that was crawled before.

A board says of each of its threads how many posts it has and when the last was written, and the page above says the
same of the board. Where that is as it was, nothing below need be fetched again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from dowse.core.fate import MIRROR
from dowse.core.model import State
from dowse.extract.posts.thread_records import BoardPage, BoardRow, ThreadRow
from dowse.modes.forum.forum_rows import COPY
from dowse.store.database import Database
from dowse.store.frontier.admission import Admission
from dowse.store.frontier.requeue import count_pages

_ROW = """INSERT INTO forum_row VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (url, board) DO UPDATE SET page = excluded.page, count = excluded.count, state = excluded.state"""
_LAST = "SELECT task FROM forum_page WHERE base = ? ORDER BY number DESC, task DESC LIMIT 1"
_NEXT = "SELECT task FROM forum_page WHERE base = ? AND number = ? AND task <> ?"
# What rows of boards tell the state of is asked for when that changes; what never was a page of the forum, or says what
# another of its pages says, is not asked for at all: of two of a kind the one that came first stays the page.
_KNOWN = f"""UPDATE task SET state = {State.FETCHED} WHERE state = {State.WAITING} AND id IN (
    SELECT page.task FROM forum_page AS page JOIN forum_page AS first ON first.task = page.base
    WHERE first.type = 'other' OR page.note = '{COPY}'
        OR (first.task <> (SELECT coalesce(min(task), 0) FROM forum_page WHERE url = ?)
        AND EXISTS (SELECT 1 FROM forum_row WHERE forum_row.url = first.url AND forum_row.state <> '')))"""
_COPIES = f"""UPDATE task SET state = {State.DUPLICATE}, reason = '{MIRROR}'
    WHERE state = {State.FETCHED} AND visit IN (SELECT id FROM visit WHERE duplicate_of IS NOT NULL)"""


class _Told(NamedTuple):
    url: str
    posts: int | None
    state: str
    is_sticky: bool


def rest(connection: Database, entry: str) -> None:
    """Of all pages that are to be visited again, let only those wait that nothing else tells of: the entry page, and
    boards that no page has a row of."""
    connection.execute(_KNOWN, (entry,))
    connection.execute(_COPIES)
    count_pages(connection)


def take_rows(connection: Database, page: int, base: int, number: int, told: BoardPage, admission: Admission) -> None:
    """Write down what a board says of its threads and boards. Those of which it says something new wait again."""
    rows = list(_rows(told))
    query = "SELECT url, state FROM forum_row WHERE board = ?"
    before = dict(connection.execute(query, (base,)).fetchall())
    is_first = not before
    changed = [row for row in rows if row.url in before and (not row.state or row.state != before[row.url])]
    connection.executemany(_ROW, [(row.url, base, page, row.posts, row.state) for row in rows])
    for row in changed:
        found = connection.execute("SELECT task FROM forum_page WHERE url = ? AND base = task", (row.url,)).fetchone()
        if found is not None:
            (last,) = connection.execute(_LAST, found).fetchone()
            admission.known.wait_again(last if _is_thread(connection, found[0]) else found[0])
    moving = [row for row in rows if not row.is_sticky]
    # The latest come first: if the last of a page is news, there may be more on the next.
    if not is_first and moving and (moving[-1] in changed or moving[-1].url not in before):
        for (task,) in connection.execute(_NEXT, (base, number + 1, page)).fetchall():
            admission.known.wait_again(task)


def _is_thread(connection: Database, base: int) -> bool:
    (kind,) = connection.execute("SELECT type FROM forum_page WHERE task = ?", (base,)).fetchone()
    return bool(kind == "thread")


def _rows(told: BoardPage) -> Iterator[_Told]:
    for board in told.boards:
        yield _Told(board.url.partition("#")[0], board.posts, _state(board, board.posts), is_sticky=False)
    for row in told.threads:
        yield _Told(row.url.partition("#")[0], row.replies, _state(row, row.replies), row.is_sticky)


def _state(row: BoardRow | ThreadRow, count: int | None) -> str:
    """What changes with a new post; "" if nothing does. "5 minutes ago" changes by itself, so a count is better."""
    if count is not None:
        return f"{count} {row.last_author}"
    return f"{row.last_time[:16]} {row.last_author}".strip() if row.last_time else ""
