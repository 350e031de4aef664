"""What can be read of a best-first crawl: how relevant its pages are, what its links are worth, and how far it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from dowse.core.patience import Patience
from dowse.store.best_first.earlier_verdicts import Earlier, earlier_verdict, rereads
from dowse.store.best_first.worths import read_waiting, worth_of
from dowse.store.database import Database
from dowse.store.folder import explained

if TYPE_CHECKING:
    from dowse.core.saturation import Prospect

_WINDOW = 200
"""Pages that are the last ones where no patience was asked for."""


NEARLY = 0.6
"""The part of the threshold from which on a page nearly matches."""


class Standing(NamedTuple):
    """How far a best-first crawl is, and from which relevance a page counts as matched. `nearly` are pages that are not
    far from that. `rereads` are stored pages that are still to be judged for the purpose of now."""

    threshold: float
    prospect: Prospect
    waiting: int
    rereads: int = 0
    nearly: int = 0


class Judgements:
    """Reads them by a connection of `CrawlReader`."""

    def __init__(self, connection: Database, patience: Patience) -> None:
        """`patience` says how many of the last pages count, and from which relevance a page does."""
        self._connection = connection
        self._patience = patience if patience.answers else patience._replace(answers=_WINDOW)

    def standing(self) -> Standing:
        from dowse.core.saturation import prospect  # numpy comes with it

        with explained("read"):
            rows = self._connection.execute("SELECT relevance, worth FROM judgement ORDER BY id").fetchall()
            waiting, left = read_waiting(self._connection), rereads(self._connection)
        relevances, worths = [relevance for relevance, _ in rows], [worth_of(worth) for _, worth in rows]
        found = prospect(relevances, worths, self._patience, waiting)
        found = found._replace(window=min(found.window, found.pages))
        threshold = self._patience.threshold
        nearly = sum(NEARLY * threshold <= relevance < threshold for relevance in relevances)
        return Standing(threshold, found, sum(waiting.counts), left, nearly)

    def priority(self, number: int) -> float:
        """What a URL was worth when that was last asked."""
        (priority,) = self._connection.execute("SELECT priority FROM task WHERE id = ?", (number,)).fetchone()
        return float(priority)

    def page(self, number: int) -> tuple[float, dict[str, float], dict[str, float]] | None:
        """The relevance of a page, its parts, and the parts of what its link was worth; None if it has none."""
        row = self._connection.execute(
            "SELECT relevance, parts, worth FROM judgement WHERE task = ?", (number,)
        ).fetchone()
        return (row[0], msgspec.json.decode(row[1]), msgspec.json.decode(row[2])) if row else None

    def earlier(self, number: int) -> Earlier | None:
        """What a page was for an earlier purpose, if it was judged for no other since."""
        return earlier_verdict(self._connection, number)

    def lead(self, number: int) -> bytes:
        """What is known of a URL that waits; b"" if nothing is."""
        row = self._connection.execute("SELECT evidence FROM lead WHERE task = ?", (number,)).fetchone()
        return row[0] if row else b""

    def model(self) -> bytes:
        """What was learned, as it was saved; b"" if nothing was."""
        row = self._connection.execute("SELECT state FROM model WHERE name = 'ranker'").fetchone()
        return row[0] if row else b""
