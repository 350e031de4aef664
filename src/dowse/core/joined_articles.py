"""Articles of several pages as one: which pages belong together, in which order, and what is said once.

A page that may be one of several has, beside its own fields, those of `PagingFields`: which page it is, how many there
are, which come next and before, and what it is about. Pages about the same thing that name each other are one article.
What a page repeats of the first one at its beginning, or has in common with the last one at its end, is said once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

MOST_JOINED = 200
"""Pages of one article; longer series are lists."""

_OF_PAGING = ("page", "last", "next", "previous", "about")
_COMPARED = 12
"""Blocks at the beginning and at the end of a page that others may repeat."""


class Joined(NamedTuple):
    """An article of several pages: their places among those that were asked about, in order, and its fields."""

    members: list[int]
    fields: dict[str, Any]


def own_fields(part: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a page without those that are about paging."""
    return {name: value for name, value in part.items() if name not in _OF_PAGING}


def joined(urls: Sequence[str], parts: Sequence[Mapping[str, Any]], between: str) -> list[Joined]:
    """The articles of several pages among these; `between` is what parts the blocks of their texts."""
    topics: dict[str, list[int]] = {}
    for at, part in enumerate(parts):
        topics.setdefault(part["about"], []).append(at)
    found = []
    for members in topics.values():
        numbers = _numbers([urls[at] for at in members], [parts[at] for at in members])
        order = sorted((number, members[at]) for at, number in numbers.items())
        if len(order) > 1:
            found.append(_article(urls, parts, order, between))
    return found


def _numbers(urls: Sequence[str], parts: Sequence[Mapping[str, Any]]) -> dict[int, int]:
    """Which page each of them is, as far as pagers tell; of two pages of one number the first."""
    places = {url: at for at, url in enumerate(urls)}
    known = {at: int(part["page"]) for at, part in enumerate(parts) if part.get("page")}
    if not known:
        first = next((at for at, part in enumerate(parts) if part.get("previous") not in places), None)
        known = {first: 1} if first is not None else {}
    steps: dict[int, list[tuple[int, int]]] = {}
    for at, part in enumerate(parts):
        for name, step in (("next", 1), ("previous", -1)):
            other = places.get(part.get(name) or "")
            if other is not None:
                steps.setdefault(at, []).append((other, step))
                steps.setdefault(other, []).append((at, -step))
    waiting = list(known)
    while waiting:
        at = waiting.pop()
        for other, step in steps.get(at, ()):
            if other not in known:
                known[other] = known[at] + step
                waiting.append(other)
    taken: dict[int, int] = {}
    for at in sorted(known):
        taken.setdefault(known[at], at)
    return {at: number for number, at in taken.items()}


def _article(
    urls: Sequence[str], parts: Sequence[Mapping[str, Any]], order: list[tuple[int, int]], between: str
) -> Joined:
    members = [at for _, at in order]
    first = own_fields(parts[members[0]])
    text = between.join(_said_once([str(parts[at]["text"]).split(between) for at in members]))
    fields: dict[str, Any] = {**first, "text": text, "pages": [urls[at] for at in members]}
    last = max([number for number, _ in order] + [int(parts[at].get("last") or 0) for at in members])
    numbers = {number for number, _ in order}
    missing = [number for number in range(1, min(last, MOST_JOINED) + 1) if number not in numbers]
    if missing:
        lack = f"page {_listed(missing)} of {last} {'is' if len(missing) == 1 else 'are'} missing"
        fields["note"] = "; ".join(filter(None, [str(first.get("note", "")), lack]))
    return Joined(members, fields)


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers[:10])) + (" ..." if len(numbers) > 10 else "")


def _said_once(pages: list[list[str]]) -> list[str]:
    """The blocks of all pages, without those that frame each of them."""
    head = {_line(block) for block in pages[0][:_COMPARED]}
    tail = {_line(block) for block in pages[-1][-_COMPARED:]}
    found: list[str] = []
    for at, blocks in enumerate(pages):
        start, end = 0, len(blocks)
        while at and start < end and _line(blocks[start]) in head:
            start += 1
        while at < len(pages) - 1 and end > start and _line(blocks[end - 1]) in tail:
            end -= 1
        found += blocks[start:end]
    return found


def _line(block: str) -> str:
    """A block in one line. Its numbers count: after "Part 1" comes "Part 2"."""
    return " ".join(block.split())
