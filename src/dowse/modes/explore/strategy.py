"""The search for known links: pages with URLs like theirs go first, and near pages before far ones."""

from __future__ import annotations

from dowse.core.model import Task
from dowse.engine.verdict import Choice, Verdict
from dowse.modes.explore.options import ExploreOptions
from dowse.parse.page import Page, Reads
from dowse.rank.url_likeness import Likeness

_FAR = 0.5
"""The cost of a step away from the start, where being like the wanted links is worth 3 at most."""


class ExploreStrategy:
    """Best first toward some URLs."""

    reads: Reads = "links"

    def __init__(self, options: ExploreOptions) -> None:
        self._likeness = Likeness(options.want)

    def priority(self, depth: int) -> float:
        return -_FAR * depth

    def judge(self, page: Page, task: Task) -> Verdict:
        near = self.priority(task.depth + 1)
        choices: list[Choice] = [(link, near + self._likeness.of(link.url), "") for link in page.links]
        return Verdict(1.0, choices)
