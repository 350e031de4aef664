"""The way to a URL: from the seed, over the pages that found each other first."""

from __future__ import annotations

from msgspec import Struct

from dowse.store.database import Database

MOST_STEPS = 200
"""A path is as long as its URL is deep; redirects add some."""

_STEP = """
    SELECT task.id, task.url, coalesce(visit.title, ''), task.anchor, task.depth, task.parent, EXISTS (
        SELECT 1 FROM task AS finder JOIN visit AS sent ON sent.id = finder.visit
        WHERE finder.id = task.parent AND sent.redirect = task.id)
    FROM task LEFT JOIN visit ON visit.id = task.visit WHERE task.id = ?
"""


class PathStep(Struct, frozen=True):
    """One URL of the way, and how it was come by: through a link with this text, or sent on by a redirect."""

    number: int
    url: str
    title: str
    anchor: str
    depth: int
    was_sent: bool


def path_to(connection: Database, number: int) -> list[PathStep]:
    """The way to a URL by its number; the first step is a seed, the last the URL itself."""
    steps: list[PathStep] = []
    seen: set[int] = set()
    while number and number not in seen and len(steps) < MOST_STEPS:
        seen.add(number)
        row = connection.execute(_STEP, (number,)).fetchone()
        if row is None:
            break
        task, url, title, anchor, depth, number, was_sent = row
        steps.append(PathStep(task, url, title, anchor, depth, bool(was_sent)))
    return steps[::-1]
