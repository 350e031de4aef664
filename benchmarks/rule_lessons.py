"""Questions about sites for which rules are learned from examples: the start, the table by hand, and what may be drawn.

Those of rule_crawl (questions.py) are here as well. On the questions marked so the weights of the learner were settled;
the last two were never asked before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.questions import QUESTIONS, Question
from benchmarks.rule_crawl import write_table
from benchmarks.server import Server
from benchmarks.sites import one_manual
from dowse.demo.server import DemoSite

_HEAD = "baseURL,ruleType,fromType,toType,pattern,id,class,tag\n"


class Given(NamedTuple):
    """A site that is being served: where to start, the table by hand, and what examples are drawn from, if not all."""

    start: str
    table: str
    wanted: frozenset[str] | None = None


class Lesson(NamedTuple):
    """A question about a site; `options` are those of the exploring crawl."""

    site: str
    asked: str
    settled: bool
    serve: Callable[[Path], Iterator[Given]]
    options: dict[str, Any]

    @contextmanager
    def given(self, home: Path) -> Iterator[Given]:
        yield from self.serve(home)


def _of_paper(question: Question) -> Lesson:
    def serve(home: Path) -> Iterator[Given]:
        with question.served(home / "server") as served:
            write_table(home / "by-hand.csv", served.url, question)
            yield Given(served.url, (home / "by-hand.csv").read_text(), served.answer.wanted)

    options = {"scope": question.scope, "allow_private": True}
    if question.site == "consultations":
        # Nothing in the addresses of its documents tells where they are linked, so most of the list is read.
        options["max_pages"] = 2000
    return Lesson(f"{question.site} (made)" if question.scope == "any" else question.site, question.asked, True,
                  serve, options)  # fmt: skip


def _sample() -> Lesson:
    def serve(home: Path) -> Iterator[Given]:
        with DemoSite() as demo:
            yield Given(f"{demo.url}consultations/", demo.rules)

    return Lesson("sample site", "papers about international matters", True, serve, {})


def _manual(site: str, asked: str, *rules: str, settled: bool = False) -> Lesson:
    def serve(home: Path) -> Iterator[Given]:
        manual = one_manual(site)
        with Server(manual.folder, home / "server") as server:
            start = server.url + manual.start
            yield Given(start, _HEAD + "".join(f"{start},{rule}\n" for rule in rules))

    return Lesson(site, asked, settled, serve, {})


LESSONS = (
    *(_of_paper(question) for question in QUESTIONS),
    _sample(),
    _manual(
        "postgresql",
        "SQL commands",
        r"follow,base,commands,/sql-commands\.html$,all,all,all",
        "keep,commands,,all,all,refentrytitle,all",
        settled=True,
    ),
    _manual(
        "postgresql",
        "system catalogs",
        r"follow,base,catalogs,/catalogs\.html$,all,all,all",
        "keep,catalogs,,/catalog-,all,all,all",
        settled=True,
    ),
    _manual(
        "postgresql",
        "server applications",
        r"follow,base,programs,/reference-server\.html$,all,all,all",
        "keep,programs,,all,all,refentrytitle,all",
        settled=True,
    ),
    _manual(
        "sqlite",
        "releases",
        r"follow,base,history,/chronology\.html$,all,all,all",
        "keep,history,,/releaselog/,all,all,all",
        settled=True,
    ),
    _manual(
        "python",
        "modules of the library",
        r"follow,base,library,/library/index\.html$,all,all,all",
        "keep,library,,/library/,all,toctree-wrapper,all",
        settled=True,
    ),
    _manual(
        "linux",
        "guides for administrators",
        r"follow,base,guide,/admin-guide/index\.html$,all,all,all",
        "keep,guide,,/admin-guide/,all,toctree-wrapper,all",
    ),
    _manual(
        "linux",
        "what is in the sections on driver interfaces",
        r"follow,base,drivers,/driver-api/index\.html$,all,all,all",
        r"follow,drivers,section,/driver-api/[^/]+/index\.html$,all,all,all",
        "keep,section,,all,all,toctree-wrapper,all",
    ),
    _manual(
        "linux",
        "file systems",
        r"follow,base,subsystems,/subsystem-apis\.html$,all,all,all",
        r"follow,subsystems,list,/filesystems/index\.html$,all,all,all",
        "keep,list,,/filesystems/,all,toctree-wrapper,all",
    ),
    _manual(
        "cpp",
        "members of containers",
        r"follow,base,containers,/cpp/container\.html$,all,all,all",
        r"follow,containers,container,/cpp/container/[^/]+\.html$,all,all,all",
        r"keep,container,,/cpp/container/[^/]+/[^/]+\.html$,all,all,all",
    ),
    _manual(
        "python",
        "guides of the how-to collection",
        r"follow,base,guides,/howto/index\.html$,all,all,all",
        "keep,guides,,/howto/,all,toctree-wrapper,all",
    ),
    _manual(
        "cpp",
        "algorithms",
        r"follow,base,algorithms,/cpp/algorithm\.html$,all,all,all",
        r"keep,algorithms,,/cpp/algorithm/[^/]+\.html$,all,t-dsc-member-div,all",
    ),
)
