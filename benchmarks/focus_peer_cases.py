"""What dowse and other focused crawlers are asked for side by side: a web, a topic in plain words, and one seed.

universities   two universities of many hosts each: pages of courses and of students, from the department
encyclopedia   the four topics of benchmarks/focus_webs.py, each from its first seed
manuals        two topics each of PostgreSQL's manual and of the kernel's, from the start page

The relevant pages of a manual are those below its own chapters about the topic, by the names of their files; they were
set down before anything was measured.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from benchmarks.cache import Unavailable
from benchmarks.focus_harvest import identity
from benchmarks.focus_webs import UNIVERSITIES, encyclopedia, universities, unpacked
from benchmarks.sites import MANUALS
from benchmarks.sites import unpacked as unpacked_package
from dowse.fetch.replay import Replayed
from dowse.workflows.replay_sources import HOST, FolderWeb

ORIGIN = "http://www.example.org/"
"""Where the pages of a folder are here: minet takes no URL whose top-level domain is not a real one, as HOST's."""

KINDS = {"course": "course lectures homework", "student": "graduate students home pages"}
_PROLOG = re.compile(rb"\A\s*<\?xml[^>]*\?>")
CHAPTERS = {
    ("postgresql", "indexes"): (
        "indexes*", "indexam*", "index-*", "btree*", "gin*", "gist*", "spgist*", "brin*", "hash-*", "bloom*", "xindex*",
        "sql-*index*", "catalog-pg-index*", "view-pg-indexes*", "locking-indexes*", "routine-reindex*",
        "app-reindexdb*", "textsearch-indexes*",
    ),
    ("postgresql", "full text search"): (
        "textsearch*", "*-textsearch*", "catalog-pg-ts-*", "sql-*ts*config*", "sql-*tsdict*", "sql-*tsparser*",
        "sql-*tstemplate*", "dict-*", "unaccent*",
    ),
    ("linux", "file systems"): ("filesystems/**/*", "admin-guide/ext4*", "admin-guide/xfs*", "admin-guide/jfs*"),
    ("linux", "memory management"): (
        "mm/**/*", "admin-guide/mm/**/*", "core-api/memory-*", "core-api/mm-api*", "core-api/boot-time-mm*",
        "core-api/gfp_mask*", "core-api/pin_user_pages*", "admin-guide/cgroup-v1/memory*",
    ),
}  # fmt: skip


class Case(NamedTuple):
    """One crawl: where it starts, the topic's words, the domain to stay on, and the pages that count, by `identity`."""

    web: str
    name: str
    words: str
    seed: str
    domain: str
    truth: frozenset[str]
    find: Callable[[str], Replayed | None]


def cases() -> list[Case]:
    return [*_universities(), *_encyclopedia(), *_manuals()]


def _universities() -> Iterator[Case]:
    for university in UNIVERSITIES:
        find = universities(university).find
        for kind, words in KINDS.items():
            files = (unpacked("universities") / "webkb" / kind / university).iterdir()
            truth = {file.name.replace("http_^^", "http://", 1).replace("^", "/") for file in files}
            seed = f"http://www.cs.{university}.edu/"
            yield _case("universities", f"{university}, {kind}", words, seed, truth, find)


def _encyclopedia() -> Iterator[Case]:
    web = encyclopedia()
    for topic in web.topics:
        truth = set(map(_moved, topic.truth))
        yield _case("encyclopedia", topic.name, topic.words, _moved(topic.seeds[0]), truth, _finder(web.find))


def _manuals() -> Iterator[Case]:
    for (name, words), patterns in CHAPTERS.items():
        manual = MANUALS[name]
        folder = next(unpacked_package(manual.packages).glob(manual.folder), None)
        if folder is None:
            raise Unavailable(f"the package {manual.packages[0]} has no {manual.folder}")
        truth = {_address(folder, file) for pattern in patterns for file in folder.glob(f"{pattern}.html")}
        find = _finder(_without_prolog(FolderWeb(folder).find))
        yield _case("manuals", f"{name}, {words}", words, ORIGIN + manual.start, truth, find)


def _address(folder: Path, file: Path) -> str:
    return ORIGIN + quote(file.relative_to(folder).as_posix())


def _moved(url: str) -> str:
    return ORIGIN + url.removeprefix(HOST)


def _finder(find: Callable[[str], Replayed | None]) -> Callable[[str], Replayed | None]:
    return lambda url: find(HOST + url.removeprefix(ORIGIN)) if url.startswith(ORIGIN) else None


def _without_prolog(find: Callable[[str], Replayed | None]) -> Callable[[str], Replayed | None]:
    """Pages without <?xml ...?>, since Crawl4AI finds no link in a page that has one unless a browser takes it away."""

    def found(url: str) -> Replayed | None:
        answer = find(url)
        return answer and Replayed(answer.status, answer.headers, _PROLOG.sub(b"", answer.body))

    return found


def _case(web: str, name: str, words: str, seed: str, truth: set[str], find: Callable[[str], Replayed | None]) -> Case:
    host = seed.split("/")[2]
    domain = ".".join(host.split(".")[-2:])
    return Case(web, name, words, seed, domain, frozenset(map(identity, truth)), find)
