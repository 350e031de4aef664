"""The mode `explore`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dowse.core.briefing import Briefing
from dowse.core.job import Job
from dowse.modes.explore.options import ExploreOptions
from dowse.modes.mode import Mode

if TYPE_CHECKING:
    from dowse.engine.verdict import Strategy


class ExploreMode(Mode[ExploreOptions]):
    """Look for the pages that link to known URLs; `dowse rules learn` does so."""

    name = "explore"
    options = ExploreOptions
    hidden = True
    # Who explores wants to know which pages lead where, and a sitemap does not say that.
    defaults = {"max_pages": 300, "sitemaps": False}  # noqa: RUF012

    def strategy(self, job: Job, briefing: Briefing) -> Strategy:
        from dowse.modes.explore.strategy import ExploreStrategy

        return ExploreStrategy(self.of(job))


MODE = ExploreMode()
