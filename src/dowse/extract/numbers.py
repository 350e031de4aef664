"""Numbers as people write them: "1.234,50 €", "$1,234.50", "12 345", "-3".

The first number of a text is read as it is written, so "50 %" is 50 and "1.5 million" is 1.5. Which mark starts the
decimals is told by the number itself, but for one case: a single mark with three digits after it, "1.234". There the
language of the page decides ("1.234" is 1.234 in English and 1234 in German); if the page does not say, the mark
separates thousands, as it does in nearly all prices and counts.

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
    (?<!\d) (?<!\d[.,]) (?P<sign>(?<![\w)\]])[-\u2212\u2010\u2011])? (?:[{_CURRENCY}][{_SPACES}]?)?
    (?P<digits>
        \d{{1,3}} (?: (?P<gap>[{_SPACES}'\u2019]) \d{{3}} (?: (?P=gap) \d{{3}} )* ) (?!\d) (?: [.,] \d+ )?
      | \d+ (?: [.,] \d+ )*
      | (?:(?<=[-{_CURRENCY}{_SPACES}(])|(?<!.)) [.,] \d+
    )
    (?P<power> [eE][-+]?\d{{1,3}}(?!\w) )?
    """,
    re.VERBOSE,
)
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
    """
    text = text[:LONGEST_TEXT]
    if not text.isascii():
        text = text.translate(_OTHER_MARKS)
    for match in _NUMBER.finditer(text):
        digits = _plain(_NOT_DIGITS_OR_MARKS.sub("", match["digits"]), language)
        if digits:
            return _value("-" * bool(match["sign"]) + digits + (match["power"] or ""))
    return None


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
    return "." if language.partition("-")[0].lower() in _POINT_LANGUAGES else ","


def _value(number: str) -> int | float | None:
    if number.lstrip("-").isdecimal() and len(number) <= _MOST_EXACT_DIGITS:
        return int(number)
    value = float(number)
    return value if math.isfinite(value) else None
