"""E-books (epub): their chapters in reading order. Links between chapters lead nowhere on the web, so they are none."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from urllib.parse import unquote

from turbohtml import Element, Text

from dowse.documents.growing_html import Markup, Unreadable
from dowse.documents.properties import read_properties
from dowse.documents.zip_parts import Parts
from dowse.parse.tree import parse_xhtml

_CHAPTERS = ("application/xhtml+xml", "text/html")
_DROPPED = "script,style,template,iframe,object,embed,form,img,svg,audio,video,link,meta,title,[hidden]"
_SHOWN = frozenset({
    "section", "article", "aside", "nav", "header", "footer", "div", "p", "h1", "h2", "h3", "h4", "h5", "h6", "address",
    "ul", "ol", "li", "dl", "dt", "dd", "blockquote", "pre", "figure", "figcaption", "table", "caption", "thead",
    "tbody", "tfoot", "tr", "th", "td", "b", "i", "em", "strong", "code", "sup", "sub", "cite", "q", "abbr", "mark",
    "del", "ins", "ruby", "rt", "rp",
})  # fmt: skip
"""Elements that are shown as such; of others, only what is in them is."""
_KEPT_ATTRIBUTES = {"a": ("href",), "td": ("colspan", "rowspan"), "th": ("colspan", "rowspan")}


def read_epub(body: bytes, markup: Markup) -> None:
    parts = Parts(body, markup)
    if parts.has("META-INF/encryption.xml") and b"EncryptedKey" in parts.read("META-INF/encryption.xml"):
        raise Unreadable("protected against copying")
    container = _Container()
    parts.parse("META-INF/container.xml", container)
    if not parts.has(container.package):
        raise Unreadable("it does not say where its chapters are")
    read_properties(parts, container.package, markup)
    package = _Package(posixpath.dirname(container.package))
    parts.parse(container.package, package)
    markup.completes_tables = False
    for chapter in package.chapters():
        if parts.has(chapter):
            _write(parts.read(chapter), markup)


def _write(chapter: bytes, markup: Markup) -> None:
    """The body of a chapter with its structure, and without what could do anything."""
    body = parse_xhtml(chapter, {}).tree.find("body")
    if body is None:
        return
    for element in body.select(_DROPPED):
        element.decompose()
    markup.begin("section")
    inside = [(iter(body.children), True)]  # the elements around, and whether they are shown
    while inside:
        node = next(inside[-1][0], None)
        if node is None:
            if inside.pop()[1]:
                markup.end()
        elif isinstance(node, Text):
            markup.text(node.text)
        elif isinstance(node, Element) and node.tag == "br":
            markup.text("\n")
        elif isinstance(node, Element):
            attributes = _attributes(node)
            is_shown = node.tag in _SHOWN or "href" in attributes
            if is_shown:
                markup.begin(node.tag, **attributes)
            inside.append((iter(node.children), is_shown))


def _attributes(element: Element) -> dict[str, str]:
    """Where a link leads, and how far a cell reaches."""
    names = _KEPT_ATTRIBUTES.get(element.tag, ())
    found = {name: str(value) for name in names if (value := element.attrs.get(name)) is not None}
    if not found.get("href", "http://").strip().lower().startswith(("http://", "https://")):
        del found["href"]
    return found


class _Container:
    """Where the package is described."""

    package = ""

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "rootfile" and not self.package:
            self.package = unquote(attributes.get("full-path", ""))

    def end(self, name: str) -> None:
        pass

    def data(self, text: str) -> None:
        pass


class _Package:
    """The files of a book, and the order in which they are read."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._files: dict[str, str] = {}
        self._order: list[str] = []

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        is_contents = "nav" in attributes.get("properties", "").split()
        if name == "item" and attributes.get("media-type") in _CHAPTERS and not is_contents:
            place = posixpath.join(self._folder, unquote(attributes.get("href", "")))
            self._files[attributes.get("id", "")] = posixpath.normpath(place)
        elif name == "itemref" and attributes.get("linear") != "no":
            self._order.append(attributes.get("idref", ""))

    def end(self, name: str) -> None:
        pass

    def data(self, text: str) -> None:
        pass

    def chapters(self) -> list[str]:
        """Each once: an order that names one a million times is no book."""
        return list(dict.fromkeys(self._files[name] for name in self._order if name in self._files))
