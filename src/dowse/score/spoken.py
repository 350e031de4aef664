"""In which language a text is, beside that of a topic, and which language an address names.

Small words tell: every text of a language is full of its articles and prepositions, and has few of those of others.
Where there are none that are known here, letters tell: a text in Japanese or Czech is not in English.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache, lru_cache

from dowse.score.language import Language, words_of
from dowse.score.stop_words import CODES, STOP_WORDS

_FEWEST, _TIMES = 12, 2.0
"""How many small words of another language a text has to have, and how many times those of the topic's. Names and
quotations bring some, and related languages share a third of theirs."""

_FEWEST_MARKED, _MARKED = 30, 0.15
"""How many words have to have letters that the topic's language has not, and which part of all, if a text is in a
language whose small words are not known here. On lists of people it is a twentieth."""

_OTHER_LETTERS = {"russian": re.compile(r"[a-z]")}
_MARKS = re.compile(r"[^\W\d_a-z]")

_ISO = """
    af am ar as az be bg bn bo br bs ca ce co cs cv cy da de dv dz el en eo es et eu fa fi fo fr fy ga gd gl gn gu gv ha
    he hi hr ht hu hy id ig is it ja jv ka kk kl km kn ko ku ky la lb ln lo lt lv mg mi mk ml mn mr ms mt my nb ne nl nn
    no ny oc om or pa pl ps pt qu rm ro ru rw sa sd se si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to
    tr ts tt tw ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
"""
_CODES = {code: number for number, code in enumerate(_ISO.split(), 2)}

_NAMED = re.compile(
    r"""[/?&](?:[^/?&]*?[-_.=])??  # manual-de/, manual.de.html, ?lang=de; or /de/
        ([a-z]{2})(?:[-_][a-z]{2,4})?  # de, pt-br, zh_hans
        (?=/|\.[a-z]{3,5}\b|[?&]|$)""",
    re.VERBOSE,
)


def tongue(text: str, language: Language) -> int:
    """1 if a text is in another language, -1 if it is in this one, 0 if that is not told: it is short, or one of names
    and numbers.

    >>> from dowse.score.language import language
    >>> text = "Das ist die Seite, auf der es um das Haus und den Garten geht, und um die, die in ihm wohnen. "
    >>> tongue(text, language("en")), tongue(text, language("de")), tongue("Haus und Garten", language("de"))
    (1, -1, 0)
    """
    words = words_of(text)
    counts: Counter[str] = Counter()
    for word, number in Counter(words).items():
        for name in _speakers().get(word, ()):
            counts[name] += number
    own = counts.pop(language.name, 0)
    if max(counts.values(), default=0) >= max(_FEWEST, _TIMES * own):
        return 1
    marked = sum(map(bool, map(_OTHER_LETTERS.get(language.name, _MARKS).search, words)))
    if marked >= max(_FEWEST_MARKED, _MARKED * len(words), _TIMES * own):
        return 1
    return -1 if own >= _FEWEST else 0


@lru_cache(maxsize=20_000)
def named_language(url: str, language: Language) -> int:
    """A number that stands for the language that an address names: 1 if it is this one, 0 if it names none.

    >>> from dowse.score.language import language
    >>> english = language("en")
    >>> named_language("https://e.example/en-gb/a.html", english), named_language("https://e.example/a.html", english)
    (1, 0)
    >>> german = named_language("https://e.example/index.de.html", english)
    >>> german > 1 and german == named_language("https://de.e.example/", english)
    True
    """
    host, _, path = url.lower().partition("://")[2].partition("/")
    named = [host.partition(".")[0], *_NAMED.findall(f"/{path}")]
    code = next((each for each in named if each in _CODES), "")
    if not code:
        return 0
    return 1 if CODES.get(code) == language.name else _CODES[code]


@cache
def _speakers() -> dict[str, list[str]]:
    """The languages that have a small word, by the word."""
    speakers: dict[str, list[str]] = {}
    for name, words in STOP_WORDS.items():
        for word in words.split():
            speakers.setdefault(word, []).append(name)
    return speakers
