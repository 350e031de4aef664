"""Forums: which pages are fetched, which threads are found and which posts are right, on real forum software.

    python -m benchmarks.forum [NAME ...]          the software by its names; all without

`dowse forum` stands beside a generic crawler (`dowse site`), from the entry page and from a random one, and beside a
learner that is given two pages of each type and follows what has addresses like theirs.
"""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from benchmarks.cache import Unavailable, scratch
from benchmarks.forum_measures import Fetched, Posts, fetched, posts
from benchmarks.forum_software.content import generate
from benchmarks.forum_software.starting import SOFTWARE, Software, running
from benchmarks.tables import Aim, Cell, Column, Table, as_text, at_least

THREADS = 200
STARTS = 10
"""Random pages from which the entry page is looked for."""
AIMS = {"effectiveness": 0.98, "coverage": 0.97, "duplicates": 0.01, "entry": 0.95, "posts": 0.95}
_LIMITS = ("--max-pages", "4000", "--max-time", "240", "--delay", "0", "--robots", "ignore", "--quiet")
_FORUM = (*_LIMITS, "--json", "--no-library")
_GLANCE = 60
"""Pages after which the entry page has to be known."""
_PATIENCE = 400
_ENTRY = r'"entry": ?"([^"]+)"'
_COLUMNS = [
    Column("software"),
    Column("part"),
    Column("crawler"),
    Column("pages", "{:,}"),
    Column("effectiveness", "{:.1%}"),
    Column("coverage", "{:.1%}"),
    Column("duplicates", "{:.1%}"),
    Column("entry found", "{:.0%}"),
    Column("posts right", "{:.1%}"),
]
_NONE = "-"


def run(_repeats: int = 1, names: Sequence[str] = ()) -> Table:
    rows: list[list[Cell]] = []
    for software in SOFTWARE:
        if not names or software.name in names:
            rows += _rows(software)
    title = f"Forums of {THREADS} threads and some thousand posts on real software"
    return Table("forum", title, _COLUMNS, rows, aims=_aims(rows))


def _rows(software: Software) -> list[list[Cell]]:
    name = (software.name, software.part)
    try:
        with scratch() as folder, running(software, generate(2, THREADS), folder / "forum") as forum:
            truth, entry = forum.truth, str(forum.truth["entry"])
            start = random_pages(truth, 1)[0]
            rows = [[*name, "dowse forum", *_forum(truth, folder)]]
            for crawler, seed in (("dowse site, entry page", entry), ("dowse site, random page", start)):
                rows.append([*name, crawler, *_generic(truth, seed, folder / crawler)])
            rows.append([*name, "from sample pages", *_generic(truth, entry, folder / "samples", samples(truth))])
            return rows
    except Unavailable as trouble:
        return [[*name, f"not run: {str(trouble)[:60]}", *[_NONE] * 6]]


def _forum(truth: Mapping[str, Any], folder: Path) -> list[Cell]:
    """The mode for forums, from a random page; its entry page from several."""
    starts = random_pages(truth, STARTS)
    if _dowse("forum", starts[0], "-o", folder / "crawl", *_FORUM) is None:
        return [_NONE] * 6
    pages = fetched(_visited(folder / "crawl"), truth)
    read = posts(_table(folder / "crawl", "posts"), truth)
    found = 0
    for number, start in enumerate(starts):
        told = _dowse("forum", start, "-o", folder / f"start-{number}", *_FORUM, "--max-pages", str(_GLANCE)) or ""
        entry = re.search(_ENTRY, told)
        found += entry is not None and same(entry[1], str(truth["entry"]))
    return [*_cells(pages), found / len(starts), read.right / read.all]


def measured_from(start: str, truth: Mapping[str, Any], place: Path) -> tuple[Fetched, bool, Posts]:
    """A whole crawl from a page: what was fetched, whether the entry page was found, which posts are right."""
    told = _dowse("forum", start, "-o", place, *_FORUM) or ""
    entry = re.search(_ENTRY, told)
    is_found = entry is not None and same(entry[1], str(truth["entry"]))
    return fetched(_visited(place), truth), is_found, posts(_table(place, "posts"), truth)


def _generic(truth: Mapping[str, Any], seed: str, place: Path, only: Sequence[str] = ()) -> list[Cell]:
    included = [word for pattern in only for word in ("--include", pattern)]
    if _dowse("site", seed, "-o", place, *_LIMITS, *included) is None:
        return [_NONE] * 6
    return [*_cells(fetched(_visited(place), truth)), _NONE, _NONE]


def _cells(pages: Fetched) -> list[Cell]:
    return [pages.pages, pages.effectiveness, pages.coverage, pages.duplicates]


def random_pages(truth: Mapping[str, Any], number: int) -> list[str]:
    """Pages of boards and threads by chance, the same ones every time."""
    urls = [board["url"] for board in truth["boards"]] + [url for thread in truth["threads"] for url in thread["urls"]]
    return random.Random(5).sample(urls, number)


def samples(truth: Mapping[str, Any]) -> list[str]:
    """Patterns from two boards, two threads and two later pages: what differs between the two may be anything."""
    later = [url for thread in truth["threads"] for url in thread["urls"][1:2]]
    kinds = [[b["url"] for b in truth["boards"]], [thread["urls"][0] for thread in truth["threads"]], later]
    patterns = [rf"^{re.escape(str(truth['entry']))}$"]
    return patterns + [_pattern(*random.Random(6).sample(urls, 2)) for urls in kinds if len(urls) > 1]


def _pattern(one: str, other: str) -> str:
    pieces = [re.split(r"([/?&=.])", url) for url in (one, other)]
    told = "".join(
        re.escape(left) if left == right else r"\d+" if (left + right).isdigit() else "[^/?&=]+"
        for left, right in zip(*pieces, strict=False)
    )
    return f"^{told}$"


def same(url: str, other: str) -> bool:
    return urlsplit(url)[1:3] == urlsplit(other)[1:3]


def _dowse(*words: str | Path) -> str | None:
    """Run the command; what it printed, or None if it failed."""
    command = [sys.executable, "-m", "dowse", *map(str, words)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, timeout=_PATIENCE)
    return ended.stdout if ended.returncode == 0 else None


def _visited(place: Path) -> list[str]:
    """Where every request ended."""
    return [row.get("final_url") or row["url"] for row in _table(place, "ledger") if row.get("status")]


def _table(place: Path, table: str) -> Iterator[dict[str, Any]]:
    return map(json.loads, (_dowse("export", place, table, "--to", "jsonl") or "").splitlines())


def _aims(rows: Sequence[Sequence[Cell]]) -> list[Aim]:
    """The aims are for software that nobody who worked on the mode has seen."""
    aims = []
    for row in rows:
        if row[1] == "testing" and row[2] == "dowse forum" and row[3] != _NONE:
            values = dict(zip(("effectiveness", "coverage", "duplicates", "entry", "posts"), row[4:], strict=True))
            for what, wanted in AIMS.items():
                value = float(values[what])
                if what == "duplicates":
                    aims.append(Aim(f"{row[0]}: {what}", f"{value:.1%}", f"under {wanted:.0%}", value < wanted))
                else:
                    aims.append(at_least(f"{row[0]}: {what}", value, wanted, "{:.1%}"))
    return aims


if __name__ == "__main__":
    print(as_text(run(names=sys.argv[1:])))
