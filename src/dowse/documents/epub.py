"""E-books (epub): their chapters in reading order. Links between chapters lead nowhere on the web, so they are none."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from urllib.parse import unquote

from dowse.documents.growing_html import Markup, Unreadable
from dowse.documents.properties import read_properties
from dowse.documents.zip_parts import Parts
from dowse.parse.tree import parse_xhtml

_CHAPTERS = ("application/xhtml+xml", "text/html")
_DROPPED = "script,style,template,iframe,object,embed,form,img,svg,audio,video,link,meta,title,[hidden]"
_KEPT_ATTRIBUTES = ("href", "colspan", "rowspan")


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
    for chapter in package.chapters():
        if parts.has(chapter):
            markup.html(f"<section>{_content(parts.read(chapter))}</section>")


def _content(chapter: bytes) -> str:
    """The body of a chapter with its structure, and without what could do anything."""
    tree = parse_xhtml(chapter, {}).tree
    body = tree.find("body")
    if body is None:
        return ""
    for element in body.select(_DROPPED):
        element.decompose()
    for element in body.iter_elements():
        for name in [name for name in element.attrs if name not in _KEPT_ATTRIBUTES]:
            del element.attrs[name]
        if not str(element.attrs.get("href", "")).strip().lower().startswith(("http://", "https://")):
            element.attrs.pop("href", None)
    return body.inner_html


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
