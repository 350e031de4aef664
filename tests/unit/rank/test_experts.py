"""What the baselines say of links, and how that is made comparable."""

from __future__ import annotations

import numpy as np
import pytest

from dowse.core.model import Judged, Request, Task
from dowse.rank.baselines import RULES
from dowse.rank.evidence import EXPERTS, PLAIN_HINT, Rows, hint_type, lead_type
from dowse.rank.experts import Experts

SIZE = 4


def task(depth: int) -> Task:
    return Task(id=1, request=Request("http://e.org/", 1, "e.org"), site="e.org", depth=depth, parent=0)


def hints(*anchors: float) -> Rows:
    rows = np.zeros(len(anchors), hint_type(SIZE))
    rows["anchor_match"] = anchors
    return rows


def leads(experts: Experts, said: Rows, relevance: float, depth: int = 1, before: Rows | None = None) -> Rows:
    old = np.zeros(len(said), lead_type(SIZE)) if before is None else before
    rows = old.copy()
    rows["parents"] += 1
    judged = Judged(relevance, {"head": 0.5} if relevance else {}, b"", b"")
    experts.advise(rows, old, said, task(depth), judged, 0.0)
    return rows


def test_experts_say_what_the_baselines_do() -> None:
    said = hints(0.0, 1.0)
    rows = leads(Experts(), said, 0.6)
    plain = np.zeros(2, PLAIN_HINT)
    plain["anchor"] = said["anchor_match"]
    for name in ("keywords", "shark", "parent"):
        worth, _ = RULES[name](task(1), Judged(0.6), plain, 0.0)
        assert rows["experts"][:, EXPERTS.index(name)].tolist() == pytest.approx(worth.tolist())


def test_the_best_page_counts_for_each_expert() -> None:
    experts = Experts()
    first = leads(experts, hints(1.0), 0.0, depth=0)
    again = leads(experts, hints(0.0), 0.8, depth=5, before=first)
    assert (again["experts"] >= first["experts"]).all()
    assert again["experts"][0, EXPERTS.index("parent")] == pytest.approx(0.8)
    assert again["experts"][0, EXPERTS.index("breadth")] == 1


def test_a_rank_is_told_by_how_few_links_are_as_high_whatever_the_scale() -> None:
    low, high = Experts(), Experts()
    for experts, scale in ((low, 0.1), (high, 1.0)):
        for _ in range(99):
            leads(experts, hints(0.0), 0.1 * scale)
        row = leads(experts, hints(0.0), scale)
        assert experts.ranks(row)[0, EXPERTS.index("parent")] > 0.7
    usual = leads(high, hints(0.0), 0.1)
    assert high.ranks(usual)[0, EXPERTS.index("parent")] < 0.3


def test_experts_are_saved_as_they_are() -> None:
    experts, again = Experts(), Experts()
    rows = leads(experts, hints(0.0, 0.5, 1.0), 0.4)
    again.load(experts.dump())
    assert again.ranks(rows).tolist() == experts.ranks(rows).tolist()
    for each in (experts, again):
        leads(each, hints(1.0, 1.0), 0.2)
    assert again.dump() == experts.dump()
