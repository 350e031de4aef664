"""What a forum page is called, and the trail of boards that leads to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import regex
from turbohtml import Document, Element

from dowse.core.urls import Base
from dowse.extract.json_ld import decode_json
from dowse.extract.posts.block_names import words_of
from dowse.extract.posts.thread_records import Crumb

MOST_CRUMBS = 12
_LONGEST_NAME = 120
_NAMED = (
    '[class*="crumb" i],[id*="crumb" i],[aria-label*="crumb" i],[itemtype$="BreadcrumbList"],[class*="navstrip" i],'
    '[class*="navbit" i],[class*="linktree" i],[class*="navigate_section" i],[class*="pathway" i],[class*="crumbs" i],'
    '[class*="navpath" i],[id*="navstrip" i],[class*="linklist" i]'
)
_SPLIT = regex.compile(r"(?<=\s)[-\u2013\u2014|·•»«:/]+(?=\s)|[|»·•]")
_BETWEEN = regex.compile(r"[\s\u203a\u2039»>→/\\|:·•«<←-]{1,7}")
_HEADINGS = ("h1", "h2", "h3")
_MARKED = regex.compile(r"[\u203a\u2039»>→/\\|:·•«<←-]")
_TO_AND_FRO = regex.compile(r"\A[^«\u2039←<]*+[«\u2039←<].*[»\u203a→>]", regex.DOTALL)
"""« the previous | the next »"""

_MARK = regex.compile(r"[\u203a»>→«]")


def title_of(tree: Document, inside: Sequence[Element] = ()) -> str:
    """The name of a page: the heading that its title tag repeats, else the first heading, else the title tag."""
    said = tree.find("title")
    title = " ".join(said.text.split()) if said is not None else ""
    headings = [(tag, " ".join(element.text.split())) for tag in _HEADINGS for element in tree.find_all(tag)[:12]]
    headings = [(tag, text) for tag, text in headings if 0 < len(text) <= 300]
    repeated = [text for _, text in headings if text in title or _bare(text) in _bare(title)]
    parts = [part.strip() for part in _SPLIT.split(title) if part.strip()]
    exact = [text for text in repeated if text in parts or text == title or title.startswith(text)]
    if exact or repeated:
        return max(exact or repeated, key=len)
    social = tree.select_one('meta[property="og:title"]')
    if social is not None and (text := " ".join((social.attr("content") or "").split())):
        return text
    first = next((text for tag, text in headings if tag == "h1"), "")
    if first and (not parts or len(parts) == 1):
        return first
    return max(parts, key=len, default="") or first


def trail_of(tree: Document, base: Base, url: str) -> tuple[Crumb, ...]:
    """The boards that lead to a page, the outermost first; without the page itself."""
    itself = base.join(url) or url
    for found in (_marked(tree, base), _listed(tree, base), _separated(tree, base)):
        kept = [crumb for crumb in found if crumb.url != itself]
        if kept:
            return tuple(kept[:MOST_CRUMBS])
    return ()


def _listed(tree: Document, base: Base) -> list[Crumb]:
    """The links of an element that is named for it; the longest trail of several."""
    best: list[Crumb] = []
    for element in tree.select(_NAMED)[:40]:
        names = words_of(f"{element.attr('class') or ''} {element.attr('id') or ''}")
        if element.tag in ("html", "body", "a"):
            continue
        crumbs = _links_in(element, base)
        if "linklist" in names and not _is_row(element.text, crumbs):
            continue
        if len(best) < len(crumbs) <= MOST_CRUMBS:
            best = crumbs
    return best


def _links_in(element: Element, base: Base) -> list[Crumb]:
    found: dict[str, Crumb] = {}
    for link in element.find_all("a"):
        url = base.join(link.attr("href") or "") if link.attr("href") else None
        name = " ".join(link.text.split()).strip("»\u203a> ")
        if url and name and len(name) <= _LONGEST_NAME:
            found.setdefault(url, Crumb(name, url))
    return list(found.values())


def _separated(tree: Document, base: Base) -> list[Crumb]:
    """Links in a row with marks such as » between them, the first such row of the page."""
    for link in tree.find_all("a")[:150]:
        # Some boards put each step into an element of its own.
        for around in (link.parent, link.parent.parent if isinstance(link.parent, Element) else None):
            if not isinstance(around, Element) or around.tag in ("html", "body"):
                break
            text = around.text
            if len(text) > 300 or not _MARK.search(text) or _TO_AND_FRO.search(text):
                continue
            crumbs = _links_in(around, base)
            if len(crumbs) > 1 and _is_row(text, crumbs):
                return crumbs
    return []


def _is_row(text: str, crumbs: Sequence[Crumb]) -> bool:
    """Whether links stand in a row with nothing but marks between them."""
    rest = text
    for crumb in crumbs:
        rest = rest.replace(crumb.name, "\0", 1)
    between = rest.split("\0")[1:-1]
    return all(_BETWEEN.fullmatch(piece) and (len(crumbs) == 1 or _MARKED.search(piece)) for piece in between)


def _marked(tree: Document, base: Base) -> list[Crumb]:
    """A BreadcrumbList of JSON-LD."""
    for script in tree.select('script[type="application/ld+json"]')[:10]:
        text = script.text
        if "BreadcrumbList" in text and len(text) < 200_000:
            found = _crumb_list(decode_json(text))
            crumbs = [_crumb(item, base) for item in found]
            kept = [crumb for crumb in crumbs if crumb is not None]
            if kept:
                return kept
    return []


def _crumb_list(value: Any) -> list[Any]:
    for node in value if isinstance(value, list) else [value]:
        if not isinstance(node, dict):
            continue
        if node.get("@type") == "BreadcrumbList" and isinstance(items := node.get("itemListElement"), list):
            return items
        for inner in (node.get("@graph"), node.get("breadcrumb")):
            if inner and (found := _crumb_list(inner)):
                return found
    return []


def _crumb(item: Any, base: Base) -> Crumb | None:
    if not isinstance(item, dict):
        return None
    target = item.get("item")
    about = target if isinstance(target, dict) else item
    name = item.get("name") or about.get("name")
    href = target if isinstance(target, str) else about.get("@id") or about.get("url")
    url = base.join(href) if isinstance(href, str) else None
    return Crumb(" ".join(str(name).split()), url) if url and name else None


def _bare(text: str) -> str:
    return "".join(character for character in text.lower() if character.isalnum())
