"""Sources of a replay: the stored pages of a crawl, or a folder of files.

FolderWeb    http://pages.example/a/b.html is the file a/b.html; the URL of a folder is its index.html
CrawlWeb     the archived answers of a crawl
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Protocol
from urllib.parse import quote, unquote, urljoin, urlsplit

from dowse.core.errors import CrawlError
from dowse.fetch.replay import Replayed
from dowse.store.folder import bodies_of, holds_crawl
from dowse.store.reading.asked_requests import archived_answers
from dowse.store.reading.reader import CrawlReader
from dowse.store.warc.body_reader import BodyReader

HOST = "http://pages.example/"
"""The host that a folder's pages have; the name is reserved, so no server has it."""

_MEDIA_TYPES = {".html": "text/html", ".htm": "text/html", ".xhtml": "application/xhtml+xml", ".txt": "text/plain"}
_INDEXES = ("index.html", "index.htm")


class Web(Protocol):
    """Pages that link to each other."""

    def find(self, name: str) -> Replayed | None:
        """The answer to a request, by its URL, or by its key if it has a method or a body besides."""
        ...

    def has(self, url: str) -> bool:
        """Whether there is a page at a URL, however it is asked for."""
        ...

    def urls(self) -> Iterator[str]:
        """Every page that can be asked for by its URL alone."""
        ...

    def address(self, name: str) -> str:
        """The URL of a page that a user named, by its URL or its path."""
        ...


class FolderWeb:
    """The HTML files below a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def find(self, name: str) -> Replayed | None:
        if not name.startswith(HOST) or "#" in name:
            return None
        inside = PurePosixPath(unquote(urlsplit(name).path).lstrip("/"))
        if ".." in inside.parts:
            return None
        path = self._folder / inside
        if path.is_dir():
            path = next((path / name for name in _INDEXES if (path / name).exists()), path)
        media = _MEDIA_TYPES.get(path.suffix.lower())
        if media is None or not path.is_file():
            return None
        return Replayed(200, {"content-type": media}, path.read_bytes())

    def has(self, url: str) -> bool:
        return self.find(url) is not None

    def urls(self) -> Iterator[str]:
        for path in sorted(self._folder.rglob("*")):
            if path.suffix.lower() in _MEDIA_TYPES and path.is_file():
                yield HOST + quote(path.relative_to(self._folder).as_posix())

    def address(self, name: str) -> str:
        return name if "://" in name else HOST + quote(name.lstrip("/"))


class CrawlWeb:
    """The archived answers of a crawl."""

    def __init__(self, directory: Path) -> None:
        reader = CrawlReader(directory)
        self._places = dict(archived_answers(reader.connection))
        self._pages = dict.fromkeys(row["url"] for row in reader.table("pages"))
        reader.close()
        if not self._places or not self._pages:
            raise CrawlError(f"the crawl in {directory} has no stored pages to replay; crawl it without --no-bodies")
        self._bodies = BodyReader(bodies_of(directory))

    def find(self, name: str) -> Replayed | None:
        place = self._places.get(name)
        if place is None:
            return None
        response = self._bodies.read(place)
        return Replayed(response.status, response.headers, response.body)

    def has(self, url: str) -> bool:
        return url in self._pages

    def urls(self) -> Iterator[str]:
        return (url for url in self._pages if url in self._places)

    def address(self, name: str) -> str:
        """A path is one of the host of the first page."""
        return name if "://" in name else urljoin(next(iter(self._pages)), f"/{name.lstrip('/')}")


def open_web(place: Path) -> Web:
    """The web that is at a place. Raises CrawlError if there is none."""
    if holds_crawl(place):
        return CrawlWeb(place)
    web = FolderWeb(place)
    if not place.is_dir() or next(web.urls(), None) is None:
        raise CrawlError(f"{place} is neither a crawl nor a folder of HTML pages")
    return web
