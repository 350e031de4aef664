"""Leasing within the limits of stopping early: of a site no more goes out than may still come home.

Invariant: the pages of a site that are out, together with those that came, are never more than a limit allows.

SC2  at a depth: pages that came and are out <= --depth-pages
SC3  at a depth: forms that came and pages that are out <= --depth-forms; a page may have several forms
SC4  of a site: pages in a row without a new form and pages that are out <= --barren-pages

What is kept back is looked at again when a page of its site has come home. If the limit is reached then, the site book
refuses it.
"""

from __future__ import annotations

import math
from collections import Counter

from dowse.core.job import Job
from dowse.core.model import State
from dowse.modes.forms.options import FormsOptions
from dowse.store.database import Database
from dowse.store.frontier.lease_best_first import BestFirst
from dowse.store.frontier.lease_policy import Choice
from dowse.store.frontier.memory import Memory

_OUT_INDEX = f"CREATE INDEX IF NOT EXISTS task_out ON task (site, depth) WHERE state = {State.OUT} AND label = ''"
_OUT = f"SELECT depth, count(*) FROM task WHERE state = {State.OUT} AND label = '' AND site = ? GROUP BY depth"
_STANDING = """SELECT task.site, task.depth, site.barren, coalesce(site_depth.pages, 0), coalesce(site_depth.forms, 0)
    FROM task JOIN host ON host.id = task.site JOIN site ON site.host = host.name AND site.state = 'exploring'
    LEFT JOIN site_depth ON site_depth.host = site.host AND site_depth.depth = task.depth
    WHERE task.id = ? AND task.label = ''"""


class WithinLimits(BestFirst):
    """The best links of all sites that are not about to be left."""

    def __init__(self, options: FormsOptions) -> None:
        super().__init__()
        self._options = options
        self._out: dict[int, Counter[int]] = {}

    def load(self, connection: Database, memory: Memory, job: Job) -> None:
        super().load(connection, memory, job)
        connection.execute(_OUT_INDEX)

    def choose(self, now: float, limit: int, *, new: bool, least: float = -math.inf) -> Choice:
        self._out.clear()
        return super().choose(now, limit, new=new, least=least)

    def take(self, number: int) -> bool:
        standing = self.connection.execute(_STANDING, (number,)).fetchone()
        if standing is None:  # no page of a site that is explored
            return super().take(number)
        site, depth, barren, pages, forms = standing
        out = self._out_of(site)
        options, at_depth = self._options, out[depth]
        is_full = (
            0 < options.barren_pages <= barren + out.total()
            or 0 < options.depth_pages <= pages + at_depth
            or 0 < options.depth_forms <= forms + at_depth
        )
        # If none is out, none comes home to let the next go: what waits then is not kept back by any of the limits.
        if (is_full and out.total()) or not super().take(number):
            return False
        out[depth] += 1
        return True

    def _out_of(self, site: int) -> Counter[int]:
        """The pages of a site that are out, by depth, with those that were just chosen."""
        if site not in self._out:
            self._out[site] = Counter(dict(self.connection.execute(_OUT, (site,)).fetchall()))
        return self._out[site]
