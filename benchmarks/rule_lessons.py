"""Questions about sites for which rules are learned from examples: the start, the table by hand, and what may be drawn.

Those of rule_crawl (questions.py) are here as well. On the questions marked so the weights of the learner were settled.
The others were written about manuals that nobody had looked at for it: the last fifteen before the learner was changed
last, those before them when an earlier one was finished.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.questions import QUESTIONS, Question
from benchmarks.rule_crawl import write_table
from benchmarks.server import Server
from benchmarks.sites import one_manual, unpacked
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


def _manual(site: str, asked: str, *rules: str) -> Lesson:
    def serve(home: Path) -> Iterator[Given]:
        manual = one_manual(site)
        with Server(manual.folder, home / "server") as server:
            start = server.url + manual.start
            yield Given(start, _HEAD + "".join(f"{start},{rule}\n" for rule in rules))

    return Lesson(site, asked, True, serve, {})


def _package(package: str, folder: str, start: str, asked: str, *rules: str, settled: bool = False) -> Lesson:
    """A question about a manual as its package has it."""

    def serve(home: Path) -> Iterator[Given]:
        with Server(unpacked((package,)) / "usr/share" / folder, home / "server") as server:
            url = server.url + start
            yield Given(url, _HEAD + "".join(f"{url},{rule}\n" for rule in rules))

    return Lesson(package, asked, settled, serve, {})


LESSONS = (
    *(_of_paper(question) for question in QUESTIONS),
    _sample(),
    _manual(
        "postgresql",
        "SQL commands",
        r"follow,base,commands,/sql-commands\.html$,all,all,all",
        "keep,commands,,all,all,refentrytitle,all",
    ),
    _manual(
        "postgresql",
        "system catalogs",
        r"follow,base,catalogs,/catalogs\.html$,all,all,all",
        "keep,catalogs,,/catalog-,all,all,all",
    ),
    _manual(
        "postgresql",
        "server applications",
        r"follow,base,programs,/reference-server\.html$,all,all,all",
        "keep,programs,,all,all,refentrytitle,all",
    ),
    _manual(
        "sqlite",
        "releases",
        r"follow,base,history,/chronology\.html$,all,all,all",
        "keep,history,,/releaselog/,all,all,all",
    ),
    _manual(
        "python",
        "modules of the library",
        r"follow,base,library,/library/index\.html$,all,all,all",
        "keep,library,,/library/,all,toctree-wrapper,all",
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
    _package(
        "python-scrapy-doc",
        "doc/python-scrapy-doc/html",
        "",
        "what solves specific problems",
        "keep,base,,all,solving-specific-problems,all,all",
        settled=True,
    ),
    _package("python-scrapy-doc", "doc/python-scrapy-doc/html", "", "all topics", "keep,base,,/topics/,all,all,all"),
    _package(
        "libvirt-doc",
        "doc/libvirt-doc/html",
        "",
        "drivers of hypervisors",
        r"follow,base,drivers,/drivers\.html$,all,all,all",
        "keep,drivers,,all,hypervisor-drivers,all,all",
    ),
    _package(
        "grass-doc",
        "doc/grass-doc/html",
        "",
        "raster commands",
        r"follow,base,raster,/raster\.html$,all,all,all",
        r"keep,raster,,/r\.[^/]+\.html$,all,all,table",
    ),
    _package(
        "grass-doc",
        "doc/grass-doc/html",
        "",
        "vector commands",
        r"follow,base,vector,/vector\.html$,all,all,all",
        r"keep,vector,,/v\.[^/]+\.html$,all,all,table",
    ),
    _package(
        "shorewall-doc",
        "doc/shorewall-doc/html",
        "",
        "all articles",
        "keep,base,,all,all,informaltable,all",
        settled=True,
    ),
    _package(
        "proftpd-doc",
        "doc/proftpd-doc",
        "",
        "how-tos",
        r"follow,base,list,/howto/index\.html$,all,all,all",
        "keep,list,,/howto/,all,all,dt",
    ),
    _package(
        "proftpd-doc",
        "doc/proftpd-doc",
        "",
        "modules",
        "follow,base,list,/modules/$,all,all,all",
        "keep,list,,/modules/mod_,all,all,dt",
    ),
    _package("exim4-doc-html", "doc/exim4-doc-html/spec_html", "", "chapters", "keep,base,,/ch-,chapters,all,all"),
    _package(
        "swi-prolog-doc",
        "swi-prolog/doc/Manual",
        "",
        "chapters",
        r"follow,base,contents,/Contents\.html$,all,all,all",
        "keep,contents,,all,all,toc-h1,all",
    ),
    _package(
        "python-scipy-doc",
        "doc/python-scipy-doc/html",
        "",
        "release notes",
        r"follow,base,notes,/release\.html$,all,all,all",
        r"keep,notes,,/release\.\d,all,all,all",
    ),
    _package(
        "python-scipy-doc",
        "doc/python-scipy-doc/html",
        "",
        "parts of the interface",
        r"follow,base,reference,/reference/index\.html$,all,all,all",
        "keep,reference,,all,api-definition,all,all",
    ),
    _package("gimp-help-en", "gimp/2.0/help/en", "", "filters", "keep,base,,/gimp-filter-,all,all,all"),
    _package(
        "installation-guide-amd64",
        "doc/installation-guide-amd64/en",
        "",
        "chapters",
        r"keep,base,,/ch\d+\.html$,all,all,all",
    ),
    _package("ntpsec-doc", "doc/ntpsec-doc/html", "", "programs and their files", "keep,base,,all,all,sect2,all"),
    _package("ntpsec-doc", "doc/ntpsec-doc/html", "", "pages of the handbook", "keep,base,,all,all,hdlist1,all"),
    _package("tomcat10-docs", "tomcat10-docs/docs", "", "guides", "keep,base,,all,all,all,ol"),
    _package(
        "tomcat10-docs",
        "tomcat10-docs/docs",
        "",
        "elements of the configuration",
        r"follow,base,elements,/config/index\.html$,all,all,all",
        "keep,elements,,/config/,mainLeft,all,all",
        r"drop,elements,,/index\.html$,all,all,all",
    ),
    _package(
        "cmake-doc",
        "doc/cmake-data/html",
        "",
        "variables",
        r"follow,base,list,/cmake-variables\.7\.html$,all,all,all",
        "keep,list,,/variable/,all,all,all",
    ),
    _package(
        "cmake-doc",
        "doc/cmake-data/html",
        "",
        "modules that find something",
        r"follow,base,list,/cmake-modules\.7\.html$,all,all,all",
        "keep,list,,/module/,find-modules,all,all",
    ),
    _package(
        "cmake-doc", "doc/cmake-data/html", "", "reference manuals", "keep,base,,/manual/,reference-manuals,all,all"
    ),
    _package(
        "slurm-wlm-doc",
        "doc/slurm-wlm/html",
        "documentation.html",
        "manual pages",
        r"follow,base,list,/man_index\.html$,all,all,all",
        "keep,list,,all,all,all,td",
    ),
    _package(
        "postfix-doc",
        "doc/postfix/html",
        "",
        "guides",
        r"keep,base,,_README\.html$,all,all,all",
        settled=True,
    ),
    _package(
        "python-sqlalchemy-doc",
        "doc/python-sqlalchemy-doc/html",
        "",
        "mapping of objects",
        "keep,base,,all,all,orm,all",
    ),
    _package("python-sqlalchemy-doc", "doc/python-sqlalchemy-doc/html", "", "the core", "keep,base,,all,all,core,all"),
    _package(
        "sphinx-doc",
        "doc/sphinx-doc/html",
        "",
        "built-in extensions",
        r"follow,base,list,/usage/extensions/index\.html$,all,all,all",
        "keep,list,,/usage/extensions/,built-in-extensions,all,all",
    ),
    _package("zsh-doc", "doc/zsh-common/html", "", "sections", "keep,base,,all,all,menu,all"),
    _package("libgtk-3-doc", "gtk-doc/html/gtk3", "", "pages of the reference", "keep,base,,all,all,refentrytitle,all"),
    _package(
        "ant-doc",
        "doc/ant/manual",
        "toc.html",
        "tasks",
        r"follow,base,tasks,/anttaskslist\.html$,all,all,all",
        r"follow,tasks,list,/tasklist\.html$,all,all,all",
        "keep,list,,/Tasks/,all,all,all",
    ),
)
