"""How far a crawl is: the numbers of its last visit and its last change."""

from __future__ import annotations

from dowse.store.database import Database

_CHANGE = "SELECT coalesce(max(id), 0) FROM change"
_VISIT = "SELECT coalesce(max(id), 0) FROM visit"


def newest_change(database: Database) -> int:
    """The number of the last change; 0 in a crawl that was never visited again."""
    return int(database.execute(_CHANGE).fetchone()[0]) if "change" in database.tables() else 0


def newest_visit(database: Database) -> int:
    """The number of the last request that had an answer or a failure."""
    return int(database.execute(_VISIT).fetchone()[0])
