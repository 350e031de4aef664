"""A small job for each mode, and a site to run them on: what the contract of modes is tested with.

A new mode is covered by one line of `JOBS`, or by more than one if it can be asked for different things. Pages of the
orchard are told apart by their titles, link to each other and to papers, and some of its URLs end in each of the states
that a URL can be in.
"""

from __future__ import annotations

import csv
import shutil
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import to_builtins

from dowse import app
from dowse.app import Crawl
from dowse.config import make_job
from dowse.core.job import Job
from dowse.modes.registry import find_mode
from dowse.settings import Setting
from tests.crawling import opened
from tests.pdf_files import letter
from tests.ruling import follow, keep, write_table
from tests.servers import Answer, Page, Reply, Request, Site

JOBS: dict[str, dict[str, Any]] = {
    "site": {},
    "site depth": {"order": "depth"},
    "rules": {"table": "{folder}/rules.csv"},
    "explore": {"want": ["{site}fruit/apple-4", "{site}papers/pear-3.pdf"]},
    "focus": {"topic": "apple, orchard", "threshold": 0.3, "patience": 0},
    "focus like": {"like": ["{folder}/example.html"], "threshold": 0.3, "patience": 0},
    "focus astar": {"topic": "apple, orchard", "threshold": 0.3, "patience": 0, "by": "astar"},
    "focus priority": {"topic": "apple, orchard", "threshold": 0.3, "patience": 0, "by": "priority"},
    "focus random": {"topic": "apple, orchard", "threshold": 0.3, "patience": 0, "by": "random"},
    "files": {"type": ["pdf"], "patience": 0},
    "forms": {},
    "forms harvest": {"harvest": True},
    "forum": {},
    "toy": {"word": "pear"},
    "asking": {"word": "apple"},
    "counting": {},
}
"""The options of each mode's own, by the name of the mode and what is special about the job."""

STARTS = {"forum": "talk/"}
"""Where jobs of a mode begin that have nothing to find in the orchard itself; no page of it links there."""

MODES = tuple(case for case in JOBS if " " not in case)
"""One job for each mode."""

ONE_BY_ONE: dict[str, Any] = {"delay": 0.0, "concurrency": 1, "per_host": 1, "retries": 0}
"""One page after the other, so that the order is the same every time."""

BOX = "<form action=/find><label>Find fruit <input type=search name=word></label><button>Search</button></form>"
FRUITS = ("apple", "pear", "plum")
NUMBER = 6
MOMENTS = frozenset({"fetched_at", "elapsed", "next_attempt", "body", "first_seen"})
"""Columns that are different in every run."""


def mode_of(case: str) -> str:
    return case.split()[0]


# The site


def orchard() -> dict[str, Page]:
    """Pages about fruit, with papers, a search, and URLs that lead nowhere or may not be asked for."""
    pages: dict[str, Page] = {
        "/robots.txt": Reply("User-agent: *\nDisallow: /private/", headers={"Content-Type": "text/plain"}),
        "/": page("the orchard", "/fruit/", "/papers/", "/moved", "/copy", "/gone", "/private/", "http://a.example/")
        + BOX,
        "/find": matching,
        "/fruit/": page("all fruit", *(f"/fruit/{fruit}-0" for fruit in FRUITS)),
        "/papers/": page("all papers", *(f"/papers/{fruit}-{number}.pdf" for fruit in FRUITS for number in range(3))),
        "/moved": Reply(status=301, headers={"Location": "/fruit/plum-1"}),
        "/copy": page("the same twice", "/fruit/"),
        "/twin": page("the same twice", "/fruit/"),
        "/gone": Reply("gone", status=410),
        "/search": found,
    }
    for fruit in FRUITS:
        for number in range(NUMBER):
            following = f"/fruit/{fruit}-{(number + 1) % NUMBER}"
            others = ["/twin"] if number == 2 else []
            paper = f"/papers/{fruit}-{number}.pdf"
            pages[f"/fruit/{fruit}-{number}"] = page(f"a fine {fruit} number {number}", following, paper, *others)
            text = letter(f"All that is known of {fruit} number {number}.", title=f"a paper of {fruit} {number}")
            pages[paper] = Reply(text, headers={"Content-Type": "application/pdf"})
    return pages | talk()


