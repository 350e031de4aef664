"""How much a link, or a site, is like those that had forms: a feature space that grows with every success.

Each word of an address, an anchor text or the text around a link has a weight: how much more often it stood with links
that led to forms than with others. Weights begin with a few words that lead to search pages everywhere. What comes out
is a probability, so that links can be compared with sites.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from heapq import nlargest
from math import exp, log

import msgspec
import regex

PRIOR = 4.0
"""How many successes a word counts for that is known to lead to forms before anything was fetched. It counts for twice
as many failures, too, for most links of that name lead elsewhere."""

SUCCESSES, FAILURES = 1.0, 24.0
"""What is taken for granted of all links before anything was fetched: one of so many leads to a form."""

_STRONGEST = 4
_DOUBT = 10.0
"""How many links of the usual kind a word is taken to have stood with before it was met."""

_DEPENDENCE = 0.5
"""Words of a link depend on each other: the strongest counts in full, and each further one so much less."""

_WORD = regex.compile(r"\p{L}{2,30}")


class _State(msgspec.Struct, array_like=True):
    good: dict[str, float]
    bad: dict[str, float]
    successes: float
    failures: float


class Likeness:
    """Learns from links and sites that had forms, and from those that had none."""

    def __init__(self, known: Iterable[str] = ()) -> None:
        self._good: Counter[str] = Counter(dict.fromkeys(known, PRIOR))
        self._bad: Counter[str] = Counter(dict.fromkeys(known, 2 * PRIOR))
        self._successes, self._failures = SUCCESSES, FAILURES

    @property
    def lessons(self) -> float:
        """How much was learned."""
        return self._successes + self._failures

    def learn(self, words: Iterable[str], *, success: bool) -> None:
        """Take in what one of them turned out to be."""
        (self._good if success else self._bad).update(set(words))
        if success:
            self._successes += 1
        else:
            self._failures += 1

    def chance(self, words: Iterable[str], usual: float = 0.0) -> float:
        """How probably something with these words is a success, if `usual` is the share of all that are; 0 takes the
        share of what was learned.

        >>> likeness = Likeness(["search"])
        >>> likeness.chance(["search", "cars"]) > likeness.chance(["cars"]) == likeness.chance([])
        True
        """
        usual = usual or self._successes / self.lessons
        weights = [self._weight(word) for word in set(words) if word in self._good or word in self._bad]
        strongest = nlargest(_STRONGEST, weights, key=abs)
        evidence = sum(weight * _DEPENDENCE**place for place, weight in enumerate(strongest))
        return 1 / (1 + exp(-log(usual / (1 - usual)) - evidence))

    def _weight(self, word: str) -> float:
        """How many times as often as usual it stood with successes, as a logarithm; nearer to 0 the less it was met."""
        good, usual = self._good[word], self._successes / self.lessons
        share = (good + _DOUBT * usual) / (good + self._bad[word] + _DOUBT)
        return log(share / usual)

    def dump(self) -> bytes:
        return msgspec.msgpack.encode(_State(dict(self._good), dict(self._bad), self._successes, self._failures))

    def add(self, state: bytes) -> None:
        """Take in what another one has learned."""
        other = msgspec.msgpack.decode(state, type=_State)
        self._good.update(other.good)
        self._bad.update(other.bad)
        self._successes += other.successes
        self._failures += other.failures

    def load(self, state: bytes) -> None:
        kept = msgspec.msgpack.decode(state, type=_State)
        self._good, self._bad = Counter(kept.good), Counter(kept.bad)
        self._successes, self._failures = kept.successes, kept.failures


def link_words(url: str, *texts: str) -> list[str]:
    """The words of an address behind its host, and of texts.

    >>> link_words("https://example.org/used-cars/search.php?id=7", "Find a car")
    ['used', 'cars', 'search', 'php', 'id', 'find', 'car']
    """
    address = url.partition("://")[2].partition("/")[2]
    return list(dict.fromkeys(_WORD.findall(" ".join((address, *texts)).lower())))


def site_words(host: str, *texts: str) -> list[str]:
    """The words of a host name, and of texts.

    >>> site_words("www.used-cars.example", "Cheap cars")
    ['used', 'cars', 'example', 'cheap']
    """
    return [word for word in dict.fromkeys(_WORD.findall(" ".join((host, *texts)).lower())) if word != "www"]
