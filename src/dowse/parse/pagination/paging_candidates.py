"""The anchors of a page that may be about paging.

Between two anchors stands what links do not tell: the number of the page itself, which is no link.
"""

from __future__ import annotations

import re
from functools import lru_cache
from html import unescape
from typing import NamedTuple

from dowse.core.urls import Base
from dowse.parse.pagination.anchor_places import LONGEST_GAP, Place, anchor_parts, anchor_places
from dowse.parse.pagination.paging_words import LONGEST_TEXT, NOTHING, Said, said_in

MOST_CANDIDATES = 400
MOST_OTHERS = 3
MOST_NAMES = 4
LONGEST_CONTENT = 700
LONGEST_AFTER = 300

_HEAD = 40_000
_ATTRIBUTE = re.compile(r"""(?<![a-zA-Z-])([a-zA-Z-]++)\s*+=\s*+("[^"]{0,500}"|'[^']{0,500}'|[^\s"'>]++)""")
_LABEL = re.compile(rb"""\b(?:title|alt|aria-label)\s*=\s*["']([^"']{1,60})["']""")
_NAME = re.compile(r"""\b(?:class|id)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_WORDED = ("alt", "title", "aria-label")
_BASE = re.compile(rb"<[bB][aA][sS][eE]\b[^<>]*+>")


class Candidate(NamedTuple):
    """An anchor that may be about paging. `place` counts the anchors of the page, `gap` is the text since the last
    one, or None where much else stands between them; `around` are classes and ids of the tags opened just before, `end`
    is where it ends in the bytes of the page."""

    place: int
    href: str | None
    text: str
    said: Said
    label: Said
    names: str
    rel: str
    around: str
    gap: str | None
    end: int


def head_of(body: bytes) -> bytes:
    """The part of a page that has its base and its link elements."""
    end = body.find(b"<body", 0, _HEAD)
    return body[: end if end > 0 else _HEAD]


def base_of(head: bytes, url: str) -> Base:
    """What the hrefs of a page are relative to."""
    base = Base(url)
    tag = _BASE.search(head) if b"<base" in head or b"<BASE" in head else None
    href = _attributes(tag[0].decode("utf-8", "replace")).get("href", "") if tag else ""
    return Base(base.join(href) or url) if href else base


def related(head: bytes) -> dict[str, str]:
    """The hrefs of the next and the previous page that link elements of the head name."""
    found: dict[str, str] = {}
    for word in (b"next", b"prev"):
        at = head.find(word)
        while at >= 0:  # a pattern for such tags would take ten times as long
            start, end = head.rfind(b"<", 0, at), head.find(b">", at)
            if head[start : start + 5].lower() == b"<link":
                attributes = _attributes(head[start : end if end > 0 else None].decode("utf-8", "replace"))
                for relation in attributes.get("rel", "").lower().split():
                    if relation in ("next", "prev", "previous") and attributes.get("href"):
                        found.setdefault(relation[:4], attributes["href"])
            at = head.find(word, max(at, end) + 1)
    return found


def candidates(body: bytes) -> tuple[list[Candidate], int, list[int]]:
    """The anchors of a page that may be about paging, how many there are in all, and where buttons begin."""
    places, total, buttons = anchor_places(body)
    found: list[Candidate] = []
    for anchor in places:
        text = anchor[5]
        if "&" in text:
            text = _unescaped(text)
        said = said_in(text)
        if said.is_vague and not ((anchor[6] or said.concepts or not text) and _may_be(body, anchor, text, said)):
            continue
        found.append(_candidate(body, anchor, text, said))
        if len(found) >= MOST_CANDIDATES:
            break
    return found, total, buttons


def _may_be(body: bytes, anchor: Place, text: str, said: Said) -> bool:
    """Whether an anchor whose text does not say so may be about paging, by its names, by a word or by a picture."""
    _, _, start, _, end, _, hinted = anchor
    if hinted and said.others <= MOST_OTHERS and len(text) <= LONGEST_TEXT:
        return True
    if not text:  # a picture or a drawing that has a name
        labels = _LABEL.findall(body, start, end)
        return any(not said_in(label.decode("utf-8", "replace").strip()).is_vague for label in labels)
    return bool(said.concepts) and said.others <= MOST_OTHERS  # what leads nowhere, and may load more


def _candidate(body: bytes, anchor: Place, text: str, said: Said) -> Candidate:
    place, earlier, start, inner, end, _, _ = anchor
    attributes, around, gap = anchor_parts(body, earlier, start, inner)
    get = attributes.get
    label = NOTHING
    inside = ""
    if said.number is None:
        inside = body[inner : min(end, inner + LONGEST_CONTENT)].decode("utf-8", "replace")
        label = _label(attributes, inside)
    names = f"{get('class', '')} {get('id', '')} {_names_in(inside) if not text else ''}"
    href = get("href")
    return Candidate(
        place,
        _address(href) if href is not None and "&" in href else href,
        text,
        said,
        label,
        names.lower(),
        get("rel", "").lower(),
        around.lower(),
        _unescaped(gap) if start - earlier <= LONGEST_GAP else None,
        end,
    )


def _label(attributes: dict[str, str], inside: str) -> Said:
    """What the title of an anchor says, or the alternative text of a picture in it."""
    within = _attributes(inside) if "=" in inside else {}
    for values in (attributes, within):
        for name in _WORDED:
            if name in values and not (said := said_in(unescape(values[name]).strip())).is_silent:
                return said
    return NOTHING


def text_after(body: bytes, candidate: Candidate) -> str:
    """The text that follows a candidate."""
    stop = min(candidate.end + LONGEST_AFTER, len(body))
    return _unescaped(anchor_parts(body, candidate.end, stop, stop)[2])


def _address(href: str) -> str:
    if href.count("&") == href.count("&amp;"):  # as most are, and this takes a tenth of the time
        return href.replace("&amp;", "&")
    return unescape(href)


def _unescaped(line: str) -> str:
    return _read(line) if "&" in line else line


@lru_cache(maxsize=1024)
def _read(line: str) -> str:
    """Remembered, because the same arrows are on all pages."""
    return " ".join(unescape(line).split())


def _names_in(markup: str) -> str:
    """The classes and ids of the tags that a piece of markup opens last."""
    return " ".join([one or two or three for one, two, three in _NAME.findall(markup)[-MOST_NAMES:]])


def _attributes(head: str) -> dict[str, str]:
    return {
        name.lower(): unescape(value.strip("\"'")) if "&" in value else value.strip("\"'")
        for name, value in _ATTRIBUTE.findall(head)
    }
