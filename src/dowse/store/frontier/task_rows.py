"""The columns of `task`: how a row is written, written anew, and read again for a lease. No other place lists them."""

from __future__ import annotations

_ALWAYS = ("id", "key_hash", "url", "key")
_PLACE = ("host", "site", "label", "depth", "priority", "parent", "anchor", "state", "reason", "redirects", "chain",
          "not_before")  # fmt: skip
"""What depends on the way a URL was found by."""

_WRITTEN = (*_ALWAYS, *_PLACE)
_READ = (*_ALWAYS, "site", "label", "depth", "priority", "parent", "attempt", "redirects", "chain")

PRIORITY = _WRITTEN.index("priority")
"""Where a row that is to be written has its priority."""

INSERT_TASK = f"INSERT INTO task ({', '.join(_WRITTEN)}) VALUES ({', '.join('?' * len(_WRITTEN))})"

REVIVE = f"UPDATE task SET {', '.join(f'{name} = ?' for name in _PLACE)} WHERE id = ?"
"""A URL that was refused was found by a better way."""

TASK_COLUMNS = ", ".join(f"task.{name}" for name in _READ)
"""What a task is made of again, before what is known from its last visit."""


def _if_seen(column: str) -> str:
    """Of a visit that brought no content nothing is known."""
    return f"CASE WHEN visit.digest <> 0 THEN visit.{column} ELSE '' END"


LEASED = f"""
    SELECT {TASK_COLUMNS},
           {_if_seen("etag")}, {_if_seen("last_modified")}, coalesce(visit.digest, 0), {_if_seen("body")}
    FROM task LEFT JOIN visit ON visit.id = task.visit
"""
