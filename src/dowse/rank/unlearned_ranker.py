"""What rankers that do not learn have in common: a link is worth what the best page with it made of it, and that stays.

So there is nothing to rank anew, and nothing to learn from what turned out to be no page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dowse.core.model import Judged, Outcome
from dowse.rank.evidence import PLAIN_LEAD, Rows, records_of, rows_of


class PlainRanker:
    """Ranks links by the worth that is in their leads."""

    slack = 0.0

    def miss(self, outcome: Outcome, lead: bytes) -> Judged | None:
        return None

    def rank(self, leads: Sequence[bytes]) -> list[float]:
        worth: list[float] = rows_of(leads, PLAIN_LEAD)["worth"].tolist()
        return worth

    def rejudge(self, pages: Sequence[bytes], answers: Mapping[int, bool]) -> list[Judged]:
        return []

    def due(self) -> int:
        return 0


def better(leads: Sequence[bytes], rows: Rows) -> list[bytes]:
    """Of each lead that there was (b"" for none) and the one that a page makes, the one that is worth more."""
    before = rows_of(leads, PLAIN_LEAD)["worth"]
    return [
        old if old and known >= new else made
        for old, known, new, made in zip(leads, before, rows["worth"], records_of(rows), strict=True)
    ]
