"""The main content of a page as Markdown, for people and language models: headings, links, lists, tables and code.

    page --content_region--> its content --article_blocks, if it is an article--> --markdown_tree--> --> Markdown

Which library writes it was compared: html-to-markdown (3.19, 21 MB) does not escape what looks like a tag or a link in
a text, markdownify (1.2) neither, nor `|` in cells nor fences in code. The parser's own does. With parsing it takes
0.4 ms a page of Django's manual, html-to-markdown 2.6 ms, markdownify 43 ms.
Rejected: trafilatura's document as what is written. It is for articles: of manuals it keeps 62 to 100 % of the words,
and few headings and links.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from turbohtml import Document

from dowse.extract.articles.article import (
    MOST_TEXT,
    detected_language,
    has_trafilatura,
    is_garbage,
    present,
    read_article,
)
from dowse.extract.articles.article_blocks import is_article, keep_article
from dowse.extract.content_region import take_content
from dowse.extract.markdown.hidden_text import shown
from dowse.extract.markdown.markdown_tree import prepare
from dowse.extract.markdown.safe_markdown import heading, markdown_of_tree
from dowse.extract.site_blocks import SiteBlocks
from dowse.parse.page import Page

_FIELDS = ("title", "author", "date", "description", "sitename", "language", "note")
_DATES = (
    "article:published_time", "datepublished", "dcterms.created", "dcterms.date", "dc.date", "dc.date.issued",
    "citation_publication_date", "date", "pubdate", "article:modified_time", "dcterms.modified", "last-modified",
)  # fmt: skip
_LONGEST_DATE = 40
_READ_FOR_LANGUAGE = 1_000
_SOFT_HYPHEN = "\xad"
"""Where a browser may break a word; nobody sees it, and a search for the word does not find it."""


def markdown_of(page: Page, site: SiteBlocks | None = None) -> str:
    """The main content of a page, its title first; "" if there is none."""
    return str(markdown_row(page, site).get("text", ""))


def markdown_row(page: Page, site: SiteBlocks | None = None) -> dict[str, Any]:
    """The URL, title, date and so on of a page, and its main content as Markdown (`text`), if it has one.

    `site` knows what other pages of the site say too.
    """
    if not page.is_html or page.trouble or is_garbage(page):
        return {"url": page.url}
    tree = shown(page)
    tree = deepcopy(tree) if tree is page.tree else tree
    article = read_article(page, str) if _may_be_judged(tree) else {}
    text, words = _written(page, tree, site, str(article.pop("text", "")))
    if not text:
        return {"url": page.url}
    title = article.get("title") or page.title
    if title and "\n# " not in f"\n{text}":
        text = _titled(heading(title), text)
    known = {**article, "title": title, "date": article.get("date") or stated_date(page.tree)}
    known["language"] = article.get("language") or page.language or detected_language(words[:_READ_FOR_LANGUAGE])
    return {"url": page.url, **present(**{name: known.get(name) for name in _FIELDS}, text=text)}


def _titled(title: str, text: str) -> str:
    """A text with its title above it. A heading of a lower level that says the same becomes the title."""
    first, _, rest = text.partition("\n")
    is_said = first.startswith("##") and first.lstrip("#") == title.lstrip("#")
    return f"{title}\n{rest}" if is_said else f"{title}\n\n{text}"


def _may_be_judged(tree: Document) -> bool:
    return is_article(tree) and has_trafilatura()


def _written(page: Page, tree: Document, site: SiteBlocks | None, article: str) -> tuple[str, str]:
    """The content as Markdown, and its words alone."""
    region = take_content(tree, site.of(page.url) if site is not None else None)
    if region is None:
        return "", ""
    if article:
        keep_article(region, article)
    region.resolve_links(page.base.url)
    prepare(region)
    text = markdown_of_tree(region)[:MOST_TEXT].replace(_SOFT_HYPHEN, "")
    return text.strip(), region.text


def stated_date(tree: Document) -> str:
    """The day that a page marks as its own; none is guessed."""
    found: dict[str, str] = {}
    for meta in tree.find_all("meta"):
        name = str(meta.attrs.get("property") or meta.attrs.get("name") or meta.attrs.get("itemprop") or "").lower()
        if name in _DATES:
            found.setdefault(name, str(meta.attrs.get("content") or "").strip()[:_LONGEST_DATE])
    return next((found[name] for name in _DATES if found.get(name)), "")
