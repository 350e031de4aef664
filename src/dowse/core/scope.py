"""Where a crawl may go: an ordered list of small rules, each of which can say no and is named when it does.

    the URL alone    length, exclude, include, extension, trap: too many segments, trap: repeated path,
                     trap: too many parameters
    the walk to it   host | domain, depth
    the answer       media type

A mode may want URLs in spite of that (`ScopeException`): those may have any extension and be on any host. Files often
are on another server than the pages that link to them.

A name holds the rule's own parameter and nothing of the URL, so the ledger can group and count by it.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable
from typing import Protocol

from dowse.core.document_kinds import DOCUMENT_EXTENSIONS, DOCUMENT_TYPES, UNTOLD_TYPES
from dowse.core.errors import JobError
from dowse.core.job import Limits, ScopeOptions
from dowse.core.model import Request
from dowse.core.patterns import Patterns
from dowse.core.traps import is_repeated_path
from dowse.core.urls import registered_domain

# What is not a page, by file extension. Missing on purpose: extensions under which servers answer with HTML, XML or
# plain text (html, php, aspx, jsp, cgi, pl, xml, rss, txt, md ...), ends of host names (com, net, app, ai), for
# `/whois/example.com` is a page, and words that end names in manuals (class, map, key, so, ts). What slips through
# costs one request, dropped at its header; what is wrongly in the list is never seen.
NOT_PAGES: dict[str, str] = {
    # shown inside pages, leading nowhere
    "images": "apng avif bmp cur dng eps gif heic heif ico icns jfif jp2 jpe jpeg jpg jxl png psd svg svgz tif tiff "
    "webp xcf",
    "audio": "aac aif aiff amr flac m3u m3u8 m4a mid midi mka mp3 oga ogg opus wav weba wma",
    "video": "3g2 3gp asf avi divx f4v flv m2ts m4v mkv mov mp4 mpe mpeg mpg mts ogv rmvb srt swf vob vtt webm wmv",
    "fonts": "eot otf ttc ttf woff woff2",
    # large, and of no use without unpacking (sitemaps excepted, see _extension)
    "archives": "7z apk bz2 cab cpio crx deb dmg gz iso jar lz lz4 lzma rar rpm tar tbz tbz2 tgz txz vsix war whl xpi "
    "xz zip zst",
    # documents that are not written in markup
    "office": "doc docm docx dotx epub mobi odg odp ods odt pdf potx pps ppsx ppt pptm pptx ps rtf vsd xls xlsb xlsm "
    "xlsx xlt",
    # programs and images of disks
    "executables": "bin dll dylib exe img ipa msi msix pdb pkg pyc pyd vhd vmdk wasm",
    # what pages are made with
    "styles": "css less sass scss",
    "scripts": "cjs js mjs",
    # tables and dumps
    "data": "arrow avro bib csv db feather geojson gpx h5 hdf5 ics json jsonl jsonld kml kmz mdb ndjson npy npz "
    "parquet pickle pkl rdata shp sql sqlite sqlite3 torrent tsv vcf webmanifest yaml yml",
}

_NO_MARKUP = "text/plain"
"""What is taken for a page, though it leads nowhere."""

NO_READER = ": needs [documents]"
"""Ends the refusal of a document that is wanted, where nothing is installed that reads it."""

# Pairs of hosts whose answer is remembered, about 150 bytes each.
CACHED_WALKS = 50_000


class ScopeException(Protocol):
    """What a mode wants although the scope would refuse it: files, wherever they are."""

    def names(self, url: str) -> bool:
        """Whether a URL by itself says that it is wanted."""
        ...

    def is_wanted(self, url: str, media_type: str) -> bool:
        """Whether an answer is."""
        ...

    def may_be(self, media_type: str) -> bool:
        """Whether an answer whose header says this may be."""
        ...


class Scope:
    """The rules of one job. Building it checks them, and raises JobError with the option's name."""

    def __init__(
        self,
        options: ScopeOptions,
        limits: Limits,
        named_hosts: Iterable[str],
        wanted: ScopeException | None = None,
        documents: Collection[str] = (),
    ) -> None:
        """`documents` are the formats of documents that can be read on this machine."""
        self._wanted = wanted
        self._options = options
        self._exclude = Patterns("exclude", options.exclude) if options.exclude else None
        self._include = Patterns("include", options.include) if options.include else None
        kinds = documents if options.documents else ()
        read = frozenset(extension for extension, kind in DOCUMENT_EXTENSIONS.items() if kind in kinds)
        self._unread = frozenset(DOCUMENT_EXTENSIONS) - read if options.documents else frozenset[str]()
        self._documents = frozenset(media_type for media_type, kind in DOCUMENT_TYPES.items() if kind in kinds)
        # What the user does not want by its extension is not wanted, whatever can be read.
        self._extensions = _extensions(options.skip_extensions) - (frozenset() if options.skip_extensions else read)
        self._repeatable = min(options.path_repeats + 1, 5)  # shorter paths cannot repeat themselves too often
        self._reach = options.scope
        self.named = frozenset(self._place(host) for host in named_hosts)
        self._walks: dict[tuple[str, str], str] = {}
        self._deepest = limits.depth if limits.depth >= 0 else sys.maxsize
        self._too_deep = f"depth {limits.depth}"
        self._media_types = _media_types(options.media_types)
        self._media_families = tuple(kind[:-1] for kind in self._media_types if kind.endswith("/*"))

    def refuse(self, request: Request, *, seed: bool = False) -> str:
        """What the URL alone says, the URL as it will be requested; "" is in scope.

        A seed is where the user wants to start: that it matches no `include` or looks like a file does not matter.
        Nor does it for a file that is wanted.
        Length comes first, so that it bounds the cost of the other rules.
        """
        url, options = request.url, self._options
        if len(url) > options.url_length:
            return "length"
        if self._exclude and (excluded := self.excluded(url)):
            return excluded
        seed = seed or self._is_file(url)
        if self._include and not seed and not self._include.first(url):
            return "include"
        path, _, query = url[url.index("/", 8) :].partition("?")
        extension = _extension(path)
        if extension in self._extensions and not seed:
            is_lacking = extension in self._unread and not options.skip_extensions
            return f"extension .{extension}{NO_READER if is_lacking else ''}"
        segments = path.count("/")
        if segments - path.endswith("/") > options.path_segments:  # the last slash of a directory opens no segment
            return "trap: too many segments"
        if segments > self._repeatable and is_repeated_path(path, options.path_repeats):
            return "trap: repeated path"
        if query and query.count("&") >= options.parameters:
            return "trap: too many parameters"
        return ""

    def excluded(self, url: str) -> str:
        """Whether the user wants no request for this URL, whatever it would be made for; "" if that is not so."""
        pattern = self._exclude.first(url) if self._exclude else ""
        return f"exclude {pattern}" if pattern else ""

    def refuse_walk(self, host: str, site: str, depth: int) -> str:
        """What the way to a URL says: its host, seen from the site the walk belongs to, and its depth.

        Such a refusal is of this walk: the URL may be taken when another walk reaches it.
        """
        if host != site:
            try:
                refusal = self._walks[host, site]
            except KeyError:
                refusal = self._refuse_host(host, site)
            if refusal:
                return refusal
        return self._too_deep if depth > self._deepest else ""

    def refuse_link(self, request: Request, site: str, depth: int) -> str:
        """The same for a URL, which may name a file that is wanted wherever it is."""
        refusal = self.refuse_walk(request.host, site, depth)
        if refusal and self._is_file(request.url):
            return self.refuse_walk(site, site, depth)
        return refusal

    def refuse_media_type(self, media_type: str, url: str = "") -> str:
        """What the answer's header says. An unknown type is wanted: its content will tell.

        With the `url` of an answer that has come, a file has to be a wanted one.
        """
        kind = media_type.partition(";")[0].strip().lower()
        if self._wanted is not None and "*/*" not in self._media_types:
            if self._wanted.is_wanted(url, kind) if url else self._wanted.may_be(kind):
                return ""
            if url and kind == _NO_MARKUP:
                return "media type"
        if kind in self._media_types or "*/*" in self._media_types or "/" not in kind:
            return ""
        if self._documents and (kind in self._documents or (not url and kind in UNTOLD_TYPES)):
            return ""
        return "" if kind.startswith(self._media_families) else "media type"

    def is_file(self, url: str, media_type: str) -> bool:
        """Whether an answer is a file that the mode wants as it is."""
        return self._wanted is not None and self._wanted.is_wanted(url, media_type)

    def _is_file(self, url: str) -> bool:
        return self._wanted is not None and self._wanted.names(url)

    def _refuse_host(self, host: str, site: str) -> str:
        place = self._place(host)
        refusal = "" if self._reach == "any" or place in self.named or place == self._place(site) else self._reach
        if len(self._walks) >= CACHED_WALKS:
            self._walks.clear()
        self._walks[host, site] = refusal
        return refusal

    def _place(self, host: str) -> str:
        """What two hosts must have in common to be the same place."""
        return registered_domain(host) if self._reach == "domain" else host.removeprefix("www.")


