"""Adaptive A*: its rounds, where h comes from, and the two literal forms."""

from __future__ import annotations

from math import inf, log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.core.model import Judged, Request, Task
from dowse.modes.focus.options import FocusOptions
from dowse.modes.focus.ranker import build_ranker
from dowse.rank.astar import AdaptiveRanker, round_ends
from dowse.rank.evidence import PLAIN_HINT
from dowse.score.topic import Example


def task(number: int) -> Task:
    return Task(number, Request(f"http://e.org/{number}", number, "e.org"), "e.org", depth=1, parent=number - 1)


def page(relevance: float, *links: tuple[float, float]) -> Judged:
    rows = np.array([(*link, number) for number, link in enumerate(links)], PLAIN_HINT)
    return Judged(relevance, {}, b"", rows.tobytes())


def follow(ranker: AdaptiveRanker, judged: Judged, links: int) -> list[bytes]:
    ranker.learn(task(1), judged, b"")
    return ranker.follow(task(1), judged, list(range(links)), [b""] * links)


def test_h_is_corrected_in_rounds_and_then_no_more() -> None:
    ranker = AdaptiveRanker(graph_size=16)
    leads = follow(ranker, page(0.2, *[(1.0, 1.0)] * 16), 16)
    first = ranker.explain(leads)[0]["h"]
    asked = [1] if ranker.due() else []
    for number in range(2, 41):
        ranker.learn(task(number), page(0.2), leads[0])
        if ranker.due():
            asked.append(number)
    assert asked == [2, 4, 8, 16]
    assert ranker.rounds == 4
    # Links that promised much and brought nothing promise less now, and never less than nothing.
    assert 0 <= ranker.explain(leads)[0]["h"] < first / 2


@given(st.integers(2, 10**12))
def test_rounds_are_as_many_as_published_and_end_soon(size: int) -> None:
    ends = round_ends(size)
    assert len(ends) == int(log2(size))
    assert ends == sorted(set(ends))
    assert ends[-1] <= len(ends) ** 2 + 1


def test_a_budget_of_300_pages_reaches_plain_astar() -> None:
    ranker = build_ranker(FocusOptions(topic="heap", by="astar", graph_size=5_232))
    assert isinstance(ranker, AdaptiveRanker)
    assert ranker.rounds == 12
    asked = []
    for number in range(1, 301):
        ranker.learn(task(number), page(0.2), b"")
        if ranker.due():
            asked.append(number)
    assert len(asked) == 12
    assert asked[-1] == 144


def test_the_size_of_the_graph_is_estimated_once_by_the_first_page() -> None:
    ranker = AdaptiveRanker()
    assert ranker.rounds == 0
    follow(ranker, page(0.2, *[(0.5, 0.5)] * 40), 40)
    assert ranker.rounds == int(log2(1_600))
    follow(ranker, page(0.2, *[(0.5, 0.5)] * 90), 90)
    assert ranker.rounds == int(log2(1_600))
    again = AdaptiveRanker()
    again.load(ranker.dump())
    assert again.rounds == ranker.rounds


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=9))
def test_f_is_g_and_h(hints: list[tuple[float, float]]) -> None:
    ranker = AdaptiveRanker()
    leads = follow(ranker, page(0.4, *hints), len(hints))
    for lead, worth in zip(leads, ranker.rank(leads), strict=True):
        (parts,) = ranker.explain([lead])
        assert worth == pytest.approx(parts["g"] + parts["h"], abs=1e-3)
        assert parts["h"] >= 0


def test_the_goal_is_as_relevant_as_the_example() -> None:
    options = FocusOptions(topic="heap sort", by="astar", like=("page.html",))
    example = Example("Heap sort\n" + "How to sort with a heap. " * 20)
    worth = []
    for examples in ((), (example,), (Example("Gardens\nOf roses, and a heap of leaves"),)):
        ranker = build_ranker(options, examples)
        assert isinstance(ranker, AdaptiveRanker)
        for number in range(12):
            ranker.learn(task(number), page(0.3), b"")
        worth.append(ranker.rank(follow(ranker, page(0.3, (1.0, 1.0)), 1))[0])
    by_found, by_good, by_poor = worth
    assert by_good > by_found > by_poor


def test_the_first_h_can_be_given() -> None:
    ranker = AdaptiveRanker(graph_size=4, first_h=0.25)
    leads = follow(ranker, page(0.4, (1.0, 1.0), (0.0, 0.0)), 2)
    assert [parts["h"] for parts in ranker.explain(leads)] == [0.25, 0.25]
    for number in range(60):
        ranker.learn(task(number), page(0.9), leads[0])
        ranker.learn(task(number + 100), page(0.1), leads[1])
        ranker.due()
    good, poor = (parts["h"] for parts in ranker.explain(leads))
    assert good > 0.25 > poor


def test_literally_g_and_h_are_the_same_for_all_links() -> None:
    ranker = AdaptiveRanker("literal", 10)
    worth = set()
    for number, relevance in enumerate((0.1, 0.3, 1 / 3, 0.9)):
        judged = page(relevance, (1.0, 0.2), (0.0, 0.0))
        ranker.learn(task(number), judged, b"")
        leads = ranker.follow(task(number), judged, [0, 1], [b"", b""])
        worth.update(ranker.rank(leads))
        assert ranker.explain(leads)[0] == {"g": round(relevance, 4), "h": round(1 - relevance, 4)}
        assert not ranker.due()
    assert worth == {1.0}


def test_only_the_best_child_is_inserted() -> None:
    ranker = AdaptiveRanker("best child")
    leads = follow(ranker, page(0.4, (0.2, 0.0), (1.0, 0.5), (0.5, 0.0)), 3)
    worth = ranker.rank(leads)
    assert worth[0] == worth[2] == -inf
    assert worth[1] > 0
    # What is not inserted by one page may be by another, and what was inserted stays.
    judged = page(0.1, (0.9, 0.9), (0.1, 0.0))
    ranker.learn(task(2), judged, leads[1])
    again = ranker.rank(ranker.follow(task(2), judged, [0, 1], [leads[0], leads[1]]))
    assert again[0] > 0
    assert again[1] == pytest.approx(worth[1], abs=0.2)
