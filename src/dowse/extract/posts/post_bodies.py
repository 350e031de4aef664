"""Which part of each post is its text: from the block downwards, the one with most of what differs between posts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import regex

from dowse.extract.posts.block_names import BODY, NOT_BODY, named
from dowse.extract.posts.page_spots import Spot
from dowse.extract.posts.post_parts import Parts, sample
from dowse.extract.posts.time_marks import Mark

_MOST_COUNTED = 1_500
_LONGEST_LABEL = 300
_LEAST_OF_ROWS = 0.6
_LEAST_OF_TEXT = 0.5
_LEAST_WITH_TEXT = 0.75
_DASHES = regex.compile(r"[_=-]{2,}")
_PROSE = frozenset(
    {
        *(
            "a",
            "b",
            "blockquote",
            "br",
            "code",
            "em",
            "figure",
            "font",
            "h1",
            "h2",
            "h3",
            "h4",
            "h5",
            "h6",
            "hr",
            "i",
            "img",
        ),
        *("li", "ol", "p", "pre", "strong", "u", "ul"),
    }
)
_LONGEST_BUTTON = 60


def choose_bodies(parts: Parts, times: dict[int, Mark], authors: dict[int, Spot]) -> dict[int, Spot]:
    """The element that holds the text of each block, the smallest that does; none where it is in several rows."""
    if any(block.head is not None for block in parts.blocks):
        return {}
    worths: dict[str, float] = {}

    def reach(path: str) -> float:
        """What a path is worth, or the best that lies in it: what is around a text is worth no less."""
        if path not in worths:
            inner = (reach(below) for below in parts.below[path] if not _is_prose(parts, below))
            worths[path] = max((_body_worth(parts, path, times, authors), *inner))
        return worths[path]

    starts = [path for path in parts.columns if "/" not in path]
    path = max(starts, key=reach)
    if len(starts) > 1 and reach(path) < _LEAST_OF_ROWS * sum(map(reach, starts)):
        return {}
    trail = [path]
    while below := _next_step(parts, path, reach):
        path = below
        trail.append(path)
    chosen: dict[int, Spot] = {}
    for place in reversed(trail):
        for number, spots in parts.columns[place].items():
            chosen.setdefault(number, spots[0])
    marks = {number: mark.spot for number, mark in times.items()}
    return {number: _whole(spot, (marks.get(number), authors.get(number))) for number, spot in chosen.items()}


def _whole(spot: Spot, others: Sequence[Spot | None]) -> Spot:
    """What holds all of a text that goes on in a second element of the same name, behind a quote for instance."""
    around, name = spot.parent, spot.attr("class")
    if around is None or not name or any(other is not None and around.holds(other) for other in others):
        return spot
    alike = [child for child in around.children if child.tag == spot.tag and child.attr("class") == name]
    return around if len(alike) > 1 and spot in alike else spot


def _next_step(parts: Parts, path: str, reach: Callable[[str], float]) -> str:
    """The part of what is on a path that has most of its text; "" if none has."""
    below = max(parts.below[path], key=reach, default="")
    if not below or parts.share(below) < _LEAST_WITH_TEXT or (_is_prose(parts, below) and _is_part(parts, path)):
        return ""
    own = sum(len(text.strip()) for spots in parts.columns[path].values() for text in spots[0].texts)
    total = own + sum(map(reach, parts.below[path]))
    return below if reach(below) >= _LEAST_OF_TEXT * total > 0 else ""


def _is_prose(parts: Parts, path: str) -> bool:
    return next(iter(parts.columns[path].values()))[0].tag in _PROSE


def _is_part(parts: Parts, path: str) -> bool:
    """Whether what is on a path is smaller than a page: on a page that is one message, a <pre> may be all of it."""
    return next(iter(parts.columns[path].values()))[0].tag != "body"


def _body_worth(parts: Parts, path: str, times: dict[int, Mark], authors: dict[int, Spot]) -> float:
    """How much of what differs between posts is on a path."""
    column = sample(parts.columns[path])
    texts = {number: spots[0].text for number, spots in column.items() if spots[0].length <= _LONGEST_LABEL}
    counts = Counter(texts.values())
    worth = 0.0
    holding = 0
    for number, spots in column.items():
        spot, mark = spots[0], times.get(number)
        inner = [each for each in parts.blocks[number].inner if spot.holds(each)]
        length = spot.length - 0.5 * spot.linked - sum(each.length - 0.5 * each.linked for each in inner)
        if mark is not None and spot.holds(mark.spot):
            length -= len(mark.words)
        others = (*parts.edits.get(number, ()), *parts.memberships.get(number, ()))
        length -= sum(len(other.words) for other in others if spot.holds(other.spot))
        if number in authors and spot.holds(authors[number]):
            holding += 1
        if counts[texts.get(number, "")] > 1 and len(counts) < len(texts):
            length *= 0.3
        worth += min(max(length, 0.0), _MOST_COUNTED)
    names = named(next(iter(column.values()))[0])
    if not NOT_BODY.isdisjoint(names) or _DASHES.match(next(iter(texts.values()), "")):
        worth *= 0.2
    elif not BODY.isdisjoint(names):
        worth *= 3.0
    elif path.endswith("/pre"):
        worth *= 2.0  # a mail
    return worth * (0.4 if 2 * holding > len(column) else 1.0)


def boilerplate(parts: Parts, body: dict[int, Spot]) -> set[int]:
    """Elements in the texts that are the same in most posts: buttons and labels."""
    found: set[int] = set()
    if len(parts.blocks) < 3:
        return found
    for column in parts.columns.values():
        inside = [spots[0] for number, spots in column.items() if number in body and body[number].holds(spots[0])]
        if 2 * len(inside) < len(parts.blocks) or inside[0].length > _LONGEST_BUTTON or inside[0] in body.values():
            continue
        same, often = Counter(spot.text for spot in inside).most_common(1)[0]
        if same and often > 0.6 * len(parts.blocks) and inside[0].tag not in ("p", "br"):
            found.update(spot.index for spot in inside if spot.text == same)
    return found