def talk() -> dict[str, Page]:
    """A small forum: two boards, and threads of three posts."""
    rows, pages = dict[int, str](), dict[str, Page]()
    for board, fruit in enumerate(FRUITS[:2]):
        rows[board] = ""
        for number in range(NUMBER):
            where, title = f"/talk/topic/{board}{number}", f"how do you prune a {fruit} tree in year {number}"
            posts = "".join(
                f"<article><b>{name}</b> <time datetime='2024-0{number + 1}-1{at}T10:00:00Z'>day {at}</time>"
                f"<p>The {fruit} of year {number} was cut by {name}, and nobody knows why it bears so much.</article>"
                for at, name in enumerate(("anna", "bert", "carla"))
            )
            up = f"<a href=/talk/>talk</a> » <a href=/talk/board/{board}>all about {fruit} trees</a>"
            pages[where] = f"<title>{title}</title><p>{up}</p><h1>{title}</h1>{posts}"
            rows[board] += (
                f"<tr><td><a href={where}>{title}</a><td>2<td><a href=/talk/user/1>anna</a>"
                f"<td>2024-0{number + 1}-12 10:00"
            )
        name = f"all about {fruit} trees"
        pages[f"/talk/board/{board}"] = (
            f"<title>{name}</title><p><a href=/talk/>talk</a> » {name}</p><table>{rows[board]}</table>"
        )
    boards = "".join(
        f"<tr><td><a href=/talk/board/{board}>all about {fruit} trees</a><p>Where you talk about them.<td>{NUMBER}"
        f"<td>2024-06-12 10:00"
        for board, fruit in enumerate(FRUITS[:2])
    )
    pages["/talk/"] = f"<title>talk</title><h1>talk</h1><table>{boards}</table>"
    pages["/talk/user/1"] = "<title>anna</title><p>She likes trees."
    return pages


def page(title: str, *hrefs: str) -> str:
    anchors = "".join(f'<li><a href="{href}">more of {href}</a>' for href in hrefs)
    return f"<!doctype html><title>{title}</title><main><h1>{title}</h1><p>All about {title}.<ul>{anchors}</ul></main>"


def matching(asked: Request) -> Answer:
    """The fruit that have a word."""
    word = asked.query.get("word", "").lower()
    names = [f"a fine {fruit} number {number}" for fruit in FRUITS for number in range(NUMBER)]
    items = "".join(f"<li><a href='/found#{name}'>{name}</a>" for name in names if word and word in name.split())
    return f"<!doctype html><title>Found</title>{BOX}<p>Fruit that have the word:<ol>{items}</ol>"


def found(asked: Request) -> Answer:
    """The results of a search, twelve pages of them; only a form can ask for them."""
    if asked.method != "POST":
        return Reply("only by POST", status=405)
    return page("no more" if asked.body.endswith(b"page=12") else "results", f"/found?{asked.body.decode()}")


# The jobs


class Runs:
    """Makes jobs and crawls of the orchard. A crawl that nothing disturbed is made once and kept."""

    def __init__(self, site: Site, folder: Path) -> None:
        self.site = site
        self.folder = folder
        self._given = folder / "given"
        self._undisturbed: dict[str, Path] = {}
        self.give(self._given)

    def give(self, folder: Path) -> None:
        """Write what the jobs read: a table of rules and a page as an example."""
        base = self.site.url
        folder.mkdir()
        write_table(
            folder / "rules.csv",
            follow(base, "base>list", "/fruit/$"),
            follow(base, "list>fruit", "/fruit/"),
            follow(base, "fruit>fruit", "/fruit/"),
            keep(base, "fruit", r"\.pdf$"),
        )
        (folder / "example.html").write_text(page("a fine apple of an orchard"), encoding="utf-8")

    def options(self, case: str, given: Path | None = None) -> dict[str, Any]:
        fill = partial(_filled, site=self.site.url, folder=str(given or self._given))
        return {name: fill(value) for name, value in JOBS[case].items()}

    def job(self, case: str, output: Path, *, given: Path | None = None, **others: Any) -> Job:
        """`given` is the folder with what the job reads."""
        mode = find_mode(mode_of(case))
        start = () if mode.start else (self.site.url + STARTS.get(mode.name, ""),)
        return make_job(mode.name, start, output=str(output), **{**ONE_BY_ONE, **self.options(case, given), **others})

    def crawl(self, case: str, output: Path, **others: Any) -> Crawl:
        app.start(self.job(case, output, **others))
        return opened(output)

    def undisturbed(self, case: str) -> Crawl:
        """The crawl of a job from its beginning to its end; only to be read."""
        if case not in self._undisturbed:
            output = self.folder / case
            self.crawl(case, output)
            self._undisturbed[case] = output
        return opened(self._undisturbed[case])

    def copied(self, case: str, output: Path) -> Path:
        """The same to be changed."""
        shutil.copytree(self.undisturbed(case).directory, output)
        return output


