"""The rules of a robots.txt that have a `*` in them, and which of many matches a path.

A few are tried one after the other, most specific first. Many are looked up: each is kept under three characters of its
literal parts, those that the fewest others are under, and a path that does not have them cannot match.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

MOST_PATTERNS = 5_000
"""Patterns of one file that count, the first ones. Files that people wrote have some hundreds at most."""

MOST_PARTS = 32
"""A pattern with more stars than this is cut off there, as if it ended with one."""

_FEW = 64
_GRAM = 3


class Rule(NamedTuple):
    """One line. The rank says how specific it is, and of two that are equally so which counts."""

    rank: int
    line: str
    allow: bool


NO_RULE = Rule(-1, "", True)


class Pattern(NamedTuple):
    """A rule with `*`: the path starts with `head`, then has each of `middle` in order, then ends with `tail`.

    `needle` is the longest of these: most paths do not have it, which is all there is to find out about them.
    """

    rule: Rule
    needle: str
    head: str
    middle: tuple[str, ...]
    tail: str | None

    @property
    def parts(self) -> tuple[str, ...]:
        return (self.head, *self.middle, self.tail or "")

    @property
    def has_query(self) -> bool:
        return any("?" in part for part in self.parts)

    def matches(self, path: str) -> bool:
        if not path.startswith(self.head):
            return False
        position = len(self.head)
        for part in self.middle:
            found = path.find(part, position)
            if found < 0:
                return False
            position = found + len(part)
        return self.tail is None or (path.endswith(self.tail) and len(path) - len(self.tail) >= position)


class Patterns:
    """The patterns of one file."""

    def __init__(self, patterns: Iterable[Pattern]) -> None:
        self._all = sorted(patterns, key=lambda pattern: -pattern.rule.rank)
        self._without_query = [pattern for pattern in self._all if not pattern.has_query]
        self._under: dict[str, list[int]] = {}
        self._short: list[int] = []  # those too short to be kept under anything
        if len(self._all) > _FEW:
            for number, pattern in enumerate(self._all):
                self._keep(number, pattern)

    def __len__(self) -> int:
        return len(self._all)

    def best(self, path: str, least: Rule) -> Rule:
        """The most specific rule that matches, if it is more so than another that does."""
        if self._under:
            return self._look_up(path, least)
        for pattern in self._all if "?" in path else self._without_query:
            if pattern.rule.rank <= least.rank:
                break
            if pattern.needle in path and pattern.matches(path):
                return pattern.rule
        return least

    def _look_up(self, path: str, least: Rule) -> Rule:
        under = self._under
        grams = {path[at : at + _GRAM] for at in range(len(path) - _GRAM + 1)}
        first = len(self._all)
        for numbers in (self._short, *(under[gram] for gram in grams if gram in under)):
            for number in numbers:  # most specific first
                if number >= first:
                    break
                pattern = self._all[number]
                if pattern.rule.rank <= least.rank:
                    break
                if pattern.needle in path and pattern.matches(path):
                    first = number
                    break
        return self._all[first].rule if first < len(self._all) else least

    def _keep(self, number: int, pattern: Pattern) -> None:
        grams = [part[at : at + _GRAM] for part in pattern.parts for at in range(len(part) - _GRAM + 1)]
        if not grams:
            self._short.append(number)
            return
        rarest = min(grams, key=lambda gram: len(self._under.get(gram, ())))
        self._under.setdefault(rarest, []).append(number)
