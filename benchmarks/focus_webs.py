"""The three webs that focused crawling is measured on, unpacked once into the benchmarks' cache.

encyclopedia   5,232 articles that link to each other, with the relevant ones of four topics and ten seeds each
algorithms     1,585 pages of a dictionary of algorithms; relevant are those of the area Sorting
universities   two departments' web sites on many hosts; relevant are the pages of courses, faculty or students
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from benchmarks.cache import ROOT, Unavailable
from dowse.fetch.replay import Replayed
from dowse.workflows.replay_sources import HOST, FolderWeb

ARCHIVES = {
    "encyclopedia": "encyclopedia/articles.tar.zst",
    "algorithms": "algorithms-dictionary/site.tar.zst",
    "universities": "university-web/cornell-washington.tar.zst",
}
KEPT_PAGES = 8_000


class Topic(NamedTuple):
    """What is looked for: plain words, the pages that are about it, and where to start."""

    name: str
    words: str
    truth: set[str]
    seeds: list[str]


class FocusWeb(NamedTuple):
    """A web and its topics."""

    find: Callable[[str], Replayed | None]
    topics: list[Topic]


# Two or three plain words for each topic, set down before anything was measured, and a second wording of each.
WORDS = {
    "IT": ("computing software", "computers internet"),
    "Music": ("music", "songs musical instruments"),
    "Chemistry": ("chemistry", "chemical elements compounds"),
    "Food": ("food drink", "foods cooking"),
}
QUERIES = (
    "time, bubble, sort", "sort, quick", "quick, heap, space", "shell, sort, time", "heap, space, sort",
    "data, sort, time, shell",
)  # fmt: skip
UNIVERSITIES = ("cornell", "washington")
PEOPLE_AND_COURSES = {
    "course": ("course lectures homework", "class syllabus assignments exams"),
    "faculty": ("faculty professors research", "professor publications teaching"),
    "student": ("graduate student home page", "phd students personal interests"),
}


def data_folder() -> Path:
    folder = Path(os.environ.get("DOWSE_DATA", ""))
    if not os.environ.get("DOWSE_DATA") or not (folder / ARCHIVES["encyclopedia"]).exists():
        raise Unavailable(f"set DOWSE_DATA to the folder that has {ARCHIVES['encyclopedia']}")
    return folder


def unpacked(name: str) -> Path:
    """The folder of a web; the archive is unpacked the first time."""
    target = ROOT / f"focus-{name}"
    if not target.exists():
        part = target.with_suffix(".part")
        part.mkdir(parents=True, exist_ok=True)
        archive = data_folder() / ARCHIVES[name]
        packed = subprocess.Popen(["zstd", "-dc", "--long=27", str(archive)], stdout=subprocess.PIPE)
        subprocess.run(["tar", "x", "-C", str(part)], stdin=packed.stdout, check=True)
        packed.wait()
        part.rename(target)
    return target


def encyclopedia(wording: int = 0) -> FocusWeb:
    truth, seeds = (_pairs(data_folder() / "encyclopedia" / file) for file in ("topics.tsv", "seeds.tsv"))
    topics = [Topic(name, words[wording], set(truth[name]), seeds[name]) for name, words in WORDS.items()]
    return FocusWeb(_remembering(FolderWeb(unpacked("encyclopedia")).find), topics)


def algorithms() -> FocusWeb:
    folder = unpacked("algorithms") / "site"
    truth = areas()["Sorting"]
    start = [HOST + "terms.html"]
    topics = [Topic(query, query, truth, start) for query in QUERIES]
    return FocusWeb(_remembering(FolderWeb(folder).find), topics)


def areas() -> dict[str, set[str]]:
    """The pages of the dictionary of algorithms by their areas."""
    found: dict[str, set[str]] = {}
    for line in (data_folder() / "algorithms-dictionary" / "labels.tsv").read_text().splitlines()[1:]:
        path, area = line.split("\t")[:2]
        found.setdefault(area, set()).add(HOST + quote(path))
    return found


def universities(name: str) -> FocusWeb:
    """Files are named by their URLs, with ^ for /, and begin with the headers of the answer."""
    places: dict[str, Path] = {}
    kinds: dict[str, set[str]] = {}
    for path in sorted((unpacked("universities") / "webkb").glob(f"*/{name}/*")):
        url = path.name.replace("http_^^", "http://", 1).replace("^", "/")
        places[url] = path
        kinds.setdefault(path.parts[-3], set()).add(url)

    def find(url: str) -> Replayed | None:
        path = places.get(url) or places.get(url + "/") or places.get(url.rstrip("/"))
        if path is None:
            return None
        _headers, _, body = path.read_bytes().replace(b"\r\n", b"\n").partition(b"\n\n")
        return Replayed(200, {"content-type": "text/html"}, body)

    seeds = sorted(kinds["department"])
    topics = [
        Topic(f"{name} {kind} {number}", words, kinds[kind], seeds)
        for kind, wordings in PEOPLE_AND_COURSES.items()
        for number, words in enumerate(wordings, 1)
    ]
    return FocusWeb(_remembering(find), topics)


def _pairs(file: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in file.read_text().splitlines()[1:]:
        topic, path = line.split("\t")
        found.setdefault(topic, []).append(HOST + quote(path))
    return found


def _remembering(find: Callable[[str], Replayed | None]) -> Callable[[str], Replayed | None]:
    return lru_cache(maxsize=KEPT_PAGES)(find)
