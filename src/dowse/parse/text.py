"""The text of an element as a reader sees it: one line, blocks apart, without scripts, styles and templates.

Only the elements that hold a block or something to leave out are walked, which is a third of them; the text of the
others comes from the parser at once. Rejected: the parser's own plain text, which is faster but numbers the items of
lists, drops captions and whatever in a list is not an item, and lets words run together where a line holds a block.
"""

from __future__ import annotations

from copy import deepcopy

from turbohtml import Element, Node, Text

_UNSEEN = frozenset({"script", "style", "template"})
_BLOCKS = frozenset(
    {
        *("address", "article", "aside", "blockquote", "body", "br", "button", "caption", "center", "dd", "details"),
        *("dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3"),
        *("h4", "h5", "h6", "header", "hgroup", "hr", "html", "iframe", "legend", "li", "listing", "main", "marquee"),
        *("menu", "nav", "ol", "optgroup", "option", "p", "pre", "search", "section", "select", "summary", "table"),
        *("tbody", "td", "textarea", "tfoot", "th", "thead", "tr", "ul", "xmp"),
    }
)
_PARTS = tuple(_UNSEEN | _BLOCKS)


def text_of(element: Element, excluded: frozenset[Element] = frozenset()) -> str:
    """The text of an element, but for the excluded parts.

    >>> import turbohtml
    >>> text_of(turbohtml.parse("<div>One<p>t<b>w</b>o</p>three<script>4</script></div>").select_one("div"))
    'One two three'
    """
    holders = _holders(element, excluded) if element.select_one("*") is not None else None
    if not holders:
        return " ".join(element.text.split())
    pieces: list[str] = []
    _walk(element, holders, excluded, pieces)
    return " ".join("".join(pieces).split())


def without(element: Element, excluded: frozenset[Element]) -> Element:
    """A copy of an element that lacks the excluded parts; the page's own tree is left as it is."""
    copied = deepcopy(element)
    pairs = zip(element.iter_elements(), copied.iter_elements(), strict=True)
    for part in [copy for original, copy in pairs if original in excluded]:
        part.extract()
    return copied


def _holders(element: Element, excluded: frozenset[Element]) -> set[Node]:
    """The elements with a block or something to leave out in them."""
    holders: set[Node] = set()
    for part in (*element.iter_elements(_PARTS), *excluded):
        around: Node | None = part.parent
        while around is not None and around not in holders:
            holders.add(around)
            around = around.parent if around != element else None
    return holders


def _walk(element: Element, holders: set[Node], excluded: frozenset[Element], pieces: list[str]) -> None:
    """Recursion is safe: the parser makes no tree deeper than 512."""
    for child in element:
        if type(child) is Text:
            pieces.append(child.data)
        elif type(child) is Element:
            tag = child.tag
            if tag in _UNSEEN or child in excluded:
                continue
            space = " " if tag in _BLOCKS else ""
            pieces.append(space)
            if child in holders:
                _walk(child, holders, excluded, pieces)
            else:
                pieces.append(child.text)
            pieces.append(space)
