"""The folders that are served, and the crawls in them. Nothing outside of them is ever named or opened.

A crawl is asked for by its id, which is made from its place and never taken apart again: an id that is not that of a
crawl found here is that of none. So there is no way to name another place.

    DIR                a crawl itself
    DIR/NAME           crawls in it
    DIR/NAME/NAME      and one level down, as `dowse demo` makes them
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import NamedTuple

from dowse.core.errors import CrawlMissing, JobError
from dowse.crawl import Crawl, read
from dowse.store.folder import holds_crawl

_LEVELS = 2
_MOST_FOLDERS = 5_000
"""Folders that are looked into: somebody may serve a home directory by mistake."""

_MOST_TOLD = 10
_NAME = re.compile(r"[\w][\w.-]{0,79}", re.ASCII)
_UNFIT = re.compile(r"[^a-z0-9]+")


class Place(NamedTuple):
    """A crawl by its id, its name as people know it, and its folder."""

    id: str
    name: str
    directory: Path


class ServedFolders:
    """The folders that the user named. The first of them is where new crawls go."""

    def __init__(self, folders: Iterable[str | Path]) -> None:
        self.roots = tuple(dict.fromkeys(Path(os.path.realpath(folder)) for folder in folders))
        for root in self.roots:
            if not root.is_dir():
                raise JobError(f"{root} is no folder; name folders that hold crawls, or will hold them")
        self.home = self.roots[0]
        """Where new crawls go, and where names of files begin."""

    def places(self) -> list[Place]:
        """Every crawl there is, by name."""
        found = {place.id: place for root in self.roots for place in self._within(root)}
        return sorted(found.values(), key=lambda place: place.name.casefold())

    def find(self, crawl_id: str) -> Place:
        """The crawl of an id, or of a name that only one has."""
        places = self.places()
        for place in places:
            if place.id == crawl_id:
                return place
        alike = [place for place in places if place.name == crawl_id]
        if len(alike) == 1:
            return alike[0]
        there = [place.id for place in alike or places]
        which = "crawls of that name are" if alike else "there are"
        hint = f"; {which} {', '.join(there[:_MOST_TOLD])}{' ...' if len(there) > _MOST_TOLD else ''}" if there else ""
        raise CrawlMissing(f"there is no crawl {crawl_id!r:.90} in the folders that are served{hint}")

    def open(self, crawl_id: str) -> Crawl:
        """The same, to be read."""
        return read(self.find(crawl_id).directory)

    def new_folder(self, name: str) -> Path:
        """The folder of a crawl that is to be made, by a name without any path."""
        if not _NAME.fullmatch(name):
            raise JobError("name: it names a folder: letters, digits, dots, dashes and underscores, without spaces")
        if holds_crawl(self.home):
            raise JobError(f"name: {self.home} is a crawl itself; to start others, serve the folder that it lies in")
        folder = self.home / name
        if folder.exists() or folder.is_symlink():
            raise JobError(f"name: there is a folder {name} already; choose another name")
        return folder

    def unused_name(self, first: str) -> str:
        """A name for a new folder: this one, with a number behind it if there is such a folder."""
        names = (first if number == 1 else f"{first}-{number}" for number in count(1))
        return next(name for name in names if not os.path.lexists(self.home / name))

    def within(self, path: str) -> Path:
        """A file or folder that the user names, if it lies in a served folder. A name alone is one of the first."""
        try:
            place = Path(os.path.realpath(self.home / path))
        except ValueError:  # a name that no file can have
            raise JobError(f"{path!r:.90} is no name of a file") from None
        if not any(place == root or root in place.parents for root in self.roots):
            raise JobError(f"{path} lies outside of the folders that are served")
        return place

    def place_of(self, directory: Path) -> Place:
        """A folder as a crawl of one of the served folders."""
        base = next((root for root in self.roots if root in directory.parents), self.home)
        name = str(directory.relative_to(base)) if base in directory.parents else directory.name
        # A folder may be called anything, and what is shown is text.
        return Place(_id(directory), os.fsencode(name).decode("utf-8", "replace"), directory)

    def _within(self, root: Path) -> Iterator[Place]:
        if holds_crawl(root):
            yield self.place_of(root)
        left = _MOST_FOLDERS
        level = [root]
        for _ in range(_LEVELS):
            folders = [folder for each in level for folder in _folders(each)][:left]
            left -= len(folders)
            yield from (self.place_of(folder) for folder in folders if holds_crawl(folder))
            level = folders


def _folders(directory: Path) -> list[Path]:
    """The folders in a folder. Links are left out: they may lead anywhere."""
    try:
        with os.scandir(directory) as entries:
            names = [entry.name for entry in entries if entry.is_dir(follow_symlinks=False) and entry.name[0] != "."]
    except OSError:
        return []
    return [directory / name for name in sorted(names)]


def _id(directory: Path) -> str:
    """Readable, the same after a restart, and different for every folder."""
    slug = _UNFIT.sub("-", directory.name.lower()).strip("-")[:40] or "crawl"
    return f"{slug}-{sha256(os.fsencode(directory)).hexdigest()[:8]}"
