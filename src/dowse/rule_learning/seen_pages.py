"""What is remembered of an explored page: its links, and the elements around each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from turbohtml import Element

from dowse.modes.rules.rule_table import NO_LIMIT
from dowse.parse.page import Page

_NAME = re.compile(r"[^\s.#\x00-\x1f\x7f\ud800-\udfff][^\s\x00-\x1f\x7f\ud800-\udfff]*")
_TAG = re.compile(r"[a-z][a-z0-9-]*")
_EVERYWHERE = ("html", "body")
_MENUS = re.compile(r"nav|menu|sidebar|breadcrumb|header|footer|aside", re.IGNORECASE)
_CONTENT = re.compile(r"content", re.IGNORECASE)
_LINKS = ("a", "area")


class Scope(NamedTuple):
    """An element that links can be inside of: by its id, some of its classes, or its tag."""

    kind: str
    name: str


NO_SCOPE = Scope("", "")


class SeenAnchor(NamedTuple):
    """A link, every scope it is in, and whether it says that it leads to another page of the same list."""

    url: str
    scopes: frozenset[Scope]
    is_paging: bool = False


class SeenPage(NamedTuple):
    """An explored page; `elements` says how many elements of each scope have links inside."""

    url: str
    anchors: list[SeenAnchor]
    elements: Mapping[Scope, int] = MappingProxyType({})


def see(page: Page) -> SeenPage:
    """The part of a page that is remembered."""
    known: dict[Element, frozenset[Scope]] = {}
    elements: Counter[Scope] = Counter()
    further = {link.url for link in page.paging.links if link.kind in ("page", "next")}
    anchors = [
        SeenAnchor(anchor.url, _scopes(anchor.element, known, elements), anchor.url in further)
        for anchor in page.anchors
    ]
    return SeenPage(page.url, anchors, elements)


def _scopes(
    element: Element | None, known: dict[Element, frozenset[Scope]], elements: Counter[Scope]
) -> frozenset[Scope]:
    """The scopes of an element and all above it. A deep tree must not end in a deep recursion."""
    above: list[Element] = []
    while isinstance(element, Element) and element not in known:
        above.append(element)
        parent = element.parent
        element = parent if isinstance(parent, Element) else None
    found = known[element] if element is not None else frozenset()
    for each in reversed(above):
        own = own_scopes(each)
        elements.update(own)
        found = known[each] = found | own
    return found


def own_scopes(element: Element) -> set[Scope]:
    """The scopes that an element itself makes."""
    tag, identifier = element.tag.lower(), (element.attr("id") or "").strip()
    if tag in _EVERYWHERE:
        return set()
    classes = [name for name in (element.attr("class") or "").split() if _is_name(name)]
    scopes = {Scope("class", name) for name in classes}
    if len(classes) > 1:
        scopes.add(Scope("class", " ".join(dict.fromkeys(classes))))
    if _is_name(identifier):
        scopes.add(Scope("id", identifier))
    if tag not in _LINKS and _TAG.fullmatch(tag):
        scopes.add(Scope("tag", tag))
    return scopes


@lru_cache(maxsize=10_000)
def _is_name(name: str) -> bool:
    return _NAME.fullmatch(name) is not None and name.lower() != NO_LIMIT


@lru_cache(maxsize=10_000)
def is_menu_name(scope: Scope) -> bool:
    """Whether an element with such a name is mostly a menu, a header or a footer."""
    return _MENUS.search(scope.name) is not None and _CONTENT.search(scope.name) is None
