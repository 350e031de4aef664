"""How long a crawl has been at work: the seconds of all its runs, without what lies between them."""

from __future__ import annotations

import msgspec

from dowse.store.database import Database

WORKED = "worked"
"""The fact in `meta`. A run writes it every few seconds, so that one that is killed loses no more than those."""

RUNS = "runs"
"""The fact in `meta`: the visits that the runs began with, as JSON."""


def worked_seconds(connection: Database) -> float:
    """The seconds of all runs; of a crawl that never wrote them, those from its first request to its last."""
    row = connection.execute("SELECT value FROM meta WHERE name = ?", (WORKED,)).fetchone()
    if row is None:
        row = connection.execute("SELECT max(fetched_at) - min(fetched_at) FROM visit").fetchone()
    return float(row[0] or 0.0)


def first_visits(connection: Database) -> list[int]:
    """The visit that each run began with, in their order; of a crawl that never wrote them, none."""
    row = connection.execute("SELECT value FROM meta WHERE name = ?", (RUNS,)).fetchone()
    return msgspec.json.decode(row[0], type=list[int]) if row else []
