"""Pages are judged again: what a page is may be clearer than when it came, for others of its form have come since."""

from __future__ import annotations

from dowse.modes.forum.form_types import Shares
from dowse.modes.forum.forum_rows import COPY
from dowse.modes.forum.link_choice import LinkChoice
from dowse.modes.forum.site_patterns import GOOD
from dowse.modes.forum.stored_patterns import stored_observation
from dowse.store.database import Database

LOG_IN = "it asks for a log-in"
GONE = "it could not be fetched"
MOVED = "it leads to another page"
NO_FORUM = "this does not look like a forum"
EMPTY = "it has neither threads nor posts"
"""Notes about pages."""

_OF_BASES = f"""SELECT page.task, page.site, page.type,
    EXISTS (SELECT 1 FROM forum_post WHERE forum_post.task = page.task), page.note IN ('{GONE}', '{MOVED}'),
    page.url, page.place, page.shares, sign.posts, sign.authors, sign.leads, sign.news
    FROM forum_page AS page LEFT JOIN forum_sign AS sign ON sign.task = page.task
    WHERE page.base = page.task AND page.note NOT IN (?, '{NO_FORUM}')"""
_JUDGED = f"""UPDATE forum_page SET type = ?, note = CASE WHEN note IN ('', '{EMPTY}') THEN ? ELSE note END
    WHERE base = ?"""


def judge_again(connection: Database, choice: LinkChoice) -> list[int]:
    """Write down what pages turn out to be; the first pages of those that are something else than they seemed."""
    new = []
    for number, site, before, is_read, was_missed, *row in connection.execute(_OF_BASES, (LOG_IN,)).fetchall():
        seen = stored_observation(*row)
        kind = choice.patterns(site).type_of(seen)
        if kind != before and not was_missed:
            new.append((kind, note_of(kind, seen.shares, is_read=is_read), number))
    connection.executemany(_JUDGED, new)
    return [number for kind, _, number in new if kind != "other"]


def first_note(kind: str, shares: Shares, *, is_read: bool, is_copy: bool, is_closed: bool) -> str:
    """What is to be said of a page when it comes. All boards without threads say the same, and are no copies."""
    if is_copy:
        return EMPTY if kind == "index" and not is_read else COPY
    return LOG_IN if is_closed else note_of(kind, shares, is_read=is_read)


def note_of(kind: str, shares: Shares, *, is_read: bool) -> str:
    """What is to be said of a board or thread that looks like neither, and from which nothing was read."""
    return EMPTY if kind != "other" and shares[2] >= GOOD and not is_read else ""
