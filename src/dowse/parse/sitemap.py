"""Lists of URLs that sites publish: sitemaps (XML, index, plain text), RSS and Atom feeds, any of them gzipped.

    bytes --inflate--> octets --decode--> text --expat--> fields of an item --> SitemapEntry
                                           +----lines (plain text)-------------^

The reader is fed piece by piece and keeps the item it is in and nothing else, so a 50 MB file costs about
2 MB. Whatever is sent, it stays bounded: in entries, octets, nesting, names and the length of one tag. Entity
declarations are refused, so nothing is expanded and nothing outside the file is read.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from typing import Literal
from urllib.parse import urljoin
from xml.parsers.expat import XML_PARAM_ENTITY_PARSING_ALWAYS, ErrorString, ExpatError, ParserCreate, XMLParserType

from msgspec import Struct

from dowse.parse.inflate import GZIP, Inflater
from dowse.parse.xml_mending import XmlMender

MAX_ENTRIES = 100_000
MAX_OCTETS = 100 * 1024 * 1024
"""Both are twice what sitemaps.org allows: a site that is a little over is still read whole."""

_HEAD = 1024
_MAX_URL = 8192
_MAX_DATE = 64
_MAX_DEPTH = 64
_MAX_NAMES = 5_000
_MAX_URLS = 1_000
"""Of one entry that wait for its date."""

# expat reads an unfinished tag or comment again with each piece: without a limit 26 MB of comment took 8 s.
_MAX_TAG = 512 * 1024

_DECLARED = re.compile(rb"""\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.-]+)["']""")
_BYTE_ORDER = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
    (b"<\0", "utf-16-le"),
    (b"\0<", "utf-16-be"),
)
Kind = Literal["page", "sitemap"]

# What a list is called at its root, what holds one entry, and where in it the URL and the date are, best first.
_ROOTS = frozenset({"urlset", "sitemapindex", "rss", "RDF", "feed"})
_ITEMS: dict[str, Kind] = {"url": "page", "sitemap": "sitemap", "item": "page", "entry": "page"}
_URLS = ("loc", "link", "guid")
_DATES = ("lastmod", "updated", "modified", "pubDate", "date", "published", "issued")
_FIELDS = frozenset(_URLS + _DATES)

_Add = Callable[[str, Kind, str], None]


class SitemapEntry(Struct, frozen=True, gc=False):
    """One URL of a list, as it is written there (it may be relative), and the date given for it, if any."""

    url: str
    kind: Kind = "page"
    last_modified: str = ""


class _Stop(Exception):
    """Leaves expat from inside a callback; the text says why."""


class SitemapReader:
    """Reads one list. What came before any trouble is given; `error` then says what the trouble was."""

    def __init__(self, max_entries: int = MAX_ENTRIES, max_octets: int = MAX_OCTETS) -> None:
        self.error = ""
        self.finished = False
        self._entries: list[SitemapEntry] = []
        self._room = max_entries
        self._octets_left = max_octets
        self._inflater: Inflater | None = None
        self._beginning = b""
        self._decoder: codecs.IncrementalDecoder | None = None
        self._text: _Items | _Lines | None = None

    def feed(self, chunk: bytes) -> list[SitemapEntry]:
        """Take the next bytes, in pieces of any size, and give the entries they complete."""
        return self._read(chunk, final=False)

    def close(self) -> list[SitemapEntry]:
        """Say that nothing more will come, and get what was left."""
        entries = self._read(b"", final=True)
        self.finished = True
        return entries

    def _read(self, chunk: bytes, *, final: bool) -> list[SitemapEntry]:
        if not self.finished:
            try:
                self._take(chunk, final=final)
            except _Stop as stop:
                self._fail(str(stop))
            except ExpatError as trouble:
                self._fail(f"line {trouble.lineno}: {ErrorString(trouble.code)}")
            except UnicodeError as trouble:
                self._fail(f"not text: {trouble}")
        entries, self._entries = self._entries, []
        return entries

    def _fail(self, error: str) -> None:
        self.error = error
        self.finished = True

    def _take(self, chunk: bytes, *, final: bool) -> None:
        if self._inflater is None:
            self._beginning += chunk
            if len(self._beginning) < len(GZIP) and not final:
                return
            chunk, self._beginning = self._beginning, b""
            self._inflater = Inflater(packed=chunk.startswith(GZIP))
        for octets in self._inflater.pieces(chunk):
            self._octets_left -= len(octets)
            if self._octets_left < 0:
                raise _Stop("too long")
            self._decode(octets, final=False)
        if self._inflater.is_broken:
            raise _Stop("broken gzip data")
        if final:
            self._decode(b"", final=True)
            if self._inflater.is_open:
                raise _Stop("the gzip data ends early")
            if self._text is None:
                raise _Stop("empty")
            self._text.close()

    def _decode(self, octets: bytes, *, final: bool) -> None:
        if self._decoder is None:
            self._beginning += octets
            if len(self._beginning) < _HEAD and not final:
                return
            octets, self._beginning = self._beginning, b""
            self._decoder = codecs.getincrementaldecoder(_encoding(octets))("replace")
        text = self._decoder.decode(octets, final)
        if self._text is None:
            text = text.lstrip()
            if not text:
                return
            self._text = _Items(self._add) if text.startswith("<") else _Lines(self._add)
        self._text.feed(text)

    def _add(self, url: str, kind: Kind, last_modified: str) -> None:
        if not url or len(url) > _MAX_URL:
            return
        if "&" in url:
            url = url.replace("&amp;", "&")
        if self._room == 0:
            raise _Stop("too many entries")
        self._room -= 1
        self._entries.append(SitemapEntry(url, kind, last_modified[:_MAX_DATE]))


