"""Elements that somebody picked on a page -> selectors that find them, and those like them if several were picked.

One element means that element. Two or more mean all elements that stand in places like theirs: what leads to them has
the same names (`element_paths.py`). Of the selectors that find the picked ones, that which comes nearest to what
is meant goes first, and of these the shortest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct
from turbohtml import Element

from dowse.core.errors import JobError
from dowse.core.job import ExtractOptions
from dowse.core.record import UNFINISHED
from dowse.extract.fields import FieldExtractor
from dowse.extract.lists.element_paths import first_class, name_of
from dowse.extract.selecting.selectors import parse_selector
from dowse.parse.anchors import scope_selector
from dowse.parse.page import Page

_MOST_OFFERED = 8
_MOST_ABOVE = 12
_MOST_PARTS = 40
_MOST_VALUES = 50
_SIMPLE = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_STRANGE = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")
_QUOTES = re.compile(r"['\"\x00-\x1f\x7f\ud800-\udfff]")
_TAGS = re.compile(r"css:(?!h1$)[a-z0-9 >]+(:nth-child\(\d+\))?")
_BY_TAGS = 12
"""How much longer a selector may be that names an id or a class. A page has one h1."""

_LONGEST_LABEL = 60
_ALIKE = 4
"""How many elements are compared to tell what several picked ones share."""

_ATTRIBUTES = {"a": ("href",), "area": ("href",), "img": ("src", "alt"), "time": ("datetime",), "source": ("src",)}
"""What may be wanted of an element beside its text."""


class SelectorOffer(Struct, frozen=True):
    """A selector as it is written in a field, and how many elements of the page it finds."""

    selector: str
    matches: int


class FieldOffers(Struct, frozen=True):
    """The selectors for some picked elements, the best first, and the attributes that can be taken of these."""

    selectors: list[SelectorOffer]
    attributes: list[str]
    is_list: bool


def offer_selectors(page: Page, picked: Sequence[Element]) -> FieldOffers:
    """What can be said to find the picked elements."""
    meant = set(picked) if len(picked) == 1 else _alike(page, picked)
    ranked: list[tuple[float, int, SelectorOffer]] = []
    for text in (*_labelled(picked), *(f"css:{css}" for css in dict.fromkeys(_candidates(picked)))):
        found = [match for match in parse_selector(text).matches(page) if isinstance(match, Element)]
        if found[:1] == list(picked) if len(picked) == 1 else set(picked) <= set(found):
            agreement = len(meant & set(found)) / len(meant | set(found))
            # A label says what is meant on every page, whatever else is there; tags alone say it only on this one.
            length = 0 if text.startswith("/") else len(text) + (_BY_TAGS if _TAGS.fullmatch(text) else 0)
            ranked.append((-round(agreement, 2), length, SelectorOffer(text, len(found))))
    if not ranked and len(picked) == 1:
        ranked.append((0.0, 0, SelectorOffer(f"css:{picked[0].css_path()}", 1)))
    ranked.sort(key=lambda each: each[:2])
    shared = [name for name in _ATTRIBUTES.get(picked[0].tag, ()) if all(each.attr(name) for each in picked)]
    return FieldOffers([offer for *_, offer in ranked[:_MOST_OFFERED]], shared, len(picked) > 1)


def field_values(page: Page, fields: Sequence[str]) -> tuple[dict[str, object], list[str]]:
    """What fields hold on a page, by name, and what is wrong with them. Lists are shown by their first values."""
    try:
        records = FieldExtractor(ExtractOptions(extract=tuple(fields))).extract(page)
    except JobError as error:
        return {}, [str(error).removeprefix("extract: ")]
    values: dict[str, object] = {}
    problems: list[str] = []
    for record in records:
        if record.kind == UNFINISHED:
            problems += [f"{name}: {why}" for name, why in record.fields.items()]
        else:
            values |= {name: each[:_MOST_VALUES] if isinstance(each, list) else each
                       for name, each in record.fields.items()}  # fmt: skip
    return values, problems


def _labelled(picked: Sequence[Element]) -> Iterator[str]:
    """The value beside a label, by the words of the label: what follows a dt, and the cell behind a heading."""
    before = _element_before(picked[0])
    if len(picked) > 1 or before is None or (before.tag, picked[0].tag) not in (("dt", "dd"), ("th", "td")):
        return
    words = " ".join(before.text.split())
    if 0 < len(words) <= _LONGEST_LABEL and not _QUOTES.search(words):
        yield f"//{before.tag}[normalize-space()='{words}']/following-sibling::{picked[0].tag}[1]"


def _element_before(element: Element) -> Element | None:
    return next((each for each in element.previous_siblings if isinstance(each, Element)), None)


def _candidates(picked: Sequence[Element]) -> Iterator[str]:
    """Selectors by what all picked elements are, and by what is above all of them."""
    own = _shared([list(_parts(each)) for each in picked[:_ALIKE]])
    above = _shared([_parts_above(each) for each in picked[:_ALIKE]])[:_MOST_PARTS]
    yield from own
    for part in own:
        yield from (f"{outer} {part}" for outer in above)
    below = _shared([_parts_below_parent(each) for each in picked[:_ALIKE]])
    for part in below:
        yield part
        yield from (f"{outer} {part}" for outer in above)


def _shared(lists: Sequence[list[str]]) -> list[str]:
    return [part for part in dict.fromkeys(lists[0]) if all(part in other for other in lists[1:])]


def _parts(element: Element) -> Iterator[str]:
    """What an element is called: its tag, its id, and each class that says what it is."""
    tag, identifier = element.tag, element.attr("id") or ""
    names = [name for name in (element.attr("class") or "").split() if first_class(name) and not _STRANGE.search(name)]
    if identifier and not _STRANGE.search(identifier) and len(identifier.split()) == 1:
        yield f"#{identifier}" if _SIMPLE.fullmatch(identifier) else scope_selector(identifier)
    if _SIMPLE.fullmatch(tag):
        yield tag
    for name in names[:_ALIKE]:
        selector = f".{name}" if _SIMPLE.fullmatch(name) else scope_selector(classes=name)
        yield selector
        yield f"{tag}{selector}"


def _parts_above(element: Element) -> list[str]:
    """The same of what is above an element; the tags of boxes say nothing."""
    found: list[str] = []
    parent = element.parent
    for _ in range(_MOST_ABOVE):
        if not isinstance(parent, Element) or parent.tag in ("html", "body"):
            break
        found += [part for part in _parts(parent) if part not in ("div", "span")]
        parent = parent.parent
    return found


def _parts_below_parent(element: Element) -> list[str]:
    """An element by its place among the children of its parent, such as the third cell of rows."""
    parent = element.parent
    if not isinstance(parent, Element) or not _SIMPLE.fullmatch(element.tag):
        return []
    return [f"{part} > {element.tag}:nth-child({_place(element)})" for part in _parts(parent)]


def _alike(page: Page, picked: Sequence[Element]) -> set[Element]:
    """All elements that stand in places like those of the picked ones; cells in the same column."""
    names = {_path(each) for each in picked}
    same_tags = (each for tag in {one.tag for one in picked} for each in page.tree.find_all(tag))
    return {each for each in same_tags if _path(each) in names} | set(picked)


def _path(element: Element) -> tuple[str, ...]:
    found: list[str] = []
    node: object = element
    while isinstance(node, Element):
        found.append(name_of(node.tag, node.attr("class") or ""))
        node = node.parent
    return (*found, str(_place(element)) if element.tag in ("td", "th") else "")


def _place(element: Element) -> int:
    """The place of an element among the children of its parent, from 1."""
    return 1 + sum(isinstance(each, Element) for each in element.previous_siblings)
