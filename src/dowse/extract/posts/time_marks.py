"""Times on a page: the elements that say when something was, by their markup or their words.

    <time datetime="2024-03-05T10:00:00Z">2 hours ago</time>
    <span class="date" title="05-03-2024, 10:00">Yesterday</span>
    <p>by <a>ann</a> » Tue Mar 05, 2024 10:00 am</p>

    <td><img> Posted: 05.03.2024 10:00<hr>What was said</td>

A date may be spread over an element and its parts (`<b>Today</b> at 10:05`): the inmost element that says the hour too
is the mark. In a cell that holds more than a line, a text of its own may be the time. Marks that only say when a post
was changed, or since when its author is a member, are told apart by their words.
"""

from __future__ import annotations

from collections.abc import Sequence

import regex

from dowse.extract.dates import has_date_form, without_dates
from dowse.extract.posts.forum_words import EDITED, JOINED, POSTED
from dowse.extract.posts.page_spots import Spot
from dowse.extract.relative_dates import read_relative

LONGEST_MARK = 160
_LONGEST_WORDS = 60
_LONGEST_PROFILE = 80
_LONGEST_BESIDE = 24
_STAMPS = (
    *("datetime", "data-time", "data-timestamp", "data-utime", "data-epoch", "data-unix", "data-date", "data-datetime"),
    *("data-original-title", "title", "content", "aria-label"),
)
_EPOCH = regex.compile(r"1\d{9}(?:\d{3})?(?:\.\d+)?")
_CLOCK = regex.compile(r"(?<![\d.])\d{1,2}\s?[:.h]\s?[0-5]\d(?!\d|\.\s?\d)")  # 13.47, but not 09.03.2024
_DIGIT = regex.compile(r"\d")
_NO_MARK = frozenset(
    {"body", "html", "main", "table", "tbody", "ul", "ol", "pre", "code", "textarea", "h1", "blockquote"}
)


class Mark:
    """A time on a page: the spot that says it, what its markup says and what its words say."""

    __slots__ = ("is_edit", "is_loose", "is_membership", "spot", "stamp", "words")

    def __init__(self, spot: Spot, stamp: str, words: str, is_loose: bool = False) -> None:
        self.spot = spot
        self.stamp = stamp
        self.words = words
        self.is_loose = is_loose
        """Whether it is a text among other things in its spot, and not all of it."""
        self.is_edit = False
        self.is_membership = False
        """Whether it says since when its author is a member, or was last there."""

    @property
    def has_clock(self) -> bool:
        """Whether it says the time of the day."""
        return _EPOCH.fullmatch(self.stamp) is not None or _CLOCK.search(f"{self.stamp} {self.words}") is not None


def find_marks(spots: Sequence[Spot], languages: Sequence[str], now: float) -> list[Mark]:
    """The times of a page, in their order. Words that are relative to `now` are looked for in some languages."""
    found: dict[int, Mark] = {}
    for spot in reversed(spots):  # parts before what they are in
        if spot.tag in _NO_MARK:
            continue
        stamp = _stamp(spot)
        if stamp:
            _drop_within(spot, found)
            found[spot.index] = Mark(spot, stamp, spot.text[:LONGEST_MARK])
        elif spot.is_line and 0 < spot.length <= LONGEST_MARK and spot.texts:
            _take_words(spot, found, languages, now)
        elif spot.texts and not spot.is_line:
            _take_loose(spot, found, languages, now)
    marks = [found[index] for index in sorted(found)]
    for mark in marks:
        mark.is_edit = _is_edit(mark)
        mark.is_membership = _is_membership(mark)
    return marks


def _take_words(spot: Spot, found: dict[int, Mark], languages: Sequence[str], now: float) -> None:
    """Add an element whose own words say a time, unless a part of it does so just as well."""
    inner = [found[index] for index in range(spot.index + 1, spot.end) if index in found]
    if inner and not any(map(_CLOCK.search, spot.texts)):
        return
    if inner and (len(inner) > 1 or inner[0].has_clock):
        own = " ".join(" ".join(spot.texts).split())
        if has_date_form(own):
            found[spot.index] = Mark(spot, "", own)
        return
    words = spot.text[:LONGEST_MARK]
    if says_time(words, languages, now):
        _drop_within(spot, found)
        found[spot.index] = Mark(spot, inner[0].stamp if inner else "", words)


def _take_loose(spot: Spot, found: dict[int, Mark], languages: Sequence[str], now: float) -> None:
    """Add a text that stands in an element among other things, if it says the hour and hardly more than when."""
    for text in spot.texts:
        if len(text) > LONGEST_MARK or not _CLOCK.search(text) or JOINED.search(text):
            continue
        if not says_time(text, languages, now):
            continue
        if POSTED.match(text) or len(without_dates(text).strip()) <= _LONGEST_BESIDE:
            found[spot.index] = Mark(spot, "", " ".join(text.split()), is_loose=True)
            return


def _drop_within(spot: Spot, found: dict[int, Mark]) -> None:
    for index in range(spot.index + 1, spot.end):
        found.pop(index, None)


def says_time(words: str, languages: Sequence[str], now: float) -> bool:
    """Whether there is a date in a text, or something like "3 hours ago"."""
    if has_date_form(words):
        return True
    is_short = len(words) <= _LONGEST_WORDS
    return is_short and any(read_relative(words, language, now) is not None for language in languages)


def _stamp(spot: Spot) -> str:
    """What the markup of an element says of its time; "" if it says nothing."""
    if spot.tag == "time":
        return spot.attr("datetime") or spot.attr("title") or spot.attr("data-time") or spot.text[:LONGEST_MARK]
    if not spot.is_line or spot.length > LONGEST_MARK:
        return ""
    attributes = spot.element.attrs
    if not attributes:
        return ""
    for name in _STAMPS if len(attributes) > 1 or next(iter(attributes)) != "class" else ():
        if (value := attributes.get(name)) is not None and _is_stamp(str(value)):
            return str(value)
    return ""


def _is_stamp(value: str) -> bool:
    return len(value) <= 60 and (
        _EPOCH.fullmatch(value) is not None or (_DIGIT.search(value) is not None and has_date_form(value))
    )


def _is_edit(mark: Mark) -> bool:
    """Whether it is the time of a change: its own words say so, or those that stand right before it."""
    if EDITED.search(mark.words):
        return True
    parent = mark.spot.parent
    if parent is None or parent.length > LONGEST_MARK:
        return False
    before = [text for text in parent.texts if len(text) < _LONGEST_WORDS]
    return bool(before) and EDITED.search(" ".join(before)) is not None


def _is_membership(mark: Mark) -> bool:
    """Whether it stands in the profile beside a post: its own words say so, or those of the few around it."""
    if mark.is_loose:
        return JOINED.search(mark.words) is not None
    # Text by text: what a break parts runs together in the words ("annaJoined: 2 Jan 2020").
    if any(JOINED.search(text) for inside in mark.spot.within() for text in inside.texts):
        return True
    around = mark.spot.parent
    if around is None or around.length > _LONGEST_PROFILE:
        return False
    # "Posted: 5 March" beside a short profile in the same row is the time of the post.
    said = " ".join(around.texts) if POSTED.match(mark.words) else around.text
    return JOINED.search(said) is not None
