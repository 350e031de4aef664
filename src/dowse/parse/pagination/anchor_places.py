"""The anchors of a page that may be labelled as paging links are, as places in its bytes, found without a tree.

The pass over the bytes is in C (`_anchors.c`) and takes a tenth of a millisecond. Machines that had no compiler when
dowse was installed find the same by a pattern.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from dowse.parse.pagination.paging_words import KNOWN_WORDS

WORDS_AS_WRITTEN = frozenset(
    spelled.encode("utf-8").lower() for word in KNOWN_WORDS for spelled in (word, word.capitalize(), word.upper())
)
"""The words of paging in UTF-8, as they stand in texts whose letters of ASCII are small."""

MOST_TEXT = 238
"""Anchors with more bytes of text are left out: they are no labels."""

NEARBY = 120
"""How many bytes before an anchor may name what it is."""


Place = tuple[int, int, int, int, int, str, int]
"""Which anchor of its page it is, where the one before it ends, where its tag begins, its content and its end tag, its
text as it is written, and whether its tag, or one just before it, is named next or prev."""

_HINT = re.compile(rb"next|prev", re.IGNORECASE)
_TOKEN = re.compile(
    rb"<!--.*?(?:-->|$)|<(script|style|textarea|title|iframe|xmp|noembed|noframes)\b.*?(?:</\1|$)|<a(?=[\s>/])[^>]*>|</a(?=[\s>/])",
    re.IGNORECASE | re.DOTALL,
)
_TAG = re.compile(rb"<[^>]*>")
_INLINE = re.compile(rb"</?(?:b|i|u|em|strong|span|font|small|big|s)\b[^>]*>", re.IGNORECASE)


_SIGN = re.compile(rb"^.{0,3}[0-9]|[<>&]|\xc2[\xab\xbb]|[\xe0-\xff]", re.DOTALL)
_WORD = re.compile(rb"[a-zA-Z\x80-\xff]+")


def _may_be_label(text: bytes, words: frozenset[bytes]) -> bool:
    return _SIGN.search(text) is not None or any(word.lower() in words for word in _WORD.findall(text))


def _places(body: bytes, words: frozenset[bytes]) -> tuple[list[Place], int]:
    found: list[Place] = []
    place = before = start = inner = 0
    is_open = False
    for token in [*_TOKEN.finditer(body), None]:
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
                if hinted or not text or _may_be_label(text, words):
                    found.append((place, before, start, inner, at, text.decode("utf-8", "replace"), int(hinted)))
            before, is_open = at, False
        if token is not None and token[0][1:2] != b"/":
            place, start, inner, is_open = place + 1, at, token.end(), True
    return found, place


_find: Callable[[bytes, frozenset[bytes]], tuple[list[Place], int]]
try:
    from dowse.parse import _scan
except ImportError:  # no compiler
    _find = _places
else:
    _find = getattr(_scan, "anchors", _places)  # it may have been compiled before there was such a thing


def anchor_places(body: bytes) -> tuple[list[Place], int]:
    """The anchors of a page in UTF-8 that may be labelled so, and how many anchors there are in all."""
    return _find(body, WORDS_AS_WRITTEN)
