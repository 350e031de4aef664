"""What can be asked of a page's links one by one: the element around them, their words, and their attributes."""

from __future__ import annotations

from turbohtml import Document, Element

from dowse.parse.links import LONGEST_TEXT, Anchor, collapse, other_text
from dowse.parse.text import text_of

LONGEST_CONTEXT = 500

# Links inside links, or all links in one block, would each have the text of the whole page.
_MOST_TEXT = 5_000_000

_LINKS = ":is(a, area, frame, iframe, link)"
_BLOCKS = (
    "li, tr, dd, dt, p, h1, h2, h3, h4, h5, h6, figure, blockquote, caption, summary, article, section, aside, nav, "
    "header, footer, main, table, div"
)
_ITEMS = "li, tr, dd, dt"


def scope_selector(identifier: str = "", classes: str = "", tag: str = "") -> str:
    """The CSS selector of elements with that id, all of those classes, or that tag.

    >>> scope_selector(classes="col-9 main")
    '[class~="col-9"][class~="main"]'
    """
    names = "".join(f"[class~={_quoted(name)}]" for name in classes.split())
    return f"{tag}{f'[id={_quoted(identifier)}]' if identifier else ''}{names}"


def links_within(tree: Document, selector: str) -> set[Element]:
    """The elements with links that are inside of what a selector finds, or are such elements themselves."""
    return set(tree.select(f"{selector} {_LINKS}, {_LINKS}:is({selector})"))


class AnchorFields:
    """The fields of a page's anchors: text, title, rel, type, context, or any attribute."""

    def __init__(self) -> None:
        self._blocks: dict[Element, str] = {}
        self._text_left = _MOST_TEXT

    def get(self, anchor: Anchor, field: str) -> str:
        """A field's value; "" where there is none."""
        element = anchor.element
        if element is None:
            return ""
        if field == "text":
            return self._words(element) or other_text(element, reads=self._text_left > 0)
        if field == "context":
            return self._context(element)
        return " ".join((element.attr(field) or "").split())

    def _context(self, element: Element) -> str:
        """The text of the closest block around a link, read once for all links in it.

        A div with nothing but the link only places it within its item.
        """
        around = element.parent
        block = around.closest(_BLOCKS) if isinstance(around, Element) else None
        if block is None:
            return ""
        text = self._block_text(block)
        if block.tag == "div" and text == collapse(element.text, LONGEST_CONTEXT):
            item = block.closest(_ITEMS)
            return self._block_text(item) if item is not None else text
        return text

    def _block_text(self, block: Element) -> str:
        if block not in self._blocks:
            text = block.text if self._text_left > 0 else ""
            self._text_left -= len(text)
            self._blocks[block] = collapse(text, LONGEST_CONTEXT)
        return self._blocks[block]

    def _words(self, element: Element) -> str:
        text = text_of(element) if self._text_left > 0 else ""
        self._text_left -= len(text)
        return collapse(text, LONGEST_TEXT)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
