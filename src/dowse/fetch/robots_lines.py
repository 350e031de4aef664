"""The lines of a robots.txt that are for us, by RFC 9309; those about use by draft-ietf-aipref-attach-05.

A file has groups: the robots they are for, and what is said to these. All groups that name us count, wherever they
stand, and if none does those for everyone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum

SIZE_LIMIT = 512 * 1024
"""Octets read; RFC 9309 asks for 500 KiB at least. What comes after is ignored."""

_AGENT = re.compile(rb"[\w-]+")
_BYTE_ORDER_MARK = re.compile(rb"\A\xef(?:\xbb\xbf?)?")  # some files have only a part of it


class _Field(Enum):
    AGENT = 1
    ALLOW = 2
    DISALLOW = 3
    CRAWL_DELAY = 4
    SITEMAP = 5
    USAGE = 6
    SIGNAL = 7


# The misspellings are those that Google's parser takes as well: the site's wish is plain.
_FIELDS = {
    b"user-agent": _Field.AGENT, b"useragent": _Field.AGENT, b"user agent": _Field.AGENT,
    b"allow": _Field.ALLOW,
    b"disallow": _Field.DISALLOW, b"dissallow": _Field.DISALLOW, b"dissalow": _Field.DISALLOW,
    b"disalow": _Field.DISALLOW, b"diasllow": _Field.DISALLOW, b"disallaw": _Field.DISALLOW,
    b"crawl-delay": _Field.CRAWL_DELAY, b"crawldelay": _Field.CRAWL_DELAY, b"crawl delay": _Field.CRAWL_DELAY,
    b"sitemap": _Field.SITEMAP, b"site-map": _Field.SITEMAP,
    b"content-usage": _Field.USAGE, b"content-signal": _Field.SIGNAL, b"content-signals": _Field.SIGNAL,
}  # fmt: skip


class Group:
    """All lines for one user agent, from however many places in the file."""

    def __init__(self) -> None:
        self.named = False
        self.rules: list[tuple[bool, bytes]] = []
        self.delays: list[bytes] = []
        self.usage: list[tuple[str, bytes]] = []


def read_group(body: bytes, product_token: str) -> tuple[Group, tuple[str, ...]]:
    """The lines that are for us (those for everyone when none name us) and the sitemaps."""
    ours, everyone = Group(), Group()
    by_agent = {b"*": everyone}
    if product_token:
        by_agent[product_token.lower().encode()] = ours
    sitemaps: list[str] = []
    current: list[Group] = []
    delayed: list[Group] = []  # those of the names right above
    header = naming = True
    for field, value in _fields(body[:SIZE_LIMIT]):
        if field is _Field.AGENT:
            if not header:
                header, current = True, []
            if not naming:
                naming, delayed = True, []
            group = by_agent.get(_agent(value))
            if group is None:
                continue
            group.named = True
            for groups in (current, delayed):
                if group not in groups:
                    groups.append(group)
        elif field is _Field.SITEMAP:
            sitemaps.append(value.decode("utf-8", "replace"))
        elif field is _Field.CRAWL_DELAY:
            # Not a rule of RFC 9309, so it may not end the list of user agents a group starts with. But what is said
            # of the next robot's delay is not said of those before it.
            naming = False
            for group in delayed:
                group.delays.append(value)
        elif field is _Field.SIGNAL:
            # Neither is this one, so those who do not know it read on as if it were not there.
            naming = False
            for group in delayed:
                group.usage.append(("Content-Signal", value))
        elif field is _Field.USAGE:
            header = naming = False
            for group in current:
                group.usage.append(("Content-Usage", value))
        else:
            header = naming = False
            for group in current:
                group.rules.append((field is _Field.ALLOW, value))
    return (ours if ours.named else everyone), tuple(filter(None, dict.fromkeys(sitemaps)))


def _fields(body: bytes) -> Iterator[tuple[_Field, bytes]]:
    if body[:2] in (b"\xff\xfe", b"\xfe\xff"):
        body = body.decode("utf-16", "replace").encode()
    for whole_line in _BYTE_ORDER_MARK.sub(b"", body, count=1).splitlines():
        line = whole_line.partition(b"#")[0].strip()
        if not line:
            continue
        name, colon, value = line.partition(b":")
        if not colon:
            words = line.split()
            if len(words) != 2:
                continue
            name, value = words
        field = _FIELDS.get(name.rstrip().lower())
        if field is not None:
            yield field, value.lstrip()


def _agent(value: bytes) -> bytes:
    if value.startswith(b"*"):
        return b"*" if len(value.split(None, 1)[0]) == 1 else b""
    name = _AGENT.match(value)
    return name[0].lower() if name else b""
