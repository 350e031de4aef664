"""The sites that are crawled: the manuals of five projects, as Debian packs them, and which pages are reachable.

~/.cache/dowse-bench/packages/     downloaded with apt-get, unpacked with dpkg-deb; nothing is installed
~/.cache/dowse-bench/site/NAME/    the HTML pages of one manual
~/.cache/dowse-bench/site/         all of them below one front page
~/.cache/dowse-bench/NAME.json     what an independent walk over the files reaches
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

import ada_url

from benchmarks.cache import ROOT, Unavailable

_ORIGIN = "http://site.test"
_PAGES = (".html", ".htm")


class Manual(NamedTuple):
    """One manual: its packages, newest Debian last, where they keep the pages, and the page to start from."""

    packages: tuple[str, ...]
    folder: str
    start: str = "index.html"


MANUALS = {
    "python": Manual(("python3.11-doc", "python3.13-doc"), "usr/share/doc/python3.*/html"),
    "postgresql": Manual(("postgresql-doc-15", "postgresql-doc-17"), "usr/share/doc/postgresql-doc-*/html"),
    "sqlite": Manual(("sqlite3-doc",), "usr/share/doc/sqlite3"),
    "cpp": Manual(("cppreference-doc-en-html",), "usr/share/cppreference/doc/html", "en/index.html"),
    "linux": Manual(("linux-doc-6.1", "linux-doc-6.12"), "usr/share/doc/linux-doc-*/html"),
}


class Site(NamedTuple):
    """A folder to serve, the path to start from, and the pages that a walk from there reaches."""

    name: str
    folder: Path
    start: str
    reachable: frozenset[str]


def one_manual(name: str) -> Site:
    """One project's manual as a site of its own."""
    return site_of(name, MANUALS[name], ROOT / "site" / name)


def site_of(name: str, manual: Manual, folder: Path) -> Site:
    """The site of a manual in a folder, which is made the first time; names are those of the lists of pages."""
    if not folder.is_dir():
        _build(name, manual, folder)
    start = "" if manual.start == "index.html" else manual.start
    return Site(name, folder, start, _reachable(name, folder, start))


def all_manuals() -> Site:
    """All manuals as one site: about ten thousand pages below one front page."""
    for name in MANUALS:
        one_manual(name)
    folder = ROOT / "site"
    entries = "".join(f'<p><a href="/{name}/{manual.start}">{name}</a></p>' for name, manual in MANUALS.items())
    (folder / "index.html").write_text(f"<!doctype html><title>Manuals</title>{entries}")
    (folder / "robots.txt").write_text("User-agent: *\nAllow: /\n")
    return Site("all", folder, "", _reachable("all", folder, ""))


# From a Debian package to a folder of pages


def _build(name: str, manual: Manual, folder: Path) -> None:
    print(f"building the {name} site in {folder} ...", file=sys.stderr, flush=True)
    package = unpacked(manual.packages)
    source = next(package.glob(manual.folder), None)
    if source is None:
        raise Unavailable(f"the package in {package} has no {manual.folder}")
    growing = folder.with_suffix(".growing")
    shutil.rmtree(growing, ignore_errors=True)
    for page in _pages_below(source):
        target = growing / page.relative_to(source)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(page, target)
    growing.rename(folder)


def _pages_below(source: Path) -> Iterator[Path]:
    """The pages of a folder, also in folders that are links to elsewhere in the package, each folder once."""
    seen = set()
    for place, folders, names in os.walk(source, followlinks=True):
        real = os.path.realpath(place)
        if real in seen:
            folders.clear()
            continue
        seen.add(real)
        pages = (Path(place, name) for name in names)
        yield from (page for page in pages if page.suffix in _PAGES and page.is_file())


def unpacked(packages: tuple[str, ...]) -> Path:
    """The folder of the first of these Debian packages that can be had."""
    store = ROOT / "packages"
    store.mkdir(parents=True, exist_ok=True)
    for package in packages:
        if (store / package).is_dir():
            return store / package
    for tool in ("apt-get", "dpkg-deb"):
        if not shutil.which(tool):
            raise Unavailable(f"the pages come from Debian packages and this machine has no {tool}")
    for package in packages:
        if _run(store, "apt-get", "download", "--quiet", package):
            archive = next(store.glob(f"{package}_*.deb"))
            _run(store, "dpkg-deb", "-x", archive.name, f"{package}.growing")
            (store / f"{package}.growing").rename(store / package)
            archive.unlink()
            return store / package
    raise Unavailable(f"apt-get has none of {', '.join(packages)}; is its list fresh? apt-get update")


def _run(folder: Path, *command: str) -> bool:
    return subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode == 0


# An independent walk over the files, with another parser and another URL library than the crawler's


def _reachable(name: str, folder: Path, start: str) -> frozenset[str]:
    known = ROOT / f"{name}.json"
    if not known.exists():
        known.write_text(json.dumps(sorted(_walk(folder, start))))
    return frozenset(json.loads(known.read_text()))


def _walk(folder: Path, start: str) -> set[str]:
    waiting = [f"{_ORIGIN}/{start}"]
    seen, pages = set(waiting), set()
    while waiting:
        url = waiting.pop()
        path = unquote(url.removeprefix(_ORIGIN).partition("?")[0])
        file = folder / path.lstrip("/")
        found: Iterator[str] = iter(())
        if path.endswith("/"):
            file /= "index.html"
        if file.is_dir():
            found = iter([url.partition("?")[0] + "/"])  # where the server will send us
        elif file.suffix in _PAGES and file.is_file():
            pages.add(os.path.relpath(file, folder))
            found = _links(url, file.read_bytes())
        for target in found:
            if target.startswith(_ORIGIN + "/") and target not in seen:
                seen.add(target)
                waiting.append(target)
    return pages


def _links(url: str, body: bytes) -> Iterator[str]:
    try:
        from selectolax.lexbor import LexborHTMLParser
    except ImportError as error:
        raise Unavailable("install selectolax") from error
    tree = LexborHTMLParser(body)
    base = tree.css_first("base[href]")
    if base is not None:
        url = ada_url.join_url(url, base.attributes["href"] or "")
    for anchor in tree.css("a[href]"):
        try:
            yield ada_url.join_url(url, anchor.attributes["href"] or "").partition("#")[0]
        except ValueError:
            continue
