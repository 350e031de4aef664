"""When a best-first crawl may end by itself, and which of its answers count. Pure."""

from __future__ import annotations

from typing import NamedTuple

_FEW = 10
_FIRST_PAGES, _FIRST_SHARE = 20, 0.6
"""A crawl that ends by what is left may end after so many pages and this share of those it knows. With less than that
pages were missed on manuals that nobody had tuned on: what a page is judged to be is wrong there more often."""


class Patience(NamedTuple):
    """After how many answers that brought next to nothing a crawl ends (0: never), and from which relevance an answer
    counts. A crawl that has found its share ends after half as many as it had answers, if these are `least` (0: never
    before). One that `ends_by_left` ends when next to nothing is left to be found; after so many answers it may.
    `has_chances` says that relevance is how likely a page is to be on topic."""

    answers: int = 0
    threshold: float = 0.5
    least: int = 0
    ends_by_left: bool = False
    has_chances: bool = False

    def window(self, pages: int, matched: int) -> int:
        """How many of the last pages have to bring next to nothing for a crawl to end that fetched so many.

        That is as many as its answers. If it may be less (`least`), half of all pages are enough once a few matched:
        where all there is was found in 80 pages, a crawl does not go on for 500.
        """
        return min(self.answers, max(self.least, pages // 2)) if self.least and matched >= _FEW else self.answers

    @property
    def first_look(self) -> int:
        """After how many pages there is anything to be seen at all."""
        least = _FIRST_PAGES if self.ends_by_left else self.least or self.answers
        return min(self.answers, least)

    def first_end(self, known: float) -> float:
        """After how many pages a crawl that `ends_by_left` may end, if it knows so many: fetched ones and links that
        wait. A fixed number would have small sites read to the end."""
        return min(self.answers, max(_FIRST_PAGES, _FIRST_SHARE * known))


NEVER = Patience()
"""A crawl that does not end by itself."""
