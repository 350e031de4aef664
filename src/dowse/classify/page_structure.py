"""What a page is made of, without its words: blocks that repeat, dates in order, how much text is in links.

One walk through the tree. What is found holds for any software, language and charset: no class name, no word and no
address is looked at. Pages of forums are told apart by it (classify/page_types.py), and so are their links.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise
from math import log, log1p

from turbohtml import Document, Element, Text

MOST_NODES = 60_000
"""Nodes of a page that are looked at; what is beyond is left out."""

MOST_MOMENTS = 400
_UNSEEN = frozenset({"script", "style", "template", "noscript", "select", "option", "svg", "head", "title", "iframe"})
_CELLS = frozenset({"td", "th"})
_LONG = 80
"""Characters outside of links from which a block holds a text of its own."""

_TITLE = 15
"""Characters of a link from which it is more than a name."""

_SHORT = 60
"""Characters of a text that may be a date and little else."""

_LEAST_BLOCKS = 2
_SIGNIFICANT = 6
_DIGITS = re.compile(r"\d+")
NUMBER = re.compile(r"[\s(\[]*+\d[\d\s.,'k]*+[)\]\s]*+")
_CLOCK = re.compile(r"(?<!\d)([01]?\d|2[0-3])[:.]([0-5]\d)(?!\d)")
_DATE = re.compile(
    r"(?<!\d)(?:((?:19|20)\d\d)\s?[-/.年년]\s?(\d{1,2})\s?[-/.月월]\s?(\d{1,2})"
    r"|(\d{1,2})[-/.](\d{1,2})[-/.]((?:19|20)?\d\d))(?!\d)"
)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


class Block:
    """What lies in an element: characters in links and outside of them, links, pictures, dates and plain numbers."""

    __slots__ = ("dates", "element", "kind", "linked", "links", "longest", "numbers", "pictures", "plain", "title")

    def __init__(self, element: Element, kind: str) -> None:
        self.element = element
        self.kind = kind
        self.plain = self.linked = self.links = self.pictures = self.dates = self.numbers = 0
        self.longest = self.title = 0

    def add(self, inner: Block) -> None:
        """Take in what lies in an element within it."""
        self.plain += inner.plain
        self.linked += inner.linked
        self.links += inner.links
        self.pictures += inner.pictures
        self.dates += inner.dates
        self.numbers += inner.numbers
        self.longest = max(self.longest, inner.longest)
        self.title = max(self.title, inner.title)

    @property
    def text(self) -> int:
        return self.plain + self.linked


class Anchored:
    """A link of the page: where it stands, in the order of the page, and what is written there."""

    __slots__ = ("element", "path", "place", "text")

    def __init__(self, element: Element, path: str, place: int) -> None:
        self.element = element
        self.path = path
        self.place = place
        self.text = ""


class PageStructure:
    """The blocks, links and dates of a page, in its order."""

    def __init__(self, tree: Document) -> None:
        self.whole: Block | None = None
        self.anchors: list[Anchored] = []
        self.moments: list[tuple[int, str]] = []
        """Dates by their places: as text that sorts by time, "" where that is not known."""
        self.texts: list[tuple[int, str]] = []
        """Texts by their places."""
        self.repeated: list[Block] = []
        """The main group of blocks that repeat."""
        self._groups: list[tuple[float, list[Block]]] = []
        body = tree.find("body")
        if body is not None:
            _Walk(self).through(body)
        self.repeated = max(self._groups, key=lambda group: group[0])[1] if self._groups else []

    @property
    def is_dated_list(self) -> bool:
        """Whether most of the blocks that repeat have dates."""
        dated = sum(block.dates > 0 for block in self.repeated)
        return dated > 1 and 2 * dated >= len(self.repeated)

    def weigh(self, children: list[Block]) -> None:
        """Note the blocks of one element that are alike."""
        alike: dict[str, list[Block]] = defaultdict(list)
        for block in children:
            if block.text >= _SIGNIFICANT:
                alike[block.kind].append(block)
        for blocks in alike.values():
            if len(blocks) >= _LEAST_BLOCKS and (weight := _weight(blocks)) > 0:
                self._groups.append((weight, blocks))


def _weight(blocks: list[Block]) -> float:
    """How much a group matters: much text, in blocks of much the same make."""
    total = sum(block.text for block in blocks)
    shares = [block.text / total for block in blocks]
    evenness = -sum(share * log(share) for share in shares) / log(len(blocks))
    linked = sum(block.linked for block in blocks) / total
    dated = sum(block.dates > 0 for block in blocks) / len(blocks)
    with_links = sum(block.links > 0 for block in blocks) / len(blocks)
    makes = Counter((min(block.links, 3), block.dates > 0) for block in blocks)
    sameness = makes.most_common(1)[0][1] / len(blocks)
    menu = 0.3 if linked > 0.9 and not dated else 1.0
    return total * evenness**3 * sameness * (0.3 + dated) * (0.2 + with_links) * menu


class _Walk:
    """Goes through a tree once, without recursion."""

    def __init__(self, structure: PageStructure) -> None:
        self._structure = structure
        self._place = 0

    def through(self, body: Element) -> None:
        """Take in all of the body."""
        structure = self._structure
        left = MOST_NODES
        root = Block(body, "body")
        stack: list[tuple[Block, Iterator[object], list[Block], str, Anchored | None]]
        stack = [(root, iter(body.children), [], "", None)]
        while stack:
            block, children, inner, path, anchor = stack[-1]
            node = next(children, None) if left > 0 else None
            left -= 1
            if node is None:
                stack.pop()
                structure.weigh(inner)
                if stack:
                    stack[-1][0].add(block)
                    stack[-1][2].append(block)
            elif isinstance(node, Text):
                self._read(node.data, block, anchor)
            elif isinstance(node, Element) and node.tag not in _UNSEEN:
                kind = _kind(node)
                own = Block(node, kind)
                step = f"{path}>{_step(node, inner)}"
                if node.tag == "a" and node.attr("href"):
                    anchor = Anchored(node, step, self._place)
                    structure.anchors.append(anchor)
                    own.links = 1
                elif node.tag == "img":
                    own.pictures = 1
                self._date(node, own)
                stack.append((own, iter(node.children), [], step, anchor))
        structure.whole = root

    def _read(self, data: str, block: Block, anchor: Anchored | None) -> None:
        text = " ".join(data.split())
        if not text:
            return
        self._place += 1
        self._structure.texts.append((self._place, text))
        if anchor is not None:
            anchor.text = f"{anchor.text} {text}".strip()[:200]
            block.linked += len(text)
            block.title = max(block.title, len(text))
        else:
            block.plain += len(text)
            block.longest = max(block.longest, len(text))
        if NUMBER.fullmatch(text):
            block.numbers += 1
        elif len(text) <= _SHORT and (moment := moment_of(text)) is not None:
            self._note(block, moment)

    def _date(self, element: Element, block: Block) -> None:
        written = element.attr("datetime") if element.tag == "time" else None
        if written and (moment := moment_of(written)) is not None:
            self._note(block, moment)

    def _note(self, block: Block, moment: str) -> None:
        block.dates += 1
        if len(self._structure.moments) < MOST_MOMENTS:
            self._structure.moments.append((self._place, moment))


def moment_of(text: str) -> str | None:
    """A short text that has a date or a time of day, as text that sorts by time; "" if its order is not known."""
    date, clock = _DATE.search(text), _CLOCK.search(text)
    if date is None:
        return "" if clock or _YEAR.search(text) else None
    if date[1]:
        day = f"{date[1]}-{int(date[2]):02}-{int(date[3]):02}"
    else:
        # Which of the two is the day is not known, but it is the same on all of the page.
        day = f"{date[6]:>4}-{int(date[5]):02}-{int(date[4]):02}"
    return f"{day}T{int(clock[1]):02}:{clock[2]}" if clock else day


def _kind(element: Element) -> str:
    return element.tag


def _step(element: Element, before: list[Block]) -> str:
    """A step of a path. Cells are told by their columns, links by their first class, which need not be a word."""
    if element.tag in _CELLS:
        return f"{element.tag}{sum(block.element.tag in _CELLS for block in before)}"
    names = (element.attr("class") or "").split(maxsplit=1) if element.tag in ("a", "span", "div") else []
    return f"{element.tag}.{_DIGITS.sub('0', names[0])[:30]}" if names else element.tag


FEATURES = (
    *("blocks", "block text", "block links", "block linked", "dated blocks", "long blocks", "pictured blocks"),
    *("numbers", "linked", "text", "links", "dates", "rising", "falling", "longest", "lines to write", "passwords"),
    *("number links", "same targets", "link text", "titles", "short blocks", "dates a block", "numbers a block"),
    *("link words", "fields", "title text", "titled blocks", "plain share"),
)


def features(structure: PageStructure, tree: Document) -> list[float]:
    """A page as numbers, in the order of `FEATURES`; most are between 0 and 10."""
    whole = structure.whole
    if whole is None:
        return [0.0] * len(FEATURES)
    blocks = structure.repeated
    count = max(len(blocks), 1)
    text = max(whole.text, 1)
    hrefs = Counter(anchor.element.attr("href") or "" for anchor in structure.anchors)
    lengths = [len(anchor.text) for anchor in structure.anchors]
    anchors = max(len(lengths), 1)
    rising, falling = _order([moment for _, moment in structure.moments if moment])
    return [
        log1p(len(blocks)),
        log1p(sum(block.plain for block in blocks) / count),
        log1p(sum(block.links for block in blocks) / count),
        sum(block.linked for block in blocks) / max(sum(block.text for block in blocks), 1),
        sum(block.dates > 0 for block in blocks) / count,
        sum(block.longest >= _LONG for block in blocks) / count,
        sum(block.pictures > 0 for block in blocks) / count,
        log1p(whole.numbers),
        whole.linked / text,
        log1p(whole.plain),
        log1p(len(lengths)),
        log1p(whole.dates),
        rising,
        falling,
        log1p(whole.longest),
        float(tree.find("textarea") is not None),
        float(tree.select_one("input[type=password]") is not None),
        sum(1 for anchor in structure.anchors if NUMBER.fullmatch(anchor.text)) / anchors,
        1.0 - len(hrefs) / anchors,
        log1p(sum(lengths) / anchors),
        log1p(sum(length >= 20 for length in lengths)),
        sum(block.plain < 20 for block in blocks) / count,
        log1p(sum(block.dates for block in blocks) / count),
        log1p(sum(block.numbers for block in blocks) / count),
        log1p(max(lengths, default=0)),
        log1p(len(tree.select("input:not([type=hidden])"))),
        log1p(sum(block.title for block in blocks) / count),
        sum(block.title >= _TITLE for block in blocks) / count,
        sum(block.plain for block in blocks) / text,
    ]


def _order(moments: Iterable[str]) -> tuple[float, float]:
    """The shares of dates that come after and before the one that stands above them."""
    pairs = [(one, other) for one, other in pairwise(moments) if one != other and len(one) == len(other)]
    if not pairs:
        return 0.0, 0.0
    rising = sum(one < other for one, other in pairs) / len(pairs)
    return rising, 1.0 - rising
