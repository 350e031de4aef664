"""The main content of a page as Markdown, for people and language models: headings, links, lists, tables and code.

    page --trafilatura--> its main content, in the tags of TEI --HTML again--> the parser --> Markdown

Rejected: trafilatura's own Markdown, which drops empty lines and the language of code and the marks of quotations.
"""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

from dowse.extract.article import load_trafilatura, read_article
from dowse.extract.hidden_text import shown
from dowse.extract.safe_markdown import heading, markdown_of_html, markdown_of_tree
from dowse.parse.page import Page

if TYPE_CHECKING:
    from lxml.etree import _Element
    from trafilatura.settings import Document

_TAGS = {
    "cell": "td", "del": "del", "graphic": "img", "head": "h2", "hi": "i", "item": "li", "lb": "br", "list": "ul",
    "quote": "blockquote", "ref": "a", "row": "tr",
}  # fmt: skip
_RENDERED = {"#b": "b", "#i": "i", "#u": "u", "#t": "code", "#sub": "sub", "#sup": "sup"}
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})


def markdown_of(page: Page) -> str:
    """The main content of a page, its title first; "" if there is none."""
    return str(markdown_row(page).get("text", ""))


def markdown_row(page: Page) -> dict[str, Any]:
    """The URL, title, author, date and so on of a page, and its main content as Markdown (`text`), if it has one."""
    load_trafilatura("markdown")
    fields = read_article(page, _markdown, lambda: _own_markdown(page), rich=True)
    if not fields.get("text"):
        return {"url": page.url}
    title = fields.get("title") or page.title
    if title and not fields["text"].startswith("# "):
        fields["text"] = f"{heading(title)}\n\n{fields['text']}"
    return {"url": page.url, **fields}


def _markdown(document: Document) -> str:
    from lxml.etree import tostring

    body = document.body
    for element in body.iter():
        if isinstance(element.tag, str):  # and no comment
            _as_html(element, body)
    html = tostring(body, encoding="unicode", method="html")
    return markdown_of_html(html)


def _as_html(element: _Element, body: _Element) -> None:
    """Give an element of trafilatura the name that it has in HTML."""
    tag, rendering = element.tag, element.get("rend", "")
    if tag == "code":
        if element.getparent() is body or _is_block(element):
            element.tag = "pre"  # the code in it that names its language stays what it is
    elif tag == "head":
        element.tag = rendering if rendering in _HEADINGS else _TAGS[tag]
    elif tag == "hi":
        element.tag = _RENDERED.get(rendering, _TAGS[tag])
    elif tag == "list":
        element.tag = "ol" if rendering == "ol" else _TAGS[tag]
    elif tag == "cell":
        element.tag = "th" if element.get("role") == "head" else _TAGS[tag]
    elif tag == "ref":
        element.tag = _TAGS[tag]
        element.set("href", element.get("target", ""))
    else:
        element.tag = _TAGS.get(tag, tag)


def _is_block(code: _Element) -> bool:
    """Whether code stands by itself; in a paragraph it does not, whatever lines it is written on."""
    around = code.getparent()
    return around is not None and around.tag in ("blockquote", "li") and "\n" in "".join(code.itertext()).strip()


def _own_markdown(page: Page) -> str:
    """The main content as the parser sees it."""
    found = shown(page).main_content()
    if found is None:
        return ""
    content = deepcopy(found)  # the page's own links stay as they are written
    content.resolve_links(page.base.url)
    return markdown_of_tree(content)
