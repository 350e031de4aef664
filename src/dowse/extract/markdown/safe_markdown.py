"""Markdown of strangers' HTML that is safe to show: no tags, no links that run scripts. The one place that makes it.

The parser's Markdown escapes what would be a tag. What is left are the addresses of links and pictures: those of
schemes that are for reading stay, others lose their link. A reader of Markdown decodes character references and
backslashes in an address before looking at its scheme, so that is done here too.
"""

from __future__ import annotations

import re
from html import escape, unescape
from typing import Any

import turbohtml
from turbohtml import Markdown, Text

_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*(?=:)")
_SCHEMES = frozenset({"http", "https", "mailto", "tel", "ftp"})
_WRITTEN = Markdown(tables=Markdown.Tables(cell_blocks="text"))  # in cells lists would be tags
_IGNORED = re.compile(r"[\x00-\x20\x7f-\xa0\\]+")
_OTHER_SPACES = re.compile(r"[\xa0\u2000-\u200a\u202f\u205f\u3000]")
_ENCODED = {ord(letter): f"%{ord(letter):02X}" for letter in "<>\"'` \n\r\t"}


def markdown_of_tree(tree: Any) -> str:
    """The Markdown of a tree that may be changed for it."""
    for link in tree.select("a[href]"):
        href = str(link.attrs["href"])
        if not is_safe(href):
            link.unwrap()
        elif (encoded := href.strip().translate(_ENCODED)) != href:
            link.attrs["href"] = encoded
    for picture in tree.select("img"):
        if is_safe(str(picture.attrs.get("src") or "")):
            picture.attrs["src"] = str(picture.attrs.get("src") or "").strip().translate(_ENCODED)
        else:
            picture.decompose()
    _plain_spaces(tree)
    return str(tree.to_markdown(_WRITTEN))


def _plain_spaces(tree: Any) -> None:
    """Spaces that do not break, and other wide ones, as spaces: the parser writes `&#160;` for them at some places, and
    tags for the bold text beside them."""
    if _OTHER_SPACES.search(tree.text):
        for node in list(tree.descendants):
            if isinstance(node, Text) and _OTHER_SPACES.search(node.data):
                node.data = _OTHER_SPACES.sub(" ", node.data)


def markdown_of_html(html: str) -> str:
    return markdown_of_tree(turbohtml.parse(html, positions=False))


def heading(text: str) -> str:
    """A text as a heading of the first level."""
    return markdown_of_html(f"<h1>{escape(' '.join(text.split()))}</h1>").strip()


def is_safe(url: str) -> bool:
    """Whether an address leads to something to read.

    >>> [is_safe(url) for url in ("/a:b", "HTTPS://x/", "java\\tscript:1", "javascript&#58;1", "data:text/html,x")]
    [True, True, False, False, False]
    """
    bare = _IGNORED.sub("", unescape(unescape(url))).lower()
    scheme = _SCHEME.match(bare)
    return scheme is None or scheme[0] in _SCHEMES
