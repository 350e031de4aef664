"""Which of many tables to propose, and the one question whose answer tells most about it.

Tables that keep all examples are weighed by their scores. A question is a link that some of them keep and others do
not. Each answer leaves some tables, of which that with the best score will be proposed. The best question is that after
which the proposal agrees most with what is meant, on the average of all tables and of both answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from dowse.rule_learning.explored_pages import members
from dowse.rule_learning.proposals import Proposal

_HALF = 1.2
"""By so many bits worse, a table has half the weight."""
_SHARP = 20
"""Tables that share 97 of 100 links agree by a half: a list with some links too many is wrong."""
_MOST = 40
_WORTH = 0.1
"""A question is asked if it adds so much to the agreement."""


class Decision(NamedTuple):
    """Tables in the order in which to propose them, and the link to ask about, if there is one."""

    proposals: list[Proposal]
    asked: int | None


def decide(proposals: Sequence[Proposal], is_askable: int) -> Decision:
    """The order of some tables, and the best question about links of a set; a question that decides little is None."""
    best = min(proposal.score for proposal in proposals)
    weighed = sorted(proposals, key=lambda proposal: proposal.score)[:_MOST]
    weights = [0.5 ** ((proposal.score - best) / _HALF) for proposal in weighed]
    total = sum(weights)
    agreed = [
        [weight / total * _agreement(each.kept, other.kept) for other, weight in zip(weighed, weights, strict=True)]
        for each in weighed
    ]
    everyone = range(len(weighed))
    value = _value(agreed, everyone)
    asked, gained = None, _WORTH
    for number, keeping in _splits(weighed, is_askable).items():
        others = [place for place in everyone if place not in keeping]
        gain = _value(agreed, sorted(keeping)) + _value(agreed, others) - value
        if gain > gained:
            asked, gained = number, gain
    return Decision(weighed, asked)


def _agreement(one: int, other: int) -> float:
    return float(((one & other).bit_count() / (one | other).bit_count()) ** _SHARP)


def _value(agreed: Sequence[Sequence[float]], left: Sequence[int]) -> float:
    """How well the first of some tables agrees with all of them."""
    return sum(agreed[left[0]][other] for other in left) if left else 0.0


def _splits(proposals: Sequence[Proposal], is_askable: int) -> dict[int, frozenset[int]]:
    """Links that not all tables keep, with the tables that do; one for each such set of tables."""
    some, every = 0, -1
    for proposal in proposals:
        some |= proposal.kept
        every &= proposal.kept
    found: dict[frozenset[int], int] = {}
    for number in members(some & ~every & is_askable):
        keeping = frozenset(place for place, each in enumerate(proposals) if each.kept >> number & 1)
        found.setdefault(keeping, number)
    return {number: keeping for keeping, number in found.items()}