class _Items:
    """XML as expat reports it. The state is where in the current item we are, never a tree."""

    def __init__(self, add: _Add) -> None:
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
            raise _Stop("a tag is too long")
        if len(self._names) > _MAX_NAMES:
            raise _Stop("too many different tags")

    def close(self) -> None:
        self._parser.Parse(self._mender.rest(), True)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        local = name.rpartition(":")[2]
        if attributes and "xml:base" in attributes:
            self._bases.append((self._depth, self._resolved(attributes["xml:base"].strip()[:_MAX_URL])))
        if self._depth == self._item_depth + 1 and self._item:
            self._start_field(local, attributes)
        elif self._depth == 1:
            if local not in _ROOTS:
                raise _Stop(f"not a sitemap or feed but <{name}>")
        elif self._depth > _MAX_DEPTH:
            raise _Stop("nested too deep")
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
        if self._length <= _MAX_URL:
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
                self._add(self._urls.pop(0), _ITEMS[self._item], "")
            self._urls.append(value)
        else:
            self._fields.setdefault(field, value)

    def _resolved(self, url: str) -> str:
        """What a URL is relative to its `xml:base`, which may itself be relative to the file."""
        if not self._bases:
            return url
        try:
            return urljoin(self._bases[-1][1], url)[:_MAX_URL]
        except ValueError:  # such as half an IPv6 address
            return url

    def _end_item(self) -> None:
        fields = self._fields
        url = next((fields[name] for name in _URLS if name in fields), "")
        date = next((fields[name] for name in _DATES if name in fields), "")
        self._add(url, _ITEMS[self._item], date)
        for further in self._urls:
            self._add(further, _ITEMS[self._item], date)
        self._urls.clear()
        self._item = ""
        self._fields = {}


class _Lines:
    """A plain text list: one URL a line."""

    def __init__(self, add: _Add) -> None:
        self._add = add
        self._line = ""
        self._is_list = False

    def feed(self, text: str) -> None:
        *lines, rest = (self._line + text.replace("\r", "\n")).split("\n")
        for line in lines:
            self._take(line)
        self._line = rest[: _MAX_URL + 1]

    def close(self) -> None:
        self._take(self._line)
        if not self._is_list:
            raise _Stop("neither XML nor a list of URLs")

    def _take(self, line: str) -> None:
        url = line.strip()
        if url[:8].lower().startswith(("http://", "https://")):
            self._is_list = True
            self._add(url, "page", "")


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
    raise _Stop("declares entities")


def _encoding(beginning: bytes) -> str:
    for mark, encoding in _BYTE_ORDER:
        if beginning.startswith(mark):
            return encoding
    declared = _DECLARED.match(beginning)
    if declared is None:
        return "utf-8"
    name = declared[1].decode()
    try:
        # The declaration was read as ASCII, so an encoding in which it would be something else is not the true one.
        return name if b"<?xml".decode(name) == "<?xml" else "utf-8"
    except (LookupError, UnicodeError):
        return "utf-8"
