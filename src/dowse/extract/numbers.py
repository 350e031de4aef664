"""Numbers as people write them: "1.234,50 €", "$1,234.50", "12 345", "-3".

The first number of a text counts. A multiple behind it belongs to it, so "$1.5M" and "1.5 million" are 1500000; a unit
does not, so "50 %" is 50 and "5 m" is 5. Which mark starts the decimals is told by the number itself, but for one case:
a single mark with three digits after it, "1.234". There the language of the page decides ("1.234" is 1.234 in English
and 1234 in German); if the page does not say, the mark separates thousands, as it does in nearly all prices and counts.

Rejected: price-parser, the library for this. It takes "0.123" for 123, "-12.5" for 12.5, "1 2 3" for 123, "Free" for 0.
"""

from __future__ import annotations

import math
import re

LONGEST_TEXT = 1_000
_MOST_EXACT_DIGITS = 18

_CURRENCY = r"$¢-¥֏؋฿₠-⃏﷼"
_SPACES = " \u00a0\u2000-\u200a\u202f\u205f"
_NUMBER = re.compile(
    rf"""
    (?<!\d) (?<!\d[.,]) (?P<sign>(?<![\w)\]])[-\u2212\u2010\u2011])? (?:(?P<currency>[{_CURRENCY}])[{_SPACES}]?)?
    (?P<digits>
        \d{{1,3}} (?: (?P<gap>[{_SPACES}'\u2019]) \d{{3}} (?: (?P=gap) \d{{3}} )* ) (?!\d) (?: [.,] \d+ )?
      | \d+ (?: [.,] \d+ )*
      | (?:(?<=[-{_CURRENCY}{_SPACES}(])|(?<!.)) [.,] \d+
    )
    (?P<power> [eE][-+]?\d{{1,3}}(?!\w) )?
    """,
    re.VERBOSE,
)
# Zeros that a word behind a number adds to it: in English, in other large languages, in India and in East Asia.
_WORDS = {
    **dict.fromkeys(("thousand", "tausend", "tsd", "mille", "mila", "duizend", "тыс", "тысяча", "тысячи", "тысяч"), 3),
    **dict.fromkeys(("lakh", "lakhs"), 5),
    **dict.fromkeys(("million", "millions", "mn", "mln", "mio", "millionen", "millón", "millones", "milione"), 6),
    **dict.fromkeys(("milioni", "milhão", "milhões", "miljoen", "млн", "миллион", "миллиона", "миллионов"), 6),
    **dict.fromkeys(("crore", "crores"), 7),
    **dict.fromkeys(("billion", "billions", "bn", "bln", "milliard", "milliards", "milliarde", "milliarden", "mrd"), 9),
    **dict.fromkeys(("mld", "miliardo", "miliardi", "miljard", "млрд", "миллиард", "миллиарда", "миллиардов"), 9),
    **dict.fromkeys(("trillion", "trillions", "billionen"), 12),
}
_CHARACTERS = {"万": 4, "萬": 4, "億": 8, "亿": 8}
# Letters have to stand at the number ("12.5k views", "2M") or between it and a currency ("1,5 M€"). Small m and b are
# metres and bits as well, so they count for sums of money alone ("$3m").
_LETTERS = {"k": 3, "K": 3, "M": 6, "B": 9}
_LETTERS_OF_MONEY = {**_LETTERS, "m": 6, "b": 9, "t": 12, "T": 12}
_BEHIND = re.compile(rf"(?P<gap>[{_SPACES}-]?)(?P<word>[^\W\d_]++)(?!\w)(?P<currency>[{_CURRENCY}]?)")
# Where a milliard has nine zeros, these have more.
_LONG_SCALE = {"billion": 12, "billions": 12, "trillion": 18, "trillions": 18}
_LONG_SCALE_LANGUAGES = frozenset({"da", "de", "fr", "nb", "nl", "nn", "no", "sv"})

_NOT_DIGITS_OR_MARKS = re.compile(r"[^\d.,]")
_OTHER_MARKS = str.maketrans("\u066b\uff0e\u066c\uff0c", "..,,")  # Arabic and full width

# Where a point starts the decimals. Elsewhere a comma does.
_POINT_LANGUAGES = frozenset(
    {
        *("am", "bn", "cy", "en", "fil", "ga", "gu", "he", "hi", "iw", "ja", "kn", "ko", "ml", "mr", "ms", "mt"),
        *("my", "ne", "pa", "si", "sw", "ta", "te", "th", "tl", "ur", "yo", "zh", "zu"),
    }
)


def read_number(text: str, language: str = "") -> int | float | None:
    """The first number of a text; None if there is none.

    >>> read_number("1.234,50 €"), read_number("$1,234.50"), read_number("1 234 567 views"), read_number("none")
    (1234.5, 1234.5, 1234567, None)
    >>> read_number("$1.5M"), read_number("3 million"), read_number("12.5k views"), read_number("5 m")
    (1500000, 3000000, 12500, 5)
    """
    text = text[:LONGEST_TEXT]
    if not text.isascii():
        text = text.translate(_OTHER_MARKS)
    for match in _NUMBER.finditer(text):
        digits = _plain(_NOT_DIGITS_OR_MARKS.sub("", match["digits"]), language)
        if digits:
            number = "-" * bool(match["sign"]) + digits
            return _value(number + match["power"] if match["power"] else number, _multiple(text, match, language))
    return None


def _multiple(text: str, number: re.Match[str], language: str) -> int:
    """How many zeros the word or letter behind a number adds to it."""
    behind = _BEHIND.match(text, number.end())
    if not behind or number["power"]:
        return 0
    word = behind["word"]
    if len(word) == 1 and word.isascii():
        is_money = number["currency"] or behind["currency"]
        stands_close = not behind["gap"] or behind["currency"]
        return (_LETTERS_OF_MONEY if is_money else _LETTERS).get(word, 0) if stands_close else 0
    word = word.lower()
    if word in _LONG_SCALE and _code(language) in _LONG_SCALE_LANGUAGES:
        return _LONG_SCALE[word]
    return _WORDS.get(word) or _CHARACTERS.get(word[0], 0)


def _plain(digits: str, language: str) -> str:
    """The digits with a point before the decimals and nothing else between them; "" if they are no number."""
    last = max(digits.rfind("."), digits.rfind(","))
    if last < 0:
        return digits
    mark, whole, decimals = digits[last], digits[:last], digits[last + 1 :]
    other = "," if mark == "." else "."
    if mark in whole:  # 1,234,567 or 12.34.567; a version or a date is not a number
        return whole.replace(mark, "") + decimals if other not in whole and len(decimals) == 3 else ""
    if other in whole:
        return whole.replace(other, "") + "." + decimals if len(whole.rpartition(other)[2]) == 3 else ""
    separates_thousands = len(decimals) == 3 and 1 <= len(whole) <= 3 and whole[0] != "0"
    if separates_thousands and mark != _decimal_mark(language):
        return whole + decimals
    return f"{whole}.{decimals}"


def _decimal_mark(language: str) -> str:
    if not language:
        return ""
    return "." if _code(language) in _POINT_LANGUAGES else ","


def _code(language: str) -> str:
    return language.partition("-")[0].lower()


def _value(number: str, zeros: int) -> int | float | None:
    if number.lstrip("-").isdecimal() and len(number) + zeros <= _MOST_EXACT_DIGITS:
        return int(f"{number}{'0' * zeros}")
    value = float(f"{number}e{zeros}") if zeros else float(number)
    if zeros and value.is_integer() and abs(value) < 10**_MOST_EXACT_DIGITS:
        return int(value)
    return value if math.isfinite(value) else None
