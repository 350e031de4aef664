"""Turns of the baselines: none on one site, more on many hosts, and as many as is their share."""

from __future__ import annotations

import numpy as np
import pytest

from dowse.core.model import Judged, Request, Response, Task
from dowse.modes.focus.options import FocusOptions
from dowse.modes.focus.ranker import build_ranker, build_strategy
from dowse.parse.page import Page
from dowse.rank.evidence import EXPERTS, Rows, lead_type
from dowse.rank.learned import LearnedRanker
from dowse.rank.turns import Turns

OPTIONS = FocusOptions(topic="sorting heap")


def met(*hosts: int) -> Turns:
    """Turns that have met one link to each of these hosts."""
    turns, rows = Turns(), np.zeros(len(hosts), lead_type(4))
    rows["tree"][:, 0] = hosts
    turns.meet(rows, np.zeros(len(hosts), lead_type(4)))
    return turns


def lifted(turns: Turns, rank: float) -> float:
    return float(turns.lift(np.zeros(1), np.full((1, len(EXPERTS)), rank))[0])


def test_on_one_host_nothing_is_lifted() -> None:
    assert not Turns().are_taken
    turns = met(*[7] * 50)
    assert not turns.are_taken
    assert lifted(turns, 100.0) == 0


def test_few_links_elsewhere_change_nothing_and_the_more_the_more() -> None:
    assert not met(*[7] * 98, 8, 9).are_taken
    some, many = met(*[7] * 88, *range(8, 20)), met(*range(7, 107))
    assert some.are_taken
    for turns in (some, many):
        for _ in range(20):
            turns.follow(0.0)
    assert lifted(many, 1.0) > lifted(some, 1.0) > 0


def test_links_that_were_met_before_count_once() -> None:
    turns = met(*[7] * 50)
    rows = np.zeros(50, lead_type(4))
    rows["tree"][:, 0] = range(50)
    known = rows.copy()
    known["parents"] = 1
    turns.meet(rows, known)
    assert not turns.are_taken


@pytest.mark.parametrize("at_once", [1, 16])
def test_a_third_of_what_is_followed_is_lifted(at_once: int) -> None:
    turns, chance = met(*range(1, 60)), np.random.default_rng(1)
    worth, ranks = chance.normal(0.5, 0.3, 4_000), chance.exponential(0.3, (4_000, len(EXPERTS)))
    followed: list[bool] = []
    while len(followed) < 640:
        lift = turns.lift(worth, ranks)
        best = (-worth - lift).argsort()[:at_once]
        for each in lift[best].tolist():
            turns.follow(each)
            followed.append(each > 0)
        worth[best] = ranks[best] = -10
    assert np.mean(followed[100:]) == pytest.approx(1 / 3, abs=0.05)


def test_what_was_saved_goes_on_and_what_is_older_than_turns_begins_anew() -> None:
    turns, again, older = met(*range(1, 60)), Turns(), Turns()
    turns.follow(0.0)
    again.load(turns.dump())
    assert again.dump() == turns.dump()
    assert again.are_taken
    assert lifted(again, 2.0) == lifted(turns, 2.0)
    older.load(b"")
    assert older.dump() == Turns().dump()


# In the ranker


def page(number: int, hosts: int) -> tuple[Task, Judged]:
    """A page with one link to each of so many hosts."""
    links = "".join(f"<a href=http://h{at}.org/{number}>sorting {at}</a> " for at in range(hosts))
    url = Request("http://h0.org/", 1, "h0.org")
    response = Response(url, 200, {"content-type": "text/html"}, f"<title>Heaps</title>{links}".encode(), 0, 0)
    task = Task(id=number, request=url, site="h0.org", depth=number, parent=number - 1)
    judged = build_strategy(OPTIONS).judge(Page(response), task).judged
    assert judged is not None
    return task, judged


def walk(ranker: LearnedRanker, steps: int, hosts: int) -> list[bytes]:
    """Follow the last link of each page; the answer is what is known of those of the last page."""
    leads = [b""]
    for number in range(steps):
        task, judged = page(number, hosts)
        learned = ranker.learn(task, judged, leads[-1])
        leads = ranker.follow(task, learned, range(hosts), [b""] * hosts)
    return leads


def made() -> LearnedRanker:
    ranker = build_ranker(OPTIONS)
    assert isinstance(ranker, LearnedRanker)
    return ranker


def reasons(ranker: LearnedRanker, leads: list[bytes]) -> set[str]:
    return {name for parts in ranker.explain(leads) for name in parts}


def only_baselines(rows: Rows) -> Rows:
    """Links that the baselines rank high, and that have nothing else to say for themselves."""
    rows["experts"], rows["anchor"], rows["context"], rows["parent"] = 0.99, 0, 0, 0
    for name in ("anchor_match", "address_match", "context_match", "parent_match", "heading", "hub"):
        rows[name] = 0
    return rows


def test_it_is_told_that_it_is_the_turn_of_the_baselines() -> None:
    ranker = made()
    leads = walk(ranker, 30, 8)
    plain = np.frombuffer(b"".join(leads), ranker._leads).copy()
    ranker._turns._level = 1.0
    lead = only_baselines(plain[:1]).tobytes()
    (parts,) = ranker.explain([lead])
    assert parts["turn of the baselines"] > 0
    assert sum(parts.values()) == pytest.approx(ranker.rank([lead])[0], abs=0.02)


def test_on_one_host_no_turn_is_told_of_and_none_is_noted() -> None:
    ranker = made()
    leads = walk(ranker, 30, 1)
    assert ranker._turns._level == Turns()._level
    ranker._turns._level = 100.0
    assert "turn of the baselines" not in reasons(ranker, leads)


def test_what_learns_nothing_has_no_turns() -> None:
    ranker = build_ranker(FocusOptions(topic="sorting heap", by="semantic"))
    assert isinstance(ranker, LearnedRanker)
    walk(ranker, 30, 8)
    assert not ranker._turns.are_taken


def test_on_many_hosts_a_ranker_that_was_saved_goes_on_as_if_it_were_not() -> None:
    ranker, again = made(), made()
    leads = walk(ranker, 30, 8)
    again.load(ranker.dump())
    assert again.dump() == ranker.dump()
    assert ranker._turns._level != Turns()._level
    assert again.rank(leads) == ranker.rank(leads)
    assert walk(again, 20, 8) == walk(ranker, 20, 8)
    assert again.dump() == ranker.dump()
