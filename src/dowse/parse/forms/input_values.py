"""What an input makes of a value before it is sent: the value sanitisation of the HTML standard."""

from __future__ import annotations

import re
from calendar import monthrange
from decimal import Decimal

_NEWLINES = re.compile(r"[\r\n]")
_NEWLINE = re.compile(r"\r\n?")
_SPACE = " \t\n\f\r"
_FLOAT = re.compile(r"-?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?\Z")
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}\Z")
_DATE = re.compile(r"([0-9]{4,6})-([0-9]{2})(?:-([0-9]{2}))?\Z")
_WEEK = re.compile(r"([0-9]{4,6})-W([0-9]{2})\Z")
_TIME = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])(?::([0-5][0-9])(?:\.([0-9]{1,3}))?)?\Z")
_LINES = frozenset({"text", "search", "tel", "password"})
_LAST_YEAR = 275_760
"""The last that browsers know. The standard names none, but a year of thousands of digits is not read as a number."""
_LARGEST = 1.7976931348623157e308


def sanitised(kind: str, value: str, *, multiple: bool = False, limits: tuple[str, str, str] = ("", "", "")) -> str:
    """The value that a control of this kind holds when it is given one. `limits` are least, most and step of a slider.

    >>> sanitised("text", "two\\nlines"), sanitised("number", "ten"), sanitised("email", " a@b.org ")
    ('twolines', '', 'a@b.org')
    """
    if kind in _LINES:
        return _NEWLINES.sub("", value)
    if kind == "url" or (kind == "email" and not multiple):
        return _NEWLINES.sub("", value).strip(_SPACE)
    if kind == "email":
        return ",".join(each.strip(_SPACE) for each in value.split(","))
    if kind == "textarea":
        return _NEWLINE.sub("\n", value)
    if kind == "number":
        return value if _is_number(value) else ""
    if kind == "range":
        return _in_range(value, *limits)
    if kind == "color":
        return value.lower() if _COLOUR.match(value) else "#000000"
    if kind in _DATED:
        return _DATED[kind](value)
    return value


def _in_range(value: str, minimum: str, maximum: str, step: str) -> str:
    """The value of a slider, which always has one: within its ends and on one of its steps.

    Steps begin at the least value, or at the value itself if there is none.

    >>> _in_range("", "", "", ""), _in_range("7", "0", "5", ""), _in_range("2.6", "0", "", "")
    ('50', '5', '3')
    """
    low = Decimal(minimum) if _is_number(minimum) else Decimal(0)
    high = Decimal(maximum) if _is_number(maximum) else Decimal(100)
    wanted = Decimal(value) if _is_number(value) else (low + (high - low) / 2 if high >= low else low)
    wanted = low if high < low else min(max(wanted, low), high)
    if step.strip().lower() != "any":
        width = Decimal(step) if _is_number(step) and Decimal(step) > 0 else Decimal(1)
        start = Decimal(minimum) if _is_number(minimum) else Decimal(value) if _is_number(value) else Decimal(0)
        steps = ((wanted - start) / width + Decimal("0.5")).to_integral_value(rounding="ROUND_FLOOR")
        if start + steps * width > high >= low:
            steps -= 1
        wanted = start + steps * width
    return f"{wanted.normalize():f}"


def _is_number(value: str) -> bool:
    return len(value) < 400 and bool(_FLOAT.match(value)) and abs(float(value)) <= _LARGEST


def _date(value: str) -> str:
    found = _DATE.match(value)
    return value if found and found[3] and _is_month(found) and 1 <= int(found[3]) <= _days(found) else ""


def _month(value: str) -> str:
    found = _DATE.match(value)
    return value if found and not found[3] and _is_month(found) else ""


def _is_month(found: re.Match[str]) -> bool:
    return _is_year(found) and 1 <= int(found[2]) <= 12


def _is_year(found: re.Match[str]) -> bool:
    return 0 < int(found[1]) <= _LAST_YEAR


def _days(found: re.Match[str]) -> int:
    # the calendar repeats after 400 years; years of Python end at 9999
    return monthrange(2000 + int(found[1]) % 400, int(found[2]))[1]


def _week(value: str) -> str:
    found = _WEEK.match(value)
    if not found or not _is_year(found):
        return ""
    year = 2000 + int(found[1]) % 400
    # a year has 53 weeks if it begins on a Thursday, or on a Wednesday and is a leap year
    first, days = monthrange(year, 1)[0], monthrange(year, 2)[1]
    weeks = 53 if first == 3 or (first == 2 and days == 29) else 52
    return value if 1 <= int(found[2]) <= weeks else ""


def _time(value: str) -> str:
    return value if _TIME.match(value) else ""


def _moment(value: str) -> str:
    """A date and a time of day, with as few digits as possible."""
    day, mark, time = value.partition("T") if "T" in value else value.partition(" ")
    found = _TIME.match(time)
    if not mark or not found or not _date(day):
        return ""
    fraction = (found[4] or "").rstrip("0")
    seconds = f":{found[3]}" if found[3] and (found[3] != "00" or fraction) else ""
    return f"{day}T{found[1]}:{found[2]}{seconds}{'.' + fraction if fraction else ''}"


_DATED = {"date": _date, "month": _month, "week": _week, "time": _time, "datetime-local": _moment}
