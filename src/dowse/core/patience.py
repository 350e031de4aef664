"""When a best-first crawl may end by itself, and which of its answers count. Pure."""

from __future__ import annotations

import math
from typing import NamedTuple

_SHORTEST = 20
_FIRST_SHARE = 0.6
"""A crawl that ends by what is left may end after so many pages and this share of those it knows. With less than that
pages were missed on manuals that nobody had tuned on: what a page is judged to be is wrong there more often."""

_NOTHING_YET = 2
"""How many times as many pages where nothing was found."""


class Patience(NamedTuple):
    """After how many answers that brought next to nothing a crawl ends (0: never), and from which relevance an answer
    counts. One that `ends_by_left` ends when next to nothing is left to be found, by what links are worth, and may end
    after so many answers. `has_chances` says that relevance is how likely a page is to be on topic. While a link waits
    that is worth as much as `surely`, one that does not end by what is left goes on: that is next, and will count."""

    answers: int = 0
    threshold: float = 0.5
    ends_by_left: bool = False
    has_chances: bool = False
    surely: float = math.inf

    @property
    def first_look(self) -> int:
        """After how many pages there is anything to be seen at all."""
        return min(self.answers, _SHORTEST)

    def first_end(self, known: float, *, has_found: bool = True) -> float:
        """After how many pages a crawl that `ends_by_left` may end, if it knows so many: fetched ones and links that
        wait. A fixed number would have small sites read to the end. One that has found nothing goes on for longer: by
        what links are worth it cannot tell where something may be."""
        most = self.answers if has_found else _NOTHING_YET * self.answers
        return min(most, max(_SHORTEST, _FIRST_SHARE * known))


NEVER = Patience()
"""A crawl that does not end by itself."""
