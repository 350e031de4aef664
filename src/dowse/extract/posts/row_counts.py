"""The numbers of a row of a board: which are replies, views, threads and posts.

A number is named by what stands beside it ("Replies: 5", "5 views"), by the names of its element, or by the heading of
its column. Numbers without a name are, in the order of almost all forums, replies and views, or threads and posts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

import regex

from dowse.extract.posts.block_names import named
from dowse.extract.posts.forum_words import COUNTED
from dowse.extract.posts.page_spots import Spot

LONGEST_COUNT = 40
_NUMBER = regex.compile(r"(?<![\d.,:/-])(\d{1,3}(?:[.,\s\u00a0]\d{3})+|\d+(?:[.,]\d+)?)\s?([kKmM千万萬])?(?![\d:/-])")
_MOST_LEVELS = 4
_MOST_BEFORE = 3
_LONGEST_HEADING = 200
_LONGEST_LABEL = 24
_HAS_DIGIT = regex.compile(r"\d").search
_LARGE = {"k": 1_000, "m": 1_000_000, "千": 1_000, "万": 10_000, "萬": 10_000}


class Count(NamedTuple):
    """A number in a row, where it stands, and what it counts ("" if nothing says so)."""

    value: int
    kind: str
    spot: Spot


def counts_of(row: Spot, headings: Mapping[int, str], skipped: tuple[Spot, ...]) -> list[Count]:
    """The numbers of a row. `headings` are those of the columns; `skipped` holds the title and the times."""
    found: list[Count] = []
    for spot in row.within():
        if not spot.is_line or not spot.texts or spot.length > LONGEST_COUNT or not any(map(str.isdigit, spot.text)):
            continue
        if any(other.holds(spot) or spot.holds(other) for other in skipped):
            continue
        if found and found[-1].spot.holds(spot):
            continue
        found += _numbers(spot, _heading(spot, row, headings))
    twice = {kind for kind, often in Counter(count.kind for count in found).items() if often > 1}
    return [count._replace(kind="") if count.kind in twice else count for count in found]


def _numbers(spot: Spot, heading: str) -> list[Count]:
    text = spot.text
    numbers = list(_NUMBER.finditer(text))
    if len(numbers) > 2 or not numbers:
        return []
    if len(numbers) == 1:
        rest = text[: numbers[0].start()] + text[numbers[0].end() :]
        if sum(map(str.isalpha, rest)) > 24:
            return []
        return [Count(_value(numbers[0]), _kind(spot, rest, heading), spot)]
    first, second = numbers  # "12 Topics 340 Posts"
    middle, end = text[first.end() : second.start()], text[second.end() :]
    before = text[: first.start()]
    labels = (before, middle) if kind_of(before) else (middle, end)
    return [Count(_value(number), kind_of(label), spot) for number, label in zip(numbers, labels, strict=True)]


def _kind(spot: Spot, rest: str, heading: str) -> str:
    """What a number counts, by its own words, its names, its neighbour or its heading."""
    if kind := kind_of(rest):
        return kind
    around = spot.parent
    siblings = around.children if around is not None else []
    place = next((number for number, child in enumerate(siblings) if child is spot), -1)
    near = [label.text for label in siblings[max(0, place - 1) : place] if _is_label(label)]
    after = [label.text for label in siblings[place + 1 : place + 2] if _is_label(label)]
    names = [" ".join(sorted(named(each))) for each in (spot, around) if each is not None]
    said = [spot.attr(name) for name in ("title", "aria-label", "data-original-title")]
    beside = " ".join(around.texts) if around is not None and around.length < LONGEST_COUNT else ""
    texts = (*said, *near, heading, names[0], beside, *after, *names[1:])
    return next((kind for text in texts if (kind := kind_of(text))), "")


def _is_label(spot: Spot) -> bool:
    """Whether it says what the number beside it counts, and is no number or title itself."""
    return 0 < spot.length < _LONGEST_LABEL and not spot.linked and not _HAS_DIGIT(spot.text)


def kind_of(text: str) -> str:
    """What a label counts; "" if it is none."""
    return next((kind for kind, words in COUNTED.items() if text and words.search(text)), "")


def _value(found: regex.Match[str]) -> int:
    digits, large = found[1], (found[2] or "").lower()
    if large:
        return int(float(digits.replace(",", ".")) * _LARGE[large])
    return int(regex.sub(r"\D", "", digits))


def _heading(spot: Spot, row: Spot, headings: Mapping[int, str]) -> str:
    cell = spot
    while cell.parent is not None and cell.parent is not row:
        cell = cell.parent
    place = next((number for number, child in enumerate(row.children) if child is cell), -1)
    return headings.get(place, "")


def headings_of(row: Spot) -> dict[int, str]:
    """The headings of the columns of the list that a row is in, by their place: the last line of labels above it."""
    around = row
    for _ in range(_MOST_LEVELS):
        parent = around.parent
        if parent is None:
            return {}
        before = [child for child in parent.children if child.index < around.index]
        for part in reversed(before[-_MOST_BEFORE:]):
            lines = [spot for spot in part.within() if _is_heading(spot)]
            if lines:
                return _spread(lines[-1], row)
        around = parent
    return {}


def _is_heading(spot: Spot) -> bool:
    """Whether it is a line of labels, at least one of which says what is counted."""
    if len(spot.children) < 2 or not 0 < spot.length <= _LONGEST_HEADING:
        return False
    texts = [child.text for child in spot.children]
    return sum(bool(kind_of(text)) for text in texts if len(text) < LONGEST_COUNT) > 0 and not any(
        map(_HAS_DIGIT, texts)
    )


def _spread(heading: Spot, row: Spot) -> dict[int, str]:
    """Headings by place; one that spans several cells stands for each. They are in line at their right end."""
    found: list[str] = []
    for cell in heading.children:
        span = cell.attr("colspan")
        found += [cell.text] * max(1, min(int(span), 20) if span.isdigit() else 1)
    shift = len(row.children) - len(found)
    return {place + shift: text for place, text in enumerate(found)}
