"""A page as it looks and nothing else: a copy that runs nothing, loads nothing and leads nowhere.

    out          scripts, frames, objects, refreshes, base, comments, and whatever a parser may read differently later
    attributes   only those that are known to be harmless; no handler, no name, no address
    links        keep their looks. Where each leads is said in another attribute
    files        style sheets and images are part of the copy, as far as they were given

Every element has its number (parse/element_numbers.py). The copy is made for a sandbox with a policy of its own, which
must hold even if something was overlooked here.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping

from turbohtml import Comment, Element, Namespace, escape

from dowse.core.model import Response
from dowse.parse.decode import decode
from dowse.parse.element_numbers import NUMBER
from dowse.parse.link_targets import PageTargets
from dowse.parse.media import media_type
from dowse.parse.page import Page
from dowse.parse.requisites import STYLES
from dowse.parse.style_addresses import change_style

TARGET = "data-dowse-url"
"""The attribute that says where a link leads."""

_OUT = frozenset(
    {"applet", "audio", "base", "embed", "fencedframe", "frameset", "link", "math", "meta", "noembed", "noframes"}
    | {"object", "plaintext", "portal", "script", "source", "template", "track", "xmp"}
)
_FRAMES = frozenset({"iframe", "frame"})
_DRAWN = frozenset(
    {"svg", "g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan", "title", "desc"}
    | {"defs", "symbol", "clippath", "clipPath", "mask", "linearGradient", "radialGradient", "stop", "use"}
)
_PLAIN = frozenset(
    {"abbr", "align", "alt", "bgcolor", "border", "cellpadding", "cellspacing", "checked", "class", "color", "cols"}
    | {"colspan", "coords", "datetime", "dir", "disabled", "face", "height", "hidden", "id", "label", "lang", "media"}
    | {"multiple", "nowrap", "open", "placeholder", "readonly", "role", "rows", "rowspan", "selected", "shape", "size"}
    | {"span", "start", "title", "type", "valign", "value", "width", "max", "min", "low", "high", "optimum", "reversed"}
)
_OF_DRAWINGS = frozenset(
    {"viewBox", "d", "x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "ry", "points", "transform", "offset"}
    | {"fill", "fill-rule", "clip-rule", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "opacity"}
    | {"fill-opacity", "stroke-opacity", "stop-color", "stop-opacity", "gradientUnits", "gradientTransform"}
    | {"preserveAspectRatio", "font-size", "text-anchor", "dx", "dy"}
)
_GROUPS = ("aria-", "data-")
_LATE = ("data-src", "data-original", "data-lazy-src", "data-lazy")
_IMAGES, _FONTS = ("image/",), ("font/", "application/font", "application/x-font", "application/vnd.ms-fontobject")
_DEEPEST = 4
"""How many style sheets may import each other."""
_MOST_FILLED = 12_000_000
"""Bytes of files that are written into one copy. A page can name one large file ten thousand times, and a style sheet
can import itself as often."""


class InertCopies:
    """Makes inert copies of pages. `answers` are the files that were fetched for them, by URL.

    What else a copy would have shown is `lacking`. So whoever wants a whole copy fetches that and asks again.
    """

    def __init__(self, answers: Mapping[str, Response | None]) -> None:
        self._answers = answers
        self._lacking: dict[str, None] = {}
        self._room = _MOST_FILLED

    @property
    def lacking(self) -> list[str]:
        """The files that copies need and that nobody has asked for."""
        return list(self._lacking)

    def of(self, page: Page, *, is_stamped: bool = False) -> str:
        """The copy of a page, as a text. The tree of this page becomes the copy, so nobody else should have it.

        If it `is_stamped`, its elements have their numbers already.
        """
        tree, copy = page.tree, _Copy(self, page)
        self._room = _MOST_FILLED
        for number, element in enumerate(tree.select("*")):
            if not is_stamped:
                element.attrs[NUMBER] = str(number)
            elif (element.attr(NUMBER) or "").isdecimal():
                continue
            elif NUMBER in element.attrs:
                del element.attrs[NUMBER]
        for element in tree.select("noscript"):
            element.unwrap()  # nothing runs, so what is there for that case is shown
        for element in tree.select("*"):
            copy.change(element)
        for node in list(tree.descendants):
            if isinstance(node, Comment):
                node.extract()
        return tree.serialize()

    def sheet(self, url: str, depth: int = 0) -> str:
        """A style sheet with all that it shows; "" if there is none."""
        answer = self._answer(url)
        if answer is None or depth > _DEEPEST or media_type(answer.headers, answer.body) != STYLES:
            return ""
        if not self._has_room(len(answer.body)):
            return ""
        text, charset = decode(answer.body, answer.headers)
        return self.styles(text, PageTargets(answer.request.url, answer.request.url, charset), depth)

    def styles(self, text: str, targets: PageTargets, depth: int = 0) -> str:
        """Styles whose images and fonts are in them. What is not there is an address without any file."""

        def change(written: str) -> str:
            if written.startswith(("data:", "#")):
                return written
            url = targets.target(written)
            return self.file(url, depth) if url else ""

        # An end tag of the element that holds the styles would end them; in a string the backslash means nothing.
        return change_style(text, change).replace("</", "<\\/")

    def file(self, url: str, depth: int = 0) -> str:
        """An image, a font or an imported style sheet as a data: address; "" if there is none."""
        answer = self._answer(url)
        if answer is None:
            return ""
        kind = media_type(answer.headers, answer.body)
        body = answer.body
        if kind == STYLES:
            body = self.sheet(url, depth + 1).encode("utf-8", "replace")
        elif not kind.startswith((*_IMAGES, *_FONTS)):
            return ""
        return f"data:{kind};base64,{b64encode(body).decode()}" if self._has_room(len(body)) else ""

    def _has_room(self, size: int) -> bool:
        """Whether so much can be added to the copy, which it then is."""
        if size > self._room:
            return False
        self._room -= size
        return True

    def _answer(self, url: str) -> Response | None:
        if url not in self._answers:
            self._lacking[url] = None
        return self._answers.get(url)


class _Copy:
    """Changes the elements of one page."""

    def __init__(self, copies: InertCopies, page: Page) -> None:
        self._copies = copies
        self._targets = PageTargets(page.url, page.base.url, page.charset)

    def change(self, element: Element) -> None:
        tag = element.tag
        if tag == "link" and element.namespace is Namespace.HTML:  # inside a drawing, styles are read as markup
            self._style_sheet(element)
        if tag in _FRAMES:
            self._frame(element)
        if tag in _OUT or tag in _FRAMES or (element.namespace is not Namespace.HTML and not _is_drawn(element)):
            element.extract()
            return
        address = element.attr("href") or element.attr("xlink:href")
        image = self._image(element) if tag in ("img", "video") else ""
        style = element.attr("style") or ""
        self._clean(element)
        if style:
            element.attrs["style"] = self._copies.styles(style, self._targets)
        if image:
            element.attrs["poster" if tag == "video" else "src"] = image
        if tag in ("a", "area") and address is not None:
            self._link(element, address)
        elif tag == "use" and address and address.startswith("#"):
            element.attrs["href"] = address
        elif tag == "style":
            element.set_text(self._copies.styles(element.text, self._targets))
        elif tag == "button" or (tag == "input" and (element.attr("type") or "").lower() in ("submit", "image")):
            element.attrs["type"] = "button"

    def _clean(self, element: Element) -> None:
        """Leave only attributes that are known to do nothing."""
        is_drawn = element.namespace is not Namespace.HTML
        for name in list(element.attrs):
            is_kept = name in _PLAIN or (name in _OF_DRAWINGS and is_drawn) or name == NUMBER
            if not is_kept and (name == TARGET or not name.startswith(_GROUPS)):
                del element.attrs[name]

    def _link(self, element: Element, address: str) -> None:
        element.attrs["href"] = "#"
        if url := self._targets.target(address):
            element.attrs[TARGET] = url

    def _image(self, element: Element) -> str:
        if element.tag == "video":
            written = element.attr("poster") or ""
        else:
            written = element.attr("src") or ""
            late = next((value for name in _LATE if (value := element.attr(name))), "")
            written = late if late and (not written or written.startswith("data:")) else written
        if written.startswith("data:image/"):
            return written
        url = self._targets.target(written) if written else ""
        return self._copies.file(url) if url else ""

    def _style_sheet(self, element: Element) -> None:
        """The style sheet that a link names takes its place."""
        relations = (element.attr("rel") or "").lower().split()
        url = self._targets.target(element.attr("href") or "")
        if "stylesheet" not in relations or "alternate" in relations or not url:
            return
        if text := self._copies.sheet(url):
            media = escape(element.attr("media") or "all", quote=True)
            element.insert_adjacent_html("beforebegin", f'<style media="{media}">{text}</style>')

    def _frame(self, element: Element) -> None:
        """A frame is a link to what it shows, and has its place."""
        if url := self._targets.target(element.attr("src") or ""):
            number, said = escape(element.attr(NUMBER) or "", quote=True), escape(url, quote=True)
            html = f'<a href="#" {NUMBER}="{number}" {TARGET}="{said}">[frame: {said}]</a>'
            element.insert_adjacent_html("beforebegin", html)


def _is_drawn(element: Element) -> bool:
    return element.namespace is Namespace.SVG and (element.tag in _DRAWN or element.tag == "a")
