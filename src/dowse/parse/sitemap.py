"""Lists of URLs that sites publish: sitemaps (XML, index, plain text), RSS and Atom feeds, any of them gzipped.

    bytes --inflate--> octets --decode--> text --expat--> fields of an item --> SitemapEntry
                                           +----lines (plain text)-------------^

The reader is fed piece by piece and keeps the item it is in and nothing else, so a 50 MB file costs about 2 MB.
Whatever is sent, it stays bounded: in entries and octets here, in all else in parse/sitemap_items.py.
"""

from __future__ import annotations

import codecs
import re
from xml.parsers.expat import ErrorString, ExpatError

from msgspec import Struct

from dowse.core.revisits.server_signs import Said
from dowse.parse.inflate import GZIP, Inflater
from dowse.parse.sitemap_items import MAX_URL, Kind, PlainLines, ReadingStopped, XmlItems

MAX_ENTRIES = 100_000
MAX_OCTETS = 100 * 1024 * 1024
"""Both are twice what sitemaps.org allows: a site that is a little over is still read whole."""

_HEAD = 1024

_DECLARED = re.compile(rb"""\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.-]+)["']""")
_BYTE_ORDER = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
    (b"<\0", "utf-16-le"),
    (b"\0<", "utf-16-be"),
)


class SitemapEntry(Struct, frozen=True, gc=False):
    """One URL of a list, as it is written there (it may be relative), and what the list says of its changes, if
    anything."""

    url: str
    kind: Kind = "page"
    said: Said | None = None


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
        self._text: XmlItems | PlainLines | None = None

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
            except ReadingStopped as stop:
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
                raise ReadingStopped("too long")
            self._decode(octets, final=False)
        if self._inflater.is_broken:
            raise ReadingStopped("broken gzip data")
        if final:
            self._decode(b"", final=True)
            if self._inflater.is_open:
                raise ReadingStopped("the gzip data ends early")
            if self._text is None:
                raise ReadingStopped("empty")
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
            self._text = XmlItems(self._add) if text.startswith("<") else PlainLines(self._add)
        self._text.feed(text)

    def _add(self, url: str, kind: Kind, said: Said | None) -> None:
        if not url or len(url) > MAX_URL:
            return
        if "&" in url:
            url = url.replace("&amp;", "&")
        if self._room == 0:
            raise ReadingStopped("too many entries")
        self._room -= 1
        self._entries.append(SitemapEntry(url, kind, said))


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
