"""Attack strings for regular expressions, made from their own parts, and how the time of a pattern grows on them.

A pattern that backtracks takes long where a part of it can be repeated and what follows then fails, or where it begins
anew at every place of a text. So an attack is `before + pump * n + after`: a beginning that the pattern takes, a piece
that one of its repetitions takes or with which it begins, and something that ends the match.
"""

from __future__ import annotations

import re
import signal
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from itertools import islice, product
from types import FrameType
from typing import Any, NamedTuple

import regex

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    # By name: whether type checkers know these modules hangs on what else is installed.
    codes: Any = import_module("re._constants")
    parser: Any = import_module("re._parser")

SIZE = 2_048
DEADLINE = 1.0
"""Seconds of work for one attack; both engines look for signals while they match."""

SUSPICIOUS = 0.0002
GROWTH = 9.0
"""How much more work four times the text may be: 4 if it is linear, 16 if it is quadratic."""

MOST_BEGINNINGS = 12
MOST_PUMPS = 40
_FEW_WAYS = 6
_AFTER = ("", "\0", "!", "a" * 9, "0" * 9)
_OTHERS = " \t\n0aZ-/.,;:=\"'<>()[]{}%&?#*+_\0\x80\u00e9\u3042"
_CLASSES = {
    codes.CATEGORY_DIGIT: "0",
    codes.CATEGORY_SPACE: " ",
    codes.CATEGORY_WORD: "a",
    codes.CATEGORY_NOT_DIGIT: "a",
    codes.CATEGORY_NOT_SPACE: "a",
    codes.CATEGORY_NOT_WORD: "-",
}
# What `regex` has and the standard library's parser does not know.
_PROPERTIES = {
    "L": "a-zA-Z\xe9",
    "Ll": "a-z\xe9",
    "Lu": "A-Z",
    "N": "0-9",
    "Nd": "0-9",
    "Hiragana": "\u3042-\u3093",
    "Katakana": "\u30a2-\u30f3",
    "Hangul": "\uac00-\ud7a3",
    "Han": "\u4e00-\u9fa5",
    "Arabic": "\u0627-\u064a",
    "Hebrew": "\u05d0-\u05ea",
    "Thai": "\u0e01-\u0e2e",
    "Lao": "\u0e81-\u0eb0",
    "Khmer": "\u1780-\u17b3",
    "Myanmar": "\u1000-\u102a",
    "Greek": "\u03b1-\u03c9",
    "Cyrillic": "\u0430-\u044f",
    "M": "\u0300-\u036f",
    "Mn": "\u0300-\u036f",
    "Sc": "$\u20ac",
}

_THROUGH = frozenset({"finditer", "findall", "sub", "subn", "split"})

Text = str | bytes


class Slow(NamedTuple):
    """An attack that makes a pattern slow, and how much longer four times as much of it takes."""

    before: str
    pump: str
    after: str
    growth: float

    def __str__(self) -> str:
        return f"{self.before!r} + {self.pump!r} * n + {self.after!r} grows by {self.growth:.0f} when n grows by 4"


def slow_attack(pattern: re.Pattern[Any] | regex.Pattern[Any], methods: frozenset[str]) -> Slow | None:
    """The first attack that a pattern, used by these methods, takes more than linear time for."""
    is_bytes = isinstance(pattern.pattern, bytes)
    through = methods & _THROUGH  # all matches of a text, which takes as long as to search for one, or longer
    runs = [getattr(pattern, method) for method in sorted(methods - through - ({"search"} if through else set()))]
    if through:
        runs.append(lambda text: sum(1 for _ in islice(pattern.finditer(text), 2 * len(text))))
    for before, pump, after in attacks(pattern):
        for run in runs:
            text = _text(before, pump, after, SIZE, is_bytes)
            if text is None or _seconds(run, text, 1) < SUSPICIOUS:
                continue
            growth = _growth(run, before, pump, after, is_bytes)
            if growth > GROWTH:
                return Slow(before, pump, after, growth)
    return None


def attacks(pattern: re.Pattern[Any] | regex.Pattern[Any]) -> Iterator[tuple[str, str, str]]:
    """Beginnings, pumps and endings made of the parts of a pattern."""
    source = pattern.pattern.decode("latin-1") if isinstance(pattern.pattern, bytes) else pattern.pattern
    parts = _Parts(_parse(source, pattern))
    beginnings = ["", *list(parts.beginnings)[:MOST_BEGINNINGS]]
    pumps = [pump for pump in dict.fromkeys([*parts.pumps, *parts.characters, *parts.beginnings]) if pump]
    # `regex` knows what each match must have in it, and does not begin where that is missing.
    yield from product(beginnings, pumps[:MOST_PUMPS], [*_AFTER, "\0" + parts.whole])


def _parse(source: str, pattern: re.Pattern[Any] | regex.Pattern[Any]) -> Any:
    """What the standard library makes of a pattern, be it its own or one for `regex`."""
    if isinstance(pattern, re.Pattern):
        return parser.parse(source, pattern.flags)
    known = {"VERBOSE": re.VERBOSE, "DOTALL": re.DOTALL, "IGNORECASE": re.IGNORECASE, "MULTILINE": re.MULTILINE}
    flags = sum(flag for name, flag in known.items() if pattern.flags & regex.RegexFlag[name])
    source = re.sub(r"\[[^\]]*\]", lambda found: re.sub(r"\\p\{(\w+)\}", _range, found[0]), source)
    source = re.sub(r"\\p\{(\w+)\}", lambda found: f"[{_range(found)}]", source)
    source = re.sub(r"\(\?P<\w+>", "(", source)  # groups may share a name
    return parser.parse(re.sub(r"\(\?P=\w+\)", "", source), flags)


