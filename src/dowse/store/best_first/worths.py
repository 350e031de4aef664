"""What links are worth: those that wait, and those that were followed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from dowse.core.model import SITEMAP, State
from dowse.core.retry_dates import STATUS_WAITS, WAITS
from dowse.core.task_labels import REQUISITE

if TYPE_CHECKING:
    from dowse.core.saturation import Waiting
    from dowse.store.database import Database

_STEPS = 50
"""Links are counted by what they are worth, in steps of a fiftieth: to the thousandth it matters to nobody."""

_WAITING = f"""
    SELECT CAST(priority * {_STEPS} AS INTEGER) AS step, count(*) FROM task
    WHERE state = {State.WAITING} AND depth > 0
        AND label NOT IN ('{SITEMAP}', '{REQUISITE}') GROUP BY step
"""

_LATELY = f"""
    SELECT count(*), count(CASE WHEN failure = '' THEN 1 END) FROM (
        SELECT failure FROM visit
        WHERE failure NOT IN ({", ".join(f"'{kind}'" for kind, waits in WAITS.items() if waits)})
            AND status NOT IN ({", ".join(map(str, STATUS_WAITS))})
        ORDER BY id DESC LIMIT 200
    ) AS lately
"""


def read_waiting(connection: Database) -> Waiting:
    """How many links that wait are worth what; lists, and what a page needs to be shown, are none of them. As many are
    taken to be dead as were among those asked for lately; that a server is down for a while says nothing of its links.
    """
    from dowse.core.saturation import Waiting  # numpy comes with it

    rows = connection.execute(_WAITING).fetchall()
    asked, alive = connection.execute(_LATELY).fetchone() or (0, 0)
    return Waiting([step / _STEPS for step, _ in rows], [count for _, count in rows], alive / asked if asked else 1.0)


def worth_of(parts: str) -> float:
    """What a link was worth, given the parts as they are written down."""
    return total_worth(msgspec.json.decode(parts, type=dict[str, float]))


def total_worth(parts: Mapping[str, float]) -> float:
    """What a link was worth, given its parts. Nobody knows of a seed, nor of a page that is judged for another topic
    than the one it was fetched for: such pages have no parts."""
    return sum(parts.values()) if parts else math.nan
