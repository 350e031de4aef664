"""The next word for a search box: the one that should bring most new records a request.

A word that many known records have is a word of many unknown ones, too. But the known records are no fair sample of the
others: they were found by the words that were asked for, and have those and their companions. Records that only one
query brought are the nearest to those that no query has brought, so their words count most.

The records that are left are estimated from those that came once and twice (Chao), where no answer says how many there
are. A word with many records takes several requests, because results come in pages.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from math import ceil
from typing import NamedTuple

MOST_FREQUENT = 200

_OFTEN = 0.1
"""How much a record counts that several queries brought, beside one that a single query brought."""


class Promise(NamedTuple):
    """A word to ask for, the new records it should bring, and the requests that takes."""

    word: str
    new: float
    requests: int


class KeywordChoice:
    """Knows the records of one database by their words."""

    def __init__(self, page_size: int = 10) -> None:
        self.page_size = page_size
        self.least_size = 0
        """The records that there are at least, as some answer said."""
        self.size = 0
        """The records that there are, as the answer to the form as it is said; 0 if it said nothing."""
        self.asked: set[str] = set()
        self._tried: dict[str, bool] = {}
        self._results: Counter[str] = Counter()
        self._telling: Counter[str] = Counter()
        self._words: dict[str, frozenset[str]] = {}
        self._times: Counter[str] = Counter()
        self._all: Counter[str] = Counter()
        self._once: Counter[str] = Counter()

    @property
    def times(self) -> Collection[int]:
        """How many queries brought each record."""
        return self._times.values()

    def take(self, word: str, records: Iterable[tuple[str, frozenset[str]]]) -> int:
        """A query brought these records, by key and words; the answer is how many of them are new."""
        self.asked.add(word)
        new = 0
        records = list(records)
        if word and word not in self._tried:
            self._tried[word] = bool(records)
        self._results[word] += len(records)
        self._telling[word] += sum(word in words for _, words in records)
        for key, words in records:
            self._times[key] += 1
            if self._times[key] == 1:
                new += 1
                self._words[key] = words
                self._all.update(words)
                self._once.update(words)
            elif self._times[key] == 2:
                self._once.subtract(self._words[key])
        return new

    def unseen(self, word: str, total: int) -> float:
        """How many results of a word are not known, if it has so many.

        Known records with that word are among them, and so are others whose text does not show it, in the same
        proportion as on the pages of its results so far.
        """
        telling = (self._telling[word] + 1) / (self._results[word] + 1)
        return max(0.0, total - self._all[word] / telling)

    def hear(self, words: Iterable[str]) -> None:
        """Words that stand on the site, though in no record so far: something to begin with."""
        for word in words:
            self._all.setdefault(word, 0)

    def ask_first(self, words: Iterable[str]) -> None:
        """Words to be asked for before those that were heard, as long as there is no record."""
        self._all = Counter({**dict.fromkeys(words, 0), **self._all})

    def frequent(self) -> list[str]:
        """The words that most records have, in their order."""
        return [word for word, records in self._all.most_common(MOST_FREQUENT) if records > 1]

    def best(self) -> Promise | None:
        """The next word, or None if all words were asked for."""
        return max(self._promises(), key=lambda each: (each.new / each.requests, each.new, each.word), default=None)

    def _promises(self) -> Iterator[Promise]:
        if not self._times:  # nothing is known of any word, so the first that was heard will do as well as another
            for place, word in enumerate(word for word in self._all if word not in self.asked):
                yield Promise(word, self.page_size / (1 + place), 1)
            return
        found, once = len(self._times), sum(count == 1 for count in self._times.values())
        twice = sum(count == 2 for count in self._times.values())
        estimate = once * (once - 1) / (2 * (twice + 1)) if self.size < found else float(self.size - found)
        unseen = max(1.0, estimate, float(self.least_size - found))
        base = max(1.0, once + _OFTEN * found)
        matched = {kind: self._matched(kind) for kind in (True, False)}
        for word, records in self._all.items():
            if word not in self.asked:
                new = matched[word.isnumeric()] * unseen * (self._once[word] + _OFTEN * records) / base
                yield Promise(word, new, max(1, ceil((records + new) / self.page_size)))

    def _matched(self, is_number: bool) -> float:
        """How often words of that kind brought anything: many databases do not look for numbers."""
        tried = [found for word, found in self._tried.items() if word.isnumeric() == is_number]
        return (sum(tried) + 1) / (len(tried) + 1)
