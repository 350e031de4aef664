"""The mode `site`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dowse.core.briefing import Briefing
from dowse.core.job import Job
from dowse.modes.mode import Mode
from dowse.modes.site.options import SiteOptions

if TYPE_CHECKING:
    from dowse.engine.verdict import Strategy


class SiteMode(Mode[SiteOptions]):
    """Crawl whole sites, each page exactly once."""

    name = "site"
    options = SiteOptions

    def strategy(self, job: Job, briefing: Briefing) -> Strategy:
        from dowse.modes.site.strategy import SiteStrategy

        return SiteStrategy(self.of(job))

    def goes_by_level(self, job: Job) -> bool:
        return self.of(job).order == "breadth"


MODE = SiteMode()
