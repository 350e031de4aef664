"""Who wrote each post: a short text, the same wherever the same profile is linked, and not the same in all posts.

"Quote" and "Reply" are the same in all and lead elsewhere in each. The names of parts (`username`, `rel=author`) weigh
in, and so does what stands beside the time. A name without an element of its own is read from the line of the time, or
from the field of a mail.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import regex

from dowse.core.urls import Base
from dowse.extract.dates import has_date_form
from dowse.extract.posts.block_names import AUTHOR, CONTROL, is_profile, named
from dowse.extract.posts.forum_words import BY, FROM, JOINED, POSTED, SMALL_WORDS
from dowse.extract.posts.page_spots import Spot, shared_depth
from dowse.extract.posts.post_blocks import Block
from dowse.extract.posts.post_parts import Column, Parts, sample, unnumbered
from dowse.extract.posts.thread_records import Author
from dowse.extract.posts.time_marks import Mark

_LONGEST_NAME = 60
_LONGEST_LINE = 160
_LONGEST_PROFILE = 300
_LEAST_SHARE = 0.5
_LEAST_AUTHOR = 0.9
_NO_NAME = regex.compile(r"[\W\d_]*|.*[:\uff1a].+|\S*https?:.*", regex.DOTALL)
_BETWEEN = regex.compile(r"(?<!\s)\s++[-\u2013\u2014|·•»\u203a/]++(?:\s++|$)")
_ADDRESS = regex.compile(r"\S@\S|\S at \S+\.\w")


def choose_authors(parts: Parts, times: dict[int, Mark], body: dict[int, Spot]) -> dict[int, Spot]:
    """The element with the author's name of each block that has one."""
    marked = {mark.spot.index for mark in times.values() if not mark.is_loose}
    usable: dict[str, dict[int, Spot]] = defaultdict(dict)
    least = _LEAST_SHARE * len(parts.blocks)
    for path, column in parts.columns.items():
        place = unnumbered(path)
        if len(parts.columns.get(place, column)) < least and not _is_named_author(column):
            continue
        names = usable[place]
        for number, spots in column.items():
            spot = spots[0]
            if _may_be_name(spot, marked) and not _is_said(spot, number, parts, body, times.get(number)):
                names[number] = _nearer(names.get(number), spot, times.get(number))
    worths = {
        path: len(found) / len(parts.blocks) + _author_worth(some) + _nearness(some, times) + _profiles(some, parts)
        for path, found in usable.items()
        if (some := sample(found))
    }
    chosen: dict[int, Spot] = {}
    for path in sorted(worths, key=lambda path: -worths[path]):
        if worths[path] >= _LEAST_AUTHOR:
            for number, spot in usable[path].items():
                chosen.setdefault(number, spot)
    return chosen


def _nearer(one: Spot | None, other: Spot, mark: Mark | None) -> Spot:
    """Of two names on the same path, the one that shares more of its place with the time."""
    if one is None or mark is None:
        return one or other
    return other if shared_depth(other, mark.spot) > shared_depth(one, mark.spot) else one


def _nearness(found: dict[int, Spot], times: dict[int, Mark]) -> float:
    """Names stand beside times, more often than not in the same line."""
    near = 0.0
    for number, spot in found.items():
        mark = times.get(number)
        if mark is not None:
            around = next((around for around in spot.above() if around.holds(mark.spot)), None)
            near += 0.4 if around is not None and around.length <= _LONGEST_LINE else 0.0
            near -= min(0.3, 0.01 * abs(mark.spot.index - spot.index))
    return near / len(found)


def _profiles(found: dict[int, Spot], parts: Parts) -> float:
    """The cell that says since when somebody is a member begins with the name."""
    begun = sum(
        any(_begins(spot, mark.spot) for mark in parts.memberships.get(number, ())) for number, spot in found.items()
    )
    return 0.5 * begun / len(found)


def _begins(name: Spot, place: Spot) -> bool:
    around = next((around for around in name.above() if around.holds(place)), None)
    return around is not None and around.length <= _LONGEST_PROFILE and around.text.startswith(name.text)


def _is_named_author(column: Column) -> bool:
    return any(not AUTHOR.isdisjoint(named(spots[0])) for spots in column.values())


def _is_said(spot: Spot, number: int, parts: Parts, body: dict[int, Spot], mark: Mark | None) -> bool:
    """Whether it is part of what a post says, so that it names somebody else."""
    around = body.get(number)
    if around is not None and mark is not None and mark.is_loose and mark.spot is around is spot.parent:
        return not around.text.startswith(spot.text)  # one cell with all: it begins with the name
    if around is spot:
        return len(parts.blocks[number].rows) > 1 or around is not parts.blocks[number].rows[0]
    if around is not None and around.holds(spot):
        rows = parts.blocks[number].rows
        return not any(around is row for row in rows) and around.length > 3 * spot.length and spot.tag != "strong"
    return spot.index in parts.quoted


def _may_be_name(spot: Spot, marked: set[int]) -> bool:
    if not spot.is_line or not 0 < spot.length <= _LONGEST_NAME or spot.index in marked:
        return False
    if not marked.isdisjoint(range(spot.index, spot.end)) or _NO_NAME.fullmatch(spot.text):
        return False
    return (
        spot.parent is None or spot.parent.index not in marked or spot.tag == "a" or not AUTHOR.isdisjoint(named(spot))
    )


