"""What URLs have in common, as patterns from the closest to the loosest, each with the bits it takes to say it.

    /documents/trade/plan-2024.pdf          /documents/trade/[^/?]+\\.pdf$
    /documents/trade/annex.pdf         ->   /trade/[^/?]+\\.pdf$   /documents/trade/   trade   \\.pdf$   ...

A word that is the same in all of them is written out, what differs becomes digits or anything within its segment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import log2
from typing import NamedTuple

# What it takes to say a part of a pattern, in bits: which of some ten words that a site has in such a place, and that
# it has to be a whole segment.
_WORD_BITS = 1.5
_PART_OF_NAME = 4.0
_LITERAL = 2.5
_EXTENSION = 0.3  # that all wanted links are files of one type is rarely chance
_PAGE = 1.5  # that they are pages says less
_ORIGIN = 1.5
_DIGITS = 1.0
_ANYTHING = 4.5
_PARAMETER = 2.5

_SEPARATOR = re.compile(r"[-_.=+~,;:]")
WORD = re.compile(r"[^\W\d_]{3,}")
ENDING = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,5}$")
_SPECIAL = re.compile(r"[.^$*+?{}\[\]\\|()]")
_MOST_WORDS = 12
_WITHIN = "[^/?]+"
_HOST = "^[^/]*//[^/]*"
_PAGES = re.compile(r"\.[sx]?html?", re.IGNORECASE)
_PAGE_ENDING = re.compile(r"\\\.[sx]?html?(?=\$$)", re.IGNORECASE)


class Pattern(NamedTuple):
    """A regular expression, "" for no limit, what it takes to say it, and whether it is about a word in the address."""

    text: str
    bits: float
    is_word: bool = False


EVERYTHING = Pattern("", 0.0)


class Address(NamedTuple):
    """A URL in its parts; the segments of `/a/b/` are a, b and "" (a folder)."""

    origin: str
    segments: tuple[str, ...]
    query: str

    @classmethod
    def parse(cls, url: str) -> Address:
        rest, _, query = url.partition("?")
        scheme, _, path = rest.partition("://")
        host, _, path = path.partition("/")
        return cls(f"{scheme}://{host}", tuple(path.split("/")), query)

    @property
    def shape(self) -> tuple[object, ...]:
        """What URLs of one kind of page usually share."""
        ending = ENDING.search(self.segments[-1])
        names = tuple(sorted(text.partition("=")[0] for text in self.query.split("&"))) if self.query else ()
        return self.origin, len(self.segments), ending[0].lower() if ending else not self.segments[-1], names

    @property
    def stems(self) -> set[str]:
        """The segments without the endings of files."""
        return {ENDING.sub("", segment) for segment in self.segments} - {""}


def tightest(urls: Sequence[str]) -> str:
    """The closest pattern of some URLs: what is the same is written out, and where they have the same depth, that."""
    addresses = [Address.parse(url) for url in urls]
    is_one_depth = len({len(address.segments) for address in addresses}) == 1
    text = _sum(_joined(next(_templates(addresses))), next(_ends(addresses))).text
    return (_HOST if is_one_depth else "") + _PAGE_ENDING.sub(r"\\.(?i:[sx]?html?)", text)


def shared_beginnings(urls: Sequence[str]) -> list[str]:
    """Patterns of the folder that all pages are in, and of what all their names begin with, up to a separator."""
    addresses = [Address.parse(url) for url in urls]
    found = []
    if folders := addresses[0].segments[: _leading([address.segments for address in addresses])]:
        found.append("/" + "/".join(map(escaped, folders)) + "/")
    names = {address.segments[-1] for address in addresses}
    if begin := _cut(min(names), max(names)) if len(names) > 1 else "":
        found.append(f"/{escaped(begin)}")
    return found


def shared_ending(urls: Sequence[str]) -> str:
    """The pattern of what the names of all pages end with, from a separator on; "" if that is no more than the type, or
    if something follows the names.

    >>> shared_ending(["http://e.example/SASL_README.html", "http://e.example/LDAP_README.html"])
    '_README\\\\.html$'
    """
    if any("?" in url for url in urls):
        return ""
    names = {Address.parse(url).segments[-1] for url in urls}
    turned = sorted(ENDING.sub("", name)[::-1] for name in names)
    types = {match[0] if (match := ENDING.search(name)) else "" for name in names}
    end = _cut(turned[0], turned[-1])[::-1] if len(turned) > 1 and len(types) == 1 else ""
    return f"{escaped(end + types.pop())}$" if end else ""


def patterns(urls: Sequence[str], *, any_number: bool = False, any_host: bool = False) -> list[Pattern]:
    """Patterns that match all of these URLs, each once. A single URL is also taken as one of many like it.

    With `any_number` and `any_host` one that is the same in all of them is taken for chance.
    """
    addresses = [Address.parse(url) for url in urls]
    found = {"": EVERYTHING}
    for pattern in _candidates(addresses, any_number, any_host):
        known = found.get(pattern.text)
        if (known is None or pattern.bits < known.bits) and all(re.search(pattern.text, url) for url in urls):
            found[pattern.text] = pattern
    return list(found.values())


def _candidates(addresses: Sequence[Address], any_number: bool, any_host: bool) -> Iterator[Pattern]:
    origins = {address.origin for address in addresses}
    origin = Pattern("^" + escaped(origins.pop()), _ORIGIN) if len(origins) == 1 and not any_host else None
    ends = list(_ends(addresses))
    for parts in _templates(addresses, any_number):
        whole = _joined(parts)
        for end in ends:
            yield from (_sum(_joined(parts[begin:]), end) for begin in range(len(parts)))
            if origin is not None:
                yield _sum(origin, whole, end)
        for length in range(1, len(parts)):
            head = _sum(_joined(parts[:length]), Pattern("/", 0.0))
            yield from _begun(head, addresses)
            if origin is not None:
                yield from _begun(_sum(origin, head), addresses)
    if origin is not None:
        yield Pattern(origin.text + "/", _ORIGIN)
    yield from _words(addresses)
    yield from _parameters(addresses)


def _templates(addresses: Sequence[Address], any_number: bool = False) -> Iterator[list[Pattern]]:
    """The path as a row of parts; with one address also as if its last segment, or its digits, could be others."""
    rows = [address.segments for address in addresses]
    same = _digits if any_number else _same
    if len({len(row) for row in rows}) == 1:
        columns = [sorted(set(column)) for column in zip(*rows, strict=True)]
        yield [same(column[0]) if len(column) == 1 else _segment(column) for column in columns]
    else:
        folders = [same(text) for text in rows[0][: _leading(rows)]]
        last = _segment(sorted({row[-1] for row in rows}))
        yield [*folders, Pattern(f"(.*/)?{last.text}", last.bits + _ANYTHING)]
    if len(set(rows)) == 1:
        place = max((place for place, text in enumerate(rows[0]) if text), default=-1)
        if place >= 0:
            others = [same(text) for text in rows[0]]
            yield [*others[:place], _segment([rows[0][place], "\0"]), *others[place + 1 :]]
            yield [_digits(text) for text in rows[0]]


def _leading(rows: Sequence[tuple[str, ...]]) -> int:
    shortest = min(map(len, rows)) - 1
    return next((place for place in range(shortest) if len({row[place] for row in rows}) > 1), shortest)


def _segment(values: Sequence[str]) -> Pattern:
    """What some segments have in common. A NUL stands for: and others, of which nothing but the ending is known."""
    if len(values) == 1:
        return _same(values[0])
    known = [value for value in values if value != "\0"]
    endings = {match[0] if (match := ENDING.search(value)) else "" for value in known}
    ending = endings.pop() if len(endings) == 1 else ""
    stems = [value.removesuffix(ending) for value in known]
    begin = "" if len(known) < len(values) else _cut(min(stems), max(stems))
    middles = [stem.removeprefix(begin) for stem in stems]
    if "" in middles:
        begin, middles = "", stems
    is_number = all(middle.isdecimal() and middle.isascii() for middle in middles)
    return Pattern(
        escaped(begin) + (r"\d+" if is_number else _WITHIN) + escaped(ending),
        (_LITERAL if begin else 0.0) + (_DIGITS if is_number else _ANYTHING) + _ending_bits(ending),
    )


def _same(text: str) -> Pattern:
    return Pattern(escaped(text), _LITERAL if text else _ANYTHING)


def _cut(first: str, last: str) -> str:
    """What all texts between two, by the alphabet, begin with, up to a separator: of page-12 and page-13 `page-`."""
    same = next((place for place, pair in enumerate(zip(first, last, strict=False)) if pair[0] != pair[1]), len(first))
    prefix = first[:same]
    found = [match.end() for match in _SEPARATOR.finditer(prefix)]
    return prefix[: found[-1]] if found else ""


def _digits(text: str) -> Pattern:
    parts = re.split(r"\d+", text)
    bits = (_LITERAL if any(parts) else 0.0) + _DIGITS * (len(parts) - 1)
    return Pattern(r"\d+".join(map(escaped, parts)), bits or _ANYTHING)


def _joined(parts: Sequence[Pattern]) -> Pattern:
    return Pattern("/" + "/".join(part.text for part in parts), sum(part.bits for part in parts))


def _sum(*parts: Pattern) -> Pattern:
    text, bits = "".join(part.text for part in parts), sum(part.bits for part in parts)
    return Pattern(text, bits, any(part.is_word for part in parts))


def _ends(addresses: Sequence[Address]) -> Iterator[Pattern]:
    """What may follow the path: nothing, or the parameters that all have."""
    if not any(address.query for address in addresses):
        yield Pattern("$", 0.0)
    elif all(address.query for address in addresses):
        yield Pattern(r"\?", _ANYTHING)
        yield from (_sum(Pattern(r"\?(.*&)?", 0.0), parameter) for parameter in _shared(addresses))
    else:
        yield EVERYTHING


def _begun(head: Pattern, addresses: Sequence[Address]) -> Iterator[Pattern]:
    """A beginning, alone and with the ending that all share."""
    yield head
    if (ending := _ending(addresses)) is not None:
        yield _sum(head, Pattern(".*", _ANYTHING), ending)


def _ending(addresses: Sequence[Address]) -> Pattern | None:
    endings = {match[0] if (match := ENDING.search(address.segments[-1])) else "" for address in addresses}
    if len(endings) != 1 or "" in endings or any(address.query for address in addresses):
        return None
    ending = endings.pop()
    return Pattern(escaped(ending) + "$", _ending_bits(ending))


def _ending_bits(ending: str) -> float:
    return (_PAGE if _PAGES.fullmatch(ending) else _EXTENSION) if ending else 0.0


def _words(addresses: Sequence[Address]) -> Iterator[Pattern]:
    """Segments and words that are somewhere in all paths."""
    ending = _ending(addresses)
    if ending is not None:
        yield ending
    folders = set.intersection(*(set(address.segments[:-1]) for address in addresses)) - {""}
    for text in sorted(folders)[:_MOST_WORDS]:
        yield from _begun(Pattern(f"/{escaped(text)}/", _LITERAL), addresses)
    names = [ENDING.sub("", "/".join(address.segments)) for address in addresses]
    words = set.intersection(*(set(WORD.findall(name)) for name in names))
    for word in sorted(words)[:_MOST_WORDS]:
        yield from _begun(Pattern(escaped(word), _word_bits(word, addresses), is_word=True), addresses)


def _word_bits(word: str, addresses: Sequence[Address]) -> float:
    """A folder's name is soon said. Names of many words share one easily by chance."""
    if all(word in address.segments[:-1] for address in addresses):
        return _WORD_BITS
    names = [segment for address in addresses for segment in address.segments if word in segment]
    return _WORD_BITS + _PART_OF_NAME * max(log2(1 + len(WORD.findall(name))) for name in names)


def _parameters(addresses: Sequence[Address]) -> Iterator[Pattern]:
    if all(address.query for address in addresses):
        yield from (_sum(Pattern("[?&]", 0.0), parameter) for parameter in _shared(addresses))


def _shared(addresses: Sequence[Address]) -> Iterator[Pattern]:
    """Each parameter that all have: with its value where that is the same, as digits, and whatever it is."""
    queries = [dict(text.partition("=")[::2] for text in address.query.split("&")) for address in addresses]
    for name in queries[0]:
        if not all(name in query for query in queries):
            continue
        values = {query[name] for query in queries}
        if len(values) == 1:
            yield Pattern(rf"{escaped(name)}={escaped(values.copy().pop())}(&|$)", _PARAMETER + _LITERAL)
        if all(value.isdecimal() and value.isascii() for value in values):
            yield Pattern(rf"{escaped(name)}=\d+", _PARAMETER + _DIGITS)
        yield Pattern(rf"{escaped(name)}=", _PARAMETER)


def escaped(text: str) -> str:
    """A text as a pattern, without the backslashes that re.escape gives to hyphens and the like."""
    return _SPECIAL.sub(r"\\\g<0>", text)
