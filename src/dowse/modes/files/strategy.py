"""The crawl for files, in the worker: what a page says of its links, as rows of numbers.

It decides nothing. What a link leads to and what it is worth is the business of the ranker in the loop (ranker.py).
"""

from __future__ import annotations

from functools import lru_cache

import msgspec
import numpy as np
from xxhash import xxh3_64_intdigest

from dowse.core.model import CHOSEN, Judged, Task
from dowse.engine.verdict import Verdict
from dowse.modes.files.wanted_files import Wanted
from dowse.parse.page import Page, Reads
from dowse.parse.tag_paths import Placed, placed_links
from dowse.score.trigrams import trigram_counts

ADDRESS, ANCHOR, FOLDERS = 256, 64, 6

FILE_HINT = np.dtype([
    ("named", "u1"), ("path", "<u2"), ("folders", "<u2", (FOLDERS,)), ("address", "u1", (ADDRESS,)),
    ("anchor", "u1", (ANCHOR,)),
])  # fmt: skip
"""What a page says of one link: whether its URL names a wanted file, which of the page's tag paths it has, the folders
of its URL from the top down (0: no more), and the trigrams of its URL and of its words."""

_LONGEST_ANCHOR = 80
_MOST_PATHS = 60_000


class FilesStrategy:
    """Follows every link."""

    reads: Reads = "tree"

    def __init__(self, wanted: Wanted) -> None:
        self._wanted = wanted

    def priority(self, depth: int) -> float:
        return CHOSEN

    def judge(self, page: Page, task: Task) -> Verdict:
        placed = placed_links(page, self._wanted.shown_inside)
        paths: dict[str, int] = {}
        rows = np.zeros(len(placed), FILE_HINT)
        if placed:
            rows["path"] = [paths.setdefault(each.path, min(len(paths), _MOST_PATHS)) for each in placed]
            rows["named"] = [self._wanted.names(each.link.url) for each in placed]
            self._describe(rows, placed)
        relevance = float(self._wanted.is_wanted(task.request.url, page.media_type))
        parts = {"links to files": float(rows["named"].sum())} if rows["named"].any() else {}
        evidence = msgspec.msgpack.encode(list(paths))
        choices = [(each.link, 0.0, "") for each in placed]
        return Verdict(relevance, choices, judged=Judged(relevance, parts, evidence, rows.tobytes()))

    def _describe(self, rows: np.ndarray, placed: list[Placed]) -> None:
        addresses = [_path(each.link.url) for each in placed]
        rows["folders"] = [folders_of(address.partition("?")[0].rpartition("/")[0]) for address in addresses]
        rows["address"] = trigram_counts(addresses, ADDRESS)
        rows["anchor"] = trigram_counts([each.link.text for each in placed], ANCHOR, _LONGEST_ANCHOR)


@lru_cache(maxsize=4096)
def folders_of(folder: str) -> tuple[int, ...]:
    """Numbers that stand for a folder and those above it, from the top down; zeros where there are no more."""
    steps = folder.split("/")[1 : FOLDERS + 1]
    numbers = [1 + xxh3_64_intdigest("/".join(steps[: at + 1]).encode()) % 0xFFFF for at in range(len(steps))]
    return (*numbers, *(0,) * (FOLDERS - len(numbers)))


def _path(url: str) -> str:
    """The part of a URL behind its host."""
    start = url.find("/", url.find("://") + 3)
    return url[start:] if start > 0 else "/"
