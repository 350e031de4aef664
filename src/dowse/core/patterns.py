"""Regular expressions of the user, matched in linear time.

The patterns are the user's but the URLs are a stranger's, so a pattern that backtracks is a way to stop the crawl:
`(\\w+-?)+$` takes `re` 14 seconds on a word of 26 letters, and a limit on the length of URLs does not help. RE2 takes
0.8 to 1.5 microseconds for 1 to 50 patterns, whatever the URL. The language is still that of Python's `re`, which
checks every pattern; the few that RE2 has no answer for (look-around, back references) are matched by `regex`, which
can be told to give up.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import re2

from dowse.core.errors import JobError

if TYPE_CHECKING:
    import regex

# Of a pattern that backtracks, on one URL. What it has not found by then it does not find.
MOST_SECONDS = 0.1
# The automaton's upper bound, enough for some ten thousand patterns; it takes what it needs.
_MEMORY = 64 << 20


class Patterns:
    """An ordered set of regular expressions, searched all at once."""

    def __init__(self, option: str, patterns: Sequence[str]) -> None:
        self._patterns = tuple(patterns)
        self._linear = re2.Set.SearchSet(_options())
        self._linear_numbers: list[int] = []
        self._backtracking: list[tuple[int, regex.Pattern[str]]] = []
        for number, pattern in enumerate(patterns):
            _check(option, pattern)
            if _is_added(self._linear, pattern):
                self._linear_numbers.append(number)
            else:
                self._backtracking.append((number, _backtracking(pattern)))
        try:
            self._linear.Compile()
        except re2.error:
            raise JobError(f"{option}: these {len(patterns)} patterns are too large together") from None

    def first(self, text: str) -> str:
        """The first of the patterns that is found in the text; "" when none is."""
        found = self.found(text)
        return self._patterns[min(found)] if found else ""

    def found(self, text: str) -> list[int]:
        """The numbers of all patterns that are found in the text, counted from 0, in no order."""
        found = [self._linear_numbers[index] for index in self._linear.Match(text.encode("utf-8", "replace")) or ()]
        if self._backtracking:
            found += [number for number, pattern in self._backtracking if _is_found(pattern, text)]
        return found


@lru_cache(maxsize=4096)
def why_not_linear(pattern: str) -> str:
    """Why a pattern cannot be searched in linear time, and what to do; "" if it can."""
    try:
        re.compile(pattern)
    except re.error as error:
        where = "" if error.pos is None else f" at position {error.pos}"
        return f"{pattern!r:.80} is not a regular expression: {error.msg}{where}"
    if _is_added(re2.Set.SearchSet(_options()), pattern):
        return ""
    return (
        f"{pattern!r:.80} cannot be searched in bounded time: write it without look-around, back references, "
        "{,n} and [: :]"
    )


def _options() -> re2.Options:
    options = re2.Options()
    options.log_errors = False
    options.max_mem = _MEMORY
    return options


def _backtracking(pattern: str) -> regex.Pattern[str]:
    import regex  # 40 ms that few have to pay

    return regex.compile(pattern.replace("[:", r"[\:"))  # `[[:alpha:]]` is a class to it and to Python is not


def _is_found(pattern: regex.Pattern[str], text: str) -> bool:
    try:
        return pattern.search(text, timeout=MOST_SECONDS) is not None
    except TimeoutError:
        return False


def _check(option: str, pattern: str) -> None:
    if not pattern:
        raise JobError(f"{option}: an empty pattern matches every URL; leave it out")
    try:
        re.compile(pattern)
    except re.error as error:
        where = "" if error.pos is None else f" at position {error.pos}"
        raise JobError(f"{option}: {pattern!r} is not a regular expression: {error.msg}{where}") from None


def _is_added(linear: re2.Set, pattern: str) -> bool:
    """Whether RE2 takes the pattern and means the same by it as Python does."""
    if "{," in pattern or "[:" in pattern:  # `a{,3}` is a repetition to Python only, `[[:alpha:]]` a class to RE2 only
        return False
    try:
        linear.Add(pattern)
    except re2.error:
        return False
    return True
