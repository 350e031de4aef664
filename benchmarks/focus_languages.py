"""Crawls for an English topic on sites in several languages: how many pages are read in other ones, and what is found.

    python -m benchmarks.focus_languages [SITE ...]

The sites are manuals with a front page that links to all their languages. Every judged topic of the English one that
may be looked at is crawled until the crawl stops: as it is, and as if no page told its language.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from html import escape
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

import numpy as np

from benchmarks.cache import ROOT
from benchmarks.judged_sets import judged
from benchmarks.relevance_cases import SEEN
from benchmarks.sites import Manual, site_of
from dowse.fetch.replay import Replayed
from dowse.workflows.replay_sources import HOST, FolderWeb
from dowse.workflows.simulate import simulate_run

PATIENCE, MOST_PAGES, LINE = 120, 1500, 0.5


class Languages(NamedTuple):
    """The parts of a site, each a package, a folder of it and the place of that on the site; the place of the English
    pages; and whether something was chosen on it."""

    parts: list[tuple[str, str, str]]
    english: str
    settled: bool = False


def _each(package: str, folder: str, codes: str) -> list[tuple[str, str, str]]:
    return [(f"{package}-{code}", f"{folder}/{code}", code) for code in codes.split()]


SITES = {
    "installation-guide": Languages(
        [("installation-guide-amd64", "usr/share/doc/installation-guide-amd64", "")], "en", settled=True
    ),
    "gnucash": Languages([("gnucash-docs", "usr/share/doc/gnucash-docs", "")], "gnucash-guide-en", settled=True),
    "debian-handbook": Languages([("debian-handbook", "usr/share/doc/debian-handbook/html", "")], "en-US"),
    "gimp": Languages(_each("gimp-help", "usr/share/gimp/2.0/help", "en de es fr it ko nl pt ru sv"), "en"),
    "aptitude": Languages(_each("aptitude-doc", "usr/share/doc/aptitude/html", "en cs es fi fr it ja nl ru"), "en"),
}


class FrontPage:
    """A folder with a folder for each language, and a front page that links to them."""

    def __init__(self, folder: Path) -> None:
        self._web = FolderWeb(folder)
        names = sorted(each.name for each in folder.iterdir() if (each / "index.html").exists())
        links = "".join(f'<li><a href="{escape(name)}/">{escape(name)}</a>' for name in names)
        self._page = Replayed(200, {"content-type": "text/html"}, f"<title>Index</title><ul>{links}</ul>".encode())

    def find(self, name: str) -> Replayed | None:
        return self._page if name == HOST else self._web.find(name)


class Outcome(NamedTuple):
    """Pages that were read, those in English, the share of the judged ones that were found, and pages that match."""

    pages: int
    english: int
    found: float
    matched: int
    foreign: int


@contextmanager
def _no_languages() -> Iterator[None]:
    with ExitStack() as patches:
        for name in ("tongue", "named_language"):
            patches.enter_context(patch(f"dowse.modes.focus.strategy.{name}", lambda *_: 0))
        yield


def crawl(web: FrontPage, topic: str, wanted: set[str], english: str) -> Outcome:
    run = simulate_run(web.find, [HOST], topic=topic, by="learned", max_pages=MOST_PAGES, patience=PATIENCE)
    pages = [url for url, _ in run.pages]
    matched = [url for url, relevance in run.pages if relevance >= LINE]
    foreign = sum(not url.startswith(HOST + english) for url in matched)
    found = len(wanted & set(pages)) / len(wanted)
    return Outcome(len(pages), sum(url.startswith(HOST + english) for url in pages), found, len(matched), foreign)


def measure(name: str) -> list[tuple[Outcome, Outcome]]:
    """With and without languages, for each topic of a site."""
    site = SITES[name]
    home = ROOT / "languages" / name
    for package, folder, place in site.parts:
        site_of(f"languages-{package}", Manual((package,), folder), home / place)
    web = FrontPage(home)
    outcomes = []
    topics = [each for kind in SEEN for each in judged(kind) if each.manual == name and each.relevant]
    for each in topics:
        wanted = {f"{HOST}{site.english}/{path}" for path in each.relevant}
        now = crawl(web, each.topic, wanted, site.english)
        with _no_languages():
            before = crawl(web, each.topic, wanted, site.english)
        print(f"  {name}, {each.topic}: {tuple(now)}, without {tuple(before)}", flush=True)
        outcomes.append((now, before))
    return outcomes


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.focus_languages", description=__doc__)
    parser.add_argument("sites", nargs="*", choices=SITES, metavar="SITE")
    for name in parser.parse_args(arguments).sites or SITES:
        outcomes = np.array(measure(name))
        settled = " (settled)" if SITES[name].settled else ""
        for kind, means in zip(("now", "without"), outcomes.mean(axis=0), strict=True):
            pages, english, found, matched, foreign = means
            print(
                f"{name}{settled}, {len(outcomes)} topics, {kind}: {pages:.0f} pages, {english:.0f} in English,"
                f" {found:.2f} of the judged ones found, {matched:.1f} match, {foreign:.1f} of these elsewhere",
                flush=True,
            )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
