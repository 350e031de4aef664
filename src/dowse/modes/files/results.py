"""The results of a crawl for files: the files, an estimate of the rest, and the reason if there are none."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from dowse.core.model import State
from dowse.core.phrasing import shortened, size_text
from dowse.core.results import Found, Number, Results
from dowse.modes.best_first import best_rows, left_facts, more_text, numbers
from dowse.modes.files.wanted_files import Wanted, extension_of

if TYPE_CHECKING:
    from dowse.crawl import Crawl

MOST_TYPES = 12
_PAGES = frozenset({"html", "htm", "xhtml", "shtml", "php", "asp", "aspx", "jsp", "do", "cgi", "cfm"})
_FAILED = f"SELECT url, reason FROM task WHERE state = {State.FAILED}"
_MOST_LETTERS = 8
"""Of an extension; what is longer is the end of a name with a dot in it."""


def results(crawl: Crawl, wanted: Wanted) -> Results:
    """The first files, their number, and the estimate of the rest."""
    standing, files = crawl.standing(), crawl.frame("files")
    found = standing.prospect.matched
    size = size_text(sum(row["size"] for row in files))
    lost = _lost(crawl, wanted) if found else []
    return Results(
        best=tuple(Found(size_text(row["size"]), shortened(row["file"] or row["url"], 66)) for row in best_rows(files)),
        more=more_text(found, crawl.directory / "files.csv"),
        numbers=(*numbers(standing, "files", size, "answer"), *lost),
        trouble="" if found else _why_none(crawl, wanted),
        facts={"files": found, **left_facts(standing)},
    )


def _lost(crawl: Crawl, wanted: Wanted) -> list[Number]:
    """How many files are known by name and could not be had."""
    rows = crawl.reader.connection.stream(_FAILED)
    reasons = Counter(reason for url, reason in rows if wanted.names(url))
    return [Number("  that could not be had", reasons.total(), _numbered(reasons))] if reasons else []


def _why_none(crawl: Crawl, wanted: Wanted) -> str:
    """Why a crawl found no file: what it saw instead."""
    seen, failed = links_seen(crawl, wanted)
    told = ["no file of these types was found"]
    if failed:
        told.append(f"links to such files failed: {_numbered(failed)}")
    if seen:
        told.append(f"links that were seen lead to {_numbered(seen)}")
    elif not failed:
        told.append("there is no link to any other either; try another start, or more --max-pages")
    return "; ".join(told)


def links_seen(crawl: Crawl, wanted: Wanted) -> tuple[Counter[str], Counter[str]]:
    """The extensions of links that are not pages, and why links that name a wanted file failed.

    What was fetched where there is no file was a page, whatever its name.
    """
    seen: Counter[str] = Counter()
    failed: Counter[str] = Counter()
    for row in crawl.ledger:
        if row["state"] == "out_of_scope":
            seen[extension_of(row["url"])] += 1
        elif row["state"] == "failed" and wanted.names(row["url"]):
            failed[row["reason"]] += 1
    return Counter({name: number for name, number in seen.items() if _is_type(name)}), failed


def _is_type(name: str) -> bool:
    return bool(name) and not name.isdigit() and name not in _PAGES and len(name) <= _MOST_LETTERS


def _numbered(counts: Counter[str]) -> str:
    return ", ".join(f"{name} ({number:,})" for name, number in counts.most_common(MOST_TYPES))
