"""The sites that crawling for files is measured on: manuals as Debian packs them, with all their files and links.

What each URL is and where it leads is written down once, into the benchmarks' cache; the order of a crawl that learns
nothing can then be worked out without reading a page.
"""

from __future__ import annotations

import mimetypes
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

import msgspec

from benchmarks.cache import ROOT, Unavailable
from benchmarks.sites import MANUALS, unpacked
from dowse.core.job import Limits, ScopeOptions
from dowse.core.model import Request, Response
from dowse.core.scope import Scope
from dowse.fetch.replay import Replayed
from dowse.modes.files.wanted_files import Wanted
from dowse.parse.page import Page
from dowse.parse.tag_paths import placed_links
from dowse.workflows.replay_sources import HOST

_HTML = "text/html"
_KEPT = 20_000


class Part(NamedTuple):
    """A manual: its packages, of which one is enough, where they keep the pages, and the page to start from."""

    packages: tuple[str, ...]
    folder: str
    start: str = "index.html"


class FilesWeb(NamedTuple):
    """A site of one manual, or of several below a front page, and the types of files that are wanted of it."""

    name: str
    types: str
    parts: dict[str, Part]

    @property
    def start(self) -> str:
        return next(iter(self.parts.values())).start if len(self.parts) == 1 else ""


_JDK = {"jdk": Part(("openjdk-17-doc",), "usr/share/doc/openjdk-17-jre-headless", "api/index.html")}
_ASTROPY = {"astropy": Part(("python-astropy-doc",), "usr/share/doc/python-astropy-doc/html")}
_SAGE = {"sage": Part(("sagemath-doc",), "usr/share/doc/sagemath/html/en")}
_SCIPY = {"scipy": Part(("python-scipy-doc",), "usr/share/doc/python-scipy-doc/html")}
_DJANGO = {"django": Part(("python-django-doc",), "usr/share/doc/python-django-doc/html")}
_SQLITE = {"sqlite": Part(*MANUALS["sqlite"])}
_POSTGRESQL = {"postgresql": Part(*MANUALS["postgresql"])}
_GIMP = {"gimp": Part(("gimp-help-en",), "usr/share/gimp/2.0/help/en")}
_ERLANG = {"erlang": Part(("erlang-doc",), "usr/share/doc/erlang-doc", "doc/index.html")}
_GRASS = {"grass": Part(("grass-doc",), "usr/share/doc/grass-doc/html")}
_CSOUND = {"csound": Part(("csound-doc",), "usr/share/doc/csound-doc/html")}
_SKIMAGE = {"skimage": Part(("python-skimage-doc",), "usr/share/doc/python-skimage-doc/html")}
_GNURADIO = {"gnuradio": Part(("gnuradio-doc",), "usr/share/doc/gnuradio-doc/html")}
_OTHERS = {name: Part(*MANUALS[name]) for name in ("python", "postgresql", "sqlite", "cpp")}

WEBS = (
    FilesWeb("astropy", "images", _ASTROPY),
    FilesWeb("jdk", "svg", _JDK),
    FilesWeb("jdk", "images", _JDK),
    FilesWeb("sage", "png", _SAGE),
    FilesWeb("django", "png", _DJANGO),
    FilesWeb("django", "images", _DJANGO),
    FilesWeb("sqlite", "gif", _SQLITE),
    FilesWeb("postgresql", "svg", _POSTGRESQL),
    FilesWeb("gimp", "png", _GIMP),
    FilesWeb("erlang", "images", _ERLANG),
    FilesWeb("grass", "png", _GRASS),
    FilesWeb("csound", "images", _CSOUND),
    FilesWeb("manuals", "png", {**_OTHERS, **_SCIPY}),
    FilesWeb("skimage", "png", _SKIMAGE),
    FilesWeb("gnuradio", "png", _GNURADIO),
)


class Graph(msgspec.Struct):
    """Every URL that a crawl would ask for: the links of a page, or whether it is a wanted file."""

    start: str
    links: dict[str, list[str]]
    files: list[str]
    others: list[str]

    @property
    def requests(self) -> int:
        """What a crawl of everything takes."""
        return len(self.links) + len(self.files) + len(self.others)


def finder(web: FilesWeb) -> Callable[[str], Replayed | None]:
    """Answers as a server would, from the files of the package."""
    folders = {name: _folder(part) for name, part in web.parts.items()}
    entries = [f'<p><a href="/{name}/{part.start}">{name}</a></p>' for name, part in web.parts.items()]
    front = Replayed(200, {"content-type": _HTML}, "".join(entries).encode())

    @lru_cache(maxsize=_KEPT)
    def find(url: str) -> Replayed | None:
        if len(folders) > 1 and url == HOST:
            return front
        path = _file(folders, url)
        if path is None:
            return None
        kind = _HTML if path.suffix in (".html", ".htm") else mimetypes.guess_type(path.name)[0] or "text/plain"
        return Replayed(200, {"content-type": kind}, path.read_bytes())

    return find


def graph_of(web: FilesWeb) -> Graph:
    """The links of the whole site."""
    known = ROOT / f"files-{web.name}-{web.types}.json"
    if not known.exists():
        known.write_bytes(msgspec.json.encode(_walk(web)))
    return msgspec.json.decode(known.read_bytes(), type=Graph)


def _walk(web: FilesWeb) -> Graph:
    find, wanted = finder(web), Wanted([web.types], ())
    scope = Scope(ScopeOptions(), Limits(), (), wanted)
    graph = Graph(HOST + web.start, {}, [], [])
    waiting = [graph.start]
    seen = set(waiting)
    while waiting:
        url = waiting.pop()
        answer = find(url)
        kind = answer.headers["content-type"] if answer else ""
        if answer is None or kind != _HTML:
            (graph.files if answer and wanted.is_wanted(url, kind) else graph.others).append(url)
            continue
        page = Page(Response(Request(url, 0, ""), 200, answer.headers, answer.body, 0.0, 0.0))
        links = [each.link.url for each in placed_links(page, wanted.shown_inside)]
        links = [link for link in links if link.startswith(HOST) and not scope.refuse(Request(link, 0, ""))]
        graph.links[url] = links
        fresh = [link for link in dict.fromkeys(links) if link not in seen]
        seen.update(fresh)
        waiting += fresh
    return graph


def _folder(part: Part) -> Path:
    folder = next(iter(unpacked(part.packages).glob(part.folder)), None)
    if folder is None:
        raise Unavailable(f"the package {part.packages[0]} has no {part.folder}")
    return folder


def _file(folders: dict[str, Path], url: str) -> Path | None:
    if not url.startswith(HOST):
        return None
    name = unquote(urlsplit(url).path).lstrip("/")
    if len(folders) > 1:
        part, _, name = name.partition("/")
        if part not in folders:
            return None
        path = folders[part] / name
    else:
        path = next(iter(folders.values())) / name
    if ".." in path.parts:
        return None
    path = path / "index.html" if path.is_dir() else path
    return path if path.is_file() else None
