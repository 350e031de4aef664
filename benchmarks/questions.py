"""Three sites, a real question about each, the table of rules that answers it, and what the right answer is.

The answers come from the files, read with lxml, by what the pages say of themselves (headings, trails, sections), and
not by their addresses, which is what most of the rules go by.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import NamedTuple
from urllib.error import URLError
from urllib.parse import unquote, urljoin
from urllib.request import urlopen

import lxml.html

from benchmarks.consultation_site import BASE_PATH, COLUMN, LIST, build
from benchmarks.cores import SERVER, on
from benchmarks.fewest_pages import Graph, fewest_pages
from benchmarks.process import environment
from benchmarks.server import Server, free_port
from benchmarks.sites import Site, one_manual

Rule = tuple[str, str, str, str]
"""ruleType, "fromType>toType", pattern, and the limit: column=value, more of them after a semicolon."""


class Answer(NamedTuple):
    """What is wanted, and how few pages can lead to all of it, which takes a while to work out."""

    wanted: frozenset[str]
    find_fewest: Callable[[], int]


class Served(NamedTuple):
    """A site that is being served: where to start, what the right answer is, and how many requests came, afterwards."""

    url: str
    answer: Answer
    requests: Callable[[], int]


class Question(NamedTuple):
    """What somebody wants of a site: in words, as rules, and as the words of a topic."""

    site: str
    asked: str
    rules: tuple[Rule, ...]
    words: tuple[str, ...]
    scope: str
    serving: Callable[[Path], Iterator[Served]]

    @contextmanager
    def served(self, home: Path) -> Iterator[Served]:
        yield from self.serving(home)


def same(url: str) -> str:
    """A URL as two libraries agree on it."""
    return unquote(url.partition("#")[0])


def _links(url: str, body: bytes) -> set[str]:
    return {same(urljoin(url, href)) for href in lxml.html.fromstring(body).xpath("//a/@href") if "://[" not in href}


# The consultation site


def _consultations(home: Path) -> Iterator[Served]:
    home.mkdir(parents=True, exist_ok=True)
    port, log = free_port(), home / "access.log"
    url = f"http://127.0.0.{LIST}:{port}{BASE_PATH}"
    with on(SERVER):
        command = [sys.executable, "-m", "benchmarks.consultation_server", str(port), str(log)]
        server = subprocess.Popen(command, env=environment())
    try:
        for _ in range(400):
            try:
                urlopen(url).close()
                break
            except (URLError, ConnectionError):
                time.sleep(0.05)
        yield Served(url, _consultation_answer(port), lambda: len(log.read_text().splitlines()) - 1)
    finally:
        server.terminate()
        server.wait()


def _consultation_answer(port: int) -> Answer:
    world = build(port)

    def fewest() -> int:
        graph = {}
        for url, body in world.pages.items():
            graph[url] = {world.redirects.get(link, link) for link in _links(url, body)}
        return fewest_pages(graph, f"http://127.0.0.{LIST}:{port}{BASE_PATH}", world.wanted)

    return Answer(world.wanted, fewest)


# The manuals


def _manual(name: str, pick: Callable[[Site], set[str]], home: Path) -> Iterator[Served]:
    site = one_manual(name)
    wanted = pick(site)
    start = site.start or "index.html"
    with Server(site.folder, home) as server:
        answer = Answer(
            frozenset(server.url + path for path in wanted), lambda: fewest_pages(_graph(name), start, wanted)
        )
        yield Served(server.url + site.start, answer, lambda: len(server.requests()) - 1)


@cache
def _graph(name: str) -> Graph:
    """Which page of a manual links to which, all as paths; a folder stands for its index."""
    site = one_manual(name)
    graph = {}
    for path in site.reachable:
        found = _links(f"http://site/{path}", (site.folder / path).read_bytes())
        graph[path] = {_file(link.removeprefix("http://site/")) for link in found if link.startswith("http://site/")}
    return graph


def _file(path: str) -> str:
    return path + "index.html" if not path or path.endswith("/") else path


def _trees(site: Site, folder: str) -> dict[str, lxml.html.HtmlElement]:
    files = [path for path in site.reachable if path.startswith(folder)]
    return {path: lxml.html.fromstring((site.folder / path).read_bytes()) for path in files}


@cache
def _sound_documents(site: Site) -> set[str]:
    """Pages whose trail leads through the sound subsystem and that are no tables of contents themselves."""
    found = set()
    for path, tree in _trees(site, "").items():
        trail = [" ".join(step.text_content().split()) for step in tree.xpath("//ul[@class='wy-breadcrumbs']/li")]
        is_contents = tree.xpath("//div[contains(@class, 'toctree-wrapper')]")
        if "Linux Sound Subsystem Documentation" in trail and not is_contents:
            found.add(path)
    return found


@cache
def _thread_members(site: Site) -> set[str]:
    """Pages headed CLASS::NAME, where another page is headed CLASS and has member functions, and this one has none."""
    trees = _trees(site, os.path.join("en", "cpp", "thread"))
    headings = {path: " ".join(tree.xpath("string(//h1)").split()) for path, tree in trees.items()}
    classes = {headings[path] for path, tree in trees.items() if tree.xpath("//*[@id='Member_functions']")}
    return {
        path
        for path, heading in headings.items()
        if re.sub(r"::[^:]+$", "", heading) in classes - {heading} and heading not in classes
    }


_CLASSES = "|".join(
    (
        *("thread", r"\w*mutex", "lock_guard", "scoped_lock", "unique_lock", "shared_lock", r"condition_\w+"),
        *("promise", "packaged_task", r"\w*future", "future_error"),
    )
)

QUESTIONS = (
    Question(
        "consultations",
        "the PDFs of all consultations about international matters",
        (
            ("follow", "base>topLevel", "international", f"class={COLUMN}"),
            ("keep", "topLevel", ".pdf", ""),
            ("follow", "topLevel>secondLevel", "international", "tag=main"),
            ("keep", "secondLevel", ".pdf", ""),
        ),
        ("international",),
        "any",
        _consultations,
    ),
    Question(
        "linux",
        "all documents of the kernel's manual about sound",
        (
            ("follow", "base>parts", r"/subsystem-apis\.html$", "class=toctree-wrapper"),
            ("follow", "parts>sound", r"/sound/index\.html$", "class=toctree-wrapper"),
            ("keep", "sound", r"/sound/[^/]+\.html$", "class=toctree-wrapper"),
            ("keep", "sound", r"/sound/[^/]+/([^i]|i[^n])[^/]*\.html$", "class=toctree-wrapper"),
        ),
        ("sound", "alsa", "audio"),
        "host",
        lambda home: _manual("linux", _sound_documents, home),
    ),
    Question(
        "cpp",
        "the member functions of all classes of the C++ thread library",
        (
            ("follow", "base>library", r"/cpp/thread\.html$", ""),
            ("follow", "library>class", rf"/thread/({_CLASSES})\.html$", "class=t-dsc-member-div"),
            ("keep", "class", r"/thread/[^/]+/[^/.]+\.html$", "class=t-dsc-member-div;text=^[^:]+$"),
            ("follow", "class>nested", r"/thread/id\.1\.html$", "class=t-dsc-member-div"),
            ("keep", "nested", r"/id/id\.html$", ""),
        ),
        ("thread", "mutex", "lock", "future", "promise", "condition variable"),
        "host",
        lambda home: _manual("cpp", _thread_members, home),
    ),
)
