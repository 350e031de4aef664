"""When a site is no forum: of the pages that came, hardly any has posts or lists anything."""

from __future__ import annotations

from dowse.modes.forum.judging import GONE, MOVED, NO_FORUM
from dowse.modes.forum.site_patterns import Patterns
from dowse.store.database import Database
from dowse.store.frontier.admission import Admission
from dowse.store.task_states import NOT_DONE

ENOUGH = 25
"""Pages after which a forum has shown what it is."""

_HARDLY, _MOSTLY = 0.1, 0.5
"""The share of pages with posts that a forum has, and that of index pages before it has: boards come first."""

_COUNTS = f"""SELECT count(*), count(CASE WHEN sign.posts > 0 THEN 1 END),
    count(CASE WHEN page.type = 'index' THEN 1 END)
    FROM forum_page AS page LEFT JOIN forum_sign AS sign ON sign.task = page.task
    WHERE page.site = ? AND page.base = page.task AND page.note NOT IN ('{GONE}', '{MOVED}')"""

_LEFT = f"SELECT id FROM task WHERE {NOT_DONE} AND site = (SELECT id FROM host WHERE name = ?)"


def is_no_forum(connection: Database, site: str, patterns: Patterns) -> bool:
    """Whether enough pages of a site came to say that it has no threads."""
    if patterns.is_settled:
        return False
    pages, bearing, lists = connection.execute(_COUNTS, (site,)).fetchone()
    return bool(pages >= ENOUGH and bearing < _HARDLY * pages and lists < _MOSTLY * pages)


def give_up(connection: Database, site: str, admission: Admission) -> None:
    """Fetch nothing more of a site, and take none of its pages for a thread."""
    for (number,) in connection.execute(_LEFT, (site,)).fetchall():
        admission.known.drop(number, NO_FORUM)
    connection.execute("UPDATE forum_page SET type = 'other', note = ? WHERE site = ?", (NO_FORUM, site))
    connection.execute("DELETE FROM forum_link WHERE site = ? AND task = 0", (site,))