def _extension(path: str) -> str:
    """The file extension in lower case, "" when there is none. Sitemaps are pages, gzipped or not: xml.gz is xml."""
    name = path.rfind("/") + 1
    if ";" in path:
        path = path[:name] + path[name:].partition(";")[0]
    dot = path.rfind(".", name + 1)
    if dot < 0:
        return ""
    extension = path[dot + 1 :].lower()
    return "xml" if extension == "gz" and path[:dot].lower().endswith(".xml") else extension


def _extensions(written: tuple[str, ...]) -> frozenset[str]:
    if not written:
        return frozenset(extension for group in NOT_PAGES.values() for extension in group.split())
    extensions = [text.strip().removeprefix(".").lower() for text in written]
    for text, extension in zip(written, extensions, strict=True):
        if not extension or not extension.isalnum():
            raise JobError(f"skip_extensions: {text!r} is not a file extension; write the last part alone, such as gz")
    return frozenset(extensions)


def _media_types(written: tuple[str, ...]) -> frozenset[str]:
    kinds = [text.strip().lower() for text in written]
    for text, kind in zip(written, kinds, strict=True):
        main, slash, subtype = kind.partition("/")
        if not (main and slash and subtype) or (main == "*" and subtype != "*"):
            raise JobError(f"media_types: {text!r} is not a media type; write text/html, text/* or */*")
    return frozenset(kinds)
