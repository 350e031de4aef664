"""Pages that changed together before make each other suspect."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dowse.core.revisits.changed_together import MOST_LIFT, MOST_PARTNERS, ChangedTogether


def test_a_page_is_suspect_until_it_is_visited() -> None:
    together = ChangedTogether()
    for day in range(0, 60, 6):
        together.visited([0, 1], float(day), [True, True])
    together.visited([0], 66.0, [True])
    assert together.odds(3)[1] > 1.5
    assert together.odds(3)[[0, 2]].tolist() == [1.0, 1.0]
    together.visited([1], 66.5, [False])
    assert together.odds(3)[1] == 1.0


def test_pages_that_always_change_meet_by_chance() -> None:
    together = ChangedTogether()
    for day in range(60):
        together.visited([0, 1], float(day), [True, True])
    together.visited([0], 60.0, [True])
    assert together.odds(2)[1] == 1.0, "how often it changes is told by its rate"


@given(st.lists(st.tuples(st.integers(0, 8), st.booleans(), st.sampled_from([0.1, 0.5, 3.0])), max_size=60))
def test_what_is_learned_anew_from_changes_is_what_was_learned_while_they_came(
    visits: list[tuple[int, bool, float]],
) -> None:
    live, anew = ChangedTogether(), ChangedTogether()
    last: defaultdict[int, float] = defaultdict(lambda: -1.0)
    changes, now = [], 0.0
    for page, changed, gap in visits:
        now += gap
        live.visited([page], now, [changed])
        last[page] = now
        changes += [(page, now)] if changed else []
    anew.restore(changes, np.array([last[page] for page in range(9)]))
    assert live._meetings == anew._meetings
    assert ((live.odds(9) > 1.0) <= (np.array([last[page] for page in range(9)]) < now)).all()
    assert (live.odds(9) <= MOST_LIFT).all()


def test_memory_is_bounded_however_much_changes() -> None:
    together = ChangedTogether()
    for day in range(20):
        pages = list(range(400))
        together.visited(pages, float(day) * 5, [True] * len(pages))
    assert max(map(len, together._meetings.values())) <= 2 * MOST_PARTNERS
