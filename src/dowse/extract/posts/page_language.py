"""The language of a page that does not say it, by its letters and words: in which it may say "yesterday"."""

from __future__ import annotations

from collections.abc import Sequence

import regex

from dowse.extract.dates import primary
from dowse.extract.posts.page_spots import Spot
from dowse.score.language import words_of
from dowse.score.stop_words import CODES, STOP_WORDS

_READ = 5_000
_LEAST_WORDS = 2
_WORD = regex.compile(r"\p{L}+")
_SCRIPTS = (
    ("ja", regex.compile(r"[\p{Hiragana}\p{Katakana}]")),
    ("ko", regex.compile(r"\p{Hangul}")),
    ("zh", regex.compile(r"\p{Han}")),
    ("fa", regex.compile(r"[پچژگی]")),
    ("ar", regex.compile(r"\p{Arabic}")),
    ("he", regex.compile(r"\p{Hebrew}")),
    ("th", regex.compile(r"\p{Thai}")),
    ("el", regex.compile(r"\p{Greek}")),
    ("uk", regex.compile(r"[іїєґ]")),
    ("ru", regex.compile(r"\p{Cyrillic}")),
)
"""Letters that only one language has, or mostly one; the first that there are many of."""

_WORDS = {code: frozenset(STOP_WORDS[name].split()) for code, name in CODES.items()}


def languages_of(declared: str, spots: Sequence[Spot]) -> tuple[str, ...]:
    """The languages in which a page may say "yesterday": its own and English."""
    own = primary(declared) or _guessed(spots)
    return tuple(dict.fromkeys((own, "en")))


def _guessed(spots: Sequence[Spot]) -> str:
    read = ""
    for spot in spots:
        read += " " + " ".join(spot.texts)
        if len(read) > _READ:
            break
    read = read[:_READ].lower()
    if not read.isascii():
        letters = len(_WORD.findall(read))
        for language, script in _SCRIPTS:
            if 5 * len(script.findall(read)) > letters:
                return language
    found = words_of(read)
    counts = {language: sum(word in words for word in found) for language, words in _WORDS.items()}
    best = max(counts, key=lambda language: (counts[language], language == "en"))
    return best if counts[best] >= _LEAST_WORDS else "en"
