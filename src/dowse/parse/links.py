"""The links of a page: absolute, one for each target, with the words people click on.

This is the hottest loop of a crawl (a hundred links a page), so it asks as little as it can of each element.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import islice
from typing import NamedTuple

from msgspec import Struct
from turbohtml import Document, Element

from dowse.parse.link_targets import PageTargets
from dowse.parse.scan import Scan, ScannedLink, attribute_value, text_value
from dowse.parse.text import text_of

MOST_LINKS = 20_000
MOST_ELEMENTS = 200_000
LONGEST_TEXT = 200

_CHUNK = 1_000

# Links with more in them than words and the commonest tags of lines; in what, `text_of` looks closer.
_PARTED = "a:has(:not(b, code, em, i, img, span, strong))"

# Anchors inside anchors (possible through tables and objects) each hold the text of all the inner ones. More of them
# than this are read as one run of words, and not at all where the page is so large that this would matter, too.
_MOST_PARTS = 2_000
_LARGE_BYTES = 200_000
_MOST_NESTED = 20

# Material for scripts, unless it is the markup of a component, which browsers show.
_NOT_IN_TEMPLATE = ":not(template:not([shadowrootmode]) *)"

# Tags beside `a` that a scan finds: what they are, where they lead, and in which relation they have to be.
_SCANNED = (("area", "href", ""), ("iframe", "src", ""), ("link", "href", "next"), ("link", "href", "prev"))

_REFUSES_CREDIT = frozenset({"nofollow", "ugc", "sponsored"})


class Link(Struct, frozen=True, gc=False):
    """One target of a page. `nofollow` only if every link to it says so."""

    url: str
    text: str = ""
    nofollow: bool = False
    tag: str = "a"


class Links(NamedTuple):
    """The links taken, and about how many more there were. If the page was scanned, `first` says for those that are
    anchors at which of the scanned ones each was met first."""

    found: list[Link]
    dropped: int = 0
    first: Sequence[int] = ()


class Source(NamedTuple):
    """What a page has to tell, beside its tags, for its links to be found."""

    url: str
    base: str
    charset: str
    size: int
    refresh: str | None = None


def find_links(tree: Document, source: Source) -> Links:
    """The distinct links of a page: anchors first, then areas, frames, next and previous page, and the refresh."""
    finder = _Finder(source, _marked(tree))
    for tag, elements, attribute in _elements(tree, source):
        finder.take(tree, tag, elements, attribute)
    return finder.links()


def find_scanned_links(scan: Scan, source: Source) -> Links:
    """The same of a page without a tree."""
    finder = _Finder(source, refusing={rel for rel in scan.relations() if _refuses_credit(attribute_value(rel))})
    finder.take_scanned("a", scan.links)
    for tag, attribute, relation in _SCANNED:
        finder.take_scanned(tag, scan.leading(tag, attribute, relation))
    return finder.links()


class Anchor(Struct, frozen=True, gc=False):
    """One element that leads somewhere; None for the refresh of a page, which is none."""

    url: str
    element: Element | None
    nofollow: bool = False


def find_anchors(tree: Document, source: Source) -> list[Anchor]:
    """Every element that leads away from the page, in the order of `find_links` but each for itself."""
    marked = _marked(tree)
    target = targets_of(source).target
    anchors = []
    for _tag, elements, attribute in _elements(tree, source):
        for element in elements[:MOST_ELEMENTS]:
            href = element.attr(attribute)
            url = "" if href is None else target(href)
            if url:
                anchors.append(Anchor(url, element, element in marked if marked else False))
    if source.refresh:
        anchors.append(Anchor(source.refresh, None))
    return anchors


def _elements(tree: Document, source: Source) -> Iterator[tuple[str, list[Element], str]]:
    """The elements that hold links, with their kind and the attribute that holds it."""
    seen = _NOT_IN_TEMPLATE if tree.find_all("template") else ""
    # The cheapest way to be rid of links into the page itself, up to half of the links of a manual.
    away = ':not([href^="#"])' if source.base == source.url else ""
    yield "a", tree.select(f"a[href]{away}{seen}"), "href"
    if tree.find_all("svg"):
        yield "a", tree.select("svg a:not([href])"), "xlink:href"
    yield "area", tree.select(f"area{seen}"), "href"
    yield "frame", tree.find_all("frame"), "src"
    yield "iframe", tree.select(f"iframe{seen}"), "src"
    yield "link", tree.select(f'link[rel~="next" i]{seen}'), "href"
    yield "link", tree.select(f'link[rel~="prev" i]{seen}'), "href"


def collapse(text: str, limit: int) -> str:
    """One line of at most `limit` characters. Whole texts are not cleaned up: they can be the size of the page."""
    return " ".join(text[: 10 * limit].split())[:limit].rstrip()


class _Finder:
    """The links of one page while they are gathered: texts by URL, in the order of the page."""

    def __init__(
        self, source: Source, marked: AbstractSet[Element] = frozenset(), refusing: AbstractSet[str] = frozenset()
    ) -> None:
        """`marked` elements, and those with `refusing` relations, are not to be followed."""
        self._source = source
        self._marked = marked
        self._refusing = refusing
        self._refused: set[str] = set()
        self._followed: set[str] = set()
        self._targets = targets_of(source)
        self._texts: dict[str, str] = {}
        self._tags: dict[str, str] = {}
        self._first: list[int] = []
        self._dropped = 0

    def take(self, tree: Document, tag: str, elements: list[Element], attribute: str) -> None:
        """Add the links of elements, up to the limit."""
        if not elements:
            return
        self._dropped += max(0, len(elements) - MOST_ELEMENTS)
        del elements[MOST_ELEMENTS:]
        before = len(self._texts)
        reads, parted = _reading(tree, self._source.size) if tag == "a" else (False, frozenset())
        for start in range(0, len(elements), _CHUNK):
            if len(self._texts) >= MOST_LINKS:
                self._dropped += len({element.attr(attribute) for element in elements[start:]})
                break
            self._read(elements[start : start + _CHUNK], attribute, reads, parted)
        if tag != "a":
            self._tags.update(dict.fromkeys(list(self._texts)[before:], tag))

    def take_scanned(self, tag: str, links: list[ScannedLink]) -> None:
        """The same of a page without a tree; a hot loop too."""
        if not links:
            return
        texts, target, refusing, first = self._texts, self._targets.target, self._refusing, self._first
        before = len(texts)
        for number, (written, rel, words, alternative, title) in enumerate(links):
            url = target(attribute_value(written) if "&" in written else written)
            if refusing:
                (self._refused if rel in refusing else self._followed).add(url)
            if url and not texts.get(url):
                if tag == "a" and url not in texts:
                    first.append(number)
                text = words if words.isascii() and "&" not in words else " ".join(text_value(words).split())
                texts[url] = text[:LONGEST_TEXT].rstrip() or _first_words(alternative, title)
        if tag != "a":
            self._tags.update(dict.fromkeys(list(texts)[before:], tag))

    def links(self) -> Links:
        refresh = self._source.refresh
        if refresh and refresh not in self._texts:
            self._texts[refresh] = ""
            self._tags[refresh] = "meta"
        refused = self._refused - self._followed
        if not refused and not self._tags and len(self._texts) <= MOST_LINKS:
            return Links(list(map(Link, self._texts, self._texts.values())), self._dropped, self._first)
        tags = self._tags
        found = [Link(url, text, url in refused, tags.get(url, "a")) for url, text in self._texts.items()]
        return Links(found[:MOST_LINKS], self._dropped + max(0, len(found) - MOST_LINKS), self._first[:MOST_LINKS])

    def _read(self, elements: list[Element], attribute: str, reads: bool, parted: AbstractSet[Element]) -> None:
        """The hot loop: no call that is not needed, and no text of a link that already has one."""
        texts, target, marked = self._texts, self._targets.target, self._marked
        for element in elements:
            href = element.attr(attribute)
            if href is None:
                continue
            url = target(href)
            if marked:
                (self._refused if element in marked else self._followed).add(url)
            if url and not texts.get(url):
                text = (text_of(element) if parted and element in parted else element.text) if reads else ""
                text = " ".join(text.split()) if len(text) <= LONGEST_TEXT else collapse(text, LONGEST_TEXT)
                texts[url] = text or other_text(element, reads)


def targets_of(source: Source) -> PageTargets:
    """Where hrefs of the page lead."""
    return PageTargets(source.url, source.base, source.charset)


def parted_links(tree: Document) -> AbstractSet[Element]:
    """The links whose words `text_of` gives; of all others it is the text as it stands."""
    return _reading(tree, 0)[1]


def other_text(element: Element, reads: bool) -> str:
    """What stands for the words of a link without any: the picture's alternative text, or a title."""
    image = element.find("img", alt=True) if reads else None
    alternative = element.attr("alt") if image is None else image.attr("alt")
    return collapse(alternative or "", LONGEST_TEXT) or collapse(element.attr("title") or "", LONGEST_TEXT)


