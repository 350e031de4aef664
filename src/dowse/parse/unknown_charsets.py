"""Charsets that the standard and its detector do not know, told by the bytes alone.

    UTF-16 without a mark, UTF-32   every other byte of the tags, or three of four, is zero
    ISO-2022-KR                     an escape says so; browsers show nothing of it, for fear of hidden scripts
    IBM855, x-mac-cyrillic          read as anything else, hardly a word has its capital letters where they belong

The last two are a last resort: a page has to make no sense as it was read, and sense in one of these.
"""

from __future__ import annotations

import re

CODECS = {"UTF-32BE": "utf-32-be", "UTF-32LE": "utf-32-le", "ISO-2022-KR": "iso2022_kr", "IBM855": "cp855"}
"""Those that are none of the standard's, and what Python calls them."""

_LOOKED_AT = 2_048
_MARKS = {b"\xff\xfe\0\0": "UTF-32LE", b"\0\0\xfe\xff": "UTF-32BE"}
# Which of four bytes are zero in ASCII, and how many of them have to be: the tags of a page are, whatever its language.
_WIDE = (("UTF-32LE", 4, (1, 2, 3)), ("UTF-32BE", 4, (0, 1, 2)), ("UTF-16LE", 2, (1,)), ("UTF-16BE", 2, (0,)))
_LEAST_ZEROS = 0.2
_MOST_GARBAGE = 0.02
_NO_TEXT = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\ufffd\ufffe\uffff\ue000-\uf8ff]")
_KOREAN = b"\x1b$)C"

_CYRILLIC = ("x-mac-cyrillic", "IBM855")
_READ_FOR_WORDS = 20_000
_FEWEST_WORDS = 10
# In Russian every third word has the letter that the two charsets of Windows and Apple differ in, or a capital one.
_SENSE = 0.96
_MORE_SENSE = 0.03
_FIRST = re.compile(rb"[\x80-\xff]")
_WORD = re.compile(r"[^\x00-\x7f]{3,}")
_MARKS_OF_TEXT = r"[\xa0\xab\xbb\u2013\u2014\u2018-\u201e\u2026\u2116]"
_RIGHT = re.compile(
    rf"{_MARKS_OF_TEXT}*+(?:[\u0400-\u042f\u0490]?[\u0430-\u045f\u0491]++|[\u0400-\u042f\u0490]++)(?:{_MARKS_OF_TEXT}.*+)?"
)


def told_charset(body: bytes) -> str:
    """What zeros and escapes say a body is written in; "" if nothing."""
    start = body[:_LOOKED_AT]
    if b"\0" not in start:
        return "ISO-2022-KR" if b"\x1b" in start and _KOREAN in start and body.isascii() else ""
    return _MARKS.get(body[:4]) or next(
        (name for name, width, places in _WIDE if _is_wide(start, name, width, places)), ""
    )


def _is_wide(start: bytes, name: str, width: int, places: tuple[int, ...]) -> bool:
    start = start[: len(start) // width * width]
    zeros = [start[place::width].count(0) * width for place in range(width)]
    if len(start) < 2 * width or min(zeros[place] for place in places) < _LEAST_ZEROS * len(start):
        return False
    text = start.decode(name, "replace")
    return "<" in text and len(_NO_TEXT.findall(text)) <= _MOST_GARBAGE * len(text)


def sensible_charset(body: bytes, charset: str) -> str:
    """The charset of a body that was taken to be in this one, or another in which it makes more sense."""
    first = _FIRST.search(body)
    sample = body[first.start() : first.start() + _READ_FOR_WORDS] if first else b""
    sense = _sense(sample, charset)
    if sense >= _SENSE:
        return charset
    best = max((other for other in _CYRILLIC if other != charset), key=lambda other: _sense(sample, other))
    return best if _sense(sample, best) >= max(_SENSE, sense + _MORE_SENSE) else charset


def _sense(sample: bytes, charset: str) -> float:
    """The share of words that are Cyrillic with a capital letter in front, if at all; all, if there are few words."""
    words = _WORD.findall(sample.decode(CODECS.get(charset) or f"whatwg-{charset.lower()}", "replace"))
    if len(words) < _FEWEST_WORDS:
        return 1.0 if charset not in _CYRILLIC else 0.0
    return sum(_RIGHT.fullmatch(word) is not None for word in words) / len(words)
