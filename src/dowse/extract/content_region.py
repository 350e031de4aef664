"""Which part of a page is its content: menus, side bars, footers and notices are taken out of a tree.

For a page by itself, by what it says of its parts and by how its parts look:

    1. elements that never are content        scripts, controls of forms
    2. the content as it is marked            main, role=main, the one article
    3. parts that are marked as no content    nav, footer, roles, and names (class, id) that people give to such parts
    4. the spine: from the top down along the child that has most of the text; what stands beside it and is mostly
       links, or is the same on the other pages of the site, is no content

Below the end of the spine nothing is judged by its looks: lists of links are content of an index, and sections that
come on every page ("Synopsis") are content of a manual.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from turbohtml import Document, Element

from dowse.extract.part_names import FOR_ELSEWHERE, OF_OTHERS, STANDS_BESIDE, said_by_names

IsRepeated = Callable[[Element], bool]
"""Whether a part of a page is on the other pages of the site too."""

_NEVER = (
    "script,style,noscript,template,iframe,object,embed,button,select,input,textarea,option,dialog,canvas,link,meta"
)
_MARKED = "main,[role=main]"
_PARTS = "nav,footer,aside,header,[role=navigation],[role=banner],[role=contentinfo],[role=search],[role=complementary]"
_GENTLE = frozenset({"aside", "header"})  # in the content they are notes and the titles of sections
_NAMED = ":is([class],[id]):not(pre *,h1 *,h2 *)"  # highlighted code has a name for every word
_KEPT = "pre,h1,h2,h3,h4,h5,h6,blockquote"
_HEADINGS = "h1,h2,h3,h4,h5,h6"

MOSTLY = 0.6
"""The share of the text of an element that makes a child of it the next step of the spine."""
MOST_LINKED = 0.5
"""The share of a part's text that is links where it is a menu."""
LEAST_TEXT = 40
"""Characters that what is marked as the content has; some pages fill theirs by a script."""
LEAST_MARKED = 0.3
"""The share of a page's text that its one article has, if that is its content."""
_DEEPEST = 60
_LONG_PARAGRAPH = 120
_LONGEST_NEIGHBOURS = 400
_LEAVES = frozenset({"p", "pre", "ul", "ol", "dl", "table", "h1", "h2", "h3", "h4", "h5", "h6"})


def take_content(tree: Document, is_repeated: IsRepeated | None = None) -> Element | None:
    """Take all that is no content out of a tree; the answer is the element that holds the content."""
    body = tree.find("body")
    if body is None:
        return None
    around = neighbours(tree)
    for element in body.select(_NEVER):
        element.decompose()
    region = _marked(body)
    _drop_parts(region, is_whole=region is body)
    _drop_named(region)
    _prune_beside_spine(region, is_repeated, around)
    return region


def _marked(body: Element) -> Element:
    """The element that is marked as the content, or all."""
    found = max(body.select(_MARKED), key=lambda element: len(element.text), default=None)
    if found is not None and len(found.text.strip()) >= LEAST_TEXT:
        return found
    articles = [element for element in body.find_all("article") if element.closest("article") == element]
    if len(articles) == 1 and _plain(articles[0]) >= LEAST_MARKED * _plain(body):
        return articles[0]
    return body


def _drop_parts(region: Element, *, is_whole: bool) -> None:
    for element in region.select(_PARTS):
        if element.parent is None or not _is_inside(element, region):
            continue
        if element.tag in _GENTLE and (not is_whole or element.find("h1") is not None):
            continue
        if element.tag == "nav" and _is_contents(element):
            continue
        if element.tag == "footer" and element.closest("blockquote") is not None:
            continue
        element.decompose()


def _drop_named(region: Element) -> None:
    whole = _plain(region)
    for element in region.select(_NAMED):
        said = said_by_names(element) & (FOR_ELSEWHERE | OF_OTHERS)
        if not said or not _is_inside(element, region) or element.closest(_KEPT) is not None:
            continue
        has_most = _plain(element) >= 0.5 * whole and (_has_running_text(element) or element.find("h1") is not None)
        if not has_most and (said & OF_OTHERS or not _has_running_text(element, 2)):
            element.decompose()


