"""Counters in URLs: which number of a URL counts pages, and how the URL of one page differs from that of another.

?page=2  ?page=3       the number of the page
?start=20  ?start=40   an offset, twenty a page
/list  /list/page/2    the first page without a counter
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import Literal, NamedTuple

from dowse.core.mirrored_names import written_address

_DIGITS = re.compile(r"([0-9]{1,9})")
_WORDS = re.compile(r"[A-Za-z][A-Za-z_-]*")
_PIECE = re.compile(r"[^/?&]{0,24}[0-9]{1,9}[^0-9/?&]{0,6}/?")

Relation = Literal["same", "step", "longer", "shorter", "query", "folder", "other", "host"]
"""How a URL stands to another: they differ in one number, one has a counter more, or something else differs."""


class Change(NamedTuple):
    """How a URL stands to another, and by how much the number grows where one differs."""

    relation: Relation
    by: int = 0


class UrlCounter(NamedTuple):
    """The number of a URL that counts: page n has the number `step` * n + `start` at that place of the skeleton."""

    skeleton: str
    numbers: tuple[int, ...]
    place: int
    step: int
    start: int

    @property
    def name(self) -> str:
        """The word before the number."""
        words = _WORDS.findall("#".join(self.skeleton.split("#")[: self.place + 1])[-30:])
        return str(words[-1]).lower() if words else ""

    def page_of(self, url: str) -> int | None:
        """Which page the URL is of; None if it is of another form."""
        skeleton, numbers = parted(url)
        if skeleton != self.skeleton:
            return None
        place, known = self.place, self.numbers
        number = numbers[place]
        if numbers != (*known[:place], number, *known[place + 1 :]):
            return None
        page, rest = divmod(number - self.start, self.step)
        return None if rest else page

    def url_of(self, page: int) -> str:
        """The URL of a page."""
        numbers = list(map(str, self.numbers))
        numbers[self.place] = str(self.step * page + self.start)
        pieces = self.skeleton.split("#")
        return "".join(f"{piece}{number}" for piece, number in zip(pieces, [*numbers, ""], strict=True))


@lru_cache(maxsize=1024)
def parted(url: str) -> tuple[str, tuple[int, ...]]:
    """A URL with a sign for each number, and its numbers.

    >>> parted("http://a.org/f2?page=3")
    ('http://a.org/f#?page=#', (2, 3))
    """
    pieces = _DIGITS.split(url.replace("#", ""))
    return "#".join(pieces[::2]), tuple(map(int, pieces[1::2]))


@lru_cache(maxsize=256)
def find_counter(numbered: tuple[tuple[int, str], ...]) -> UrlCounter | None:
    """The counter that pages with known numbers have in common; at least two of them must show it.

    >>> found = find_counter(((2, "http://a.org/?start=20"), (3, "http://a.org/?start=40"), (1, "http://a.org/")))
    >>> found.url_of(6), found.page_of("http://a.org/?start=0")
    ('http://a.org/?start=100', 1)
    """
    pages = {page: (url, *parted(url)) for page, url in numbered}
    skeletons = Counter(skeleton for _, skeleton, numbers in pages.values() if numbers)
    if not skeletons:
        return None
    skeleton, count = skeletons.most_common(1)[0]
    alike = sorted((page, numbers) for page, (_, own, numbers) in pages.items() if own == skeleton)
    if count < 2 or 2 * count < len(pages):
        return None
    (page, first), (other, last) = alike[0], alike[-1]
    places = [at for at, (one, two) in enumerate(zip(first, last, strict=True)) if one != two]
    if len(places) != 1:
        return None
    step, rest = divmod(last[places[0]] - first[places[0]], other - page)
    if rest or not step:
        return None
    found = UrlCounter(skeleton, first, places[0], step, first[places[0]] - step * page)
    return found if all(found.page_of(pages[page][0]) == page for page, _ in alike) else None


@lru_cache(maxsize=1024)
def change(url: str, to: str) -> Change:
    """How one URL becomes another.

    >>> change("http://a.org/list?page=2", "http://a.org/list?page=3"), change("http://a.org/b", "http://a.org/b/page/2/")
    (Change(relation='step', by=1), Change(relation='longer', by=2))
    """
    if url == to:
        return Change("same")
    url, to = written_address(url), written_address(to)
    path, _, query = url.partition("?")
    to_path, _, to_query = to.partition("?")
    if path == to_path:
        return _changed_query(query, to_query)
    skeleton, numbers = parted(url)
    to_skeleton, to_numbers = parted(to)
    if skeleton == to_skeleton:
        differing = [two - one for one, two in zip(numbers, to_numbers, strict=True) if one != two]
        if len(differing) == 1:
            return Change("step", differing[0])
    if query == to_query or not query or not to_query:
        added = _added(path, to_path) if not query else None
        if added is not None:
            return Change("longer", added)
        removed = _added(to_path, path) if not to_query else None
        if removed is not None:
            return Change("shorter", removed)
    if path.split("/")[:3] != to_path.split("/")[:3]:
        return Change("host")
    return Change("folder" if path.rpartition("/")[0] == to_path.rpartition("/")[0] else "other")


def _changed_query(query: str, to_query: str) -> Change:
    own, other = set(query.split("&")), set(to_query.split("&"))
    old = [each.partition("=") for each in own - other if each]
    new = [each.partition("=") for each in other - own if each]
    if len(new) == 1 and new[0][2].isdecimal() and len(new[0][2]) < 10:
        number = int(new[0][2])
        if not old:
            return Change("longer", number)
        if len(old) == 1 and old[0][0] == new[0][0] and old[0][2].isdecimal() and len(old[0][2]) < 10:
            return Change("step", number - int(old[0][2]))
    if len(new) == len(old) == 1 and old[0][0] == new[0][0]:
        return _changed_value(old[0][2], new[0][2])
    if not new and len(old) == 1 and old[0][2].isdecimal() and len(old[0][2]) < 10:
        return Change("shorter", int(old[0][2]))
    return Change("query")


def _changed_value(value: str, to_value: str) -> Change:
    """A value with several numbers, one of which counts: topic=31.0, topic=31.10."""
    (skeleton, numbers), (to_skeleton, to_numbers) = parted(value), parted(to_value)
    differing = [two - one for one, two in zip(numbers, to_numbers, strict=False) if one != two]
    is_step = skeleton == to_skeleton and len(numbers) > 1 and len(differing) == 1 and numbers[0] == to_numbers[0]
    return Change("step", differing[0]) if is_step else Change("query")


def _added(short: str, long: str) -> int | None:
    """The number of the piece that a path has more than another; None if that is more than a counter."""
    stem, dot, ending = short.rpartition(".")
    if "/" in ending or not dot:
        stem, ending = short.rstrip("/"), ""
    if not long.startswith(stem) or (ending and not long.endswith(f".{ending}") and not long.startswith(f"{short}/")):
        return None
    rest = long[len(stem) :]
    pieces = [piece for piece in rest.strip("/").split("/") if piece]
    if not 1 <= len(pieces) <= 2 or not _PIECE.fullmatch(pieces[-1]):
        return None
    numbers = _DIGITS.findall(pieces[-1])
    return int(numbers[0]) if len(numbers) == 1 else None
