"""Texts as words to be found by: in lower case, stemmed by their language, without accents.

    a text with spaces      its words, each as its stem: "Heat pumps" -> heat pump
    one without             every two neighbouring characters, and the last: 热泵补贴 -> 热泵 泵补 补贴 贴
                            (Chinese, Japanese, Korean, Thai, Lao, Khmer, Burmese)

Two neighbouring characters in a row find any part of a text, and need no dictionary that lacks the newest words. What
people type is read the same way. Accents go after stemming, because stemmers need them.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from typing import NamedTuple

import regex
import snowballstemmer

from dowse.score.stop_words import CODES, STOP_WORDS

VERSION = f"2 {getattr(snowballstemmer, '__version__', '')}"
"""Changes when the same text may give other words; an index of another version is made anew."""

LONGEST = 40
"""Characters of a word that count; what is longer is no word."""

_PLAIN = re.compile(r"[^\W_]+")
_UNUSUAL = re.compile("[\u0590-\u1fff\u2e80-\ufffd\U00010000-\U0010ffff]")
"""A letter of a script whose words are not all letters and spaces."""
_SPACELESS = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}ー"
_UNSPACED = regex.compile(rf"[{_SPACELESS}]")
_ANY = regex.compile(rf"[{_SPACELESS}]+|(?:(?![{_SPACELESS}])[\p{{L}}\p{{N}}\p{{M}}])+")
_LAST_MARK = "\u08ff"
"""Of the marks up to here a reader can do without; beyond, in Hindi and Thai, they are vowels."""
_LETTERS = str.maketrans({"ß": "ss", "ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "\u0131": "i"})

_STEMMERS = {
    **CODES, "ar": "arabic", "ca": "catalan", "cs": "czech", "el": "greek", "et": "estonian", "eu": "basque",
    "fa": "persian", "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian",
    "lt": "lithuanian", "ne": "nepali", "nn": "norwegian", "pl": "polish", "ro": "romanian", "sr": "serbian",
    "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip
_SCRIPTS = (
    ("\u0370", "\u03ff", ("greek",)),
    ("\u0400", "\u04ff", ("russian", "serbian")),
    ("\u0530", "\u058f", ("armenian",)),
    ("\u0600", "\u06ff", ("arabic", "persian")),
    ("\u0900", "\u097f", ("hindi", "nepali")),
    ("\u0b80", "\u0bff", ("tamil",)),
)
"""Languages that are not written in Latin letters, the one that is taken where a page says nothing first."""
_SPACELESS_LANGUAGES = (
    ("japanese", regex.compile(r"[\p{Hiragana}\p{Katakana}]")),
    ("korean", regex.compile(r"\p{Hangul}")),
    ("thai", regex.compile(r"\p{Thai}")),
    ("lao", regex.compile(r"\p{Lao}")),
    ("khmer", regex.compile(r"\p{Khmer}")),
    ("burmese", regex.compile(r"\p{Myanmar}")),
    ("chinese", regex.compile(r"\p{Han}")),
)
"""Languages that are written without spaces or with few, each by letters that only it has; Japanese has those of
Chinese too. What they write in Latin letters is mostly English, and is stemmed so."""
_CYRILLIC_OTHERS = ("be", "bg", "kk", "mk", "mn", "uk")
_READ_FOR_LANGUAGE = 3_000
_CERTAIN = 3
_CERTAIN_SHARE = 0.03
"""Words that say nothing, of one language, that a text has to have to be in it."""
_MOST_VOTES = 5
"""How often one such word counts: it may be the name of something, such as mod."""
_BRIEF = 50
_FOREIGN = 0.25
"""The share of letters without spaces from which on a text is in such a language: it may quote much English."""
_STEMS_KEPT = 200_000

_SPACELESS_NAMES = frozenset(name for name, _ in _SPACELESS_LANGUAGES)
_TELLING = {word: name for name, words in STOP_WORDS.items() for word in words.split()}
_SHARED = Counter(word for words in STOP_WORDS.values() for word in set(words.split()))


class Words(NamedTuple):
    """The words of a text as they are found by, in their order; and how those are written that are written otherwise,
    without accents, each with what it is found by."""

    found_by: list[str]
    forms: set[tuple[str, str]]


def words_in(text: str, language: str) -> Words:
    """Read a text.

    >>> words_in("Heat pumps", "english")
    Words(found_by=['heat', 'pump'], forms={('pumps', 'pump')})
    """
    stems = stemming(language)
    runs = cut(text)
    words = {run for run in runs if not is_unspaced(run)} if _UNUSUAL.search(text) else set(runs)
    found_by = list(map(stems.__getitem__, runs)) if len(words) == len(set(runs)) else []
    if not found_by:
        for run in runs:
            found_by += [stems[run]] if run in words else pairs(run)
    forms = ((fold(word), stems[word]) for word in words)
    return Words(found_by, {form for form in forms if form[0] != form[1]})


def cut(text: str) -> list[str]:
    """The words of a text in lower case; runs of scripts without spaces are whole."""
    lower = text.lower()
    if not lower.isascii():
        lower = unicodedata.normalize("NFKC", lower)
    words = _ANY.findall(lower) if _UNUSUAL.search(lower) else _PLAIN.findall(lower)
    return [word for word in words if len(word) <= LONGEST or is_unspaced(word)]


def is_unspaced(run: str) -> bool:
    """Whether it is of a script that is written without spaces."""
    return _UNSPACED.match(run) is not None


def pairs(run: str, *, last: bool = True) -> list[str]:
    """Every two neighbouring characters; the `last` one too, so that each can be found by itself.

    >>> pairs("热泵补"), pairs("热泵补", last=False)
    (['热泵', '泵补', '补'], ['热泵', '泵补'])
    """
    found = [run[place : place + 2] for place in range(len(run) - 1)]
    return [*found, run[-1]] if last else found


def fold(word: str) -> str:
    """A word in lower case without accents.

    >>> fold("café"), fold("straße"), fold("كِتَاب")
    ('cafe', 'strasse', 'كتاب')
    """
    if word.isascii():
        return word
    parts = unicodedata.normalize("NFD", word)
    bare = "".join(part for part in parts if part > _LAST_MARK or not unicodedata.combining(part))
    return unicodedata.normalize("NFC", bare).translate(_LETTERS) or word


def stemmer_of(language: str) -> str:
    """The stemmer of a language; "" if it has none.

    >>> stemmer_of("german"), stemmer_of("japanese")
    ('german', 'english')
    """
    return "english" if language in _SPACELESS_NAMES else language


class _Stems(dict[str, str]):
    """What words are found by, each worked out once."""

    def __init__(self, language: str) -> None:
        self._stemmer = stemmer_of(language)

    def __missing__(self, word: str) -> str:
        if len(self) >= _STEMS_KEPT:
            self.clear()
        # A stemmer has a state, and several searches may ask at one time. To make one takes a microsecond.
        stem = snowballstemmer.stemmer(self._stemmer).stemWord(word) if self._stemmer else word
        found = self[word] = fold(stem) or fold(word)
        return found


@cache
def stemming(language: str) -> Mapping[str, str]:
    """What each word is found by; "" is a language without a stemmer."""
    return _Stems(language)


def language_of(text: str, declared: str) -> str:
    """The language whose stemmer suits a text, given what its page declares; "" if there is none.

    Pages often declare the language of their template. So the words and letters of the text come first.
    """
    sample = text[:_READ_FOR_LANGUAGE].lower()
    code = declared.strip().lower().replace("_", "-").partition("-")[0]
    named = _STEMMERS.get(code, "")
    if not sample.isascii():
        if spaceless := _spaceless_language(sample):
            return spaceless
        for first, last, languages in _SCRIPTS:
            if 2 * sum(first <= letter <= last for letter in sample) > sum(map(str.isalpha, sample)):
                return named if named in languages else "" if code in _CYRILLIC_OTHERS else languages[0]
    votes: Counter[str] = Counter()
    words = Counter(re.findall(r"[^\W\d_]+", sample))
    for word, times in words.items():
        if word in _TELLING and _SHARED[word] == 1:
            votes[_TELLING[word]] += min(times, _MOST_VOTES)
    (best, number), (_, second) = (*votes.most_common(2), ("", 0), ("", 0))[:2]
    is_clear = number >= max(_CERTAIN, _CERTAIN_SHARE * words.total()) and number > 2 * max(second, votes[named])
    return best if is_clear and (not named or named in STOP_WORDS) else named


def is_brief(text: str) -> bool:
    """Whether a text has too few words to tell its language by them.

    >>> is_brief("Heat pumps")
    True
    """
    return len(text[:_READ_FOR_LANGUAGE].split()) < _BRIEF


def _spaceless_language(sample: str) -> str:
    """The language of a text without spaces; "" if it is none."""
    if len(_UNSPACED.findall(sample)) <= _FOREIGN * sum(map(str.isalpha, sample)):
        return ""
    counts = {name: len(letters.findall(sample)) for name, letters in _SPACELESS_LANGUAGES}
    if counts["japanese"] * 10 > counts["chinese"]:  # a few of these letters stand in Chinese texts too
        counts["chinese"] = 0
    return max(counts, key=counts.__getitem__)


def is_silent(word: str, languages: Iterable[str]) -> bool:
    """Whether a word says nothing in one of these languages: an article, a preposition."""
    return any(word in _silent(language) for language in languages)


@cache
def _silent(language: str) -> frozenset[str]:
    return frozenset(STOP_WORDS.get(language, "").split())
