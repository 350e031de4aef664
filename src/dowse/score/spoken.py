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

_FEWEST, _KINDS, _TIMES = 12, 5, 2.0
"""How many small words of another language a text has to have, how many different ones, and how many times those of the
topic's language. Names and quotations bring some, code repeats a few, and related languages share a third of theirs."""

_SHORTEST = 2
"""Letters of such a word: of "C++" and "foo.c" the C is a word of French and Italian."""

_FEWEST_MARKED, _MARKED = 30, 0.15
"""How many words have to have letters that the topic's language has not, and which part of all, if a text is in a
language whose small words are not known here. On lists of people it is a twentieth."""

_NO_TOPICS = {
    "indonesian": "yang dan di untuk dengan dari ini pada tidak dalam adalah akan atau oleh itu anda dapat jika ke",
    "catalan": "el la els les de del que és per amb una un no es en al als com més si aquest aquesta són pot o i dels",
}
"""Small words of languages that no topic can be in, and whose letters do not tell them from others."""

_LETTERS = {
    "danish": "æøåé", "dutch": "ëéèïöüá", "english": "", "finnish": "äöå", "french": "àâæçéèêëîïôœùûüÿ",
    "german": "äöüß", "italian": "àèéìíîòóùú", "norwegian": "æøåéòôê", "portuguese": "áâãàçéêíóôõúü",
    "spanish": "áéíóúüñ", "swedish": "åäöé",
}  # fmt: skip
"""What languages have beside a to z. In Russian texts there are names of programs and code in other letters."""

_MARKS = {name: re.compile(rf"[^\W\d_a-z{letters}]") for name, letters in _LETTERS.items()}
"""Find a letter that a language has not."""

_ISO = """
    af ar az bg bn bo br bs ca ce co cs cv cy da de dv dz el en eo es et eu fa fi fo fr fy ga gd gl gn gu gv ha he hi hr
    ht hu hy ig it ja jv ka kk kl km kn ko ku ky la lb ln lo lt lv mg mi mk ml mn mr ms mt nb ne nl nn no ny oc om pa pl
    pt qu rm ro ru rw sa sd se si sk sl sm sn sq sr ss st su sv sw ta te tg th ti tk tl tn tr ts tt tw ug uk ur uz ve vi
    wa wo xh yi yo za zh zu
"""
"""Without those that are words of English, such as "to", "is", "so" and "my"."""

_CODES = {code: number for number, code in enumerate(_ISO.split(), 2)}
_CODE = r"([a-z]{2})(?:[-_][a-z]{2,4})?(?:\.utf-?8)?"
_NAMED = re.compile(
    rf"""
    /{_CODE}(?=[/?]|$)  # /de/, /pt-br/
    | [-_]([a-z]{{2}})(?=/|\.[a-z]{{3,5}}\b)  # manual-de/, manual_de.html
    | \.{_CODE}(?=\.[a-z]{{3,5}}\b)  # manual.de.html
    | [?&](?:hl|locale|lang|language)={_CODE}(?=&|$)
    """,
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
    counts, kinds = Counter[str](), Counter[str]()
    for word, number in Counter(words).items():
        for name in _speakers().get(word, ()):
            counts[name] += number
            kinds[name] += 1
    own = counts.pop(language.name, 0)
    others = (number for name, number in counts.items() if kinds[name] >= _KINDS)
    if max(others, default=0) >= max(_FEWEST, _TIMES * own):
        return 1
    if language.name in _MARKS:
        marked = sum(map(bool, map(_MARKS[language.name].search, words)))
        if marked >= max(_FEWEST_MARKED, _MARKED * len(words), _TIMES * own):
            return 1
    return -1 if own >= _FEWEST and kinds[language.name] >= _KINDS else 0


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
    found = [code for codes in _NAMED.findall(f"/{path}") for code in codes if code in _CODES]
    if not found and (first := host.partition(".")[0]) in _CODES:
        found = [first]
    if any(CODES.get(code) == language.name for code in found):
        return 1
    return _CODES[found[0]] if found else 0


@cache
def _speakers() -> dict[str, list[str]]:
    """The languages that have a small word, by the word."""
    speakers: dict[str, list[str]] = {}
    for name, words in {**STOP_WORDS, **_NO_TOPICS}.items():
        for word in words.split():
            if len(word) >= _SHORTEST:
                speakers.setdefault(word, []).append(name)
    return speakers
