"""The mode `site`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dowse.core.briefing import Briefing
from dowse.core.job import Job
from dowse.modes.mode import Mode
from dowse.modes.site.options import SiteOptions

if TYPE_CHECKING:
    from dowse.engine.verdict import Strategy
    from dowse.store.frontier.lease_policy import LeasePolicy


class SiteMode(Mode[SiteOptions]):
    """Crawl whole sites, each page exactly once."""

    name = "site"
    options = SiteOptions

    def strategy(self, job: Job, briefing: Briefing) -> Strategy:
        from dowse.modes.site.strategy import SiteStrategy

        return SiteStrategy(self.of(job))

    def lease_policy(self, job: Job) -> LeasePolicy:
        from dowse.store.frontier.lease_by_host import ByHost

        return ByHost(by_level=self.of(job).order == "breadth")


MODE = SiteMode()
