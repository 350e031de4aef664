"""One page: a response, read as far as somebody asks.

Everything is worked out on first use, so that a plain crawl pays for the tree, the links, the title and the robots tags
and for nothing else. A page lives in one worker and is never sent anywhere.
"""

from __future__ import annotations

import re

from turbohtml import Document, Element, Namespace

from dowse.core.model import Response
from dowse.core.urls import Base
from dowse.parse.decode import charset_of, decode_as, header_label, marked_charset, xml_label
from dowse.parse.lazy import lazy
from dowse.parse.links import Anchor, Link, Links, Source, collapse, find_anchors, find_links
from dowse.parse.media import content_type, is_html, media_type
from dowse.parse.robots_tag import Directives, robots_directives
from dowse.parse.tree import Parsed, empty_tree, parse_html

LONGEST_TITLE = 300
LONGEST_LABEL = 40

_FEED_TYPES = frozenset({"application/rss+xml", "application/atom+xml"})
_XML_TYPES = frozenset({"application/xml", "text/xml"})
_XHTML = re.compile(rb"<html[\s>]", re.IGNORECASE)
_PROLOGUE_BYTES = 1_024

# The content of a refresh: a number, a separator, and the URL with or without `url=` and quotes.
_REFRESH = re.compile(
    r"""\s*(?:\d+|(?=\.))[\d.]*(?:\s*[;,]\s*|\s+)(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|(.*))""",
    re.IGNORECASE | re.DOTALL,
)


class Page:
    """What a response says. A response that is not HTML is a page without tags: no links, no title."""

    def __init__(self, response: Response, product_token: str = "dowse", kind: str = "") -> None:
        """`kind` is the media type, where it is known already."""
        self.response = response
        self.url = response.request.url
        self.media_type = kind or media_type(response.headers, response.body)
        self._product_token = product_token

    @lazy
    def is_html(self) -> bool:
        """Whether there are tags to read; XHTML is also sent as plain XML."""
        media = self.media_type
        return is_html(media) or (
            media in _XML_TYPES and _XHTML.search(self.response.body, 0, _PROLOGUE_BYTES) is not None
        )

    @lazy
    def declared_charset(self) -> str:
        """What the page is said to be written in, as it is spelled: by mark, header, meta tag or XML declaration."""
        response = self.response
        label = marked_charset(response.body) or header_label(response.headers) or self._meta_label()
        return (label or xml_label(response.body)).strip().lower()[:LONGEST_LABEL]

    @lazy
    def charset(self) -> str:
        """What the page is written in; where the bytes disprove the declaration, not what it declares."""
        return self._parsed.charset or charset_of(self.response.headers, self.response.body)

    @property
    def tree(self) -> Document:
        return self._parsed.tree

    @property
    def trouble(self) -> str:
        """Why the parser gave up on this page; "" if it did not."""
        return self._parsed.trouble

    @lazy
    def title(self) -> str:
        for element in self.tree.find_all("title"):
            if element.namespace is Namespace.HTML:  # drawings have titles too
                return collapse(element.text, LONGEST_TITLE)
        return ""

    @lazy
    def base(self) -> Base:
        """What the hrefs of the page are relative to."""
        return Base(self._base_url)

    @property
    def links(self) -> list[Link]:
        return self._links.found

    @property
    def links_dropped(self) -> int:
        """About how many links were too many to be taken; none were if nobody asked for the links."""
        links: Links | None = self.__dict__.get("_links")
        return links.dropped if links is not None else 0

    @lazy
    def anchors(self) -> list[Anchor]:
        """Every element that leads away, each for itself: what `links` is made of."""
        return find_anchors(self._source)

    @lazy
    def robots(self) -> Directives:
        """What the robots tags and the X-Robots-Tag header forbid."""
        names = ("robots", self._product_token.lower())
        values = [
            element.attr("content") or ""
            for element in self._metas
            if (element.attr("name") or "").strip().lower() in names
        ]
        header = self.response.headers.get("x-robots-tag")
        if header:
            values.append(header)
        return robots_directives(values, self._product_token) if values else Directives()

    @lazy
    def canonical(self) -> str | None:
        """The URL that the page says it should have."""
        return self._first_target(self.tree.select('link[rel~="canonical" i][href]'))

    @lazy
    def refresh(self) -> str | None:
        """Where the page sends its reader by itself."""
        for element in self.tree.select('meta[http-equiv="refresh" i][content]'):
            match = _REFRESH.match(element.attr("content") or "")
            href = match and (match[1] or match[2] or match[3])
            if href:
                return self.base.join(href.strip())
        return None

    @lazy
    def feeds(self) -> list[str]:
        """The RSS and Atom feeds that belong to the page."""
        elements = self.tree.select('link[rel~="alternate" i][href][type]')
        hrefs = [
            element.attr("href") or ""
            for element in elements
            if (element.attr("type") or "").partition(";")[0].strip().lower() in _FEED_TYPES
        ]
        return list(dict.fromkeys(url for href in hrefs if (url := self.base.join(href))))

    @lazy
    def text(self) -> str:
        """The visible text, a line for each block."""
        return self.tree.to_text() if self.is_html else self.source

    @lazy
    def source(self) -> str:
        """The text of the body as it was sent, with all its tags; "" for what is no text."""
        if self.is_html or self.media_type.startswith("text/"):
            return decode_as(self.response.body, self.charset)
        return ""

    @lazy
    def language(self) -> str:
        """The language that the page says it is written in, as it spells it."""
        root = self.tree.root
        return ((root and root.attr("lang")) or "").strip()

    @lazy
    def _metas(self) -> list[Element]:
        return self.tree.find_all("meta")

    def _meta_label(self) -> str:
        for element in self._metas:
            if label := element.attr("charset"):
                return label
            if (element.attr("http-equiv") or "").strip().lower() == "content-type" and (
                label := content_type(element.attr("content") or "")[1]
            ):
                return label
        return ""

    @lazy
    def _parsed(self) -> Parsed:
        if not self.is_html:
            return Parsed(empty_tree())
        return parse_html(self.response.body, self.response.headers)

    @lazy
    def _base_url(self) -> str:
        return self._first_target(self.tree.select("base[href]"), within=self.url) or self.url

    @lazy
    def _links(self) -> Links:
        return find_links(self._source)

    @property
    def _source(self) -> Source:
        size = len(self.response.body)
        return Source(self.tree, self.url, self._base_url, self.charset, size, self.refresh)

    def _first_target(self, elements: list[Element], within: str = "") -> str | None:
        if not elements:
            return None
        base = Base(within) if within else self.base
        return base.join(elements[0].attr("href") or "")
