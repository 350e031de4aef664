"""The whole site: every link is wanted, only their order differs."""

from __future__ import annotations

from dowse.core.model import Task
from dowse.engine.verdict import Verdict
from dowse.modes.site.options import SiteOptions
from dowse.parse.page import Page, Reads


class SiteStrategy:
    """Breadth-first or depth-first.

    Priority is the depth, negated for breadth-first, and links of equal priority are taken in the order they were
    found. For depth-first this is exact: while a page's links are waiting, all that wait at their depth come from
    that one page, because no page above them is taken before they are done.
    """

    reads: Reads = "links"

    def __init__(self, options: SiteOptions) -> None:
        self._sign = 1.0 if options.order == "depth" else -1.0

    def priority(self, depth: int) -> float:
        return self._sign * depth

    def judge(self, page: Page, task: Task) -> Verdict:
        priority = self.priority(task.depth + 1)
        return Verdict(1.0, [(link, priority, "") for link in page.links])
