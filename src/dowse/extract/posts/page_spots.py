"""The elements of a page in one list, each with its place, its name and how much text is in it.

The walk crosses into the parser once for each element. All that follows (which times are alike, which blocks hold
them, what the blocks have in common) only looks at this list. What lies in a spot stands right behind it, so "lies in"
is a comparison of two numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import regex
from turbohtml import Element, Text

from dowse.extract.lists.element_paths import UNSEEN, name_of

MOST_SPOTS = 60_000
# A whole page may stand in <nav> or <noscript> only by mistake; what a text area holds is not said by anybody.
_PASSED_OVER = UNSEEN | {"input", "button", "meta", "base", "title"}
# Classes of style sheets that are made of such pieces: margins, columns, colours.
_LOOKS = regex.compile(
    r"(?:[mp][trblxyse]?|col|d|w|h|g|gap|text|float|align|justify|border|bg|order|offset|position|rounded|shadow|fw|fs|lh|"
    r"overflow|flex|items|font|leading|space|max|min|z|sm|md|lg|xl|grid)(?:-[\w/.\[\]%-]*)?|row|card|container|clearfix|media|"
    r"small|pull-\w+|(?:sm|md|lg|xl|hover|dark):.*"
)
_LINE = frozenset(
    {
        *("acronym", "del", "dfn", "kbd", "nobr", "samp", "strike", "var"),
        *(
            "a",
            "abbr",
            "b",
            "bdi",
            "bdo",
            "big",
            "br",
            "cite",
            "code",
            "em",
            "font",
            "i",
            "img",
            "ins",
            "label",
            "mark",
        ),
        *("q", "s", "small", "span", "strong", "sub", "sup", "time", "tt", "u", "wbr"),
    }
)


@lru_cache(maxsize=8_192)
def _telling(classes: str) -> str:
    """The classes that say what a thing is; all of them if they only say how it looks."""
    return " ".join(word for word in classes.split() if not _LOOKS.fullmatch(word)) or classes


class Spot:
    """One element: where it begins and ends in the list, what it is called, and its text."""

    __slots__ = (
        "_spots", "_text", "children", "classes", "depth", "element", "end", "index", "is_line", "length", "linked",
        "name", "parent", "tag", "texts", "words",
    )  # fmt: skip

    def __init__(self, element: Element, parent: Spot | None, tag: str, spots: list[Spot]) -> None:
        classes = element.attr("class") or ""
        self.element = element
        self.parent = parent
        self._spots = spots
        self.index = len(spots)
        self.end = self.index + 1
        self.depth: int = parent.depth + 1 if parent is not None else 0
        self.tag = tag
        self.classes = classes
        self.name = name_of(tag, _telling(classes)) if classes else tag
        self.children: list[Spot] = []
        self.texts: list[str] = []
        self.length = 0
        self.linked = 0
        self.words: frozenset[str] | None = None
        """What its names are made of, once somebody has asked (`block_names.py`)."""
        self._text: str | None = None
        self.is_line = True
        """Whether nothing in it begins a new line but a break."""

    def holds(self, other: Spot) -> bool:
        return self.index <= other.index < self.end

    @property
    def plain(self) -> int:
        """How much of its text leads nowhere."""
        return self.length - self.linked

    @property
    def text(self) -> str:
        """All its text in one line, as the parser has it."""
        if self._text is None:
            self._text = " ".join(self.element.text.split()) if self.length else ""
        return self._text

    def above(self) -> Iterator[Spot]:
        """What it lies in, from the inside."""
        around = self.parent
        while around is not None:
            yield around
            around = around.parent

    def within(self) -> list[Spot]:
        """The spot and all that lies in it, in their order."""
        return self._spots[self.index : self.end]

    def attr(self, name: str) -> str:
        return self.element.attr(name) or ""


def shared_depth(one: Spot, other: Spot) -> int:
    """How deep the innermost element lies that holds both."""
    return next((around.depth for around in (one, *one.above()) if around.holds(other)), 0)


def read_spots(root: Element) -> list[Spot]:
    """All elements of a page that a reader may see, in their order; of a very large page the first ones."""
    spots: list[Spot] = []

    def walk(element: Element, parent: Spot | None, tag: str, in_link: bool) -> Spot:
        """Recursion is safe: the parser makes no tree deeper than 512."""
        spot = Spot(element, parent, tag, spots)
        spots.append(spot)
        length = linked = 0
        for child in element:
            if type(child) is Text:
                data = child.data
                if data and not data.isspace():
                    spot.texts.append(data)
                    length += len(data.strip())
            elif isinstance(child, Element) and (name := child.tag) not in _PASSED_OVER and len(spots) < MOST_SPOTS:
                below = walk(child, spot, name, in_link or name == "a")
                spot.children.append(below)
                length += below.length
                linked += below.linked
                if not below.is_line or name not in _LINE:
                    spot.is_line = False
        spot.length = length
        spot.linked = length if in_link else linked
        spot.end = len(spots)
        return spot

    walk(root, None, root.tag, False)
    return spots
