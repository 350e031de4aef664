"""How rare words are, where pages are in several languages.

A word is found by other stems in other languages: "directives" by direct in English pages, and as it is in the few
Turkish ones that quote it. The index weighs each stem by its own rarity, so that those few pages would come first. Here
each is weighed by the rarity of the word in all its forms.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log
from typing import NamedTuple

from msgspec.structs import replace

from dowse.score.search_words import stemming
from dowse.store.search.search_index import Hit, Phrase, SearchFilter, SearchIndex, Wanted

EVENED = 200
"""Pages that are looked at, of which the best are shown: those that came first too easily have to be among them."""

_ALL = SearchFilter()
_COMMON = 1e-6


class Rarity(NamedTuple):
    """How many pages have each stem of each word, and how many pages there are."""

    pages: int
    counts: Mapping[str, Mapping[str, int]]

    @classmethod
    def of(cls, index: SearchIndex, words: Mapping[str, set[str]]) -> Rarity:
        """Ask an index, for words with what they are found by."""
        counts = {}
        for word, stems in words.items():
            if len(stems) > 1:
                found = {stem: index.count(Wanted(((Phrase((stem,)),),)), _ALL) for stem in stems}
                counts[word] = {stem: number for stem, number in found.items() if number}
        return cls(index.size(), {word: each for word, each in counts.items() if len(each) > 1})

    @property
    def differs(self) -> bool:
        """Whether a word is rarer in one form than in another."""
        return bool(self.counts)

    def evened(self, hits: Sequence[Hit]) -> list[Hit]:
        """The same pages in the order that they have by the rarity of whole words."""
        if not self.counts:
            return list(hits)
        factors = {language: self._factor(language) for language in {hit.language for hit in hits}}
        weighed = [replace(hit, score=hit.score * factors[hit.language]) for hit in hits]
        return sorted(weighed, key=lambda hit: -hit.score)

    def _factor(self, language: str) -> float:
        stems = stemming(language)
        whole = in_language = 0.0
        for word, counts in self.counts.items():
            whole += self._weight(sum(counts.values()))
            in_language += self._weight(counts.get(stems[word]) or sum(counts.values()))
        return whole / in_language

    def _weight(self, count: int) -> float:
        """As BM25 has it in SQLite: what most pages have weighs next to nothing."""
        return max(log((self.pages - count + 0.5) / (count + 0.5)) if count < self.pages else _COMMON, _COMMON)
