"""Which files are wanted: by the extensions, media types and groups that a user names, and by a pattern of URLs. Pure.

A URL can say by its extension that it is such a file (`names`). What it really is, its answer says (`is_file`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from functools import lru_cache

from dowse.core.errors import JobError
from dowse.core.patterns import Patterns

# Extensions and the media types that servers send them with, the usual one first.
KINDS: dict[str, dict[str, str]] = {
    "documents": {
        "pdf": "application/pdf application/x-pdf",
        "ps": "application/postscript",
        "eps": "application/postscript",
        "djvu": "image/vnd.djvu image/x-djvu",
        "epub": "application/epub+zip",
        "mobi": "application/x-mobipocket-ebook",
        "rtf": "application/rtf text/rtf",
        "doc": "application/msword",
        "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "odt": "application/vnd.oasis.opendocument.text",
        "ppt": "application/vnd.ms-powerpoint",
        "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "odp": "application/vnd.oasis.opendocument.presentation",
        "tex": "application/x-tex text/x-tex",
    },
    "data": {
        "csv": "text/csv application/csv text/comma-separated-values",
        "tsv": "text/tab-separated-values",
        "json": "application/json",
        "jsonl": "application/jsonl application/x-ndjson",
        "geojson": "application/geo+json",
        "xls": "application/vnd.ms-excel",
        "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "ods": "application/vnd.oasis.opendocument.spreadsheet",
        "parquet": "application/vnd.apache.parquet",
        "sqlite": "application/vnd.sqlite3 application/x-sqlite3",
        "sav": "application/x-spss-sav",
        "dta": "application/x-stata-dta",
        "shp": "application/vnd.shp",
        "kml": "application/vnd.google-earth.kml+xml",
        "px": "text/x-pcaxis",
        "rdf": "application/rdf+xml",
        "ttl": "text/turtle",
        "nc": "application/x-netcdf",
        "h5": "application/x-hdf5 application/x-hdf",
    },
    "archives": {
        "zip": "application/zip application/x-zip-compressed",
        "gz": "application/gzip application/x-gzip",
        "tgz": "application/gzip application/x-gzip application/x-compressed-tar",
        "bz2": "application/x-bzip2",
        "xz": "application/x-xz",
        "zst": "application/zstd",
        "tar": "application/x-tar",
        "7z": "application/x-7z-compressed",
        "rar": "application/vnd.rar application/x-rar-compressed",
        "jar": "application/java-archive",
    },
    "images": {
        "png": "image/png",
        "jpg": "image/jpeg",
        "jpeg": "image/jpeg",
        "gif": "image/gif",
        "svg": "image/svg+xml",
        "webp": "image/webp",
        "avif": "image/avif",
        "bmp": "image/bmp",
        "tif": "image/tiff",
        "tiff": "image/tiff",
        "ico": "image/x-icon image/vnd.microsoft.icon",
    },
    "media": {
        "mp3": "audio/mpeg",
        "ogg": "audio/ogg application/ogg",
        "oga": "audio/ogg application/ogg",
        "opus": "audio/ogg audio/opus",
        "flac": "audio/flac audio/x-flac",
        "wav": "audio/wav audio/x-wav audio/wave",
        "m4a": "audio/mp4",
        "aac": "audio/aac",
        "mid": "audio/midi",
        "mp4": "video/mp4",
        "m4v": "video/mp4",
        "webm": "video/webm",
        "ogv": "video/ogg application/ogg",
        "mov": "video/quicktime",
        "avi": "video/avi video/x-msvideo",
        "mkv": "video/x-matroska",
        "wmv": "video/x-ms-wmv",
    },
}

_TYPES = {extension: types.split() for group in KINDS.values() for extension, types in group.items()}
_KNOWN_TYPES = frozenset(kind for types in _TYPES.values() for kind in types)
_PAGES = ("html", "htm", "xhtml", "text/html", "application/xhtml+xml")
_SAYS_NOTHING = frozenset({"", "application/octet-stream", "binary/octet-stream", "application/zip", "text/plain"})
"""Media types under which servers send files of any kind; a workbook is a zip archive too."""


class Wanted:
    """The files that a job asks for. With types and patterns, both have to fit."""

    def __init__(self, types: Sequence[str], patterns: Sequence[str]) -> None:
        """Raises JobError for a word that is no type."""
        self._patterns = Patterns("pattern", tuple(patterns)) if patterns else None
        self.extensions: set[str] = set()
        self._media_types: set[str] = set()
        for word in type_words(types):
            self._add(word)
        self._families = tuple(kind[:-1] for kind in self._media_types if kind.endswith("/*"))
        for extension, kinds in _TYPES.items():
            if any(kind in self._media_types or kind.startswith(self._families) for kind in kinds[:1]):
                self.extensions.add(extension)
        self._typed = bool(self._media_types or self.extensions)
        if not self._typed and not self._patterns:
            raise JobError(f"type: no type of file is named; {_help()}")

    def names(self, url: str) -> bool:
        """Whether a URL by itself says that it is wanted."""
        if self._patterns is not None and not self._patterns.first(url):
            return False
        return not self._typed or extension_of(url) in self.extensions

    def is_wanted(self, url: str, media_type: str) -> bool:
        """Whether an answer is a wanted file."""
        if self._patterns is not None and not self._patterns.first(url):
            return False
        if not self._typed or self._has_type(media_type):
            return True
        # A type that nothing is known of, or that says nothing, leaves it to the name. A page is never a file.
        said_otherwise = media_type in _PAGES or (media_type in _KNOWN_TYPES and media_type not in _SAYS_NOTHING)
        return extension_of(url) in self.extensions and not said_otherwise

    def may_be(self, media_type: str) -> bool:
        """Whether an answer whose header says this may be a wanted file."""
        return (
            not self._typed
            or self._has_type(media_type)
            or media_type in _SAYS_NOTHING
            or (media_type not in _KNOWN_TYPES and not media_type.startswith(("image/", "audio/", "video/", "font/")))
        )

    @property
    def shown_inside(self) -> tuple[str, ...]:
        """The kinds of elements that show wanted files inside of pages, by the family of their media types."""
        kinds = [kind for extension in self.extensions for kind in _TYPES.get(extension, ())] + [*self._media_types]
        families = {kind.partition("/")[0] for kind in kinds} if self._typed else {"image", "audio", "video"}
        return tuple(sorted(families & {"image", "audio", "video"}))

    def _has_type(self, media_type: str) -> bool:
        return media_type in self._media_types or media_type.startswith(self._families or ("\0",))

    def _add(self, word: str) -> None:
        if word in _PAGES:
            raise JobError(f"type: {word}: pages are no files; dowse site gets those")
        if word in KINDS:
            for extension in KINDS[word]:
                self._add(extension)
        elif "/" in word:
            main, _, subtype = word.partition("/")
            if not main or not subtype or (main == "*" and subtype != "*"):
                raise JobError(f"type: {word!r} is not a media type; write application/pdf or image/*")
            self._media_types.add(word)
        else:
            extension = word.removeprefix(".")
            if not _is_extension(extension):
                raise JobError(f"type: {word!r} is no type of file; {_help(word)}")
            self.extensions.add(extension)
            self._media_types.update(_TYPES.get(extension, ()))


@lru_cache(maxsize=8)
def wanted_files(types: tuple[str, ...], patterns: tuple[str, ...]) -> Wanted:
    """What the options of a crawl ask for."""
    return Wanted(types, patterns)


def type_words(types: Sequence[str]) -> Iterator[str]:
    """The words of options, which may hold several with commas between them, in lower case."""
    for text in types:
        yield from (word.strip().lower() for word in text.split(",") if word.strip())


def extension_of(url: str) -> str:
    """The extension of the file that a URL names, in lower case; "" if it names none.

    >>> extension_of("http://a.example/x/Report.PDF?v=2"), extension_of("http://a.example/")
    ('pdf', '')
    """
    path = url.partition("#")[0].partition("?")[0]
    name = path[path.rfind("/") + 1 :].partition(";")[0]
    stem, dot, extension = name.rpartition(".")
    return extension.lower() if dot and stem and path.count("/") > 2 else ""


def usual_extension(media_type: str) -> str:
    """The extension that files of this media type usually have; "" if that is not known."""
    return next((extension for extension, kinds in _TYPES.items() if media_type in kinds), "")


def is_usual(media_type: str, extension: str) -> bool:
    """Whether files with this extension are sent with this media type."""
    return media_type in _TYPES.get(extension, ())


def _is_extension(word: str) -> bool:
    if word in _TYPES:
        return True
    is_mistaken = word in _MISTAKEN or get_close_matches(word, KINDS, n=1, cutoff=0.8)
    return word.isascii() and word.replace("+", "").isalnum() and len(word) <= 10 and not is_mistaken


_MISTAKEN = frozenset({"document", "image", "archive", "file", "files", "all", "any", "video", "audio"})
"""Words that people write for a group, which no file has as its extension."""


def _help(word: str = "") -> str:
    near = get_close_matches(word, KINDS, n=1, cutoff=0.6)
    meant = f"did you mean {near[0]}? " if near else ""
    return f"{meant}write extensions (pdf, csv), media types (application/pdf, image/*) or {', '.join(KINDS)}"
