"""Where a post can be found by itself, and what number the page gives it.

A permalink is a link that only this post has and that names it: by a fragment that is an id in the post, by the digits
of such an id, or because it stands around the time or the number. A post with an id and no such link has the address of
its page with that id.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import regex

from dowse.core.urls import Base
from dowse.extract.posts.block_names import is_profile
from dowse.extract.posts.page_spots import Spot
from dowse.extract.posts.post_blocks import Block
from dowse.extract.posts.post_parts import Parts
from dowse.extract.posts.time_marks import Mark

_NUMBER = regex.compile(
    r"\s*+(?:[#№]|no\.?|nr\.?|post|reply|beitrag|message|antwort|第)?\s*+[#№]?\s*+(\d{1,6})\s*+(?:楼|樓|号|#|\.)?\s*+",
    regex.IGNORECASE,
)
_MARKED_NUMBER = regex.compile(r"[#№楼樓]|第")
_NAMES = ("id", "name")
_DATA = ("data-id", "data-pid", "data-post-id", "data-content")
_DIGITS = regex.compile(r"\d+")
_OTHER = regex.compile(
    r"(?:^|[/?&=;])(?:reply|quote|report|like|vote|edit|delete|newreply|mode|do|action|javascript|mailto)\b",
    regex.IGNORECASE,
)


def permalinks(parts: Parts, times: dict[int, Mark], base: Base, url: str) -> list[str]:
    """The permalink of each post; "" for one that has none."""
    links = _links(parts)
    often = Counter(href for found in links for href in {href for _, href in found})
    return [
        _permalink(block, found, often, times.get(number), base) or _by_id(block, url)
        for number, (block, found) in enumerate(zip(parts.blocks, links, strict=True))
    ]


def _links(parts: Parts) -> list[list[tuple[Spot, str]]]:
    found: list[list[tuple[Spot, str]]] = [[] for _ in parts.blocks]
    for column in parts.columns.values():
        for number, spots in column.items():
            found[number] += [(spot, href) for spot in spots if spot.tag == "a" and (href := spot.attr("href"))]
    return found


def _permalink(block: Block, links: list[tuple[Spot, str]], often: Counter[str], mark: Mark | None, base: Base) -> str:
    ids = _ids(block)
    digits = {run for name in ids for run in _DIGITS.findall(name)}
    best, worth = "", 0
    for spot, href in links:
        if often[href] > 1 or _OTHER.search(href) or is_profile(href):
            continue
        path, _, fragment = href.partition("#")
        points = 3 if fragment and fragment in ids else 0
        points += 2 if digits and not digits.isdisjoint(_DIGITS.findall(fragment)) else 0
        points += 1 if digits and not digits.isdisjoint(_DIGITS.findall(path)) else 0
        points += 2 if mark is not None and (spot.holds(mark.spot) or mark.spot.holds(spot)) else 0
        points += 2 if _is_number(spot.text) else 0
        if points > worth:
            best, worth = href, points
    return _join(base, best) if worth > 1 else ""


def _ids(block: Block) -> set[str]:
    """The ids and old anchors of a post and of what is right around it."""
    waiting = block.own(block.rows)
    around = block.rows[0].parent
    if around is not None and around.children == [block.rows[0]]:
        waiting.append(around)
    found = {value for spot in waiting for name in _NAMES if (value := spot.element.attr(name))}
    return found.union(value for row in block.rows for name in _DATA if (value := row.element.attr(name)))


def _by_id(block: Block, url: str) -> str:
    for spot in block.own(block.rows[:2]):
        name = spot.attr("id") or (spot.attr("name") if spot.tag == "a" else "")
        if name and _DIGITS.search(name):
            return f"{url.partition('#')[0]}#{name}"
    return ""


def _join(base: Base, href: str) -> str:
    url = base.join(href)
    fragment = href.partition("#")[2]
    return f"{url}#{fragment}" if url and fragment else url or ""


def numbers(parts: Parts) -> list[int | None]:
    """What number each post has, where most posts show one and they grow."""
    best: dict[int, int] = {}
    for column in parts.columns.values():
        shown = {number: found for number, spots in column.items() if (found := _number(spots[0])) is not None}
        if len(shown) > len(best) and _grows([shown[number] for number in sorted(shown)]):
            best = shown
    if 2 * len(best) < len(parts.blocks):
        best = {}
    return [best.get(number) for number in range(len(parts.blocks))]


def _number(spot: Spot) -> int | None:
    if not 0 < spot.length <= 14 or not spot.is_line:
        return None
    text = spot.text
    if not _MARKED_NUMBER.search(text) and not (spot.tag == "a" and "#" in spot.attr("href")):
        return None
    found = _NUMBER.fullmatch(text)
    return int(found[1]) if found else None


def _grows(found: Sequence[int]) -> bool:
    return all(a < b for a, b in pairwise(found)) or all(a > b for a, b in pairwise(found))


def _is_number(text: str) -> bool:
    return 0 < len(text) <= 14 and _NUMBER.fullmatch(text) is not None
