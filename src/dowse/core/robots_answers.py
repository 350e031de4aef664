"""Answers to requests for robots.txt, which are no pages and are archived all the same."""

from __future__ import annotations

from msgspec import Struct


class RobotsAnswer(Struct, frozen=True, gc=False, array_like=True):
    """What a server answered to a request for robots.txt, and where that is archived."""

    url: str
    fetched_at: float
    status: int
    body: str
