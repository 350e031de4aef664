"""What a short text says about paging: a number, an arrow, or words such as "next" in four dozen languages.

The words are data (`paging_words.txt`).
"""

from __future__ import annotations

import re
from functools import lru_cache
from pkgutil import get_data
from typing import NamedTuple

LONGEST_TEXT = 60
"""Texts of more characters are no labels of paging."""

_SECTION = re.compile(r"^\[(\w+)\]\n([^\[]+)", re.MULTILINE)
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019\u0300-\u036f\u0900-\u0dff]+[^\W\d_]*)*")
_NUMBER = re.compile(r"[\s(\[{|\u2013-]*(\d{1,3}(?:[.,\u00a0\u202f]\d{3})+|\d{1,6})[\s)\]}|.,\u2013-]*")
_WORDED_NUMBER = re.compile(r"[\s\[(]*\w{1,12}\.?\s{0,2}(\d{1,5})[\s\])]*")
_SIGNS = re.compile(r"[\s|.\u2026]+")
_RIGHT = re.compile(r"[>\u00bb\u203a\u2192\u25b6\u25ba\u25b8\u276f\u21d2\u27f6\u2794\u3009\u300b\uff1e]")
_LEFT = re.compile(r"[<\u00ab\u2039\u2190\u25c0\u25c4\u25c2\u276e\u21d0\u27f5\u3008\u300a\uff1c]")
_ENDED = re.compile(r"[>\u00bb\u203a\u25b6]\s?[|\]]|[|\[]\s?[<\u00ab\u2039\u25c0]|[\u21e5\u21e4\u23ed\u23ee]|>>\||\|<<")
_DOUBLE = re.compile(r"(?:>\s?>|\u00bb\s?\u00bb|\u203a\s?\u203a|<\s?<|\u00ab\s?\u00ab|\u2039\s?\u2039)")


_MARKS = ".,:;!?()[]\u2026-"
_SPECIAL = re.compile(
    rf"{_UNSPACED.pattern[:-1]}\d<>{_RIGHT.pattern[1:-1]}{_LEFT.pattern[1:-1]}|\u21e5\u21e4\u23ed\u23ee]"
)


class Said(NamedTuple):
    """What a text says: `arrow` is >, >>, <, << or ""; `others` counts the words that are not about paging.

    It `is_vague` if it would be about paging only if something else said so: "more", or a word among many others.
    """

    number: int | None
    concepts: frozenset[str]
    arrow: str
    others: int
    is_vague: bool

    @property
    def is_silent(self) -> bool:
        """Whether nothing in it is about paging."""
        return self.number is None and not self.concepts and not self.arrow


_VAGUE = frozenset({"more", "load", "page", "all"})
_SILENT = tuple(Said(None, frozenset(), "", others, is_vague=True) for others in range(6))
NOTHING = _SILENT[0]


@lru_cache(maxsize=8192)
def said_in(text: str) -> Said:
    """What a text says. Remembered, because pages of a site have the same texts.

    >>> said_in("[1,390]").number, sorted(said_in("N\\u00e4chste Seite").concepts), said_in("older posts >>").arrow
    (1390, ['next', 'page'], '>>')
    """
    if not text or len(text) > LONGEST_TEXT:
        return NOTHING
    match = _NUMBER.fullmatch(text)
    if match:
        return Said(int(re.sub(r"\D", "", match[1])), frozenset(), "", 0, is_vague=False)
    if not _SPECIAL.search(text):
        words = text.lower().split()
        if _CONCEPTS.keys().isdisjoint([word.strip(_MARKS) for word in words]):
            return _SILENT[min(len(words), len(_SILENT) - 1)]
    concepts: set[str] = set()
    others = 0
    for word in _WORD.findall(text.lower()):
        known = _CONCEPTS.get(word)
        if known:
            concepts.update(known)
        elif len(word) > 1:
            others += 1
    if not text.isascii() and _UNSPACED.search(text):
        inside = {concept for concept, pattern in _INSIDE.items() if pattern.search(text)}
        concepts |= inside
        others = max(0, len(text) // 6 - 1) if inside else others
    worded = _WORDED_NUMBER.fullmatch(text) if "page" in concepts else None
    arrow = _arrow(text)
    is_vague = not worded and (others > 2 or (not arrow and concepts <= _VAGUE))
    return Said(int(worded[1]) if worded else None, frozenset(concepts), arrow, others, is_vague)


def _arrow(text: str) -> str:
    right, left = _RIGHT.search(text), _LEFT.search(text)
    if bool(right) == bool(left):
        return ""
    sign = ">" if right else "<"
    return sign * 2 if _ENDED.search(text) or _DOUBLE.search(text) else sign


def is_only_signs(text: str) -> bool:
    """Whether a text is made of arrows, bars and dots alone."""
    return not _SIGNS.sub("", _RIGHT.sub("", _LEFT.sub("", text)))


def _words() -> dict[str, list[str]]:
    content = get_data("dowse.parse.pagination", "paging_words.txt")
    assert content is not None, "paging_words.txt is missing from the package dowse.parse.pagination"
    return {name: words.split() for name, words in _SECTION.findall(content.decode("utf-8"))}


LISTS = _words()
_CONCEPTS: dict[str, tuple[str, ...]] = {}
for _concept, _list in LISTS.items():
    for _each in _list:
        _CONCEPTS[_each] = (*_CONCEPTS.get(_each, ()), _concept)
TELLING_WORDS = frozenset(
    word for word, concepts in _CONCEPTS.items() if "page" in concepts or not _VAGUE.issuperset(concepts)
)
"""Words that tell where a link leads, "page" among them, which does so with a number; those of others do so only
together with something else."""
_INSIDE = {
    concept: re.compile("|".join(map(re.escape, found)))
    for concept, words in LISTS.items()
    if (found := [word for word in words if _UNSPACED.search(word)])
}
