"""The addresses in the markup of a page, by what they are to it, and the same page with others in their place.

    link         leads away: an anchor, an area, a form, a refresh
    requisite    is shown with the page or in it: an image, a style sheet, a script, a font, a frame
    hindrance    no address, but what keeps a copy from being shown: another base, a policy, a checksum

Whoever looks for them and whoever changes them go over the same list, so nothing is found that is not changed, too.
What is not changed stays as it is written. No tree is built: the parser finds the tags that a selector names while it
goes over the text, which takes a third of the time.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal

from turbohtml.rewrite import Element, ElementHandler, rewrite

from dowse.parse.style_addresses import change_style

Role = Literal["link", "requisite", "hindrance"]
Change = Callable[[str, Role], str | None]
"""Is told an address as it is meant and what it is to the page; answers with another, or None if it stays. A hindrance
goes if the answer is not None."""

LONGEST_ADDRESS = 8_192
_DEEPEST = 5
"""How many documents may be written into each other."""

# Where elements have addresses.
_LINKS: dict[str, tuple[str, ...]] = {
    "a": ("href", "xlink:href"),
    "area": ("href",),
    "blockquote": ("cite",),
    "button": ("formaction",),
    "del": ("cite",),
    "form": ("action",),
    "ins": ("cite",),
    "q": ("cite",),
}
_REQUISITES: dict[str, tuple[str, ...]] = {
    "audio": ("src",),
    "bgsound": ("src",),
    "embed": ("src",),
    "feimage": ("href", "xlink:href"),
    "frame": ("src",),
    "iframe": ("src",),
    "image": ("href", "xlink:href"),
    "img": ("src", "lowsrc"),
    "input": ("src",),
    "object": ("data",),
    "script": ("src", "href", "xlink:href"),
    "source": ("src",),
    "track": ("src",),
    "use": ("href", "xlink:href"),
    "video": ("src", "poster"),
}
# Where any element may have them; most are where scripts that load images late look for them.
_ANYWHERE = frozenset(
    {"background", "data-background", "data-background-image", "data-bg", "data-echo", "data-hi-res-src", "data-lazy"}
    | {"data-lazy-src", "data-original", "data-poster", "data-src"}
)
_LISTS = frozenset({"srcset", "imagesrcset", "data-srcset", "data-lazy-srcset"})
# In what relation a link element names something that is shown, or is read before it is.
_SHOWN_RELATIONS = frozenset(
    {"stylesheet", "icon", "apple-touch-icon", "apple-touch-icon-precomposed", "mask-icon", "preload", "modulepreload"}
)
# What a browser checks an answer by, which is wrong for a copy.
_CHECKS = frozenset({"integrity", "crossorigin"})

_WITH_REQUISITES = ", ".join((*_REQUISITES, "link"))
_WITH_ADDRESSES = ", ".join((*_REQUISITES, *_LINKS, "link", "meta", "base"))
_WITH_MORE = ", ".join(f"[{name}]" for name in sorted({*_ANYWHERE, *_LISTS, *_CHECKS, "style", "srcdoc"}))

# There must be something in them, or the next text of the page would be taken for it.
_EMPTY = re.compile(r"(<(?:style|noscript)[^<>]*>)</", re.IGNORECASE)
_CANDIDATE = re.compile(r"(?P<space>[\s,]*+)(?P<url>\S*+)(?:(?<=,)|(?P<rest>[^,(]*+(?:\([^)]*+\)?[^,(]*+)*+))")
_REFRESH = re.compile(
    r"""(?P<before>\s*+[\d.]++\s*+[;,]?+\s*+(?:url\s*+=\s*+)?+)(?P<url>"[^"]*+|'[^']*+|\S.*+)""",
    re.IGNORECASE | re.DOTALL,
)
_NO_ADDRESS = re.compile(r"""[\s{}<>"'\[\]]""")


def change_markup(text: str, change: Change, *, links: bool = True) -> str:
    """The same page with other addresses; without `links` only those of requisites.

    >>> change_markup("<p><img src=a.png alt=A>", lambda url, role: f"new/{url}" if role == "requisite" else None)
    '<p><img src="new/a.png" alt="A">'
    """
    return _Pass(change, links).over(text)


