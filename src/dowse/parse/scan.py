"""What a crawl of links needs of a page, without its tree: the title, the links, and tags such as meta and base.

A tree is most of what reading a page takes, and a plain crawl asks it for a dozen tags. The pass
over the bytes that finds them is in C (`_scan.c`). It answers None where only a tree can tell; so do machines that had
no compiler when dowse was installed. Both ways give the same answers
(`tests/unit/parse/test_scan.py`), but for the words of links where tags are wrongly nested.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from html.entities import html5
from typing import NamedTuple

from turbohtml import unescape

from dowse.parse.decode import (
    PRESCANNED_BYTES,
    WITHOUT_ASCII,
    Attribute,
    charset_name,
    is_utf8,
    marked_charset,
    meta_label,
    stated_charset,
)
from dowse.parse.unknown_charsets import told_charset

ScannedLink = tuple[str, str | None, str, str | None, str | None]
"""The href of a link, its rel, its text, the alternative text of its picture and its title, as they are written."""

ScannedOutline = tuple[str, int, list[tuple[str, str, str]], list[str]]
"""The text of a page, how many characters of it are in links, for each link its context, heading and path, and the
headings."""

_RawScan = tuple[str, list[ScannedLink], list[tuple[str, dict[str, str]]], ScannedOutline | None]

_scan_tags: Callable[[bytes, Callable[[str], str] | None], _RawScan | None] | None
try:
    from dowse.parse import _scan
except ImportError:  # no compiler
    _scan_tags = None
else:
    _scan_tags = _scan.scan

IS_COMPILED = _scan_tags is not None

_ASCII = "windows-1252"
"""What a page is said to be written in that says nothing itself and is all ASCII."""

# What `unescape` leaves out and the tree does not: references to what is no character of a text.
_NUMBER = re.compile(r"&#(?:[xX]0*([0-9a-fA-F]{1,6})(?![0-9a-fA-F])|0*([0-9]{1,7})(?![0-9]));?")
_LEFT_OUT = frozenset(
    {*range(0x01, 0x09), 0x0B, *range(0x0E, 0x20), 0x7F, *range(0xFDD0, 0xFDF0)}
    | {plane << 16 | last for plane in range(17) for last in (0xFFFE, 0xFFFF)}
)

# In attributes a name without its semicolon counts only where no letter, digit or = follows it: `?a=1&copy=2`.
_REFERENCE = re.compile(r"&(?:#(?:[xX][0-9a-fA-F]+|[0-9]+);?|[A-Za-z][A-Za-z0-9]*+(?:;|(?!=)))")


class Scan(NamedTuple):
    """A page in a few tags; `tags` are area, base, iframe, link and meta with those attributes that matter.

    All texts and values are as they are written; `attribute_value` and `text_value` say what they mean. That of the
    outline, if there is one, is as it is meant.
    """

    charset: str
    title: str
    links: list[ScannedLink]
    tags: list[tuple[str, dict[str, str]]]
    outline: ScannedOutline | None = None

    def attributes(self, tag: str) -> list[Attribute]:
        """Those of all tags of one kind, with what they mean."""
        return [partial(_value, attributes) for name, attributes in self.tags if name == tag]

    def relations(self) -> set[str]:
        """What links and areas say they are to the page."""
        relations = {rel for _href, rel, *_words in self.links if rel}
        return relations | {
            attributes["rel"] for name, attributes in self.tags if name == "area" and "rel" in attributes
        }

    def leading(self, tag: str, attribute: str, relation: str = "") -> list[ScannedLink]:
        """The tags of one kind as links; with a `relation` only those that say to be in it."""
        return [
            (href, attributes.get("rel") if tag == "area" else None, "", attributes.get("alt"), attributes.get("title"))
            for name, attributes in self.tags
            if name == tag
            and (href := attributes.get(attribute)) is not None
            and (not relation or relation in attribute_value(attributes.get("rel", "")).lower().split())
        ]


def scan(body: bytes, headers: dict[str, str], *, outlined: bool = False) -> Scan | None:
    """The page in a few tags; None if its tree has to be built, as for pages that are neither ASCII nor UTF-8."""
    is_ascii = body.isascii()
    if _scan_tags is None or not (is_ascii or is_utf8(body)) or told_charset(body):
        return None
    found = _scan_tags(body, text_value if outlined else None)
    if found is None:
        return None
    page = Scan("", *found)
    metas = page.attributes("meta")
    charset = marked_charset(body) or stated_charset(headers, body) or charset_name(meta_label(metas))
    if charset in WITHOUT_ASCII if is_ascii else charset not in ("", "UTF-8"):
        return None
    if not charset and _may_name_charset(body, metas):
        return None
    return page._replace(charset=charset or (_ASCII if is_ascii else "UTF-8"))


def _may_name_charset(body: bytes, metas: list[Attribute]) -> bool:
    """Whether a page of which `meta_label` knows no charset could have one for the parser.

    It looks through the beginning before it knows what is a tag, passes over names it does not know, finds `charset=`
    anywhere in a meta tag, and tells ISO-2022-JP, which is all ASCII, by its escapes.
    """
    return (
        b"\x1b" in body
        or b"charset" in body[:PRESCANNED_BYTES].lower()
        or any(meta("charset") is not None or "charset" in (meta("content") or "").lower() for meta in metas)
    )


def attribute_value(written: str) -> str:
    """The value of an attribute, its character references resolved.

    >>> attribute_value("/find?a=1&amp;b=2&copy=3")
    '/find?a=1&b=2&copy=3'
    """
    return _REFERENCE.sub(_resolve, written)


def text_value(written: str) -> str:
    """A text between tags, its character references resolved.

    >>> text_value("a&ampb &lt;&#98;&gt;")
    'a&b <b>'
    """
    return unescape(_NUMBER.sub(_left_out, written) if "&#" in written else written)


def _value(attributes: dict[str, str], name: str) -> str | None:
    written = attributes.get(name)
    return attribute_value(written) if written is not None and "&" in written else written


def _resolve(reference: re.Match[str]) -> str:
    written = reference[0]
    return text_value(written) if written[1] == "#" or written[1:] in html5 else written


def _left_out(reference: re.Match[str]) -> str:
    code = int(reference[1], 16) if reference[1] else int(reference[2])
    return chr(code) if code in _LEFT_OUT else reference[0]
