"""The parts of one item of a list: its texts, links, images and dates, each by its path within the item.

    h3/a@href   h3/a   img@src   p.price   time@datetime

A paragraph, a heading and running text are one part each, whatever lies in them; so is any element without a block in
it. What an image or link leads to is left as it is written.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace
from turbohtml import Element, Text

from dowse.extract.lists.element_paths import UNSEEN, first_class, name_of
from dowse.parse.text import text_of

MOST_PARTS = 100
LONGEST_PART = 10_000
# What lies deeper within an item is one text.
DEEPEST = 20

_INLINE = frozenset(
    {
        *("abbr", "acronym", "b", "bdi", "bdo", "big", "br", "cite", "code", "del", "dfn", "em", "font", "i", "ins"),
        *("kbd", "mark", "q", "s", "samp", "small", "strike", "strong", "sub", "sup", "tt", "u", "var", "wbr"),
    }
)
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_TEXTS = _HEADINGS | {"blockquote", "figcaption", "p", "pre"}
_PROSE = frozenset({"blockquote", "br", "hr", "ol", "p", "pre", "ul"})
_WITHOUT_TEXT = frozenset({"img", "input", "meta"})
_IMAGES = ("src", "data-src", "data-lazy-src", "data-original")


class Part(Struct, frozen=True, gc=False):
    """One part. `kind` is text, url, image or date; `hint` what the markup calls it (itemprop, else a class).

    `link` is where the text leads, if it is in a link.
    """

    path: str
    kind: str
    value: str
    hint: str
    link: str = ""


def parts_of(item: Element) -> list[Part]:
    """The parts of an item, in the order of the page."""
    parts: list[Part] = []
    if item.tag in _TEXTS or item.tag == "a":
        _take(item, item.tag, _hint(item), "", parts)
    else:
        _take_children(item, "", "", "", parts)
    return parts


def parts_of_all(elements: Sequence[Element]) -> list[Part]:
    """The parts of an item that is several elements, one after the other."""
    if len(elements) == 1:
        return parts_of(elements[0])
    return [
        replace(part, path=f"{number}/{part.path}")
        for number, element in enumerate(elements)
        for part in parts_of(element)
    ]


def _take(element: Element, path: str, hint: str, link: str, parts: list[Part]) -> None:
    """Add what an element says."""
    if len(parts) >= MOST_PARTS:
        return
    tag = element.tag
    _take_attributes(element, tag, path, hint, parts)
    if tag in _WITHOUT_TEXT:
        return
    if tag == "a":
        link = element.attr("href") or link
    if tag in _TEXTS and not _has_named_part(element):
        if (inner := element.select_one("a[href]")) is not None:
            link = inner.attr("href") or ""
            parts.append(Part(f"{path}/a@href", "url", link, hint))
        _add(text_of(element), path, hint, link, parts)
    elif element.select_one("*") is None:
        _add(element.text, path, hint, link, parts)
    elif path.count("/") >= DEEPEST or _is_plain(element) or _is_prose(element):
        _add(text_of(element), path, hint, link, parts)
    else:
        _take_children(element, path, hint, link, parts)


def _take_children(element: Element, path: str, hint: str, link: str, parts: list[Part]) -> None:
    """Add the parts in an element and the texts between them."""
    run: list[str] = []
    for child in element:
        if isinstance(child, Text):
            run.append(child.data)
        elif isinstance(child, Element) and (tag := child.tag) not in UNSEEN:
            own = _hint(child)
            if tag in _INLINE and not own and _is_plain(child):
                run.append(" " if tag == "br" else child.text)
                continue
            if run:
                _add("".join(run), f"{path}/text()", hint, link, parts)
                run.clear()
            name = name_of(tag, child.attr("class") or "") if own else tag
            _take(child, f"{path}/{name}" if path else name, own or hint, link, parts)
    if run:
        _add("".join(run), f"{path}/text()", hint, link, parts)


def _take_attributes(element: Element, tag: str, path: str, hint: str, parts: list[Part]) -> None:
    if tag == "a":
        if (href := element.attr("href")) and not href.startswith(("#", "javascript:")):
            parts.append(Part(f"{path}@href", "url", href, hint))
    elif tag == "img":
        for name in _IMAGES:
            if (source := element.attr(name)) and not source.startswith("data:"):
                parts.append(Part(f"{path}@src", "image", source, hint))
                break
    elif tag == "time":
        if moment := element.attr("datetime"):
            parts.append(Part(f"{path}@datetime", "date", moment, hint))
    elif tag == "meta" and (content := element.attr("content")):
        parts.append(Part(path, "text", content[:LONGEST_PART], hint))


def _add(text: str, path: str, hint: str, link: str, parts: list[Part]) -> None:
    """Add a text, if there is anything to read in it."""
    if text.isspace():
        return
    text = " ".join(text.split())[:LONGEST_PART]
    if text.isalnum() or any(map(str.isalnum, text)):
        parts.append(Part(path, "text", text, hint, link))


def _is_plain(element: Element) -> bool:
    """Whether there is nothing but text and formatting in it."""
    if element.select_one("*") is None:
        return True
    return all(child.tag in _INLINE for child in element.iter_elements() if child != element)


def _is_prose(element: Element) -> bool:
    """Whether it is running text: paragraphs and lists without classes, and nothing else."""
    if element.select_one("p") is None:
        return False
    children = [child for child in element if isinstance(child, Element)]
    return (
        any(child.tag == "p" for child in children)
        and all(child.tag in _PROSE and not child.attr("class") for child in children)
    )  # fmt: skip


def _has_named_part(element: Element) -> bool:
    """Whether something in a heading has a name of its own, such as a badge; a link is the heading itself."""
    return element.tag in _HEADINGS and any(
        isinstance(child, Element) and child.tag != "a" and _hint(child) for child in element
    )


def _hint(element: Element) -> str:
    if not element.attrs:
        return ""
    return (element.attr("itemprop") or "").partition(" ")[0] or first_class(element.attr("class") or "")
