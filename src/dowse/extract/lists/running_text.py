"""Running text within the items of a list: what each of them lays out in its own way is one text.

A post is paragraphs here, a list and a quotation there. Taken apart, most of it would stand in places that few other
items have. So the innermost part that most items have, but whose contents are not alike, is put together again:

    div.post/p  div.post/ul/li  div.post/blockquote  ->  div.post
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from msgspec.structs import replace

from dowse.extract.lists.item_parts import LONGEST_PART, Part

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
    lengths: Counter[str] = Counter()
    numbers: Counter[str] = Counter()
    for part in (part for parts in items for part in parts if part.kind == "text"):
        lengths[part.path] += len(part.value)
        numbers[part.path] += 1
    rare = [path for path in lengths if shared[path] < least]
    if not rare:
        return set()
    odd, pieces, total = _spread(rare, lengths), _spread(rare, numbers), _spread(lengths, lengths)
    holding: Counter[str] = Counter()
    # Items of one template have the same paths, so there are few different sets of them.
    for paths, count in Counter(frozenset(part.path for part in parts) for parts in items).items():
        for place in {place for path in paths for place in _places(path)}:
            holding[place] += count
    chosen: set[str] = set()
    settled: Counter[str] = Counter()
    for place in sorted(odd, key=lambda place: place.count("/"), reverse=True):
        is_prose = odd[place] >= _PROSE * pieces[place]
        if is_prose and holding[place] >= least and odd[place] - settled[place] > _UNLIKE * total[place]:
            chosen.add(place)
            for around in _places(place):
                settled[around] += odd[place] - settled[place]
    return chosen


def _spread(paths: Iterable[str], amounts: Counter[str]) -> Counter[str]:
    """What is in each place, from what is on each path."""
    spread: Counter[str] = Counter()
    for path in paths:
        for place in _places(path):
            spread[place] += amounts[path]
    return spread


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
            kept[where[place]] = replace(before, value=f"{before.value}\n{part.value}"[:LONGEST_PART])
        elif part.kind == "text":
            where[place] = len(kept)
            kept.append(Part(place, "text", part.value, part.hint))
    return kept


@lru_cache(maxsize=4_096)
def _places(path: str) -> list[str]:
    """What a path lies in, from the outside, and the path itself."""
    steps = path.split("/", _DEEPEST)
    return ["/".join(steps[:number]) for number in range(1, len(steps))] + [path]
