"""What the words of forms are about, in two dozen languages: what a model learns of one of them holds for all.

The words are data (`form_words.txt`): beginnings of words by concept. They are looked up in names, labels, buttons,
headings and addresses.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from dowse.classify.shipped_data import shipped

SHORTEST_BEGINNING = 4
"""Words of fewer letters must be met whole."""

MOST_WORDS = 80

_WORD = re.compile(r"[^\W\d_]+|\d+")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_SECTION = re.compile(r"^\[(\w+)\]\n((?:[^\[].*\n)+)", re.MULTILINE)


class Said(NamedTuple):
    """The words of a text in lower case, those of names in camel case parted, and the concepts they are about."""

    words: tuple[str, ...]
    concepts: frozenset[str]


@lru_cache(maxsize=4096)
def said_in(text: str) -> Said:
    """What a text says. Remembered, because the same names and labels are asked for several times.

    >>> said_in("txtUserName [2]").words, sorted(said_in("mot de passe oubli\u00e9").concepts)
    (('txt', 'user', 'name', '2'), ['password', 'recover'])
    """
    words = words_in(text)[:MOST_WORDS]
    found = {concept for word in words for concept in _concepts_of(word)}
    if not _FIRST_PARTS.isdisjoint(words):
        for place, word in enumerate(words[:-1]):
            if word in _FIRST_PARTS:
                found.update(_concepts_of("".join(words[place : place + 3])))
    if not text.isascii() and _UNSPACED.search(text):
        found.update([concept for concept, pattern in _INSIDE.items() if pattern.search(text)])
    return Said(tuple(words), frozenset(found))


def words_in(text: str) -> list[str]:
    """All words of a text in lower case, those of names in camel case parted."""
    return _WORD.findall(_HUMP.sub(" ", text).lower())


def _concepts_of(word: str) -> Iterator[str]:
    if word in _WHOLE:
        yield from _WHOLE[word]
    for end in range(SHORTEST_BEGINNING, min(len(word), _LONGEST) + 1):
        if word[:end] in _BEGINNINGS:
            yield from _BEGINNINGS[word[:end]]


def _by_word(words: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for concept, word in words:
        found[word] = (*found.get(word, ()), concept)
    return found


CONCEPTS = {name: words.split() for name, words in _SECTION.findall(shipped("form_words.txt").decode("utf-8"))}
_PAIRS = [(concept, word.replace("-", "")) for concept, words in CONCEPTS.items() for word in words]
_BEGINNINGS = _by_word(pair for pair in _PAIRS if len(pair[1]) >= SHORTEST_BEGINNING)
_WHOLE = _by_word(pair for pair in _PAIRS if len(pair[1]) < SHORTEST_BEGINNING)
_LONGEST = max(map(len, _BEGINNINGS))
_FIRST_PARTS = frozenset(word.partition("-")[0] for words in CONCEPTS.values() for word in words if "-" in word)
_INSIDE = {
    concept: re.compile("|".join(map(re.escape, found)))
    for concept, words in CONCEPTS.items()
    if (found := [word for word in words if _UNSPACED.search(word)])
}
