"""The main text of a page as plain lines, for searches: without menus, footers and what all pages of the site say.

The content is found as for Markdown, but trafilatura is not asked: it would take three times as long, to leave out
lines that do little harm in a search.
"""

from __future__ import annotations

from copy import deepcopy
from typing import NamedTuple

from dowse.extract.articles.article import MOST_TEXT, is_garbage
from dowse.extract.content_region import take_content
from dowse.extract.markdown.hidden_text import shown
from dowse.extract.markdown.main_markdown import stated_date
from dowse.extract.site_blocks import SiteBlocks
from dowse.parse.page import Page

_SOFT_HYPHEN = "\xad"


class MainText(NamedTuple):
    """What a page says; `language` and `date` are what it states, in its own spelling."""

    title: str = ""
    text: str = ""
    language: str = ""
    date: str = ""


def main_text(page: Page, site: SiteBlocks) -> MainText:
    """Read a page. `site` knows what other pages of the site say too."""
    if page.trouble or is_garbage(page):
        return MainText()
    if not page.is_html:
        return MainText(page.title, _storable(page.source), "", "")
    tree = shown(page)
    date, title, language = stated_date(tree), page.title, page.language
    region = take_content(deepcopy(tree) if tree is page.tree else tree, site.of(page.url))
    text = region.to_text() if region is not None else ""
    return MainText(_storable(title), _storable(text), language, date)


def _storable(text: str) -> str:
    """Lone surrogates cannot be stored, and nobody searches for soft hyphens."""
    return text[:MOST_TEXT].replace(_SOFT_HYPHEN, "").encode("utf-8", "replace").decode().strip()
