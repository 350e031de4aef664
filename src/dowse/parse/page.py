"""One page: a response, read as far as somebody asks.

Everything is worked out on first use, so that a plain crawl pays for the links, the title and the robots tags and for
nothing else, not even for a tree where a scan of its tags will do. A page lives in one worker and is never sent away.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Literal

from msgspec.structs import replace
from turbohtml import Document, Element, Namespace

from dowse.core.model import Response
from dowse.core.record import Record
from dowse.core.rendered_pages import WRITTEN
from dowse.core.urls import Base
from dowse.parse.addresses import find_addresses
from dowse.parse.decode import Attribute, charset_name, charset_of, declared_charset, decode_as, marked_charset
from dowse.parse.lazy_properties import lazy
from dowse.parse.links import (
    Anchor,
    Link,
    Links,
    Source,
    collapse,
    find_anchors,
    find_links,
    find_scanned_links,
    targets_of,
)
from dowse.parse.media import has_tags, is_feed, media_type
from dowse.parse.meta_refresh import refresh_target
from dowse.parse.outline import Outline, outline_of_scan, outline_of_tree
from dowse.parse.pagination.pagination import Pagination
from dowse.parse.robots_tag import Directives, page_directives
from dowse.parse.scan import Scan, scan, text_value
from dowse.parse.tree import Parsed, empty_tree, parse_html, parse_xhtml

Reads = Literal["links", "outline", "tree"]
"""What is read of a page: its links, title and robots tags; its text, too, and what stands around links; or all."""

_MADE = {"content-type": "text/html; charset=utf-8"}
"""How the HTML of a document is written."""

LONGEST_TITLE = 300


class Page:
    """What a response says. One that is not HTML, nor read as such, is a page without tags: no links, no title.

    >>> html = b"<title>Fish</title><h1>Of fish</h1><a href=/net>nets</a>"
    >>> request = Request("https://example.org/", 1, "example.org")
    >>> page = Page(Response(request, 200, {"content-type": "text/html"}, html, fetched_at=0.0, elapsed=0.1))
    >>> page.title, [link.url for link in page.links], page.tree.select("h1")[0].text
    ('Fish', ['https://example.org/net'], 'Of fish')
    """

    records: Sequence[Record] = ()
    """What extractors took from it, where `on_page` is asked."""

    site: Callable[[], object] | None = None
    """Tells what other pages of the site say too, where the page is one of a crawl: no content of this one."""

    note: str = ""
    """What could not be read of a document, outside of crawls; a crawl has it in the story of the URL."""

    def __init__(
        self,
        response: Response,
        product_token: str = "dowse",
        kind: str = "",
        *,
        reads: Reads = "tree",
        charset: str = "",
        html: bytes = b"",
    ) -> None:
        """`kind` is the media type, where it is known already; `reads` the most that anybody will ask for.

        `charset` is what the user says the page is written in. A byte order mark knows better, and so does a browser.
        `html` is what was made of a document that has no tags, such as a PDF file; it is read in its place.
        """
        self.response = response
        self.url = response.request.url
        self.media_type = kind or media_type(response.headers, response.body)
        self._markup = replace(response, body=html, headers=_MADE) if html else response
        self._markup_type = "text/html" if html else self.media_type
        self._product_token = product_token
        self._reads = reads
        is_given = charset and not html and response.rendered is None and not marked_charset(response.body)
        self._given_charset = charset if is_given else ""

    @property
    def html(self) -> str:
        """The page as it was sent, or as its scripts have made it: the same as `source`."""
        return self.source

    @property
    def headers(self) -> dict[str, str]:
        """The headers of the answer; their names are in lower case."""
        return self.response.headers

    @property
    def status(self) -> int:
        """The status of the answer."""
        return self.response.status

    @lazy
    def is_html(self) -> bool:
        """Whether there are tags to read; XHTML is also sent as plain XML."""
        return has_tags(self._markup_type, self._markup.body)

    @lazy
    def declared_charset(self) -> str:
        """What the page is said to be written in, as it is spelled: by mark, header, meta tag or XML declaration."""
        return declared_charset(self._markup, self._metas)

    @lazy
    def charset(self) -> str:
        """What the page is written in; where the bytes disprove the declaration, not what it declares."""
        if self._given_charset:
            return self._given_charset
        if self._scan is not None:
            return self._scan.charset
        return self._parsed.charset or charset_of(self._markup.headers, self._markup.body)

    @property
    def tree(self) -> Document:
        """The elements: `page.tree.select("h1")` finds those that a CSS selector matches."""
        return self._parsed.tree

    @property
    def trouble(self) -> str:
        """Why the parser gave up on this page; "" if it did not."""
        return self._parsed.trouble if self._scan is None else ""

    @lazy
    def title(self) -> str:
        """What the title tag says."""
        if self._scan is not None:
            return collapse(text_value(self._scan.title), LONGEST_TITLE)
        titles = self._own("title")
        return collapse(titles[0].text, LONGEST_TITLE) if titles else ""

    @lazy
    def base(self) -> Base:
        """What the hrefs of the page are relative to."""
        return Base(self._base_url)

    @property
    def links(self) -> list[Link]:
        """The distinct links, each with `url`, `text` and `nofollow`."""
        return self._links.found

    @property
    def links_dropped(self) -> int:
        """About how many links were too many to be taken; none were if nobody asked for the links."""
        links: Links | None = self.__dict__.get("_links")
        return links.dropped if links is not None else 0

    @lazy
    def anchors(self) -> list[Anchor]:
        """Every element that leads away, each for itself: what `links` is made of."""
        return find_anchors(self.tree, self._source)

    def addresses(self, tag: str) -> list[Anchor]:
        """What is no link and leads somewhere all the same, as far as the tag of a rule asks for it."""
        return find_addresses(self.tree, tag, targets_of(self._source).target)

    @lazy
    def robots(self) -> Directives:
        """What meta tags and the X-Robots-Tag header forbid."""
        return page_directives(self._metas, self.response.headers, self._product_token)

    @lazy
    def canonical(self) -> str | None:
        """The URL that the page says it should have."""
        hrefs = (link("href") for link in self._related("canonical"))
        return next((self.base.join(href) for href in hrefs if href is not None), None)

    @lazy
    def refresh(self) -> str | None:
        """Where the page sends its reader by itself."""
        href = refresh_target(self._metas)
        return self.base.join(href) if href else None

    @lazy
    def feeds(self) -> list[str]:
        """The RSS and Atom feeds that belong to the page."""
        links = [link for link in self._related("alternate") if is_feed(link("type") or "")]
        hrefs = [href for link in links if (href := link("href")) is not None]
        return list(dict.fromkeys(url for href in hrefs if (url := self.base.join(href))))

    @lazy
    def text(self) -> str:
        """The visible text, a line for each block."""
        return self.tree.to_text() if self.is_html else self.source

    @lazy
    def markdown(self) -> str:
        """The main content as Markdown, its title first; "" if there is none."""
        # Found by its name: what takes content from pages is built on them, and most crawls have no use for it.
        return str(import_module("dowse.extract.markdown.main_markdown").markdown_of(self, self.site and self.site()))

    @lazy
    def paging(self) -> Pagination:
        """The links to other pages of the same list, article or thread: `next`, `previous`, `pages` and so on."""
        found: Pagination = import_module("dowse.parse.pagination.pagination_finding").find_pagination(self)
        return found

    @lazy
    def outline(self) -> Outline:
        """The same in one line, with what stands around its links."""
        if not self.is_html:
            return Outline(self.source, 0, [])
        scanned = self._scan if self._reads == "outline" else self._scanned(outlined=True)
        if scanned is None or scanned.outline is None:
            return outline_of_tree(self.tree, self._source)
        links = self._links if scanned is self._scan else find_scanned_links(scanned, self._source)
        return outline_of_scan(scanned.outline, links)

    @lazy
    def description(self) -> str:
        """What the page says of itself to search engines."""
        named = (meta for meta in self._metas if (meta("name") or "").strip().lower() in ("description", "keywords"))
        return "\n".join(meta("content") or "" for meta in named)

    @lazy
    def source(self) -> str:
        """The text of the body as it was sent, with all its tags; "" for what is no text."""
        if self.is_html or self.media_type.startswith("text/"):
            return decode_as(self._markup.body, self.charset)
        return ""

    @lazy
    def language(self) -> str:
        """The language that the page says it is written in, as it spells it."""
        root = self.tree.root
        return ((root and root.attr("lang")) or "").strip()

    @property
    def _is_xhtml(self) -> bool:
        """Whether the tags follow the rules of XML, which the media type decides and not the doctype."""
        return self.is_html and self._markup_type != "text/html"

    @lazy
    def _scan(self) -> Scan | None:
        return self._scanned(outlined=self._reads == "outline") if self._reads != "tree" else None

    def _scanned(self, *, outlined: bool) -> Scan | None:
        """A page sent as XML is left to its tree: the scan knows HTML alone."""
        if not self.is_html or self._is_xhtml or self._given_charset:
            return None
        return scan(self._markup.body, self._markup.headers, outlined=outlined)

    def _tags(self, name: str) -> list[Attribute]:
        if self._scan is not None:
            return self._scan.attributes(name)
        return [element.attr for element in self._own(name)]

    def _own(self, name: str) -> list[Element]:
        """The elements of a kind that speak for the page: drawings have titles too, and templates are for scripts."""
        tree = self.tree
        found = tree.select(f"{name}:not(template *)") if tree.find_all("template") else tree.find_all(name)
        return [element for element in found if element.namespace is Namespace.HTML]

    @lazy
    def _metas(self) -> list[Attribute]:
        return self._tags("meta")

    def _related(self, relation: str) -> list[Attribute]:
        """The link tags of a page that say what they are to it."""
        return [link for link in self._tags("link") if relation in (link("rel") or "").lower().split()]

    @lazy
    def _parsed(self) -> Parsed:
        if not self.is_html:
            return Parsed(empty_tree())
        parse = parse_xhtml if self._is_xhtml else parse_html
        return parse(self._markup.body, self._markup.headers, self._given_charset)

    @lazy
    def _base_url(self) -> str:
        href = next((href for base in self._tags("base") if (href := base("href")) is not None), None)
        return (href is not None and Base(self.url).join(href)) or self.url

    @lazy
    def _links(self) -> Links:
        if self._scan is not None:
            return find_scanned_links(self._scan, self._source)
        return find_links(self.tree, self._source)

    @property
    def _source(self) -> Source:
        # Any server can send that header too.
        charset = charset_name(self.response.headers.get(WRITTEN, "")) or self.charset
        return Source(self.url, self._base_url, charset, len(self._markup.body), self.refresh)
