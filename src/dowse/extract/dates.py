"""Dates as people write them, to ISO 8601: "5. März 2024, 10:30" is 2024-03-05T10:30:00, "March 2024" is 2024-03.

The forms are found here, also among other words ("Posted on 5 March 2024 by Ann"); dateparser has the names of the
months, and `relative_dates.py` reads "2 days ago". Rejected: dateparser for everything. It takes 1 to 12 ms a text, up
to twenty times what a page may cost, finds no date among other words and one in "12", and reads "the 2019" as a month
of that year: the present one.

Of two numbers that could be either, the day is the first, or the month on American pages and on those that do not say
where their readers are (`lang` is "en" or missing). Time zones by name, other than UTC, mean several things each, so
they are left out.
"""

from __future__ import annotations

from calendar import monthrange
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any
from unicodedata import normalize

import regex

from dowse.extract.relative_dates import read_relative

LONGEST_TEXT = 200
_LONGEST_RELATIVE = 40
_NOT_RELATIVE = regex.compile(r"\d{4}|\d[-/.]\s?\d+[-/.]\s?\d")
_FIRST_SHORT_YEAR = 70  # "70" is 1970, "69" is 2069

_WORD = r"(?<![\p{L}\p{M}])(?P<word>[\p{L}\p{M}]{3,20})"
_DAY = r"(?<!\d)(?<!\d:)(?P<day>\d{1,2})(?:\.|st|nd|rd|th|er|[ºª°])?"
_YEAR = r"(?<!\d)(?P<year>\d{4})(?!\d)"
_ANY_YEAR = r"(?<!\d)'?(?P<year>\d{4}|\d{2})(?!\d)"
_OF = r"(?:\s*\b(?:of|de|del|di)\b)?"
_OTHER_DIGIT = regex.compile(r"(?![0-9])\p{Nd}")
_MARK = regex.compile(r"\p{Mn}")
_THREE_DIGITS = regex.compile(r"\d\D*+\d\D*+\d")  # as few as a date has
_DATE = regex.compile(
    "|".join(
        (
            rf"{_YEAR}\s?[-/.年년]\s?(?P<month>\d{{1,2}})\s?[-/.月월]\s?(?P<day>\d{{1,2}})(?!\d)",
            r"(?<!\d)(?P<year>[12]\d{3})(?P<month>[01]\d)(?P<day>[0-3]\d)(?!\d)",
            rf"{_DAY}{_OF}[\s-]*{_WORD}[.,]*{_OF}[\s,-]*{_ANY_YEAR}",
            rf"{_WORD}\.?\s*{_DAY},?\s+{_YEAR}",
            # as Unix writes it: "Tue Mar  5 10:00:01 UTC 2024"
            rf"{_WORD}\s{_DAY}\s\d{{1,2}}:[0-5]\d(?::[0-5]\d)?\s(?:[A-Z]{{2,5}}\s|[+-]\d{{4}}\s)?{_YEAR}",
            rf"{_YEAR}[.,]?\s*{_WORD}\s*{_DAY}(?!\d)",
            rf"(?<![\d.])(?P<first>\d{{1,2}})(?P<mark>[-/.])\s?(?P<second>\d{{1,2}})(?P=mark)\s?{_ANY_YEAR}",
            rf"{_WORD}[.,]?{_OF}\s+{_YEAR}",
        )
    )
)
_TIME = regex.compile(
    r"(?<![\d:])(?:(?P<early>上午|早上|凌晨|午前|오전)|(?P<late>下午|晚上|午後|오후))?\s?"
    r"(?P<hour>\d{1,2})(?::(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d))?(?:[.,]\d+)?(?![\d:])(?:\s?(?P<half>[ap])\.?m\b\.?)?"
    r"|\s?(?P<half>[ap])\.?m\b\.?)(?:\s?(?P<zone>Z\b|UTC|GMT|[+-][0-9]{2}:?[0-9]{2}(?!\d)))?"
    r"|\b(?P<named>noon|midnight)\b",
    regex.IGNORECASE,
)
# Looked through for a month when that of the page does not have it. All 200 would take five seconds to load.
_LANGUAGES = (
    *("es", "de", "ja", "fr", "pt", "ru", "it", "nl", "pl", "tr", "zh", "fa", "vi", "id", "cs", "ko", "uk", "ar", "el"),
    *("he", "sv", "ro", "hu", "th", "da", "sk", "fi", "bg", "sr", "nb", "hr", "lt", "sl", "et", "lv", "ca", "hi", "bn"),
)
_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
# Names of months somewhere, but in other languages more often something else.
_ELSEWHERE_NO_MONTHS = frozenset(
    {"ago", "bal", "gen", "iii", "led", "lip", "mag", "out", "pro", "set", "vii", "viii", "xii"}
)