class _Pass:
    """One pass over a page."""

    def __init__(self, change: Change, links: bool, depth: int = 0) -> None:
        self._change = change
        self._links = links
        self._depth = depth
        self._inside = ""

    def over(self, text: str) -> str:
        """The page as it is then; as it was if it is no text: half a pair of surrogates is no character."""
        try:
            return self._rewritten(text)
        except ValueError:
            return text

    def _rewritten(self, text: str) -> str:
        tags = _WITH_ADDRESSES if self._links else _WITH_REQUISITES
        elements: list[tuple[str, ElementHandler]] = [(tags, self._element), (_WITH_MORE, self._more)]
        if not _has_more_inside(text.lower()):
            return rewrite(text, elements=elements)
        elements.append(("style, noscript", self._enter))
        return rewrite(_EMPTY.sub(r"\1 </", text), elements=elements, text=self._text)

    def _element(self, element: Element) -> None:
        """An element that has addresses where others have none."""
        tag = element.tag
        for attribute in _LINKS.get(tag, ()):
            self._address(element, attribute, "link")
        for attribute in _REQUISITES.get(tag, ()):
            self._address(element, attribute, "requisite")
        if tag == "link":
            is_shown = not _SHOWN_RELATIONS.isdisjoint((element.get("rel") or "").lower().split())
            if is_shown or self._links:
                self._address(element, "href", "requisite" if is_shown else "link")
        elif tag == "meta":
            self._meta(element)
        elif tag == "base":
            self._hindrance(element, "href")

    def _more(self, element: Element) -> None:
        """What any element may have."""
        for name, value in element.attrs:
            if name in _ANYWHERE and value and not _NO_ADDRESS.search(value.strip()):
                self._address(element, name, "requisite")
            elif name in _LISTS and value:
                _replace(element, name, value, _CANDIDATE.sub(self._candidate, value))
            elif name == "style" and value:
                _replace(element, name, value, self._sheet(value))
            elif name == "srcdoc" and value and element.tag == "iframe" and self._depth < _DEEPEST:
                _replace(element, name, value, self._nested(value))
            elif name in _CHECKS:
                self._hindrance(element, name)

    def _address(self, element: Element, attribute: str, role: Role) -> None:
        value = element.get(attribute)
        if value and len(value) <= LONGEST_ADDRESS and (address := value.strip()):
            _replace(element, attribute, value, self._change(address, role))

    def _hindrance(self, element: Element, attribute: str) -> None:
        value = element.get(attribute, "")
        if element.has_attribute(attribute) and self._change(value or "", "hindrance") is not None:
            element.remove_attribute(attribute)

    def _meta(self, element: Element) -> None:
        kind, value = (element.get("http-equiv") or "").strip().lower(), element.get("content") or ""
        if kind == "content-security-policy":
            self._hindrance(element, "content")
        elif kind == "refresh" and (found := _REFRESH.match(value)):
            new = self._change(found["url"].strip().strip("\"'"), "link")
            _replace(element, "content", value, None if new is None else f"{found['before']}{new}")

    def _candidate(self, found: re.Match[str]) -> str:
        """One image of a list; a comma at its end is not its own, and then nothing else is said of it."""
        url = found["url"]
        bare = url.rstrip(",")
        new = self._change(bare, "requisite") if bare else None
        return found[0] if new is None else f"{found['space']}{new}{url[len(bare) :]}{found['rest'] or ''}"

    # What stands between tags and is no text of the page: style sheets, and what is for browsers without scripts

    def _enter(self, element: Element) -> None:
        self._inside = element.tag

    def _text(self, run: Element) -> None:
        if not self._inside:
            return
        before = run.text
        after = before
        if self._inside == "style":
            after = self._sheet(before)
        elif self._depth < _DEEPEST:
            after = self._nested(before)
        self._inside = ""
        if after != before:
            run.set_text(after)

    def _sheet(self, text: str) -> str:
        return change_style(text, lambda url: self._change(url, "requisite"))

    def _nested(self, text: str) -> str:
        return _Pass(self._change, self._links, self._depth + 1).over(text)


def _has_more_inside(text: str) -> bool:
    """Whether there may be addresses between tags. To be told of all texts takes as long as all the rest."""
    return "<noscript" in text or ("<style" in text and any(word in text for word in ("url(", "@import", "image-set(")))


def _replace(element: Element, attribute: str, value: str, new: str | None) -> None:
    if new is not None and new != value:
        element.set_attribute(attribute, new)
