"""Addresses that are no links: of pictures, films and embedded things, and those that scripts read.

    img, video, ...      the element of that kind, and such elements inside of it, by the attributes of `_MEDIA`
    div[data-href]       the attribute of that name, of elements of that kind
    [onclick]            the same of elements of every kind; of a script, the addresses that it goes to

Nobody visits these unless a rule asks for them, so they are looked for only then.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from turbohtml import Document, Element

from dowse.parse.links import MOST_ELEMENTS, Anchor

# Where the address is. A poster is a picture of the film, and not the film.
_MEDIA: dict[str, tuple[str, ...]] = {
    "audio": ("src",),
    "embed": ("src",),
    "img": ("src", "srcset"),
    "object": ("data",),
    "source": ("src", "srcset"),
    "track": ("src",),
    "video": ("src",),
}
_AROUND = ("picture",)
_LISTS = frozenset({"srcset", "data-srcset"})

_NAMED = re.compile(r"([a-z][a-z0-9-]*)?\[([a-z][a-z0-9_-]*)\]")
_SCRIPTED = re.compile(
    r"""(?:location(?:\.href)?\s*+=|\b(?:open|assign|replace|navigate)\s*+\()\s*+(?:'([^']*+)'|"([^"]*+)")"""
)
# What is in an attribute may be anything: settings as JSON, a sentence.
_NO_ADDRESS = re.compile(r"""[\s{}<>"']""")
_CANDIDATE = re.compile(r"\S++")


def asks_for_addresses(tag: str) -> bool:
    """Whether the tag of a rule asks for more than links.

    >>> [asks_for_addresses(tag) for tag in ("img", "picture", "div[data-href]", "[onclick]", "main", "a")]
    [True, True, True, True, False, False]
    """
    return tag in _MEDIA or tag in _AROUND or names_attribute(tag)


def names_attribute(tag: str) -> bool:
    """Whether it asks for the addresses in one attribute, and for no links."""
    return _NAMED.fullmatch(tag) is not None


def find_addresses(tree: Document, tag: str, target: Callable[[str], str]) -> list[Anchor]:
    """The addresses that a tag asks for, in the order of the page; `target` says where an href leads."""
    anchors: dict[tuple[str, Element], Anchor] = {}
    for element, written in _written(tree, tag):
        url = target(written)
        if url:
            anchors.setdefault((url, element), Anchor(url, element))
    return list(anchors.values())


def _written(tree: Document, tag: str) -> Iterator[tuple[Element, str]]:
    """The elements with their addresses as they are written."""
    named = _NAMED.fullmatch(tag)
    if named is not None:
        for element in tree.select(f"{named[1] or ''}[{named[2]}]")[:MOST_ELEMENTS]:
            yield from ((element, address) for address in _addresses(named[2], element.attr(named[2]) or ""))
        return
    kinds = f":is({', '.join(_MEDIA)})"
    for element in tree.select(f"{kinds}:is({tag}, {tag} *)")[:MOST_ELEMENTS]:
        for attribute in _MEDIA[element.tag]:
            yield from ((element, address) for address in _addresses(attribute, element.attr(attribute) or ""))


def _addresses(attribute: str, value: str) -> Iterator[str]:
    """The addresses in the value of an attribute."""
    if attribute.startswith("on"):
        yield from (found[1] or found[2] for found in _SCRIPTED.finditer(value) if found[1] or found[2])
    elif attribute in _LISTS:
        # A comma ends a candidate only before white space: addresses have commas, too.
        parts = re.split(r",(?=\s)", value)
        yield from (found[0].rstrip(",") for part in parts if (found := _CANDIDATE.search(part)))
    elif value.strip() and not _NO_ADDRESS.search(value.strip()):
        yield value.strip()
