"""The search for known links: pages with URLs like theirs go first, and near pages before far ones."""

from __future__ import annotations

import re

from dowse.core.model import Task
from dowse.engine.verdict import Choice, Verdict
from dowse.modes.explore.options import ExploreOptions
from dowse.parse.page import Page, Reads

_WORD = re.compile(r"[^\W_]{3,}")
_FAR = 0.5
"""The cost of a step away from the start. To share all words with wanted links is worth 2, all folders 1."""


class ExploreStrategy:
    """Best first toward some URLs."""

    reads: Reads = "links"

    def __init__(self, options: ExploreOptions) -> None:
        self._folders = {folder for url in options.want for folder in _folders(url)}
        self._words = {word for url in options.want for word in _words(url)}

    def priority(self, depth: int) -> float:
        return -_FAR * depth

    def judge(self, page: Page, task: Task) -> Verdict:
        near = self.priority(task.depth + 1)
        choices: list[Choice] = [(link, near + self.likeness(link.url), "") for link in page.links]
        return Verdict(1.0, choices)

    def likeness(self, url: str) -> float:
        """From 0 to 3: how much a URL has in common with the wanted links."""
        folders, words = _folders(url), _words(url)
        shared = sum(folder in self._folders for folder in folders) / len(folders)
        known = sum(word in self._words for word in words) / len(words) if words else 0.0
        return shared + 2.0 * known


def _folders(url: str) -> list[str]:
    """The folders that a URL lies in, from its host down: `//a.org/`, `//a.org/b/`."""
    path = url.partition("?")[0].partition(":")[2].rpartition("/")[0]
    parts = path.split("/")
    return ["/".join(parts[:end]) for end in range(3, len(parts) + 1)]


def _words(url: str) -> set[str]:
    return set(_WORD.findall(url.partition("://")[2].partition("/")[2].lower()))
