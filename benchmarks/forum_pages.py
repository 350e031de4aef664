"""Saved forums to train and measure on: pages of real forum software with the type of each.

DOWSE_FORUMS names a folder with a folder for each software: `pages.jsonl` has its pages, `truth.json` says which URLs
are index and thread pages. `python -m benchmarks.forum_software.saving` makes them.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

from turbohtml import Element

from benchmarks.cache import Unavailable
from dowse.core.model import Request, Response
from dowse.core.urls import Base, host_of
from dowse.parse.page import Page

MOST_PAGES = 400
"""Pages of one type of one software that are read; the largest forum must not outvote the others."""


class SavedPage(NamedTuple):
    """A page as it was sent, and what it is: index, thread or other."""

    url: str
    type: str
    body: bytes

    def page(self) -> Page:
        request = Request(self.url, 1, host_of(self.url))
        headers = {"content-type": "text/html; charset=utf-8"}
        return Page(Response(request, 200, headers, self.body, fetched_at=0.0, elapsed=0.0))


class Shown(NamedTuple):
    """What a URL shows: a page of a board or a thread, under its own URL or another; "" for all else."""

    type: str
    name: str = ""
    page: str = ""
    is_own: bool = False
    is_first: bool = True


class SavedForum(NamedTuple):
    """A forum of one software."""

    software: str
    pages: list[SavedPage]
    types: dict[str, str]

    def targets(self, page: Page) -> Callable[[Element], str | None]:
        """Where links of a page lead, if on the same host."""
        host = host_of(page.url)

        def target(element: Element) -> str | None:
            url = page.base.join(element.attr("href") or "")
            if url is None or not url.startswith("http") or host_of(url) != host:
                return None
            return url.partition("#")[0]

        return target


def shown(truth: dict[str, Any], url: str) -> Shown:
    """What a URL shows, as the truth of its forum tells."""
    parts = urlsplit(url)
    given = dict(parse_qsl(parts.query, keep_blank_values=True))
    for view in truth["views"]:
        found = re.fullmatch(view["path"], unquote(parts.path))
        if found is None:
            continue
        groups = found.groupdict()
        first = str(view["first"])
        page = groups.get("page") or given.get(view["page"], first)
        # The first page has a URL without a number.
        is_own = not given.keys() - {view["page"]} and (page != first or view["page"] not in given)
        name = f"{view['path']} {groups['id']}" if groups.get("id") else unquote(parts.path)
        return Shown(view["type"], name, page, is_own, page == first)
    return Shown("")


def saved_forums() -> list[SavedForum]:
    """All that are there, by name."""
    place = os.environ.get("DOWSE_FORUMS", "")
    folders = sorted(path.parent for path in Path(place).glob("*/truth.json")) if place else []
    if not folders:
        raise Unavailable("DOWSE_FORUMS names no folder of saved forums; see benchmarks/forum_software")
    return [_forum(folder) for folder in folders]


def _forum(folder: Path) -> SavedForum:
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    pages: list[SavedPage] = []
    types: dict[str, str] = {}
    counts = dict.fromkeys(("index", "thread", "other"), 0)
    for saved in _saved(folder / "pages.jsonl"):
        url = Base(saved["url"]).join(saved["url"]) or saved["url"]
        told = shown(truth, url)
        types[url] = "other" if not told.is_own else told.type if told.is_first else "page"
        kind = told.type or "other"
        is_page = saved["status"] == 200 and "html" in saved["content_type"] and saved["final"] == saved["url"]
        if not is_page or (kind != "other" and not told.is_own):
            continue
        if counts[kind] < MOST_PAGES:
            counts[kind] += 1
            pages.append(SavedPage(url, kind, saved["html"].encode("utf-8", "replace")))
    return SavedForum(truth["software"], pages, types)


def _saved(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            if line.endswith("\n"):
                yield json.loads(line)
