"""Where rendering pays (fetch = "auto"), learned for each kind of page.

A kind is a host, a rough path, the scripts of the document and its empty containers, which scripts fill. Of each
kind a few pages are rendered and compared with what the server sent:

    unknown  ->  sampling (SAMPLES pages)  ->  on    every page is rendered, until gains have become rare
                                           ->  off   none is, but now and then one is looked at again

Rendering gains when it shows links, text or records that neither the page as it was sent nor the pages before it had:
a menu or a banner that scripts put on every page counts once. Text has to be a part of what the page says for itself,
which is what it was sent with and no other page of its host has shown. So ten characters are a gain where all else is
frame, and a counter under an article is none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from msgspec import Struct

from dowse.core.traps import shape

SAMPLES = 2
"""Pages of a new kind that are rendered to learn about it."""

SAMPLES_OF_A_POOR_HOST = 1
POOR = 12
"""Pages of a host that were rendered in vain before new kinds of it are thought less of."""

AGAIN, LEAST_OFTEN = 5, 160
"""Pages of a kind that is off until one is looked at again; twice as many after each that was in vain."""

_RARE = 0.05
_WEIGHT = 0.1
"""How much the newest page counts in the share of pages that gained; some thirty in vain make it rare."""

_LEAST_SHARE = 0.15
_REMEMBERED = 200_000

# A tag is read to its end, or to that of the page, before anybody looks into it: nothing is gone through twice.
_SCRIPT = re.compile(rb"<script\b([^>]*+)", re.IGNORECASE)
_SOURCE = re.compile(rb"\bsrc\s*+=\s*+[\"']?([^\"'\s>]*+)", re.IGNORECASE)
_EMPTY = re.compile(rb"<(div|ul|ol|tbody|section|main|span|p)\b([^<>]*+)>\s*+</\1>", re.IGNORECASE)
_ID = re.compile(rb"(?<![\w-])id=[\"']?([\w-]++)", re.IGNORECASE)
_VERSIONS = re.compile(rb"[?#].*|[0-9a-f]{6,}|\d+", re.IGNORECASE)


class Shown(NamedTuple):
    """What a page shows: its links and lines of text as checksums, the lengths of the lines, how many fields it has."""

    links: AbstractSet[int]
    lines: Mapping[int, int]
    fields: int = 0


class Gain(NamedTuple):
    """What rendering added to a page, and whether any of it was worth it."""

    links: int
    text: int
    pays: bool


def has_scripts(body: bytes) -> bool:
    """Whether there is anything to run; a page without scripts looks the same when it is rendered."""
    return _SCRIPT.search(body) is not None


def page_kind(url: str, body: bytes) -> str:
    """What pages that render alike have in common.

    >>> page_kind("https://e.org/item/blue-shoe", b'<div id=app></div><script src="/app.3f9a2c1b.js"></script>')
    'e.org/item/* app /app.*.js'
    """
    host, _, path = shape(url).partition("/")
    path, mark, names = path.partition("?")
    segments = path.split("/")
    if len(segments) > 1:
        path = "/".join([segments[0], *("*" if segment else "" for segment in segments[1:])])
    elif path:
        path = "*"
    empty = sorted({found[1].decode() for match in _EMPTY.finditer(body) if (found := _ID.search(match[2]))})
    sources = {_source(match[1]) for match in _SCRIPT.finditer(body)}
    scripts = sorted(_VERSIONS.sub(b"*", source or b"inline").decode("latin-1") for source in sources)
    return " ".join([f"{host}/{path}{mark}{names}", *empty, *scripts])


def _source(attributes: bytes) -> bytes:
    """Where a script comes from; empty if it stands in the page."""
    found = _SOURCE.search(attributes)
    return found[1] if found else b""


class _Kind(Struct):
    """What is known of one kind of page."""

    rendered: int = 0
    under_way: int = 0
    share: float = 0.0
    passed: int = 0
    again: int = AGAIN


class _Host(Struct):
    """What is known of one host: all that its pages have shown, and how often rendering was in vain."""

    shown: set[int]
    rendered: int = 0
    gained: int = 0


class WhereItPays:
    """Decides page by page whether to render, and learns from what came of it."""

    def __init__(self) -> None:
        self._kinds: dict[str, _Kind] = {}
        self._hosts: dict[str, _Host] = {}

    def decide(self, page: str) -> bool | None:
        """Whether to render a page of this kind; None: its samples are under way, ask again when one has ended.

        A yes is to be followed by `learn` or `forget`.
        """
        known = self._kinds.setdefault(page, _Kind())
        samples = self._samples(page)
        if known.rendered + known.under_way < samples:
            known.under_way += 1
            return True
        if known.rendered < samples:
            return None
        if known.share < _RARE:
            known.passed += 1
            if known.passed < known.again:
                return False
            known.passed = 0
            known.again = min(2 * known.again, LEAST_OFTEN)
        known.under_way += 1
        return True

    def learn(self, page: str, before: Shown, after: Shown) -> Gain:
        """Take in what a rendered page of this kind showed, beside what had been sent."""
        gain = self._gain(self._host(page), before, after)
        known, host = self._kinds[page], self._host(page)
        known.under_way -= 1
        known.rendered += 1
        host.rendered += 1
        host.gained += gain.pays
        if gain.pays:
            # One gain among many in vain is reason enough to look closer for a while.
            known.share = max(known.share + _WEIGHT * (1 - known.share), 0.5)
            known.again = AGAIN
        else:
            known.share -= _WEIGHT * known.share
        return gain

    def note(self, page: str, shown: Shown) -> None:
        """Take in what a page showed that was not rendered."""
        self._remember(self._host(page), shown)

    def forget(self, page: str) -> None:
        """A page of this kind was to be rendered and could not be; that is counted, or others would wait for it."""
        known = self._kinds[page]
        known.under_way -= 1
        known.rendered += 1

    def _samples(self, page: str) -> int:
        host = self._host(page)
        return SAMPLES_OF_A_POOR_HOST if host.rendered >= POOR and not host.gained else SAMPLES

    def _host(self, page: str) -> _Host:
        name = page.partition("/")[0]
        host = self._hosts.get(name)
        if host is None:
            host = self._hosts[name] = _Host(set())
        return host

    def _gain(self, host: _Host, before: Shown, after: Shown) -> Gain:
        links = after.links - before.links
        lines = {line: size for line, size in after.lines.items() if line not in before.lines}
        text = sum(lines.values())
        new_text = sum(size for line, size in lines.items() if line not in host.shown)
        own = sum(size for line, size in before.lines.items() if line not in host.shown)
        is_part = new_text > 0 and new_text >= _LEAST_SHARE * own
        pays = bool(links - host.shown) or is_part or after.fields > before.fields
        self._remember(host, before)
        self._remember(host, after)
        return Gain(len(links), text, pays)

    def _remember(self, host: _Host, shown: Shown) -> None:
        if len(host.shown) > _REMEMBERED:
            host.shown.clear()
        host.shown.update(shown.links, shown.lines)
