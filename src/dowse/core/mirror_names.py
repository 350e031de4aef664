"""The names of files in a mirror, made of URLs: safe on every file system, inside the folder, no two the same.

    https://example.org/                    example.org/index.html
    https://example.org/about               example.org/about.html
    https://example.org/find?q=a%20b        example.org/find@q=a b.html
    https://example.org/style.php (CSS)     example.org/style.php.css
    https://example.org/aux.html            example.org/aux_.html

A name that is taken, be it by a folder or by a file whose letters differ only in case, gets a few digits of the URL's
hash. What a file is, browsers tell by the end of its name alone, so that has to fit.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import quote, unquote, urlsplit

from xxhash import xxh3_64_hexdigest

INDEX = "index.html"
"""The file at the top of a mirror, which leads to the first page."""

LONGEST_NAME = 100
LONGEST_PATH = 200

_PAGES = ("text/html", "application/xhtml+xml")
_SCRIPTS = ("text/javascript", "application/javascript", "application/x-javascript")
# Ends of names by media type, the usual one first.
_ENDINGS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(_PAGES, (".html", ".htm")),
    **dict.fromkeys(_SCRIPTS, (".js", ".mjs")),
    "text/css": (".css",),
    "text/plain": (".txt",),
    "image/png": (".png",),
    "image/jpeg": (".jpg", ".jpeg", ".jpe", ".jfif"),
    "image/gif": (".gif",),
    "image/webp": (".webp",),
    "image/avif": (".avif",),
    "image/bmp": (".bmp",),
    "image/svg+xml": (".svg",),
    **dict.fromkeys(("image/x-icon", "image/vnd.microsoft.icon"), (".ico",)),
    "font/woff": (".woff",),
    "font/woff2": (".woff2",),
    "font/ttf": (".ttf",),
    "font/otf": (".otf",),
    "application/pdf": (".pdf",),
    "application/json": (".json",),
    **dict.fromkeys(("application/xml", "text/xml"), (".xml",)),
    "video/mp4": (".mp4", ".m4v"),
    "video/webm": (".webm",),
    "audio/mpeg": (".mp3",),
}
_RENDERED = (".html", ".htm", ".xhtml", ".xht", ".svg", ".xml", ".css", ".js")
"""What browsers take a text for that is none."""

_UNSAFE = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]')
_RESERVED = re.compile(r"(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])$", re.IGNORECASE)


class Named(NamedTuple):
    """What is to have a name: a number to know it by, its URL and its media type."""

    number: int
    url: str
    media_type: str


def file_names(things: Sequence[Named]) -> Iterator[tuple[int, str]]:
    """The number of each thing and the path of its file, with slashes; what comes first has the plainer name.

    >>> things = [Named(1, "http://a.example/b", "text/html"), Named(2, "http://a.example/B/?c=1", "text/html")]
    >>> dict(file_names(things))
    {1: 'a.example/b.html', 2: 'a.example/B/index@c=1.html'}
    """
    paths = [_path(thing.url, thing.media_type) for thing in things]
    folders = {_folded(folder) for path in paths for folder in _folders(path)}
    taken = {_folded(INDEX)}
    for thing, path in zip(things, paths, strict=True):
        free = _free(thing.url, path, taken, folders)
        taken.add(_folded(free))
        yield thing.number, free


def relative(path: str, to: str) -> str:
    """How a file of a mirror is written in a link of another one.

    >>> relative("a.example/x/y.html", "a.example/b c.png"), relative("a.example/x.html", "a.example/x.html")
    ('../b%20c.png', 'x.html')
    """
    own, other = path.split("/")[:-1], to.split("/")
    shared = 0
    while shared < min(len(own), len(other) - 1) and own[shared] == other[shared]:
        shared += 1
    names = [".."] * (len(own) - shared) + [_quoted(name) for name in other[shared:]]
    text = "/".join(names)
    return f"./{text}" if ":" in names[0] else text


@lru_cache(maxsize=100_000)
def _quoted(name: str) -> str:
    """A name as it stands in a link; it would be taken for a list in a list of images if it had a comma."""
    return quote(name, safe="!$&'()*+=@~")


def _free(url: str, path: str, taken: Iterable[str], folders: Iterable[str]) -> str:
    """A path that neither a file nor a folder has."""
    stem, ending = _parted(path)
    for digits in (0, 8, 16):
        free = f"{stem}-{_hash(url)[:digits]}{ending}" if digits else path
        if _folded(free) not in taken and _folded(free) not in folders:
            return free
    raise AssertionError(f"two URLs have the hash of {url}")


def _path(url: str, media_type: str) -> str:
    """Where the file of a URL would be if no other were."""
    parts = urlsplit(url)
    *folders, last = [_decoded(segment) for segment in parts.path.split("/")[1:]]
    host = _safe(parts.netloc.rpartition("@")[2].replace(":", "_"))
    host = f"{host}_" if _folded(host) == INDEX else host
    stem, ending = _parted(last or "index")
    if parts.query:
        stem, ending = f"{stem}@{_decoded(parts.query)}", ending if last else ""
    name = _safe(stem + ending, _ending(ending, media_type))
    path = "/".join((host, *map(_safe, folders), name))
    return path if len(path) <= LONGEST_PATH else f"{host[:LONGEST_NAME]}/{_hash(url)}{_parted(name)[1]}"


def _ending(ending: str, media_type: str) -> str:
    """What a name has to end in so that browsers know what it is; "" if nothing has to be added."""
    endings = _ENDINGS.get(media_type, ())
    if not endings or ending.lower() in endings:
        return ""
    if media_type == "text/plain" and ending and ending.lower() not in _RENDERED:
        return ""
    return endings[0]


def _safe(name: str, ending: str = "") -> str:
    """A name that every file system takes, with an ending more."""
    text = _UNSAFE.sub("_", unicodedata.normalize("NFC", name)).rstrip(". ")
    text = (text or "_") if not ending else text or "index"
    stem, dot, rest = text.partition(".")
    if _RESERVED.match(stem.rstrip(" ")):
        text = f"{stem}_{dot}{rest}"
    if len(text.encode()) > LONGEST_NAME:
        stem, own = _parted(text)
        cut = stem.encode()[: LONGEST_NAME - 20].decode("utf-8", "ignore").rstrip(". ")
        text = f"{cut}-{_hash(name)[:8]}{own}"
    return text + ending


def _parted(path: str) -> tuple[str, str]:
    """A name without its ending, and that; what is too long to be an ending is none."""
    dot = path.rfind(".")
    if dot <= path.rfind("/") + 1 or len(path) - dot > 10:
        return path, ""
    return path[:dot], path[dot:]


def _decoded(text: str) -> str:
    """Without percent-encoding, if that gives a text."""
    if "%" not in text:
        return text
    return unquote(text, errors="strict") if _is_text(text) else text


def _is_text(text: str) -> bool:
    try:
        unquote(text, errors="strict")
    except UnicodeDecodeError:
        return False
    return True


def _folders(path: str) -> Iterator[str]:
    place = path.find("/")
    while place > 0:
        yield path[:place]
        place = path.find("/", place + 1)


def _folded(path: str) -> str:
    """The same for all paths that some file system takes for one."""
    return unicodedata.normalize("NFKC", path).casefold()


def _hash(text: str) -> str:
    return xxh3_64_hexdigest(text.encode("utf-8", "surrogatepass"))