def _range(found: re.Match[str]) -> str:
    return _PROPERTIES[found[1]]


class _Parts:
    """What a pattern is made of: texts it begins with, texts that a repetition takes, and characters it knows."""

    def __init__(self, tree: Any) -> None:
        self._known = "".join(dict.fromkeys([*_literals(tree), *_OTHERS]))
        self.characters: dict[str, None] = {}
        self.pumps: dict[str, None] = {}
        self.beginnings: dict[str, None] = {}
        self.whole = self._sequence(tree, [""])[0]
        self.beginnings.pop("", None)

    def _sequence(self, tree: Any, befores: list[str]) -> list[str]:
        """Examples of what a sequence takes; what it has taken on the way is a beginning, behind `befores`."""
        words = [""]
        for code, value in tree:
            examples = self._part(code, value, [befores[0] + word for word in words[:2]])
            ways = min(_FEW_WAYS, max(len(words), len(examples)))
            words = list(dict.fromkeys(words[way % len(words)] + examples[way % len(examples)] for way in range(ways)))
            self.beginnings.update(dict.fromkeys(befores[0] + word for word in words))
        return words

    def _part(self, code: Any, value: Any, befores: list[str]) -> list[str]:
        if code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
            least, most, tree = value
            words = self._sequence(tree, befores)
            if most > 8:
                self.pumps.update(dict.fromkeys(words))
            return [word * max(1, least) for word in words] + [""] * (least == 0)
        if code is codes.BRANCH:
            return [word for tree in value[1] for word in self._sequence(tree, befores)[:2]] or [""]
        if code is codes.SUBPATTERN:
            return self._sequence(value[3], befores)
        if code is codes.ATOMIC_GROUP:
            return self._sequence(value, befores)
        if code in (codes.ASSERT, codes.ASSERT_NOT):
            self._sequence(value[1], befores)
            return [""]
        words = self._characters(code, value)
        self.characters.update(dict.fromkeys(words))
        return words or [""]

    def _characters(self, code: Any, value: Any) -> list[str]:
        """A few of the characters that a part takes; those first that other parts know, too."""
        if code is codes.LITERAL:
            return [chr(value)]
        if code is codes.NOT_LITERAL:
            return [other for other in self._known if other != chr(value)][:3]
        if code is codes.ANY:
            return ["a", " "]
        if code is not codes.IN:
            return []
        taken = re.compile("[" + "".join(map(_written, value)) + "]")
        starts = [chr(part[1][0]) for part in value if part[0] is codes.RANGE and value[0][0] is not codes.NEGATE]
        return list(dict.fromkeys([known for known in self._known if taken.match(known)][:8] + starts))


def _literals(tree: Any) -> Iterator[str]:
    """The characters that stand in a pattern themselves."""
    if isinstance(tree, tuple) and len(tree) == 2 and tree[0] in (codes.LITERAL, codes.NOT_LITERAL):
        yield chr(tree[1])
    elif isinstance(tree, tuple | list | parser.SubPattern):
        for part in tree:
            yield from _literals(part)


def _written(part: tuple[Any, Any]) -> str:
    code, value = part
    if code is codes.NEGATE:
        return "^"
    if code is codes.LITERAL:
        return re.escape(chr(value))
    if code is codes.RANGE:
        return f"{re.escape(chr(value[0]))}-{re.escape(chr(value[1]))}"
    letter = {"DIGIT": "d", "SPACE": "s", "WORD": "w"}[str(value).rpartition("_")[2]]
    return "\\" + (letter.upper() if "NOT" in str(value) else letter)


def _text(before: str, pump: str, after: str, size: int, is_bytes: bool) -> Text | None:
    text = before + pump * (size // len(pump)) + after
    if not is_bytes:
        return text
    try:
        return text.encode("latin-1")
    except UnicodeEncodeError:
        return None


def _growth(run: Callable[[Text], object], before: str, pump: str, after: str, is_bytes: bool) -> float:
    """How much longer four times the text takes; measured again where it looks bad, for the machine may be busy."""
    growth = 0.0
    for size, times in ((SIZE // 4, 1), (SIZE, 1), (SIZE, 5)):
        small, large = (_text(before, pump, after, size * more, is_bytes) for more in (1, 4))
        assert small is not None
        assert large is not None
        most = _seconds(run, large, times)
        growth = most / _seconds(run, small, times) if most < DEADLINE else float("inf")
        if growth <= GROWTH:
            break
    return growth


def _seconds(run: Callable[[Text], object], text: Text, times: int) -> float:
    """The shortest of several runs; `DEADLINE` if one does not end."""
    best = DEADLINE
    for _ in range(times):
        start = time.thread_time()
        try:
            with _deadline():
                run(text)
        except TimeoutError:
            return DEADLINE
        best = min(best, time.thread_time() - start)
    return best


@contextmanager
def _deadline() -> Iterator[None]:
    before = signal.signal(signal.SIGPROF, _stop)
    signal.setitimer(signal.ITIMER_PROF, DEADLINE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _stop(_signal: int, _frame: FrameType | None) -> None:
    raise TimeoutError