def _filled(value: Any, **places: str) -> Any:
    if isinstance(value, list):
        return [_filled(item, **places) for item in value]
    return value.format(**places) if isinstance(value, str) else value


# What a crawl came to


def told(crawl: Crawl) -> dict[str, Any]:
    """All that a crawl has to tell, without moments and without the name of its folder."""
    names = ("pages", "ledger", "links", *crawl.mode.tables)
    tables = {name: [without_moments(row) for row in crawl.frame(name)] for name in names}
    results = to_builtins(crawl.results())
    summary = crawl.status()
    whole = {"tables": tables, "results": results, "stop": summary.stop_reason, "files": grown_files(crawl.directory)}
    return _anywhere(whole, str(crawl.directory))  # type: ignore[no-any-return]


def grown_files(directory: Path) -> dict[str, Any]:
    """What a mode put into the folder of a crawl, by name: a list as its lines, in their order."""
    paths = [path for path in sorted(directory.rglob("*")) if path.is_file() and path.suffix != ".gz"]
    own = [path for path in paths if not path.name.startswith("crawl.")]
    return {str(path.relative_to(directory)): _lines(path) for path in own}


def _lines(path: Path) -> Any:
    if path.suffix != ".csv":
        return path.read_bytes()
    with path.open(encoding="utf-8", newline="") as stream:
        return [without_moments(row) for row in csv.DictReader(stream, strict=True)]


def without_moments(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in MOMENTS}


def _anywhere(value: Any, folder: str) -> Any:
    if isinstance(value, dict):
        return {name: _anywhere(inner, folder) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_anywhere(inner, folder) for inner in value]
    return value.replace(folder, "DIR") if isinstance(value, str) else value


# Values of options

TEXTS: dict[str, Any] = {
    "auth": "me:env:PASSWORD",
    "drop_parameters": ["utm_*", "color"],
    "exclude": ["/calendar/", r"it's\?"],
    "exclude_from": ["title=//h1/span"],
    "extract": ["title=//h1", r"sku=re:(\w+)'"],
    "header": ["X-Token: env:TOKEN", "Accept-Language: de"],
    "keep_parameters": ["sid"],
    "language": "de",
    "media_types": ["text/html", "image/*"],
    "cluster": "ray://head.example:10001",
    "proxy": "http://127.0.0.1:3128",
    "ready": ".list > li",
    "signed_in": "a[href='/logout']",
    "charset": "windows-1251",
    "contact": "https://example.org/crawl",
    "sign_key": "file:key.pem",
    "signature_agent": "https://crawler.example.org",
    "use": ["search", "train-ai"],
    "follow": "mine.py:follow",
    "on_page": "package.module:on_page",
    "wrap_fetcher": "package:Class.inner",
    "skip_extensions": ["zip"],
    "store": "postgresql://me@db.example/crawls",
    "step": ["/shop => click .more"],
    "table": "other.csv",
    "type": ["pdf", "image/*"],
    "want": ["http://a.example/x/1", "http://a.example/x/2"],
}
"""Texts that options take which do not take every text."""


def another_value(setting: Setting) -> Any:
    """A value that is not the default of an option."""
    match setting.kind:
        case "switch":
            return not setting.default
        case "whole" | "number":
            numbers = (1, 2) if setting.kind == "whole" else (0.5, 1.5)
            return next(each for each in numbers if each >= setting.least and each != setting.default)
        case "choice":
            return next(word for word in setting.choices if word != setting.default)
        case "list":
            return TEXTS.get(setting.name, ["words", "and more"])
        case "text":
            return TEXTS.get(setting.name, "some words")
