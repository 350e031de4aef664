"""The links of a page in groups: those that stand in the same place of its blocks and have URLs of one form.

On a page that lists threads, one group holds the titles, others the authors, the last posts, the numbers of pages.
Which is which is told by structure alone: how long the texts are, whether they repeat, which comes first in its block.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from math import log1p
from typing import NamedTuple

from turbohtml import Element

from dowse.classify.page_structure import NUMBER, Anchored, PageStructure, moment_of
from dowse.core.mirrored_names import written_address

MOST_LINKS = 3_000
_HIGHEST = 14
"""Elements above a link in which its block is looked for."""

_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "strong", "b", "th"})

FEATURES = (
    *("links", "text", "numbers", "moments", "silent", "different texts", "anchors a link", "share of text"),
    *(
        "of the largest",
        "in blocks",
        "first in block",
        "longest in block",
        "headings",
        "one a block",
        "share of blocks",
    ),
    *("longest of page", "with digits", "own path", "nofollow", "moments in block", "linked"),
)


class GroupedLink(NamedTuple):
    """A link: where it leads, its text, and whether the page asks not to follow it."""

    url: str
    text: str
    nofollow: bool
    place: int


class LinkGroup(NamedTuple):
    """Links of one place and one form, each target once; what they are told by, in the order of `FEATURES`; and the
    numbers of the blocks that they are in."""

    path: str
    form: str
    links: list[GroupedLink]
    features: list[float]
    blocks: frozenset[int]


class _Anchor(NamedTuple):
    url: str
    found: Anchored
    block: int
    nofollow: bool
    in_heading: bool


def link_groups(
    structure: PageStructure, targets: Callable[[Element], str | None], form: Callable[[str], str], own: str
) -> list[LinkGroup]:
    """The groups of a page, in its order. `targets` says where a link leads, None if nowhere that matters."""
    blocks = {block.element: number for number, block in enumerate(structure.repeated)}
    anchors = [
        _Anchor(url, each, *_surroundings(each.element, blocks))
        for each in structure.anchors[:MOST_LINKS]
        if (url := targets(each.element)) is not None
    ]
    grouped: dict[tuple[str, str], list[_Anchor]] = defaultdict(list)
    for anchor in anchors:
        grouped[anchor.found.path, form(anchor.url)].append(anchor)
    told = _Told(structure, anchors, list(grouped.values()), own)
    return [
        LinkGroup(path, shape, _distinct(members), told.features(members), _blocks(members))
        for (path, shape), members in grouped.items()
    ]


def _surroundings(element: Element, blocks: dict[Element, int]) -> tuple[int, bool, bool]:
    """The block that a link is in (-1 if in none), whether it asks not to be followed, and whether it is a heading."""
    refused = "nofollow" in (element.attr("rel") or "").lower()
    in_heading, block, above = False, -1, element.parent
    for _ in range(_HIGHEST):
        if not isinstance(above, Element):
            break
        in_heading |= above.tag in _HEADINGS and block < 0
        if above in blocks:
            block = blocks[above]
            break
        above = above.parent
    if not in_heading:
        in_heading = any(isinstance(child, Element) and child.tag in _HEADINGS for child in element.children)
    return block, refused, in_heading


def _blocks(members: Sequence[_Anchor]) -> frozenset[int]:
    return frozenset(each.block for each in members if each.block >= 0)


def _distinct(members: Sequence[_Anchor]) -> list[GroupedLink]:
    found: dict[str, GroupedLink] = {}
    for each in members:
        known = found.get(each.url)
        if known is None or (not known.text and each.found.text):
            found[each.url] = GroupedLink(each.url, each.found.text, each.nofollow, each.found.place)
    return list(found.values())


def _is_title(anchor: _Anchor) -> bool:
    text = anchor.found.text
    return len(text) > 1 and not NUMBER.fullmatch(text) and moment_of(text) is None


class _Told:
    """What the groups of one page are told by, beside each other."""

    def __init__(
        self, structure: PageStructure, anchors: list[_Anchor], groups: Sequence[list[_Anchor]], own: str
    ) -> None:
        self._own = written_address(own).partition("?")[0]
        self._blocks = len(structure.repeated)
        self._linked = max(1, sum(len(each.found.text) for each in anchors))
        self._largest = max((len({each.url for each in group}) for group in groups), default=1)
        self._first: dict[int, str] = {}
        self._longest: dict[int, tuple[int, str]] = {}
        for each in anchors:
            if each.block >= 0 and _is_title(each):
                self._first.setdefault(each.block, each.url)
                best = self._longest.get(each.block, (0, ""))
                self._longest[each.block] = max(best, (len(each.found.text), each.url), key=lambda pair: pair[0])
        means = [_mean(group) for group in groups if len(group) > 1]
        self._best = max(means, default=0.0) or 1.0
        self._dated = sum(block.dates > 0 for block in structure.repeated) / max(self._blocks, 1)

    def features(self, members: list[_Anchor]) -> list[float]:
        """One group."""
        count = len(members)
        urls = Counter(each.url for each in members)
        texts = [each.found.text for each in members]
        shown = [text for text in texts if text]
        inside = [each for each in members if each.block >= 0]
        per_block = Counter(each.block for each in inside)
        length = sum(map(len, texts))
        return [
            log1p(len(urls)),
            log1p(length / count),
            sum(bool(NUMBER.fullmatch(text)) for text in shown) / count,
            sum(len(text) <= 60 and moment_of(text) is not None for text in shown) / count,
            1.0 - len(shown) / count,
            len(set(shown)) / max(len(shown), 1),
            log1p(count / len(urls)),
            length / self._linked,
            len(urls) / self._largest,
            len(inside) / count,
            sum(self._first.get(each.block) == each.url for each in inside) / count,
            sum(self._longest.get(each.block, (0, ""))[1] == each.url for each in inside) / count,
            sum(each.in_heading for each in members) / count,
            sum(number == 1 for number in per_block.values()) / max(len(per_block), 1),
            len(per_block) / max(self._blocks, 1),
            min(2.0, _mean(members) / self._best),
            sum(_has_digit(each.url) for each in members) / count,
            sum(written_address(each.url).partition("?")[0] == self._own for each in members) / count,
            sum(each.nofollow for each in members) / count,
            self._dated if inside else 0.0,
            min(1.0, length / self._linked * len(urls) / 10),
        ]


def _has_digit(url: str) -> bool:
    return any(letter.isdigit() for letter in written_address(url).partition("://")[2].partition("/")[2])


def _mean(members: Sequence[_Anchor]) -> float:
    return sum(len(each.found.text) for each in members) / max(len(members), 1)
