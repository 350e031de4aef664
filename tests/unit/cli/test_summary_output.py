"""What is printed of a whole crawl."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from dowse.cli.summary_output import ledger_table
from dowse.core.model import State


class Row:
    def __init__(self, state: str, reason: str, count: int) -> None:
        self.state, self.reason, self.count = state, reason, count


STATES = [state.name.lower() for state in State]
ROWS = st.builds(Row, st.sampled_from(STATES), st.text(max_size=50), st.integers(0, 10**9))


@given(st.lists(ROWS, max_size=30, unique_by=lambda row: (row.state, row.reason)))
def test_the_states_of_a_ledger_add_up_and_fit_the_screen(rows: list[Any]) -> None:
    lines = list(ledger_table(rows))
    numbers = [int(line.split()[-1].replace(",", "")) for line in lines if not line.startswith("    ")]
    assert numbers[0] == sum(numbers[1:]) == sum(row.count for row in rows)
    assert all(len(line) <= 80 for line in lines)


def test_a_ledger() -> None:
    rows: list[Any] = [
        Row("fetched", "", 5000), Row("fetched", "redirect", 12), Row("robots", "robots", 2), Row("out", "", 0),
        Row("out_of_scope", "host", 70), Row("out_of_scope", "length", 4), Row("out_of_scope", "depth 3", 40),
    ]  # fmt: skip
    assert list(ledger_table(rows, most_reasons=2)) == [
        "discovered                                     5,128",
        "  fetched                                      5,012",
        "    redirect                                      12",
        "  out of scope                                   114",
        "    host                                          70",
        "    depth 3                                       40",
        "    and 1 more",
        "  refused by robots                                2",
    ]
