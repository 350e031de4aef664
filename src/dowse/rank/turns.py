"""Turns of the baselines: on a web of many hosts, a part of the requests goes where the baselines would go.

Where links lead to many hosts, many are dead, and what was learned in one corner says little of the next. The baselines
know nothing of either. So what they rank high is lifted to where the best of the rest stand: a link is worth at least
its mean rank by the baselines, times a slope, plus a level. Whenever a link that was lifted comes home, the level falls
a little, and whenever another one does, it rises, so that as many of them are followed as is their share.

The chance that a link is dead does not count here. Counted, most of what turns win was lost again (docs/benchmarks.md).

    spread   how likely it is that two links are on different hosts, of all that were met: 0 on one site
    share    none up to a spread of _FROM, the most from _TO on, and in between in proportion

Where the share is nothing, nothing is lifted and nothing is noted of it: the order is the one without turns.
"""

from __future__ import annotations

import numpy as np

from dowse.rank.evidence import EXPERTS, Rows
from dowse.rank.link_model import Numbers

_MOST = 1 / 3
_FROM, _TO = 0.1, 0.3
_SLOPE = 0.35
"""Between no slope, where what the baselines rank high is all the same, and one so steep that few links come near."""

_STEP = 0.02
"""How much the level changes: it takes some dozens of requests for it to follow what the best links are worth."""

_FIRST_LEVEL = -0.2
"""At first it is so low that what the baselines rank high is about where it would be anyway."""

_HEARD = [place for place, name in enumerate(EXPERTS) if name != "breadth"]
"""Which of them have turns. Where no page has the topic's words, `breadth` would take them all: with it, one such topic
had a quarter fewer pages."""

_BUCKETS = 1024


class Turns:
    """How many links there are on which host, and how high the baselines' are lifted."""

    def __init__(self) -> None:
        self._hosts = np.zeros(_BUCKETS, np.uint32)
        self._level = _FIRST_LEVEL
        self._share = 0.0

    @property
    def are_taken(self) -> bool:
        return self._share > 0

    def meet(self, rows: Rows, before: Rows) -> None:
        """These leads were made of the links of a page. What they were `before` tells which are new."""
        new = rows["tree"][before["parents"] == 0, 0]
        self._hosts += np.bincount(new % _BUCKETS, minlength=_BUCKETS).astype(np.uint32)
        self._share = _share(self._hosts)

    def lift(self, worth: Numbers, ranks: Numbers) -> Numbers:
        """How much is added to what links are worth, given their ranks by the baselines, a column each."""
        if not self.are_taken:
            return np.zeros(len(worth))
        lift: Numbers = np.maximum(_SLOPE * ranks[:, _HEARD].mean(axis=1) + self._level - worth, 0)
        return lift

    def follow(self, lift: float) -> None:
        """A link came home that is lifted so much."""
        self._level += _STEP * (self._share - (lift > 0))

    def dump(self) -> bytes:
        return self._hosts.astype("<u4").tobytes() + np.float64(self._level).tobytes()

    def load(self, state: bytes) -> None:
        """Nothing (b"") is what was saved before there were turns."""
        if state:
            self._hosts = np.frombuffer(state[:-8], "<u4").astype(np.uint32)
            self._level = float(np.frombuffer(state[-8:])[0])
            self._share = _share(self._hosts)


def _share(hosts: np.typing.NDArray[np.uint32]) -> float:
    """The part of the requests that is the baselines', given how many links are on each host."""
    links = hosts.astype(np.float64)
    spread = 1 - float(links @ links) / max(float(links.sum()) ** 2, 1)
    return _MOST * min(max((spread - _FROM) / (_TO - _FROM), 0), 1) if links.any() else 0.0
