"""The part of a text that shows why it was found, with the places of the words in it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection
from typing import NamedTuple

LENGTH = 240
"""Characters of a snippet."""

_LOOKED_AT = 300_000
_MOST_SPANS = 500
_BEGINNING = 60
"""Characters that it may begin earlier, to begin with a sentence."""
_SENTENCE = re.compile("[.!?\u3002\uff01\uff1f\n]\\s*")


class Needle(NamedTuple):
    """A part of words that are looked for, and a test that says of a word that has it whether it is one."""

    part: str
    suits: Callable[[str], bool] | None = None


class Snippet(NamedTuple):
    """A part of a text in one line, and where in it the words are that were looked for."""

    text: str
    marks: list[tuple[int, int]]


class _Folding(dict[int, str]):
    """Letters without accents, each as one letter, so that places stay the same."""

    def __missing__(self, code: int) -> str:
        letter = chr(code)
        base, *marks = list(unicodedata.normalize("NFD", letter.lower()) or letter)
        # What comes apart into letters, such as a syllable of Korean, stays whole.
        found = self[code] = base if all(map(unicodedata.combining, marks)) else letter
        return found


_folding = _Folding()


def folded(text: str) -> str:
    """A text in small letters without accents, letter by letter.

    >>> folded("Förderung"), len(folded("İstanbul"))
    ('forderung', 8)
    """
    return text.lower() if text.isascii() else text.translate(_folding)


def snippet(text: str, needles: Collection[Needle]) -> Snippet:
    """The part of a text that has the most of what is looked for; its beginning if it has nothing."""
    text = text[:_LOOKED_AT]
    spans = _spans(text, needles)
    start = _best_start(text, spans)
    end = min(len(text), start + LENGTH)
    if end < len(text):
        end = max(text.rfind(" ", start + LENGTH // 2, end), start + LENGTH // 2) if " " in text[start:end] else end
    return _in_one_line(text, start, end, [(first, last) for first, last, _ in spans])


def _spans(text: str, needles: Collection[Needle]) -> list[tuple[int, int, str]]:
    """Where the words are, and by what part each was found."""
    if not needles:
        return []
    by_part: dict[str, list[Needle]] = {}
    for needle in needles:
        by_part.setdefault(needle.part, []).append(needle)
    pattern = re.compile("|".join(map(re.escape, sorted(by_part, key=len, reverse=True))))
    plain = folded(text)
    spans: list[tuple[int, int, str]] = []
    place = 0
    while len(spans) < _MOST_SPANS and (found := pattern.search(plain, place)) is not None:
        first, last = found.span()
        place = last
        for needle in by_part[found[0]]:
            if needle.suits is None:
                spans.append((first, last, needle.part))
                break
            start, end = _word_around(plain, first, last)
            if needle.suits(text[start:end]):
                spans.append((start, end, needle.part))
                place = end
                break
    return spans


def _word_around(text: str, first: int, last: int) -> tuple[int, int]:
    while first and _is_letter(text[first - 1]):
        first -= 1
    while last < len(text) and _is_letter(text[last]):
        last += 1
    return first, last


def _is_letter(character: str) -> bool:
    return character.isalnum() or unicodedata.category(character)[0] == "M"


def _best_start(text: str, spans: list[tuple[int, int, str]]) -> int:
    best, worth = 0, 0.0
    for number, (first, _, _) in enumerate(spans):
        inside = []
        for span in spans[number:]:
            if span[1] > first + LENGTH - _BEGINNING:
                break
            inside.append(span[2])
        found = len(set(inside)) + 0.1 * min(len(inside), 5)
        if found > worth:
            best, worth = first, found
    begin = max(0, best - _BEGINNING)
    starts = [found.end() for found in _SENTENCE.finditer(text, begin, best)]
    if begin == 0 and best <= _BEGINNING:
        return 0
    if starts:
        return starts[-1]
    space = text.find(" ", begin, best)
    return space + 1 if space >= 0 else begin


def _in_one_line(text: str, start: int, end: int, spans: list[tuple[int, int]]) -> Snippet:
    line = "… " if start else ""
    marks = []
    place = start
    for first, last in spans:
        if first < place or last > end:
            continue
        line = _joined(line, text[place:first])
        marks.append((len(line), len(line) + last - first))
        line += text[first:last]
        place = last
    line = _joined(line, text[place:end]).rstrip()
    return Snippet(line + (" …" if end < len(text) else ""), marks)


def _joined(line: str, more: str) -> str:
    """A line and what comes behind it, with single spaces."""
    words = " ".join(more.split())
    before = " " if line and not line.endswith(" ") and more[:1].isspace() else ""
    after = " " if words and more[-1:].isspace() else ""
    return f"{line}{before}{words}{after}"