def read_date(text: str, language: str = "", now: float = 0.0, *, day_first: bool | None = None) -> str | None:
    """The first date of a text, with its time if it has one; None if it has none. `now` is what "yesterday" means.

    `day_first` says which of two numbers is the day, where something else tells than the language.

    >>> read_date("Published on March 5, 2024 at 3:15 pm"), read_date("05/03/2024", "de"), read_date("soon")
    ('2024-03-05T15:15:00', '2024-03-05', None)
    """
    text = " ".join(text[:LONGEST_TEXT].split())
    if not text.isascii():
        text = _OTHER_DIGIT.sub(lambda digit: str(int(digit[0])), text)
    refused = 0
    for match in _DATE.finditer(text, overlapped=True):
        has_day = match["day"] or match["first"]
        if match.start() < refused and not has_day:
            continue  # the month of a day that there is not, such as 31 February
        date = _date(match.groupdict(), language, day_first)
        if date:
            return date + _time(text, match.start(), match.end()) if has_day else date
        if date is not None:
            refused = match.end()
    return read_relative(text, primary(language) or "en", now) if now and may_be_relative(text) else None


def without_dates(text: str, language: str = "", until: str = "9999") -> str:
    """A text without its dates and times. Dates after `until`, which is written as they are, are left in it.

    >>> without_dates("as of 5 March 2024, 10:30; open until 2024-04-01", until="2024-03-05")
    'as of ,; open until 2024-04-01'
    """
    kept, end = [], 0
    for match in _DATE.finditer(text):
        date = _date(match.groupdict(), language, None)
        if date and date <= until:
            kept.append(text[end : match.start()])
            end = match.end()
    return str(_TIME.sub("", "".join([*kept, text[end:]])))


def may_be_relative(text: str) -> bool:
    """Whether a text could be like "2 days ago" and nothing else."""
    return 0 < len(text) <= _LONGEST_RELATIVE and not _NOT_RELATIVE.search(text)


def has_date_form(text: str) -> bool:
    """Whether something in a text is written like a date. That its word is a month is not looked up: it takes long."""
    return _THREE_DIGITS.search(text) is not None and _DATE.search(text[:LONGEST_TEXT]) is not None


def day_of(timestamp: float) -> str:
    """The day of a Unix time, in UTC."""
    return datetime.fromtimestamp(timestamp, UTC).strftime("%Y-%m-%d")


def _date(found: dict[str, Any], language: str, day_first: bool | None) -> str | None:
    """The date in ISO; None if there is no month in it, and "" if that has no such day."""
    day = int(found["day"] or 0)
    if found["first"]:
        if day_first is None:
            day_first = found["mark"] == "." or language.lower().replace("_", "-") not in ("", "en", "en-us")
        month, day = _month_and_day(int(found["first"]), int(found["second"]), day_first)
    else:
        month = int(found["month"]) if found["month"] else _month(found["word"].lower(), primary(language))
    year = _full_year(found["year"])
    if not 1 <= month <= 12 or year == 0:
        return None
    if day == 0:
        return None if found["day"] or found["first"] else f"{year:04}-{month:02}"
    return f"{year:04}-{month:02}-{day:02}" if day <= monthrange(year, month)[1] else ""


def _full_year(digits: str) -> int:
    year = int(digits)
    if len(digits) > 2:
        return year
    return year + (1900 if year >= _FIRST_SHORT_YEAR else 2000)


def _month_and_day(first: int, second: int, day_first: bool) -> tuple[int, int]:
    if first > 12 or (second <= 12 and day_first):
        return second, first
    return first, second


def _time(text: str, start: int, end: int) -> str:
    """The time that stands after a date, or before it."""
    found = _TIME.search(text, end) or _TIME.search(text, start, end) or _TIME.search(text, 0, start)
    if not found:
        return ""
    if found["named"]:
        return "T12:00:00" if found["named"].lower() == "noon" else "T00:00:00"
    hour = int(found["hour"])
    half = (found["half"] or "").lower() or ("p" if found["late"] else "a" if found["early"] else "")
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    if hour > 23:
        return ""
    zone = (found["zone"] or "").upper()
    if zone in ("Z", "UTC", "GMT"):
        zone = "+00:00"
    elif zone and ":" not in zone:
        zone = f"{zone[:3]}:{zone[3:]}"
    return f"T{hour:02}:{int(found['minute'] or 0):02}:{int(found['second'] or 0):02}{zone}"


def primary(language: str) -> str:
    """The language of a tag such as en-GB."""
    return language.replace("_", "-").partition("-")[0].lower()


def _month(word: str, language: str) -> int:
    """The number of a month by its name, in English, the language of the page or a common one; 0 if it is none."""
    for number, name in enumerate(_MONTHS, 1):
        if name.startswith(word):
            return number
    name = _plain(word)
    number = _months_in((language,)).get(name, 0) if language else 0
    return number or (0 if name in _ELSEWHERE_NO_MONTHS else _months_in(_LANGUAGES).get(name, 0))


@lru_cache(maxsize=64)
def _months_in(languages: tuple[str, ...]) -> dict[str, int]:
    """The months by their names in some languages. Those that two languages share belong to the more common one."""
    from dateparser.languages.loader import default_loader  # 0.2 s that only dates in other words have to pay

    try:
        locales = list(default_loader.get_locales(languages=list(languages)))
    except ValueError:  # a language that it does not know
        return {}
    months: dict[str, int] = {}
    for locale in locales:
        for number, month in enumerate(_MONTHS, 1):
            for name in locale.info.get(month, ()):
                months.setdefault(_plain(name.lower()), number)
    return months


def _plain(word: str) -> str:
    """A word without its accents, which people leave out."""
    return _MARK.sub("", normalize("NFKD", word)) if not word.isascii() else word
