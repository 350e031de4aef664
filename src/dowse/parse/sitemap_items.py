"""The items of a list of URLs, from its text: in XML (sitemaps, RSS, Atom), or one URL a line.

Both readers are fed piece by piece and keep the item they are in and nothing else. Whatever is sent, they stay bounded:
in nesting, names and the length of one tag. Entity declarations are refused, so nothing is expanded and nothing outside
the file is read.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal
from urllib.parse import urljoin
from xml.parsers.expat import XML_PARAM_ENTITY_PARSING_ALWAYS, ParserCreate, XMLParserType

from dowse.core.revisits.server_signs import Said
from dowse.parse.xml_mending import XmlMender

MAX_URL = 8192
_MAX_DATE = 64
_MAX_DEPTH = 64
_MAX_NAMES = 5_000
_MAX_URLS = 1_000
"""Of one entry that wait for its date."""

# expat reads an unfinished tag or comment again with each piece: without a limit 26 MB of comment took 8 s.
_MAX_TAG = 512 * 1024

Kind = Literal["page", "sitemap"]

# What a list is called at its root, what holds one entry, and where in it the URL and the date are, best first.
_ROOTS = frozenset({"urlset", "sitemapindex", "rss", "RDF", "feed"})
_ITEMS: dict[str, Kind] = {"url": "page", "sitemap": "sitemap", "item": "page", "entry": "page"}
_URLS = ("loc", "link", "guid")
_DATES = ("lastmod", "updated", "modified", "pubDate", "date", "published", "issued")
_EVERY = "changefreq"
_FIELDS = frozenset((*_URLS, *_DATES, _EVERY))
_OF_FEEDS = frozenset({"item", "entry"})

Add = Callable[[str, Kind, Said | None], None]
"""Takes a URL, what it is, and what the list says of it."""


class ReadingStopped(Exception):
    """Ends the reading of a list, from inside a callback of expat too; the text says why."""


class XmlItems:
    """XML as expat reports it. The state is where in the current item we are, never a tree."""

    def __init__(self, add: Add) -> None:
        self._add = add
        self._names: dict[str, str] = {}
        self._parser = _safe_parser(self._names)
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._sent = 0
        self._mender = XmlMender()
        self._depth = 0
        self._item = ""
        self._item_depth = 0
        self._field = ""
        self._fields: dict[str, str] = {}
        self._urls: list[str] = []
        self._bases: list[tuple[int, str]] = []
        self._pieces: list[str] = []
        self._length = 0

    def feed(self, text: str) -> None:
        octets = self._mender.mend(text)
        self._sent += len(octets)
        self._parser.Parse(octets)
        if self._sent - self._parser.CurrentByteIndex > _MAX_TAG:
            raise ReadingStopped("a tag is too long")
        if len(self._names) > _MAX_NAMES:
            raise ReadingStopped("too many different tags")

    def close(self) -> None:
        self._parser.Parse(self._mender.rest(), True)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        local = name.rpartition(":")[2]
        if attributes and "xml:base" in attributes:
            self._bases.append((self._depth, self._resolved(attributes["xml:base"].strip()[:MAX_URL])))
        if self._depth == self._item_depth + 1 and self._item:
            self._start_field(local, attributes)
        elif self._depth == 1:
            if local not in _ROOTS:
                raise ReadingStopped(f"not a sitemap or feed but <{name}>")
        elif self._depth > _MAX_DEPTH:
            raise ReadingStopped("nested too deep")
        elif not self._item and local in _ITEMS:
            self._item, self._item_depth = local, self._depth

    def _start_field(self, local: str, attributes: dict[str, str]) -> None:
        if local == "link" and "href" in attributes:  # Atom
            if attributes.get("rel", "alternate") == "alternate":
                self._fields.setdefault("link", self._resolved(attributes["href"].strip()))
        elif local in _FIELDS and not (local == "guid" and attributes.get("isPermaLink") == "false"):
            self._field = local
            # Set only here: the white space between tags would cost as many callbacks as the tags.
            self._parser.CharacterDataHandler = self._characters

    def _characters(self, text: str) -> None:
        if self._length <= MAX_URL:
            self._pieces.append(text)
            self._length += len(text)

    def _end(self, _name: str) -> None:
        if self._item:
            if self._field and self._depth == self._item_depth + 1:
                value = "".join(self._pieces).strip()
                if value:
                    self._take(self._field, value)
                self._field = ""
                self._pieces.clear()
                self._length = 0
                self._parser.CharacterDataHandler = None
            elif self._depth == self._item_depth:
                self._end_item()
        if self._bases and self._bases[-1][0] == self._depth:
            self._bases.pop()
        self._depth -= 1

    def _take(self, field: str, value: str) -> None:
        """The first of each field counts, but for places: some write them all into one entry."""
        if field in _URLS:
            value = self._resolved(value)
        if field == "loc" and "loc" in self._fields:
            if len(self._urls) >= _MAX_URLS:
                self._add(self._urls.pop(0), _ITEMS[self._item], None)
            self._urls.append(value)
        else:
            self._fields.setdefault(field, value)

    def _resolved(self, url: str) -> str:
        """What a URL is relative to its `xml:base`, which may itself be relative to the file."""
        if not self._bases:
            return url
        try:
            return urljoin(self._bases[-1][1], url)[:MAX_URL]
        except ValueError:  # such as half an IPv6 address
            return url

    def _end_item(self) -> None:
        fields = self._fields
        url = next((fields[name] for name in _URLS if name in fields), "")
        date = next((fields[name] for name in _DATES if name in fields), "")
        every = fields.get(_EVERY, "")
        said = Said(date[:_MAX_DATE], every[:_MAX_DATE], self._item in _OF_FEEDS) if date or every else None
        self._add(url, _ITEMS[self._item], said)
        for further in self._urls:
            self._add(further, _ITEMS[self._item], said)
        self._urls.clear()
        self._item = ""
        self._fields = {}


class PlainLines:
    """A plain text list: one URL a line."""

    def __init__(self, add: Add) -> None:
        self._add = add
        self._line = ""
        self._is_list = False

    def feed(self, text: str) -> None:
        *lines, rest = (self._line + text.replace("\r", "\n")).split("\n")
        for line in lines:
            self._take(line)
        self._line = rest[: MAX_URL + 1]

    def close(self) -> None:
        self._take(self._line)
        if not self._is_list:
            raise ReadingStopped("neither XML nor a list of URLs")

    def _take(self, line: str) -> None:
        url = line.strip()
        if url[:8].lower().startswith(("http://", "https://")):
            self._is_list = True
            self._add(url, "page", None)


def _safe_parser(names: dict[str, str]) -> XMLParserType:
    parser = ParserCreate("utf-8", intern=names)
    parser.buffer_text = True
    parser.EntityDeclHandler = _refuse_entities

    # With an empty document type in place of any other, `&nbsp;` and the like are left out instead of fatal.
    def read_nothing(context: str | None, *_where: str | None) -> int:
        parser.ExternalEntityParserCreate(context).Parse(b"", True)
        return 1

    parser.UseForeignDTD(True)
    parser.SetParamEntityParsing(XML_PARAM_ENTITY_PARSING_ALWAYS)
    parser.ExternalEntityRefHandler = read_nothing
    return parser


def _refuse_entities(*_declaration: object) -> None:
    raise ReadingStopped("declares entities")
