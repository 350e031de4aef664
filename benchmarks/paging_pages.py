"""Annotated paging links of real pages: those of autopager (MIT), whose code and model are not used.

`paging/pages.csv` in `DOWSE_DATA` has CSS selectors for each page of `paging/html.tar.zst`.
"""

from __future__ import annotations

import csv
import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from benchmarks.cache import ROOT, Unavailable
from dowse.parse.pagination.anchor_places import anchor_places
from dowse.parse.tree import parse_html

LABELS = {"PREV": "prev", "NEXT": "next", "FIRST": "first", "LAST": "last", "PAGE": "page"}

_ANCHOR = re.compile(r"<([aA])(?=\s)")
_MARK = re.compile(rb'<[aA] data-mark="(\d+)"')


class AnnotatedPage(NamedTuple):
    """A page in UTF-8, and what people say its anchors are, by their place among the anchors that are shown."""

    name: str
    url: str
    host: str
    body: bytes
    labels: Mapping[int, str]


def annotated_pages() -> list[AnnotatedPage]:
    """All annotated pages but those whose annotation is marked as failed."""
    folder = Path(os.environ.get("DOWSE_DATA", "")) / "paging"
    if not (folder / "pages.csv").is_file():
        raise Unavailable("set DOWSE_DATA to the folder that has paging/pages.csv")
    unpacked = ROOT / "paging"
    if not unpacked.is_dir():
        unpacked.mkdir(parents=True)
        subprocess.run(["tar", "-C", unpacked, "--zstd", "-xf", folder / "html.tar.zst"], check=True)
    with (folder / "pages.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if not row["failed"]]
    return [_page(row, unpacked / "html" / f"{row['File Name']}.html") for row in rows]


def _page(row: Mapping[str, str], file: Path) -> AnnotatedPage:
    source = file.read_bytes().decode(row["Encoding"], "replace")
    marks = iter(range(source.count("<")))
    marked = _ANCHOR.sub(lambda match: f'<{match[1]} data-mark="{next(marks)}"', source)
    body = marked.encode("utf-8")
    places = {
        mark[1].decode(): place
        for place, _, start, inner, *_ in anchor_places(body)[0]
        if (mark := _MARK.match(body, start, inner))
    }
    tree = parse_html(body, {"content-type": "text/html; charset=utf-8"}).tree
    labels: dict[int, str] = {}
    for column, label in LABELS.items():
        for element in tree.select(row[column]) if row[column] else ():
            around = element.closest("a")
            for anchor in [around] if around is not None else element.find_all("a"):
                mark = anchor.attr("data-mark")
                if mark is not None and anchor.attr("href") is not None:
                    # One that is not looked at has no place, and counts as missed.
                    labels.setdefault(places.get(mark, -1 - int(mark)), label)
    url = row["Page URL"]
    return AnnotatedPage(
        row["File Name"], url, urlsplit(url).netloc.removeprefix("www."), source.encode("utf-8"), labels
    )
