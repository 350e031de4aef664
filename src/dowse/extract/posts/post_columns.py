"""What the posts of a page have in common: which part of each is its time, its author and its text.

Parts are compared by their path within the block, as `item_parts.py` has it, but by element, for a text has to be
written from its element later. Each question is answered for all posts together:

    time     the path that most posts have, that says the hour and that does not repeat (a date of joining does)
    author   short, the same name wherever the same profile is linked, and not the same in all posts ("Quote")
    text     from the block downwards, the part with most of what differs between posts
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from itertools import pairwise

import regex

from dowse.extract.posts.block_names import AUTHOR, BODY, CONTROL, NOT_BODY, QUOTE, is_profile, named
from dowse.extract.posts.page_spots import Spot
from dowse.extract.posts.post_blocks import Block
from dowse.extract.posts.time_marks import Mark

Column = dict[int, list[Spot]]
"""The elements on a path, by the number of their block."""

_LONGEST_NAME = 60
_LEAST_SHARE = 0.5
_LEAST_AUTHOR = 0.9
_MOST_COUNTED = 1_500
_LONGEST_LABEL = 300
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
_NO_NAME = regex.compile(r"[\W\d_]*|.*[:：].+|\S*https?:.*", regex.DOTALL)
_PLACE = regex.compile(r"#\d+")
_ADDRESS = regex.compile(r"\S@\S|\S at \S+\.\w")
_JOINED = regex.compile(
    r"\bjoin|regist|member since|beigetreten|dabei seit|inscri|miembro desde|iscritto|lid sinds|зарегистр|dołączy|kayıt|"
    r"注册|註冊|登録|가입|عضویت|تاريخ التسجيل|last (?:visit|seen|active)|letzter besuch",
    regex.IGNORECASE,
)


class Parts:
    """The parts of all blocks by path."""

    def __init__(self, spots: Sequence[Spot], blocks: Sequence[Block]) -> None:
        self.blocks = blocks
        self.columns: dict[str, Column] = defaultdict(dict)
        self.paths: dict[int, str] = {}
        self.below: dict[str, list[str]] = defaultdict(list)
        self.owner: dict[int, int] = {}
        self.edits: dict[int, list[Mark]] = defaultdict(list)
        for number, block in enumerate(blocks):
            for place, row in enumerate(block.rows):
                self._walk(row, f"{place}" if len(block.rows) > 1 else "", number, block)

    def _walk(self, spot: Spot, path: str, number: int, block: Block) -> None:
        self.paths[spot.index] = path
        self.owner[spot.index] = number
        column = self.columns[path]
        column.setdefault(number, []).append(spot)
        seen: Counter[str] = Counter()
        inner = block.inner
        for child in spot.children:
            if inner and any(child is each for each in inner):
                continue
            name = child.name
            seen[name] += 1
            place = f"{path}/{name}" if seen[name] == 1 else f"{path}/{name}#{seen[name]}"
            if place not in self.columns:
                self.below[path].append(place)
            self._walk(child, place, number, block)

    def share(self, path: str) -> float:
        return len(self.columns[path]) / len(self.blocks)


def choose_times(parts: Parts, marks: Sequence[Mark], read: dict[int, str]) -> dict[int, Mark]:
    """The time of each block. `read` is what each mark says, by where it stands."""
    by_path: dict[str, dict[int, Mark]] = defaultdict(dict)
    for mark in marks:
        number = parts.owner.get(mark.spot.index)
        if number is not None and mark.is_edit:
            parts.edits[number].append(mark)
        elif number is not None and not in_quote(mark.spot, parts.blocks[number]):
            by_path[_unnumbered(parts.paths[mark.spot.index])].setdefault(number, mark)
    order = sorted(by_path, key=lambda path: _time_worth(by_path[path], len(parts.blocks), read), reverse=True)
    chosen: dict[int, Mark] = {}
    for path in order:
        for number, mark in by_path[path].items():
            chosen.setdefault(number, mark)
    return chosen


def _time_worth(marks: dict[int, Mark], number: int, read: dict[int, str]) -> float:
    times = [read[mark.spot.index] for _, mark in sorted(marks.items())]
    share = len(times) / number
    distinct = len(set(times)) / len(times)
    ordered = sum(a <= b for a, b in pairwise(times)) / max(1, len(times) - 1) if len(times) > 1 else 1.0
    clock = sum(len(time) > 10 for time in times) / len(times)
    worth = share + 0.5 * clock + 0.4 * distinct * min(1.0, share * 2) + 0.3 * max(ordered, 1 - ordered) * share
    first = next(iter(marks.values()))
    worth += 0.3 if first.stamp else 0.0
    return worth - (1.5 if _JOINED.search(first.words) or _is_about_user(first.spot) else 0.0)


def _is_about_user(spot: Spot) -> bool:
    """Whether a time stands in the profile beside a post: since when its author is a member."""
    around = spot.parent
    if around is None or around.length > 80:
        return False
    return _JOINED.search(around.text) is not None


def _unnumbered(path: str) -> str:
    return str(_PLACE.sub("", path))


def in_quote(spot: Spot, block: Block) -> bool:
    """Whether an element lies in something that the post quotes."""
    if spot.tag == "blockquote":
        return True
    lowest = block.rows[0].depth
    for around in spot.above():
        if around.depth <= lowest:
            return False
        if around.tag == "blockquote" or (around.classes and not QUOTE.isdisjoint(named(around))):
            return True
    return False


def choose_authors(parts: Parts, times: dict[int, Mark], body: dict[int, Spot]) -> dict[int, Spot]:
    """The element with the author's name of each block that has one."""
    marked = {mark.spot.index for mark in times.values()}
    usable: dict[str, dict[int, Spot]] = defaultdict(dict)
    least = _LEAST_SHARE * len(parts.blocks)
    for path, column in parts.columns.items():
        place = _unnumbered(path)
        if len(parts.columns.get(place, column)) < least and not _is_named_author(column):
            continue
        names = usable[place]
        for number, spots in column.items():
            spot = spots[0]
            if _may_be_name(spot, marked) and not _is_said(spot, number, parts, body):
                names[number] = _nearer(names.get(number), spot, times.get(number))
    worths = {
        path: _author_worth(found, len(parts.blocks)) + _nearness(found, times) for path, found in usable.items() if found
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
    return other if _shared(other, mark.spot) > _shared(one, mark.spot) else one


def _nearness(found: dict[int, Spot], times: dict[int, Mark]) -> float:
    """Names stand beside times, more often than not in the same line."""
    near = 0.0
    for number, spot in found.items():
        mark = times.get(number)
        if mark is not None:
            around = next((around for around in spot.above() if around.holds(mark.spot)), None)
            near += 0.4 if around is not None and around.length <= _LONGEST_LABEL / 2 else 0.0
            near -= min(0.3, 0.01 * abs(mark.spot.index - spot.index))
    return near / len(found)


def _shared(one: Spot, other: Spot) -> int:
    return next((around.depth for around in one.above() if around.holds(other)), 0)


def _is_named_author(column: Column) -> bool:
    return any(not AUTHOR.isdisjoint(named(spots[0])) for spots in column.values())


def _is_said(spot: Spot, number: int, parts: Parts, body: dict[int, Spot]) -> bool:
    """Whether it is part of what a post says, so that it names somebody else."""
    around = body.get(number)
    if around is spot:
        return not any(around is row for row in parts.blocks[number].rows)
    if around is not None and around.holds(spot):
        rows = parts.blocks[number].rows
        return not any(around is row for row in rows) and around.length > 3 * spot.length and spot.tag != "strong"
    return in_quote(spot, parts.blocks[number])


def _may_be_name(spot: Spot, marked: set[int]) -> bool:
    if not spot.is_line or not 0 < spot.length <= _LONGEST_NAME or spot.index in marked:
        return False
    if not marked.isdisjoint(range(spot.index, spot.end)) or _NO_NAME.fullmatch(spot.text):
        return False
    return spot.parent is None or spot.parent.index not in marked or spot.tag == "a" or not AUTHOR.isdisjoint(named(spot))


def _author_worth(found: dict[int, Spot], number: int) -> float:
    """How much a path is like that of the author."""
    spots = list(found.values())
    names = [spot.text for spot in spots]
    hrefs = [_href(spot) for spot in spots]
    share = len(spots) / number
    worth: float = share
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


def choose_bodies(parts: Parts, times: dict[int, Mark], authors: dict[int, Spot]) -> dict[int, Spot]:
    """The element that holds the text of each block, the smallest that does; none where it is in several rows."""
    worths: dict[str, float] = {}

    def reach(path: str) -> float:
        """What a path is worth, or the best that lies in it: what is around a text is worth no less."""
        if path not in worths:
            inner = (reach(below) for below in parts.below[path] if not _is_prose(parts, below))
            worths[path] = max((_body_worth(parts, path, times, authors), *inner))
        return worths[path]

    starts = [path for path in parts.columns if "/" not in path]
    path = max(starts, key=reach)
    if len(starts) > 1 and reach(path) < _LEAST_OF_TEXT * sum(map(reach, starts)):
        return {}
    trail = [path]
    while below := _next_step(parts, path, reach):
        path = below
        trail.append(path)
    chosen: dict[int, Spot] = {}
    for place in reversed(trail):
        for number, spots in parts.columns[place].items():
            chosen.setdefault(number, spots[0])
    return chosen


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
    column = parts.columns[path]
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
        length -= sum(len(edit.words) for edit in parts.edits.get(number, ()) if spot.holds(edit.spot))
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
        if 2 * len(inside) < len(parts.blocks) or inside[0].length > _LONGEST_NAME or inside[0] in body.values():
            continue
        same, often = Counter(spot.text for spot in inside).most_common(1)[0]
        if same and often > 0.6 * len(parts.blocks) and inside[0].tag not in ("p", "br"):
            found.update(spot.index for spot in inside if spot.text == same)
    return found
