"""What the times of a page mean, decided from all of them together.

which number is the day   one date with a number above 12 settles it for the page; else the order in which the
                          posts stand, and that none is later than the visit; else the language of the page
the language              that of the page; where its relative dates do not speak it, the one that most of them do
the zone                  what the page says at its foot: "All times are UTC+02:00"
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from itertools import pairwise

import regex

from dowse.extract.dates import primary, read_date
from dowse.extract.posts.forum_words import ABOUT_TIMES
from dowse.extract.posts.page_spots import Spot
from dowse.extract.posts.time_marks import Mark
from dowse.extract.relative_dates import read_relative

_NUMBERS = regex.compile(r"(?<![\d.])(\d{1,2})[-/.]\s?(\d{1,2})[-/.]\s?(?:\d{4}|\d{2})(?!\d)")
_EPOCH = regex.compile(r"(1\d{9})(?:\d{3})?(?:\.\d+)?")
_ZONE = regex.compile(
    r"\b(?:UTC|GMT)(?:\s?(?P<sign>[+\u2212-])\s?(?P<hours>\d{1,2})(?::?(?P<minutes>[0-5]\d))?)?(?!\d)"
)
_LONGEST_NOTE = 200
_NO_YEAR = regex.compile(
    r"(?<!\d)(?P<day>\d{1,2})\.?\s*+(?P<word>[\p{L}\p{M}]{3,20})|(?P<word>[\p{L}\p{M}]{3,20})\.?\s*+(?P<day>\d{1,2})(?![\d:])|"
    r"(?<!\d)(?P<month>\d{1,2})\s?[月월]\s?(?P<day>\d{1,2})"
)
_CLOSER = 3.0
"""How many times as far apart the posts of a thread are in the reading of their dates that is wrong."""


class PageDates:
    """Reads the marks of one page."""

    def __init__(self, languages: Sequence[str], now: float, marks: Sequence[Mark], zone: str = "") -> None:
        """The first of the languages is as the page writes it, for en-GB is not en-US."""
        self._tag = languages[0]
        self._now = now
        self._zone = zone
        self._latest = _day_after(now)
        self._languages = tuple(dict.fromkeys(map(primary, languages)))
        self._day_first = self._order([mark for mark in marks if not mark.is_edit])

    def read(self, mark: Mark) -> str:
        """What a mark says; "" if it is no date after all."""
        stamp, words = mark.stamp, mark.words
        found = self._of_stamp(stamp) if stamp else ""
        if len(found) > 10:
            return self._zoned(found)
        said = self._of_words(words)
        return self._zoned(said if len(said) > len(found) else found)

    def words(self, text: str) -> str:
        """What a text says that is in no mark."""
        return self._zoned(self._of_words(text))

    def _of_stamp(self, stamp: str) -> str:
        if (epoch := _EPOCH.fullmatch(stamp)) is not None:
            return datetime.fromtimestamp(int(epoch[1]), UTC).isoformat()
        return read_date(stamp, self._tag, day_first=self._day_first) or ""

    def _of_words(self, words: str) -> str:
        found = read_date(words, self._tag, day_first=self._day_first)
        if found is not None:
            return found
        for language in self._languages:
            relative = read_relative(words, language, self._now, _minutes(self._zone))
            if relative is not None:
                return relative
        return self._without_year(words)

    def _without_year(self, words: str) -> str:
        """A day and a month are those before the visit."""
        for match in _NO_YEAR.finditer(words):
            year = int(self._latest[:4])
            name = match["word"] or f"{year}-{match['month']}"
            for written in (year, year - 1):
                text = (
                    f"{match['day']} {name} {written}"
                    if match["word"]
                    else f"{written}-{match['month']}-{match['day']}"
                )
                found = read_date(text + words[match.end() :], self._tag)
                if found and found[:10] <= self._latest:
                    return found
        return ""

    def _zoned(self, found: str) -> str:
        return found + self._zone if self._zone and len(found) == 19 else found

    def _order(self, marks: Sequence[Mark]) -> bool | None:
        """Whether the day comes first in dates of numbers; None where nothing tells but the language."""
        series: dict[tuple[bool, str, int], list[str]] = defaultdict(list)
        for mark in marks:
            text = mark.words if _pairs(mark.words) else mark.stamp
            if _pairs(text):
                series[mark.is_membership, mark.spot.name, mark.spot.depth].append(text)
        pairs = [pair for texts in series.values() for text in texts for pair in _pairs(text)]
        first, second = sum(a > 12 for a, _ in pairs), sum(b > 12 for _, b in pairs)
        if first != second:
            return first > second
        posts = [texts for (is_membership, *_), texts in series.items() if not is_membership]
        texts = max(posts, key=len, default=[])
        if len(texts) < 2:
            return None
        (wrong, days), (other_wrong, other_days) = (self._disorder(texts, way) for way in (True, False))
        if wrong != other_wrong:
            return wrong < other_wrong
        return days < other_days if not 1 / _CLOSER < (days + 1) / (other_days + 1) < _CLOSER else None

    def _disorder(self, texts: Iterable[str], day_first: bool) -> tuple[int, int]:
        """How often one date is before the one above it, or after the visit; and how many days lie between them."""
        found = [date for text in texts if (date := read_date(text, self._tag, day_first=day_first))]
        wrong = sum(b < a for a, b in pairwise(found)) + 3 * sum(date[:10] > self._latest for date in found)
        return wrong, sum(abs(_days(b) - _days(a)) for a, b in pairwise(found))


def zone_of(spots: Sequence[Spot]) -> str:
    """The zone that a page says its times are in, as an offset; "" if it says none."""
    for spot in reversed(spots):
        if 0 < spot.length <= _LONGEST_NOTE and spot.texts and ("UTC" in (own := spot.text) or "GMT" in own):
            found = _ZONE.search(own)
            if found and ABOUT_TIMES.search(own) and not regex.search(r"\d{4}", own):
                return _offset(found)
    return ""


def _offset(found: regex.Match[str]) -> str:
    if not found["hours"] or int(found["hours"]) > 14:
        return "+00:00"
    sign = "+" if found["sign"] == "+" else "-"
    return f"{sign}{int(found['hours']):02}:{found['minutes'] or '00'}"


def _minutes(zone: str) -> int:
    if not zone:
        return 0
    size = 60 * int(zone[1:3]) + int(zone[4:6])
    return -size if zone[0] == "-" else size


@lru_cache(maxsize=1_024)
def _days(date: str) -> int:
    return datetime.fromisoformat(date[:10]).toordinal()


@lru_cache(maxsize=256)
def _pairs(text: str) -> list[tuple[int, int]]:
    return [(int(a), int(b)) for a, b in _NUMBERS.findall(text)]


def _day_after(now: float) -> str:
    """The day that nowhere has come yet at a moment."""
    return f"{datetime.fromtimestamp(now + 129_600, UTC):%Y-%m-%d}"
