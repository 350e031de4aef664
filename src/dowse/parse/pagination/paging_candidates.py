"""The anchors of a page that may be about paging, taken from its markup without a tree.

A tree costs a millisecond, this a fifth of it, and most pages have no candidate at all. Between two anchors stands what
a tree would hide: the number of the page itself, which is no link.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import NamedTuple

from dowse.parse.pagination.paging_words import LONGEST_TEXT, NOTHING, Said, said_in

MOST_CANDIDATES = 400
LONGEST_MARKUP = 700
LONGEST_GAP = 1_200
_HEAD = 40_000

_UNSEEN = re.compile(r"<!--|<(?:script|style|template|noscript)\b", re.IGNORECASE)
_ENDS = {"<!--": "-->", "<script": "</script", "<style": "</style", "<template": "</template", "<noscript": "</noscript"}
_CAPITAL_ANCHOR = re.compile(r"<(/?)A(?=[\s>])")
_TAG = re.compile(r"<[^>]*>")
_TAG_ATTRIBUTES = re.compile(r"<\w+\s[^>]*>")
_ATTRIBUTE = re.compile(r"""([a-zA-Z-]+)\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)""")
_WORDED = ("alt", "title", "aria-label")
_BASE = re.compile(r"<base\b[^>]*>", re.IGNORECASE)
_LINK = re.compile(r"<link\b[^>]*>", re.IGNORECASE)
_SPACES = " \t\r\n\f"


class Candidate(NamedTuple):
    """An anchor that may be about paging. `place` counts the anchors of the page, `gap` is the text since the last
    one, or None where much else stands between them; `around` are classes and ids of the tags opened just before."""

    place: int
    href: str | None
    text: str
    said: Said
    label: Said
    names: str
    rel: str
    around: str
    gap: str | None
    after: str


def shown_markup(source: str) -> str:
    """A page without its scripts, styles and comments, its anchors in small letters."""
    first = _UNSEEN.search(source)
    if first:
        source = "".join(_shown(source, first))
    return _CAPITAL_ANCHOR.sub(r"<\1a", source) if "<A" in source else source


def _shown(source: str, found: re.Match[str] | None) -> Iterator[str]:
    at = 0
    while found:
        yield source[at : found.start()]
        name = found[0].lower()
        end = source.find(_ENDS[name], found.end())
        if end < 0:
            end = source.find(_ENDS[name].upper(), found.end())
        if end < 0:
            return
        at = end
        if name == "<!--":
            at += 3
        found = _UNSEEN.search(source, at)
    yield source[at:]


def base_href(markup: str) -> str:
    """What the page says its hrefs are relative to; "" if it does not."""
    tag = _BASE.search(markup, 0, _HEAD) if "<base" in markup[:_HEAD] or "<BASE" in markup[:_HEAD] else None
    return _attributes(tag[0]).get("href", "") if tag else ""


def related(markup: str) -> dict[str, str]:
    """The hrefs of the next and the previous page that link elements of the head name."""
    head = markup[:_HEAD]
    if "next" not in head and "prev" not in head:
        return {}
    found: dict[str, str] = {}
    for tag in _LINK.findall(head):
        attributes = _attributes(tag)
        for relation in attributes.get("rel", "").lower().split():
            if relation in ("next", "prev", "previous") and attributes.get("href"):
                found.setdefault(relation[:4], attributes["href"])
    return found


def candidates(markup: str) -> tuple[list[Candidate], int]:
    """The anchors of a page that may be about paging, and how many anchors there are in all."""
    parts = markup.split("<a")
    found: list[Candidate] = []
    before = parts[0]
    place = 0
    for part in parts[1:]:
        if part[:1] not in _SPACES:
            before = part
            continue
        place += 1
        end = part.find("</a")
        start = part.find(">")
        if start < 0:
            before = ""
            continue
        if end < 0:
            end = len(part)
        if end - start <= LONGEST_MARKUP and len(found) < MOST_CANDIDATES:
            candidate = _candidate(place, part[:start], part[start + 1 : end], before, part[end:])
            if candidate is not None:
                found.append(candidate)
        before = part[end:]
    return found, place


def _candidate(place: int, head: str, inner: str, before: str, after: str) -> Candidate | None:
    text = _text(inner) if "<" in inner or "&" in inner else " ".join(inner.split())
    if len(text) > LONGEST_TEXT:
        return None
    said = said_in(text)
    around = before[-160:]
    if said.is_silent and not _is_hinted(head) and (text or not _is_hinted(inner)) and not _is_hinted(around):
        return None
    attributes = _attributes(head)
    label = NOTHING
    if said.number is None:
        inside = _attributes(inner) if "=" in inner else {}
        words = [values[name] for values in (attributes, inside) for name in _WORDED if name in values]
        label = next((each for word in words if not (each := said_in(unescape(word).strip())).is_silent), NOTHING)
    names = f"{attributes.get('class', '')} {attributes.get('id', '')} {'' if text else _names_in(inner)}"
    return Candidate(
        place,
        attributes.get("href"),
        text,
        said,
        label,
        names.lower(),
        attributes.get("rel", "").lower(),
        _names_in(before[-400:]).lower(),
        _text(before) if len(before) <= LONGEST_GAP else None,
        after,
    )


def _is_hinted(markup: str) -> bool:
    return "ext" in markup and ("next" in markup or "Next" in markup) or "rev" in markup or "pag" in markup


def _names_in(markup: str) -> str:
    """The classes and ids of the tags that a piece of markup opens last."""
    tags = _TAG_ATTRIBUTES.findall(markup)[-3:]
    values = [_attributes(tag) for tag in tags]
    return " ".join(f"{each.get('class', '')} {each.get('id', '')}" for each in values)


def _attributes(head: str) -> dict[str, str]:
    return {
        name.lower(): unescape(value.strip("\"'")) if "&" in value else value.strip("\"'")
        for name, value in _ATTRIBUTE.findall(head)
    }


def _text(markup: str) -> str:
    text = _TAG.sub(" ", markup[markup.find(">") + 1 :] if markup.startswith("</a") else markup)
    return " ".join((unescape(text) if "&" in text else text).split())
