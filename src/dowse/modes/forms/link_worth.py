"""What is worth a request: a link of a site, or the home page of another site. Both are probabilities to find a form.

A link is worth its likeness to links that led to forms. Less is left of it the deeper it is, and the more links of its
directory were found before, so that no directory starves. A site is worth what the first pages of the sites of its
queue have brought a request so far, by its likeness to those that had forms. The first pages of a site are those that
promised most. So a site is left for another as soon as the best of its links promises less than a new site does, and is
gone on with when no new site promises more.

A priority is the probability less one, so that all links come after what has priority 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log, log1p

from dowse.modes.forms.likeness import Likeness
from dowse.store.database import Database

BALANCE = 0.15
"""The power of the number of links of a directory by which the next one is worth less."""

EARLY = 5
"""The first pages of a site by which the next sites are judged."""

_DEEPER = 0.9
_FREQUENCY = 0.1
"""How much is left of a link for each step down, and how much a site gains by the sites that link to it."""

_GROWTH = 1.1
"""Links are ranked anew when so many times as much was learned."""

_FORMS, _REQUESTS = 1.0, {True: 10.0, False: 25.0}
"""What is taken for granted of the sites of a queue before any of them was explored."""

_BROUGHT = "SELECT coalesce(sum(lucky), 0), coalesce(sum(early), 0) FROM site WHERE high = ? AND found > 0"
_BRANCH = """INSERT INTO directory VALUES (?, 1) ON CONFLICT (path) DO UPDATE SET links = directory.links + 1
    RETURNING links"""
_RANKED = "SELECT task, words, share FROM link_words"
_RANK = "UPDATE task SET priority = ? WHERE id = ?"


class LinkWorth:
    """Ranks links by what was learned of those that came before, and once more when much was learned since."""

    def __init__(self, connection: Database, links: Likeness, sites: Likeness) -> None:
        self._connection = connection
        self._links = links
        self._sites = sites
        self._ranked_at = self._step

    def share(self, url: str, depth: int) -> float:
        """How much of its chance is left for a link."""
        branch = url.partition("?")[0].rpartition("/")[0]
        (links,) = self._connection.execute(_BRANCH, (branch,)).fetchone()
        return float(_DEEPER**depth * links**-BALANCE)

    def of_link(self, words: Sequence[str], share: float) -> float:
        return self._links.chance(words) * share - 1

    def of_site(self, words: Sequence[str], linking: int, usual: float) -> float:
        """Of a site that so many others link to."""
        return self._sites.chance(words, usual) * (1 + _FREQUENCY * log1p(linking)) - 1

    def usual(self, *, high: bool) -> float:
        """The share of the first pages of sites in the same queue that had a new form."""
        forms, requests = self._connection.execute(_BROUGHT, (high,)).fetchone()
        return float((forms + _FORMS) / (requests + _REQUESTS[high]))

    @property
    def _step(self) -> int:
        """How often links were ranked anew. It follows from what was learned, so that a crawl that goes on agrees."""
        return int(log(self._links.lessons) / log(_GROWTH))

    def rank_again(self) -> None:
        """Rank all links that wait by what is known now, if that is much more than before."""
        if self._step == self._ranked_at:
            return
        self._ranked_at = self._step
        rows = self._connection.execute(_RANKED).fetchall()
        ranks = [(self.of_link(words.split(), share), number) for number, words, share in rows]
        self._connection.executemany(_RANK, ranks)


def of_known(records: int) -> float:
    """Of a site that had forms in an earlier crawl, by the records that they brought: before all that is only like it.

    >>> of_known(1000) > of_known(0) == -0.5
    True
    """
    return -1 / (records + 2)
