"""Running text within the items of a list: what each of them lays out in its own way is one text.

A post is paragraphs here, a list and a quotation there. Taken apart, most of it would stand in places that few other
items have. So the innermost part that most items have, but whose contents are not alike, is put together again:

    div.post/p  div.post/ul/li  div.post/blockquote  ->  div.post
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from dowse.extract.parts import LONGEST_PART, Part

COMMON = 0.6
_UNLIKE = 0.3
_PROSE = 30  # mean characters of a piece; labels and numbers are shorter
_DEEPEST = 20


def joined(items: list[list[Part]]) -> list[list[Part]]:
    """The same items, with running text put together."""
    places = _unlike(items)
    return [_joined(parts, places) for parts in items] if places else items


def _unlike(items: list[list[Part]]) -> set[str]:
    """The places that most items have, with much text in them that stands where few items have any."""
    least = COMMON * len(items)
    shared = Counter(path for parts in items for path in {part.path for part in parts if part.kind == "text"})
    odd: Counter[str] = Counter()
    pieces: Counter[str] = Counter()
    for part in (part for parts in items for part in parts if part.kind == "text" and shared[part.path] < least):
        for place in _places(part.path):
            odd[place] += len(part.value)
            pieces[place] += 1
    if not odd:
        return set()
    holding: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for parts in items:
        holding.update({place for part in parts for place in _places(part.path) if place in odd})
        for part in parts:
            if part.kind == "text":
                for place in _places(part.path):
                    total[place] += len(part.value)
    chosen: set[str] = set()
    settled: Counter[str] = Counter()
    for place in sorted(odd, key=lambda place: place.count("/"), reverse=True):
        is_prose = odd[place] >= _PROSE * pieces[place]
        if is_prose and holding[place] >= least and odd[place] - settled[place] > _UNLIKE * total[place]:
            chosen.add(place)
            for around in _places(place):
                settled[around] += odd[place] - settled[place]
    return chosen


def _joined(parts: list[Part], places: set[str]) -> list[Part]:
    """The parts of an item, those in each of the places as one text where the first of them was."""
    kept: list[Part] = []
    where: dict[str, int] = {}
    for part in parts:
        place = next((place for place in _places(part.path) if place in places), None)
        if place is None:
            kept.append(part)
        elif part.kind == "text" and place in where:
            before = kept[where[place]]
            kept[where[place]] = before._replace(value=f"{before.value}\n{part.value}"[:LONGEST_PART])
        elif part.kind == "text":
            where[place] = len(kept)
            kept.append(Part(place, "text", part.value, part.hint))
    return kept


def _places(path: str) -> Iterator[str]:
    """What a path lies in, from the outside, and the path itself."""
    end = path.find("/")
    for _ in range(_DEEPEST):
        if end < 0:
            break
        yield path[:end]
        end = path.find("/", end + 1)
    yield path