def _first_words(*written: str | None) -> str:
    """The same of attributes as they are written."""
    values = (collapse(attribute_value(value), LONGEST_TEXT) for value in written if value)
    return next((words for words in values if words), "")


def _marked(tree: Document) -> set[Element]:
    """Links that are marked nofollow, ugc or sponsored."""
    return {element for element in tree.select("a[rel]") + tree.select("area[rel]") if _is_refused(element)}


def _is_refused(element: Element) -> bool:
    rel = element.attr("rel")
    return rel is not None and _refuses_credit(rel)


def _refuses_credit(rel: str) -> bool:
    return not _REFUSES_CREDIT.isdisjoint(rel.lower().split())


def _reading(tree: Document, size: int) -> tuple[bool, AbstractSet[Element]]:
    """Whether the words of links are read, and those links where that takes a closer look."""
    parted = [link for link in tree.select(_PARTED) if _is_small(link)]
    if sum(link.find("a") is not None for link in parted) <= _MOST_NESTED:
        return True, frozenset(parted)
    return size <= _LARGE_BYTES, frozenset()


def _is_small(link: Element) -> bool:
    """Whether there is so little in a link that a closer look takes no time; whole pages are put into links, too."""
    return next(islice(link.iter_elements(), _MOST_PARTS, None), None) is None
