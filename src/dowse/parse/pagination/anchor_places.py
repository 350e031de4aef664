"""The anchors of a page that may be labelled as paging links are, as places in its bytes, found without a tree.

The pass over the bytes is in C (`_anchors.c`) and takes a tenth of a millisecond. Machines that had no compiler when
dowse was installed find the same by a pattern.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from dowse.parse.pagination.paging_words import TELLING_WORDS

WORDS_AS_WRITTEN = frozenset(
    spelled.encode("utf-8").lower() for word in TELLING_WORDS for spelled in (word, word.capitalize(), word.upper())
)
"""The words of paging in UTF-8, as they stand in texts whose letters of ASCII are small."""

MOST_TEXT = 238
"""Anchors with more bytes of text are left out: they are no labels."""

NEARBY = 120
"""How many bytes before an anchor may name what it is."""


Place = tuple[int, int, int, int, int, str, int]
"""Which anchor of its page it is, where the one before it ends, where its tag begins, its content and its end tag, its
text as it is written, and whether its tag, or one just before it, is named next or prev."""

_HINT = re.compile(rb"[nN]ext|[pP]rev")
_TOKEN = re.compile(
    rb"<!--.*?(?:-->|$)|<(script|style|textarea|title|iframe|xmp|noembed|noframes)\b.*?(?:</\1|$)"
    rb"|<a(?=[\s>/])[^>]*(?:>|\Z)|</a(?=[\s>/])|<button(?=[\s>/])",
    re.IGNORECASE | re.DOTALL,
)
# A tag without an end goes on to the end of the page. If it were none, all that begin in it would be looked through.
_TAG = re.compile(rb"<[^>]*(?:>|\Z)")
_INLINE = re.compile(rb"</?(?:b|i|u|em|strong|span|font|small|big|s)\b[^>]*(?:>|\Z)", re.IGNORECASE)


_SIGN = re.compile(
    rb"[<>]|&(?!amp|nbs|quo)|\xc2[\xab\xbb]|\xe0[\xb8-\xff]|\xe2\x80[\xb9\xba]|(?!\xe2\x80)[\xe1-\xff]", re.DOTALL
)
_LABEL = re.compile(rb"""(?:alt|itle|label)=(["'])(.*?)\1""", re.DOTALL)
LONGEST_NUMBER, LONGEST_SIGNED = 10, 60
_NOWHERE = re.compile(
    rb"""^(?!.*\bhref\s*=)|\bhref\s*=\s*(?:["'](?:#|javascript:|["'])|#|javascript:)""", re.IGNORECASE | re.DOTALL
)
_DIGIT = re.compile(rb"[0-9]")
_LETTER = re.compile(rb"[a-zA-Z\xc3-\xe1\xe3-\xff]")
_WORD = re.compile(rb"[a-zA-Z\x80-\xff]+")


def _may_be_label(text: bytes, words: frozenset[bytes]) -> bool:
    if len(text) <= LONGEST_NUMBER and _DIGIT.search(text) and not _LETTER.search(text):
        return True
    is_signed = len(text) <= LONGEST_SIGNED and _SIGN.search(text)
    return bool(is_signed) or any(word.lower() in words for word in _WORD.findall(text))


def _may_be_named(markup: bytes, words: frozenset[bytes]) -> bool:
    values = [value for _, value in _LABEL.findall(markup)]
    return any(len(value) < LONGEST_SIGNED and _may_be_label(value, words) for value in values)


def places_by_pattern(body: bytes, words: frozenset[bytes]) -> tuple[list[Place], int, list[int]]:
    found: list[Place] = []
    buttons: list[int] = []
    place = before = start = inner = 0
    is_open = False
    for token in [*_TOKEN.finditer(body), None]:
        if token is not None and token[0][:7].lower() == b"<button":
            buttons.append(token.start())
            continue
        is_anchor = token is None or token[0][:2].lower() == b"<a" or token[0][:3].lower() == b"</a"
        if not is_anchor:
            continue
        at = token.start() if token is not None else len(body)
        if is_open:
            content = body[inner:at]
            text = b" ".join(_TAG.sub(b" ", _INLINE.sub(b"", content)).split())
            if len(text) <= MOST_TEXT:
                near = body[max(before, start - NEARBY) : inner]
                hinted = bool(_HINT.search(near) or (not text and _HINT.search(content)))
                is_label = _may_be_label(text, words) if text else _may_be_named(body[start + 6 : at], words)
                if hinted or is_label or (text and _NOWHERE.search(body[start:inner])):
                    found.append((place, before, start, inner, at, text.decode("utf-8", "replace"), int(hinted)))
            before, is_open = at, False
        if token is not None and token[0][1:2] != b"/" and token[0][-1:] == b">":
            place, start, inner, is_open = place + 1, at, token.end(), True
    return found, place, buttons


Parts = tuple[dict[str, str], str, str]
"""The attributes of an anchor, the last classes and ids just before it, and the text since the anchor before it, all as
they are written."""

LONGEST_GAP = 600
_AROUND = 300
_MOST_NAMES = 4
_UNSEEN = re.compile(rb"<!--.*?(?:-->|$)|<(script|style)\b.*?(?:</\1[^>]*>?|$)", re.IGNORECASE | re.DOTALL)
_ATTRIBUTE = re.compile(rb"""(?<![a-zA-Z-])([a-zA-Z-]++)\s*+=\s*+(?:"([^"]{0,500})"|'([^']{0,500})'|([^\s"'>]++))""")


def parts_by_pattern(body: bytes, before: int, start: int, inner: int) -> Parts:
    near = body[max(before, start - LONGEST_GAP) : start]
    attributes = {name.lower(): value for name, value in _attributes(body[start:inner])}
    names = [value for name, value in _attributes(near[-_AROUND:]) if name in ("class", "id")]
    text = _TAG.sub(b" ", _UNSEEN.sub(b" ", near))
    return attributes, " ".join(names[-_MOST_NAMES:]), b" ".join(text.split()).decode("utf-8", "replace")


def _attributes(markup: bytes) -> list[tuple[str, str]]:
    found = _ATTRIBUTE.findall(markup)
    return [(name.decode(), b"".join(values).decode("utf-8", "replace")) for name, *values in found]


_find: Callable[[bytes, frozenset[bytes]], tuple[list[Place], int, list[int]]] = places_by_pattern
anchor_parts: Callable[[bytes, int, int, int], Parts] = parts_by_pattern
try:
    from dowse.parse import _scan
except ImportError:  # no compiler
    pass
else:
    if hasattr(_scan, "anchor_parts"):  # it may have been compiled before there was such a thing
        _find, anchor_parts = _scan.anchors, _scan.anchor_parts


def anchor_places(body: bytes) -> tuple[list[Place], int, list[int]]:
    """The anchors of a page in UTF-8 that may be labelled so, how many there are in all, and where buttons begin."""
    return _find(body, WORDS_AS_WRITTEN)
