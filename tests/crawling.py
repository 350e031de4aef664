"""Crawls for tests: run one, and check what must hold for every crawl."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from dowse import app
from dowse.app import Crawl, Story
from dowse.config import make_job
from dowse.core.model import State
from dowse.core.sitemap_turns import NO_SITEMAP

FAST: dict[str, Any] = {"delay": 0.0, "per_host": 16}
"""No waiting between requests; servers of tests can take it."""


def crawl(directory: Path, *seeds: str, **options: Any) -> Crawl:
    """Crawl to the end and open the result, after checking that its ledger balances."""
    app.start(make_job("site", seeds, output=str(directory), **{**FAST, **options}))
    return opened(directory)


def opened(directory: Path) -> Crawl:
    found = app.read(directory)
    check_ledger(found)
    return found


def check_ledger(found: Crawl) -> None:
    """Every URL ever discovered is in exactly one state, and the counted ledger says the same as the listed one."""
    listed = list(found.ledger)
    times = Counter(row["url"] for row in listed)
    requests = {url: 1 + len(_story(found, url).others) for url, number in times.items() if number > 1}
    assert {url: times[url] for url in requests} == requests, "a request is in the ledger twice"
    assert sum(row.count for row in found.balance()) == len(listed)
    assert {row["state"] for row in listed} <= {state.name.lower() for state in State}
    assert not [row for row in listed if row["state"] == "out"], "something is still out"
    counts = found.status().counts
    assert sum(counts.values()) == len(listed)


def _story(found: Crawl, url: str) -> Story:
    story = found.why(url)
    assert story is not None
    return story


def states(found: Crawl) -> dict[str, str]:
    """State by path (and query), for one host."""
    return {path_of(row["url"]): row["state"] for row in ledger(found)}


def reasons(found: Crawl) -> dict[str, str]:
    return {path_of(row["url"]): row["reason"] for row in ledger(found)}


def ledger(found: Crawl) -> list[dict[str, Any]]:
    """The ledger without a sitemap that was sought in vain: few servers of tests have one."""
    return [row for row in found.ledger if row["reason"] != NO_SITEMAP]


def paths(found: Crawl) -> list[str]:
    """The pages in the order they were fetched."""
    return [path_of(row["url"]) for row in found.pages]


def path_of(url: str) -> str:
    return "/" + url.split("/", 3)[3]


def links(*hrefs: str) -> str:
    """A page with these links and, so that no two such pages are alike, their text."""
    return "<!doctype html><title>links</title>" + "".join(f'<p><a href="{href}">to {href}</a>' for href in hrefs)
