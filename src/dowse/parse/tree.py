"""Bytes to a tree: the one place that calls the HTML parser, and what keeps hostile markup from costing too much.

Nesting is no danger: the parser stops at 512 levels and never recurses. Two things are. An unclosed formatting tag
(`<b>`, `<font>`) is opened again in every block that follows, so 70 kB of markup can become eight million elements;
and each further `<html>` or `<body>` tag copies the attributes of all before it. Both need thousands of tags, so only
pages that have them are looked at, and only there are such tags renamed to `<span>`, which keeps links and text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import turbohtml
from turbohtml import Document, Token, TokenType

from dowse.parse.decode import UTF16_MARKS, actual_charset, charset_of, decode, decode_as, is_utf8, stated_charset
from dowse.parse.unknown_charsets import told_charset
from dowse.parse.xhtml import as_html

# A body of this size, or one with so few tags, cannot become more than four million elements (0.5 GB).
HARMLESS_BYTES = 32_000
HARMLESS_TAGS = 8_000
REOPENED_ELEMENTS = 4_000_000
# Real pages have a tag every 25 bytes, so that 20 MB of them stay below this.
MOST_TAGS = 2_000_000

# Larger bodies that are not UTF-8 have their charset detected by a part, not by the parser from the whole.
LARGE_BYTES = 1_000_000

_UNRULY = (
    *("b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"),  # formatting
    *("html", "body"),
)
_UNRULY_TAG = re.compile(rf"<(/?)(?:{'|'.join(_UNRULY)})(?=[\s/>])".encode(), re.IGNORECASE)
_LOWER_CASE = re.compile(_UNRULY_TAG.pattern)


class Parsed(NamedTuple):
    """A tree and the charset it was read in; an empty tree if the parser failed, and what it had to say."""

    tree: Document
    charset: str = ""
    trouble: str = ""


def parse_html(body: bytes, headers: dict[str, str], given: str = "") -> Parsed:
    """The tree of an HTML body, whatever is in it and whatever it says it is written in.

    `given` is a charset that is not doubted.
    """
    told = given or told_charset(body)
    if told:
        return _parse(_tame(decode_as(body, told).encode("utf-8", "replace")), "UTF-8")._replace(charset=told)
    parsed = _parse_as_stated(body, headers)
    charset = parsed.charset
    if body.isascii() or (charset == "UTF-8" and is_utf8(body)):
        return parsed
    actual = actual_charset(body, charset)
    if actual == charset != "UTF-8":
        return parsed
    text = decode_as(body, actual)
    return _parse(_tame(text.encode("utf-8", "replace")), "UTF-8")._replace(charset=actual)


def parse_xhtml(body: bytes, headers: dict[str, str], given: str = "") -> Parsed:
    """The tree of a page sent as XML, where every element can close itself."""
    if given:
        return parse_html(as_html(decode_as(body, given).encode("utf-8", "replace")), {}, "UTF-8")._replace(
            charset=given
        )
    if told_charset(body) or stated_charset(headers, body).startswith("UTF-16") or body.startswith(UTF16_MARKS):
        text, charset = decode(body, headers)
        return _parse(_tame(as_html(text.encode("utf-8", "replace"))), "UTF-8")._replace(charset=charset)
    return parse_html(as_html(body), headers)


def _parse_as_stated(body: bytes, headers: dict[str, str]) -> Parsed:
    charset = stated_charset(headers, body)
    if len(body) <= HARMLESS_BYTES:
        return _parse(body, charset)
    if not charset and len(body) > LARGE_BYTES and not is_utf8(body):
        charset = charset_of(headers, body)
    if charset.startswith("UTF-16") or body.startswith(UTF16_MARKS):
        text, charset = decode(body, headers)
        return _parse(_tame(text.encode("utf-8", "replace")), "UTF-8")._replace(charset=charset)
    return _parse(_tame(body), charset)


def empty_tree() -> Document:
    return turbohtml.parse(b"", encoding="utf-8", positions=False)


def parse_with_places(text: str) -> tuple[Document, str]:
    """The tree of a page whose elements know where their tags stand in the text, and that text."""
    text = _tame(text.encode("utf-8", "replace")).decode("utf-8", "replace")
    return turbohtml.parse(text, allow_declarative_shadow_roots=False), text


def tags_of(text: str) -> Iterator[Token]:
    """The start and end tags of a page as they are written, whatever becomes of them in a tree."""
    tokens = turbohtml.tokenize(text, capture_attributes=False)
    return (token for token in tokens if token.type in (TokenType.START_TAG, TokenType.END_TAG))


def _parse(body: bytes, charset: str) -> Parsed:
    try:
        tree = turbohtml.parse(
            body,
            encoding=charset or None,
            detect_encoding=not charset,
            positions=False,
            allow_declarative_shadow_roots=False,  # or selectors would not see what is in them
        )
    except (LookupError, MemoryError, RuntimeError, SystemError, ValueError) as error:
        return Parsed(empty_tree(), charset, f"{type(error).__name__}: {error}")
    return Parsed(tree, tree.encoding or "")


def _tame(body: bytes) -> bytes:
    """The same page without what would make the parser use far more memory than the page has bytes."""
    if len(body) > LARGE_BYTES:
        body = body.replace(b"\0", b"")  # the parser drops them too, but keeps a record of each
    tags = body.count(b"<")
    if tags <= HARMLESS_TAGS:
        return body
    if tags > MOST_TAGS:
        return _tame(body[: len(body) * MOST_TAGS // (tags + 1)])
    if _unclosed(body) * tags <= REOPENED_ELEMENTS:
        return body
    return _UNRULY_TAG.sub(rb"<\1span", body)


def _unclosed(body: bytes) -> int:
    """How many unruly tags are open at the end of a page."""
    tags = _LOWER_CASE.findall(body.lower())  # half the time of a search that ignores case
    return len(tags) - 2 * tags.count(b"/")