def _prune_beside_spine(region: Element, is_repeated: IsRepeated | None, around: frozenset[str]) -> None:
    spine = region
    for _ in range(_DEEPEST):
        children = [child for child in spine.children if isinstance(child, Element)]
        if not children:
            return
        best = max(children, key=lambda child: (not said_by_names(child) & STANDS_BESIDE, _plain(child)))
        menus = [child for child in children if child != best and is_menu(child, around, is_repeated)]
        others = [child for child in children if child != best and child not in menus]
        weight = _plain(best)
        is_next = best.tag not in _LEAVES and weight >= MOSTLY * (weight + sum(map(_plain, others)))
        if not is_next or any(_has_heading(child) for child in others):
            break
        for child in menus:
            child.decompose()
        spine = best
    _prune_edges(spine, is_repeated, around)


def _prune_edges(spine: Element, is_repeated: IsRepeated | None, around: frozenset[str]) -> None:
    """Where the content begins, only what stands before its first heading or paragraph is judged by its looks."""
    begun = False
    for child in [child for child in spine.children if isinstance(child, Element)]:
        begun = begun or child.tag in _LEAVES or _has_heading(child)
        if is_neighbours(child, around) or (not begun and is_menu(child, around, is_repeated)):
            child.decompose()


def is_menu(element: Element, around: frozenset[str], is_repeated: IsRepeated | None) -> bool:
    """Whether a part beside the content is for going elsewhere, or the same everywhere."""
    length = len(" ".join(element.text.split()))
    if not length or element.tag in ("h1", "h2", "h3", "pre"):
        return False
    if is_neighbours(element, around) or (is_repeated is not None and is_repeated(element)):
        return True
    links = element.find_all("a")
    if not links:
        return False
    if said_by_names(element) & STANDS_BESIDE:
        return not _has_running_text(element, 2)
    if _has_running_text(element):
        return False
    linked = sum(len(link.text.strip()) for link in links)
    return linked > MOST_LINKED * length


def is_neighbours(element: Element, around: frozenset[str]) -> bool:
    """Whether a part leads to the pages before and after this one."""
    links = element.find_all("a") if around else []
    if not links or len(element.text.strip()) > _LONGEST_NEIGHBOURS or _has_heading(element):
        return False
    return len(links) > 1 and 4 * sum(link.attrs.get("href") in around for link in links) >= 3 * len(links)


def neighbours(tree: Document) -> frozenset[str]:
    """The pages that a page says it stands between: the one before, the next, the one above."""
    found = set()
    for link in tree.select("link[rel][href], a[rel][href]"):
        if {"prev", "previous", "next", "up", "start", "home", "index", "contents"} & set(_relations(link)):
            found.add(str(link.attrs["href"]))
    return frozenset(found)


def _relations(link: Element) -> Iterator[str]:
    value: Any = link.attrs.get("rel") or ""
    yield from (value.lower().split() if isinstance(value, str) else (str(each).lower() for each in value))


def _is_contents(nav: Element) -> bool:
    """Whether it is a table of contents of the page itself."""
    links = nav.find_all("a")
    return bool(links) and all(str(link.attrs.get("href") or "").startswith("#") for link in links)


def _is_inside(element: Element, region: Element) -> bool:
    """Whether it is still there; parts of parts go with them."""
    return element != region and any(above == region for above in element.ancestors)


def _plain(element: Element) -> float:
    """How much text there is to read; that of links counts a quarter."""
    linked = sum(len(link.text) for link in element.find_all("a"))
    return max(0.0, len(element.text) - 0.75 * linked)


def _has_heading(element: Element) -> bool:
    return (element.tag in _LEAVES and element.tag[0] == "h") or element.select_one(_HEADINGS) is not None


def _has_running_text(element: Element, paragraphs: int = 1) -> bool:
    return sum(len(_bare(paragraph)) > _LONG_PARAGRAPH for paragraph in element.find_all("p")) >= paragraphs


def _bare(element: Element) -> str:
    linked = sum(len(link.text) for link in element.find_all("a"))
    return " ".join(element.text.split())[linked:]
