"""Conditions on the state of a task, as SQL. In an f-string a `State` is its number, so statements name their states.

They are literals and no parameters: SQLite uses an index over some of the rows only for a statement that says the same
of them as the index does.
"""

from __future__ import annotations

from dowse.core.model import State
from dowse.core.task_labels import NO_PAGES


def one_of(*states: State) -> str:
    """A list of states to compare with: `state IN {one_of(State.WAITING, State.OUT)}`."""
    return f"({', '.join(map(str, states))})"


READY = f"state = {State.WAITING} AND not_before = 0"
"""A task may go out, as far as it is asked; the indexes of what waits have the same words."""

LATER = f"state = {State.WAITING} AND not_before > 0"
"""A task waits for a date."""

NOT_DONE = f"state < {State.FETCHED}"
"""A task waits or is out."""

OF_PAGES = f"label NOT IN {tuple(sorted(NO_PAGES))}"
"""A task is to bring a page."""