def _author_worth(found: dict[int, Spot]) -> float:
    """How much a path is like that of the author, by what is on it."""
    spots = list(found.values())
    names = [spot.text for spot in spots]
    hrefs = [_href(spot) for spot in spots]
    worth: float = 0.0
    distinct, linked = set(names), [(name, href) for name, href in zip(names, hrefs, strict=True) if href]
    if linked:
        pairs = set(linked)
        is_one_to_one = len(pairs) == len({href for _, href in pairs}) == len({name for name, _ in pairs})
        worth += (0.5 if len(pairs) > 1 else -0.2) if is_one_to_one else -0.5
        worth += 0.5 if sum(is_profile(href) for _, href in linked) * 2 > len(linked) else 0.0
        if len(spots) > 2 and len(pairs) > 1 and len({name for name, _ in pairs}) == 1:
            worth -= 1.5  # a label such as "Quote", which leads elsewhere in each post
    worth += 0.6 if 2 * sum(_says_author(spot) for spot in spots) >= len(spots) else 0.0
    if len(distinct) == 1 and len(spots) > 2:
        worth -= 0.5
    worth += 0.3 * min(1.0, len(distinct) / max(2.0, len(spots) ** 0.5))
    words = sum(len(name.split()) for name in names) / len(names)
    letters = sum(map(len, names)) / len(names)
    worth -= 0.15 * max(0.0, words - 2) + 0.01 * letters
    worth -= 0.4 if 2 * sum(map(bool, map(_ADDRESS.search, names))) > len(names) else 0.0
    return worth - (0.7 if letters < 1.5 or "avatar" in named(spots[0]) or _is_control(spots[0]) else 0.0)


def _is_control(spot: Spot) -> bool:
    """Whether it is one of the things that a reader may do."""
    around = spot.parent
    return any(each is not None and not CONTROL.isdisjoint(named(each)) for each in (spot, around))


def _says_author(spot: Spot) -> bool:
    around = spot.parent
    if not AUTHOR.isdisjoint(named(spot)):
        return True
    return around is not None and around.is_line and not AUTHOR.isdisjoint(named(around))


def _href(spot: Spot) -> str:
    """Where an element leads, by itself, what it lies in or what it holds."""
    if spot.tag == "a":
        return spot.attr("href")
    if spot.parent is not None and spot.parent.tag == "a":
        return spot.parent.attr("href")
    inner = [child for child in spot.children if child.tag == "a"]
    return inner[0].attr("href") if len(inner) == 1 else ""


def link_of(spot: Spot) -> str:
    """Where the name of an author leads."""
    return _href(spot) or next((_href(child) for child in spot.children if _href(child)), "")


def author_of(
    block: Block, body: Spot | None, name: Spot | None, mark: Mark | None, members: Sequence[Mark], base: Base
) -> Author:
    """Who wrote a post: by a field of a mail, the element that names people, the words beside the time, or a profile.

    `members` are the times in the block that say since when somebody is a member.
    """
    fields = (
        found["name"]
        for row in block.rows
        for spot in row.within()
        if spot.is_line and spot.length <= _LONGEST_LINE and (body is None or not body.holds(spot))
        and (found := FROM.fullmatch(spot.text)) is not None
    )  # fmt: skip
    if sender := next(filter(None, map(_person, fields)), ""):
        return Author(sender)
    if name is not None:
        href = link_of(name)
        return Author(name.text.strip(" :,»"), (href and base.join(href)) or "")
    beside = _beside(mark) if mark is not None else ""
    return Author(beside or _first_line(members) or (_parted_off(mark) if mark is not None else ""))


def _parted_off(mark: Mark) -> str:
    """The name in a line that has nothing but a number, a name and a time, with signs between them."""
    pieces = [piece.strip(" #()[]") for piece in _BETWEEN.split(mark.words)]
    names = [piece for piece in pieces if not _NO_NAME.fullmatch(piece) and not has_date_form(piece)]
    is_one = len(names) == 1 and len(pieces) > 1 and len(names[0]) <= _LONGEST_NAME and len(names[0].split()) <= 4
    return names[0] if is_one and not POSTED.match(names[0]) else ""


def _first_line(members: Sequence[Mark]) -> str:
    """The name that a profile begins with, without an element of its own."""
    for member in members:
        first = " ".join(member.spot.texts[0].split()) if len(member.spot.texts) > 1 else ""
        is_first = bool(first) and member.spot.text.startswith(first)
        if is_first and len(first) <= _LONGEST_NAME and not JOINED.search(first) and not _NO_NAME.fullmatch(first):
            return first
    return ""


def _person(written: str) -> str:
    """The name in "Ann <ann@example.org>" or "ann@example.org (Ann)"; the address if there is no name."""
    name = written.partition("<")[0].strip() or written
    words = [word for word in name.split() if "@" not in word]
    return " ".join(words).strip(" \"'(),;") or written.strip(" \"'<>")


def _beside(mark: Mark) -> str:
    """The name that stands in the line of a time, without an element of its own."""
    line = mark.spot
    for around in mark.spot.above():
        if not around.is_line or around.length > _LONGEST_LINE:
            break
        line = around
    words = line.text if not mark.is_loose else mark.words
    if (found := BY.search(words)) is not None:
        return str(found["name"]).strip()
    rest = words.replace(mark.words, " ") if mark.words != words else ""
    rest = SMALL_WORDS.sub(" ", rest).strip(" »«,|<>()[]—-:·•#")
    return rest if 0 < len(rest) <= 40 and len(rest.split()) <= 4 and not rest.isdigit() else ""
