"""Dates that mean something only on the day they are read: "3 hours ago", "gestern, 14:05", "Monday at 9:30".

dateparser knows how 200 languages say this. Its own reader takes 2 ms a text and asks that there is nothing else in it,
and a page of a forum has fifty. So its words are made one pattern a language, which takes some microseconds and finds
them among others:

    "vor # stunden"   the number of hours     "2 days, # hours ago"   several units add up
    "gestern"         a day, and the clock that stands beside it
    a weekday         the last one, where a clock stands beside it

What is a number of hours or minutes is in UTC. A clock beside "yesterday" is that of the site: its zone is not known
here, and `offset` is asked only for the day that it is there.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any, NamedTuple

import regex

LONGEST_TEXT = 200

_UNITS = {
    "second": 1,
    "minute": 60,
    "hour": 3_600,
    "day": 86_400,
    "week": 604_800,
    "month": 2_629_746,
    "year": 31_556_952,
}
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_FEWEST_LETTERS = 4
_MOST_AROUND_A_DAY = 4
_MOST_BEFORE_A_DAY = 12
_GROUP = regex.compile(r"\(\\d\+\+\[\.,\]\?\\d\*\+\)")
_NUMBER = r"\d{1,4}(?:[.,]\d{1,2})?+"
_HOLE = "#"
_SPOKEN = regex.compile(r"[\p{L}\p{M}']{1,12}")
# What the library lacks: how forums say that it was this minute, and a number of several units.
_NOW = {
    "en": ("just now", "moments ago", "a moment ago", "a few seconds ago", "less than a minute ago", "seconds ago"),
    "de": ("gerade eben", "soeben", "eben", "vor wenigen sekunden", "vor ein paar sekunden", "vor einem moment"),
    "fr": ("à l'instant", "à l\u2019instant", "il y a quelques secondes", "il y a un instant"),
    "es": ("justo ahora", "ahora mismo", "hace unos segundos", "hace un momento"),
    "it": ("proprio ora", "adesso", "pochi secondi fa", "poco fa"),
    "pt": ("agora mesmo", "há poucos segundos", "há alguns segundos"),
    "nl": ("zojuist", "zonet", "net nu", "enkele seconden geleden"),
    "ru": ("только что", "несколько секунд назад"),
    "pl": ("przed chwilą", "kilka sekund temu"),
    "ja": ("たった今", "たったいま"),
    "ko": ("방금", "방금 전"),
    "zh": ("刚刚", "剛剛", "刚才", "剛才"),
    "ar": ("الآن", "منذ لحظات", "منذ ثوان"),
    "fa": ("همين الان", "چند لحظه پيش", "چند ثانيه پيش"),
    "tr": ("az önce", "şimdi", "biraz önce"),
}
_AS_IN_ARABIC = str.maketrans("یک", "يك")  # as the library writes Persian
_AGO = {"ar": ("منذ",)}
_ALSO = {
    "fa": {"ديروز": 1, "امروز": 0},
    "zh": {"今日": 0, "昨日": 1},
}
_CLOCK = regex.compile(
    r"(?<![\d:])(?P<early>上午|早上|凌晨|午前|오전)?(?P<late>下午|晚上|午後|오후)?\s?"
    r"(?P<hour>\d{1,2})\s?[:.h]\s?(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d))?(?![\d:])(?:\s?(?P<half>[ap])\.?m\b\.?)?",
    regex.IGNORECASE,
)


class _Language(NamedTuple):
    """What one language says: forms with a number in them, words for days, weekdays, and units by themselves."""

    forms: dict[str, str]
    form: Any
    more: Any
    units: dict[str, str]
    days: dict[str, int]
    day: Any
    weekdays: dict[str, int]
    weekday: Any
    numbers: dict[str, float]
    now: Any
    signs: tuple[str, ...]
    """One of these is in every such text: most texts have none, and need no second look."""


def read_relative(text: str, language: str, now: float, offset: int = 0) -> str | None:
    """What a text in a language means at a moment; None if it is no such date. `offset` is the site's, in minutes.

    >>> read_relative("Posted 3 hours ago by Ann", "en", 1_768_046_400.0)
    '2026-01-10T09:00:00+00:00'
    >>> read_relative("gestern, 14:05 Uhr", "de", 1_768_046_400.0), read_relative("vor 2 Tagen", "de", 1_768_046_400.0)
    ('2026-01-09T14:05:00', '2026-01-08')
    """
    known = _language(language)
    if known is None:
        return None
    text = text[:LONGEST_TEXT].lower()
    if language == "fa":
        text = text.translate(_AS_IN_ARABIC)
    if not any(sign in text for sign in known.signs):
        return None
    if known.now is not None and known.now.search(text):
        return _utc(now)
    if (found := known.form.search(text)) is not None:
        return _counted(text, found, known, now)
    local = datetime.fromtimestamp(now, UTC) + timedelta(minutes=offset)
    if (found := known.day.search(text)) is not None:
        clock = _clock(text, found.end())
        room = _MOST_BEFORE_A_DAY if text.rstrip().endswith(found[0]) else _MOST_AROUND_A_DAY
        if not clock and len(text) - len(found[0]) > room:
            return None  # "what I bought yesterday" is no date of anything
        day = local - timedelta(days=known.days[found[0]])
        return f"{day:%Y-%m-%d}{clock}"
    if (found := known.weekday.search(text)) is not None and (clock := _clock(text, found.end())):
        back = (local.weekday() - known.weekdays[found[0]]) % 7
        day = local - timedelta(days=back)
        if back == 0 and clock > f"T{local:%H:%M:%S}":
            day -= timedelta(days=7)
        return f"{day:%Y-%m-%d}{clock}"
    return None


def _counted(text: str, found: Any, known: _Language, now: float) -> str | None:
    """So many units before a moment, and those that stand beside them."""
    unit = known.forms[_form_of(found[0], found["number"])]
    seconds = _amount(found["number"], known) * _UNITS[unit]
    start, end, finest = found.start(), found.end(), _UNITS[unit]
    while (more := known.more.search(text, max(0, start - 40), start)) is not None and more.end() == start:
        seconds += _amount(more["number"], known) * _UNITS[known.units[more["unit"]]]
        start = more.start()
    while (more := known.more.match(text, end)) is not None and more.end() > end:
        finest = _UNITS[known.units[more["unit"]]]
        seconds += _amount(more["number"], known) * finest
        end = more.end()
    try:
        return _utc(now - seconds) if finest < _UNITS["day"] else _day(now, seconds)
    except (OverflowError, ValueError, OSError):
        return None


def _day(now: float, seconds: float) -> str:
    return f"{datetime.fromtimestamp(now - seconds, UTC):%Y-%m-%d}"


def _utc(moment: float) -> str:
    return f"{datetime.fromtimestamp(60 * int(moment // 60), UTC):%Y-%m-%dT%H:%M:00+00:00}"


def _amount(number: str, known: _Language) -> float:
    spoken = known.numbers.get(number)
    return float(number.replace(",", ".")) if spoken is None else spoken


def _form_of(text: str, number: str) -> str:
    return "".join(text.replace(number, _HOLE, 1).split())


def _clock(text: str, start: int) -> str:
    """The time of the day after a place in a text, or before it."""
    found = _CLOCK.search(text, start) or _CLOCK.search(text)
    if found is None:
        return ""
    hour = int(found["hour"])
    half = found["half"] or ("p" if found["late"] else "a" if found["early"] else "")
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    return f"T{hour:02}:{found['minute']}:{found['second'] or '00'}" if hour < 24 else ""


@lru_cache(maxsize=64)
def _language(name: str) -> _Language | None:
    from dateparser.languages.loader import default_loader  # 0.2 s that only such dates have to pay

    try:
        info = next(iter(default_loader.get_locales(languages=[name]))).info
    except (ValueError, StopIteration):  # a language that it does not know
        return None
    spaced = not str(info.get("no_word_spacing", "")).lower().startswith("t")
    units = {word.lower(): unit for unit in _UNITS for word in info.get(unit, ()) if word.isprintable()}
    numbers = _numbers(info)
    forms = _forms(info, units, _AGO.get(name, ()))
    days = _days(info) | _ALSO.get(name, {})
    weekdays = {
        word.lower(): number
        for number, day in enumerate(_WEEKDAYS)
        for word in info.get(day, ())
        if len(word) >= _FEWEST_LETTERS or not spaced
    }
    number = "|".join([_NUMBER, *(regex.escape(word) for word in sorted(numbers, key=len, reverse=True))])
    hole = f"(?P<number>{number})"
    unit = _either(units)
    between = r"(?:\s*+(?:[,،、]|(?:and|und|et|y|e|en|и|i)(?=\s))?\s*+)"
    now = _either(dict.fromkeys(_NOW.get(name, ())))
    sides = ((before.split() or after.split()[-1:]) for before, _, after in (form.partition(_HOLE) for form in forms))
    signs = dict.fromkeys([*_NOW.get(name, ()), *days, *weekdays, *(word for side in sides for word in side[-1:])])
    return _Language(
        forms={"".join(form.split()): unit for form, unit in forms.items()},
        form=_pattern("|".join(_spread(form, hole) for form in _long_first(forms)), spaced),
        more=regex.compile(rf"{between}(?<![\p{{L}}\d.]){hole}\s*(?P<unit>{unit}){between}"),
        units=units,
        days=days,
        day=_pattern(_either(days), spaced),
        weekdays=weekdays,
        weekday=_pattern(_either(weekdays), spaced),
        numbers=numbers,
        now=_pattern(now, spaced) if name in _NOW else None,
        signs=tuple(signs),
    )


def _forms(info: dict[str, Any], units: dict[str, str], before: tuple[str, ...]) -> dict[str, str]:
    """The forms that have a number in them, and the unit of each."""
    forms: dict[str, str] = {}
    for key, written in info.get("relative-type-regex", {}).items():
        parts = key.split()  # Indonesian has keys of other forms, too
        unit = parts[1] if len(parts) == 3 and parts[2] == "ago" else ""
        if unit in _UNITS:
            for each in written:
                form = _GROUP.sub(_HOLE, each).replace(r"\s*", " ").lower()
                if form.count(_HOLE) == 1 and not any(mark in form for mark in "\\()[]?*+|"):
                    forms.setdefault(form, unit)
    leading = {form.partition(_HOLE)[0].strip() for form in forms}.union(before)
    for ago in (*map(str.lower, info.get("ago", ())), *before):
        for word, unit in units.items():
            forms.setdefault(f"{ago} {_HOLE} {word}" if ago in leading else f"{_HOLE} {word} {ago}", unit)
    return forms


def _days(info: dict[str, Any]) -> dict[str, int]:
    """Words for whole days back."""
    found: dict[str, int] = {}
    for key, words in info.get("relative-type", {}).items():
        parts = key.split()
        if len(parts) == 3 and parts[1:] == ["day", "ago"]:
            found |= {word.lower(): int(parts[0]) for word in words}
    return found


def _numbers(info: dict[str, Any]) -> dict[str, float]:
    """Words for numbers, such as "an" hour."""
    found: dict[str, float] = {}
    for rule in info.get("simplifications") or ():
        for word, value in rule.items():
            if _SPOKEN.fullmatch(word) and str(value).isdigit():
                found[word.lower()] = float(value)
    return found


def _spread(form: str, hole: str) -> str:
    """The pattern of a form; spaces are written or not."""
    before, _, after = (r"\s*+".join(map(regex.escape, side.split())) for side in form.partition(_HOLE))
    return rf"{before}\s*+{hole}\s*+{after}"


def _long_first(words: dict[str, Any]) -> list[str]:
    return sorted(words, key=len, reverse=True)


def _either(words: dict[str, Any]) -> str:
    return "|".join(regex.escape(word) for word in _long_first(words)) or r"(?!)"


def _pattern(either: str, spaced: bool) -> Any:
    return regex.compile(rf"(?<![\p{{L}}\d])(?:{either})(?!\p{{L}})" if spaced else f"(?:{either})")
