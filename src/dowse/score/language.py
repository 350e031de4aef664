"""Words of a text: cut, in lower case, stemmed, and without those that say nothing.

A language is supported when there is a stemmer (Snowball) and a list of stop words for it.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

import snowballstemmer

from dowse.score.stop_words import CODES, STOP_WORDS

_WORD = re.compile(r"[^\W_]+")
_STEMS_KEPT = 200_000
_UMLAUTS = str.maketrans("äöü", "aou")


def words_of(text: str) -> list[str]:
    """The words of a text in lower case; digits count, punctuation does not.

    >>> words_of("Heap-sort, O(n log n)!")
    ['heap', 'sort', 'o', 'n', 'log', 'n']
    """
    return _WORD.findall(text.lower())


class Language:
    """One language: which words say nothing, and which are forms of the same one."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.stop_words = frozenset(STOP_WORDS[name].split())
        self.stem = lru_cache(maxsize=_STEMS_KEPT)(snowballstemmer.stemmer(name).stemWord)

    def folded(self, text: str) -> str:
        """The text, letter by letter, without marks that stems lack: German stems have no umlauts."""
        return text.translate(_UMLAUTS) if self.name == "german" else text

    def stems(self, words: list[str]) -> list[str]:
        """The stems of words, in their order."""
        return [self.stem(word) for word in words]

    def telling(self, words: list[str]) -> list[str]:
        """The words without those that say nothing."""
        return [word for word in words if word not in self.stop_words]


@cache
def language(name: str) -> Language:
    """A language by its English name or its code: english, en, en-GB. Raises ValueError if it is not supported."""
    plain = name.strip().lower()
    full = CODES.get(plain.replace("_", "-").partition("-")[0], plain)
    if full not in STOP_WORDS:
        known = ", ".join(f"{code} ({CODES[code]})" for code in sorted(CODES) if code != "no")
        raise ValueError(f"{name!r} is not supported; there are {known}")
    return Language(full)
