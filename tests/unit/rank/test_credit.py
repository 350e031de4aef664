"""What pages are worth for what they led to."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.rank.credit import PASSED_BACK, with_credit


def test_credit_goes_back_along_the_path() -> None:
    # Page 1 led to 2, and 2 to three good ones; 6 led nowhere.
    worth = with_credit(np.array([0.1, 0.1, 0.9, 0.9, 0.9, 0.1]), [1, 2, 3, 4, 5, 6], [0, 1, 2, 2, 2, 1], 0.2)
    assert worth[1] == pytest.approx(0.1 + PASSED_BACK * 3 * 0.7 / 6)
    assert worth[0] == pytest.approx(0.1 + PASSED_BACK * (worth[1] - 0.2) / 5)
    assert worth[2:].tolist() == [0.9, 0.9, 0.9, 0.1]


def test_what_came_before_a_page_was_not_found_on_it() -> None:
    assert with_credit(np.array([0.9, 0.1]), [1, 2], [2, 2], 0.0).tolist() == [0.9, 0.1]


@given(st.lists(st.tuples(st.floats(0, 1), st.integers(0, 30)), max_size=30), st.floats(0, 1))
def test_credit_is_never_negative_and_bounded(pages: list[tuple[float, int]], usual: float) -> None:
    relevance = np.array([value for value, _ in pages])
    worth = with_credit(relevance, range(1, len(pages) + 1), [finder for _, finder in pages], usual)
    assert (worth >= relevance).all()
    assert (worth <= relevance + PASSED_BACK / (1 - PASSED_BACK)).all()
