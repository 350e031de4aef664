"""What a running crawl keeps in memory, all of it rebuilt from the tables when the crawl is opened.

    seen     normal form of a URL -> its task, and whether it was refused        16 bytes a URL
    digests  content -> the task that had it first                               16 bytes a page
    hosts    which host is ready                                                 one object a host
    counts   the ledger                                                          one number a reason
    revisits pages that there is a copy of and that are to be asked for again    one number
    seed_pages  from which seed each URL was found, if a limit asks for it       8 bytes a URL
    near     the near-duplicate test, if asked for                               45 bytes a page, and 50 MB
    spellings what URLs were merged by parameters that are dropped               100 bytes a URL with such parameters
    variants rules about URLs that make no difference, with it                   16 to 100 bytes a page

Invariant: `counts` sums to the number of rows in `task`, at every moment.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from dowse.core.duplicates.fingerprint import SeenKeys
from dowse.core.job import Job, takes_records
from dowse.core.model import SITEMAP, Request, State
from dowse.core.politeness import HostState
from dowse.core.traps import REMEMBERED, Families
from dowse.store.database import Database
from dowse.store.duplicates.spelling_check import Spellings
from dowse.store.fragments import count_if
from dowse.store.frontier.hosts import Host, HostTable
from dowse.store.frontier.requests import has_requests
from dowse.store.frontier.seed_pages import SeedPages
from dowse.store.reading.records import count_records
from dowse.store.task_states import LATER, NOT_DONE, OF_PAGES, READY, one_of

if TYPE_CHECKING:
    from dowse.store.bookkeeping import Bookkeeping
    from dowse.store.duplicates.near_check import NearTest
    from dowse.store.duplicates.variant_check import VariantTest

_REVISITS = f"""SELECT count(*) FROM task JOIN visit ON visit.id = task.visit
    WHERE task.{NOT_DONE} AND visit.digest <> 0 AND task.{OF_PAGES}"""


class Memory:
    """The in-memory side of a store; see the module's picture."""

    def __init__(self, job: Job, bookkeeping: Sequence[Bookkeeping] = ()) -> None:
        self._job = job
        self.seen = SeenKeys()
        self.digests = SeenKeys()
        self.hosts = HostTable(job.politeness, job.scope.host_pages)
        self.families = Families(job.scope)
        self.counts: Counter[tuple[State, str]] = Counter()
        self.pages = 0
        self.bytes_received = 0
        self.records = 0
        self.next_task = 1
        self.next_visit = 1
        self.next_retry: float | None = None
        self.parked = False
        self.revisits = 0
        self.looped: set[int] = set()
        self.has_requests = False
        self.bookkeeping = bookkeeping
        self.keeps_hints = any(each.keeps_hints for each in bookkeeping)
        self.reading: set[int] = set()  # stored pages that are out to be read
        self.seed_pages: SeedPages | None = None
        self.near: NearTest | None = None
        self.variants: VariantTest | None = None
        self.spellings: Spellings

    def load(self, connection: Database, *, probes: bool = True) -> None:
        """`probes`: whether URLs that were merged may be fetched to see if they should have been."""
        for number, name, pages, politeness in connection.stream("SELECT id, name, pages, politeness FROM host"):
            state = msgspec.json.decode(politeness, type=HostState)
            self.hosts.add(Host(number, name, state, pages))
        refused = f"""state IN {one_of(State.OUT_OF_SCOPE, State.ROBOTS, State.KEPT)}
            AND coalesce(visit, -1) < 0 AND NOT (reason LIKE 'trap: %' AND chain = 0)"""
        self.seen.load(connection.stream(f"SELECT key_hash, id * 2 + CASE WHEN {refused} THEN 1 ELSE 0 END FROM task"))
        self.digests.load(
            connection.stream("SELECT digest, task FROM visit WHERE digest <> 0 AND duplicate_of IS NULL ORDER BY id")
        )
        self._load_counts(connection)
        self._load_lists(connection)
        self.hosts.changed.clear()
        for host in self.hosts.by_id.values():
            self.pages += host.pages
            self.hosts.offer(host)
        (last_task, last_visit, size) = connection.execute(
            "SELECT (SELECT max(id) FROM task), (SELECT max(id) FROM visit), (SELECT sum(size) FROM visit)"
        ).fetchone()
        self.next_task = (last_task or 0) + 1
        self.next_visit = (last_visit or 0) + 1
        self.bytes_received = size or 0
        if self._job.limits.max_results and takes_records(self._job):
            self.records = count_records(connection)
        self.has_requests = has_requests(connection)
        self.note_retry(connection)
        self.count_revisits(connection)
        self.spellings = Spellings(connection, self, self._job.urls, probes=probes)
        self._load_families(connection)
        if self._job.scope.seed_pages:
            self.seed_pages = SeedPages(connection, self._job.scope.seed_pages)
        if self._job.dedup.dedup == "near":
            self._load_near(connection)

    def _load_near(self, connection: Database) -> None:
        from dowse.store.duplicates.near_check import NearTest  # with numpy, which other crawls may not need
        from dowse.store.duplicates.variant_check import VariantTest

        self.near = NearTest(connection, self.seen)
        self.variants = VariantTest(connection, self, self._job.urls.keep_parameters)

    def _load_counts(self, connection: Database) -> None:
        """What waits now is counted by its index, for it may be a million; everything else by a scan."""
        for host, number in connection.execute(f"SELECT host, count(*) FROM task WHERE {READY} GROUP BY 1"):
            self.hosts.by_id[host].waiting = number
            self.counts[State.WAITING, ""] += number
        rows = connection.execute(
            f"SELECT state, reason, host, count(*) FROM task WHERE NOT ({READY}) GROUP BY 1, 2, 3"
        )
        for state, reason, host, number in rows:
            self.counts[State(state), reason] += number
            if state == State.OUT:
                self.hosts.send_out(self.hosts.by_id[host], number)

    def _load_lists(self, connection: Database) -> None:
        rows = connection.execute(
            f"SELECT host, count(*), {count_if(f'state <> {State.WAITING}')} FROM task"
            " WHERE label = ? AND host > 0 GROUP BY 1",
            (SITEMAP,),
        )
        for number, lists, asked in rows:
            self.hosts.by_id[number].lists = lists
            self.hosts.send_lists(self.hosts.by_id[number], asked)

    def _load_families(self, connection: Database) -> None:
        """Show the trap tests again what they let in, as far back as they would remember."""
        rows = connection.execute(
            f"SELECT url, key, chain FROM task WHERE host > 0 AND parent > 0 AND {OF_PAGES} ORDER BY id DESC LIMIT ?",
            (REMEMBERED,),
        ).fetchall()
        for url, key, chain in reversed(rows):
            self.families.refuse(Request(url, 0, "", key or ""), inbred=chain > 0)

    def count_revisits(self, connection: Database) -> None:
        """Count the pages that there is a copy of and that wait or are out, where a limit on pages must know."""
        if self._job.limits.max_pages:
            (self.revisits,) = connection.execute(_REVISITS).fetchone()

    def note_retry(self, connection: Database) -> None:
        """Look up the date of the next retry."""
        (self.next_retry,) = connection.execute(f"SELECT min(not_before) FROM task WHERE {LATER}").fetchone()

    @property
    def spent(self) -> int:
        """What counts against a limit on pages."""
        if self.parked:
            return self.pages  # the lists were there before, and few are asked for again
        return self.pages + self.hosts.spent_on_lists

    def doubt(self) -> None:
        """What waits was changed by others than those who keep books of it."""
        for each in self.bookkeeping:
            each.doubt()

    def news(self) -> list[str]:
        """What was learned about the site since this was asked last, in sentences."""
        told = [each.news for each in (self.variants, self.spellings) if each is not None]
        news = [sentence for sentences in told for sentence in sentences]
        for sentences in told:
            sentences.clear()
        return news

    def remember(self, key_hash: int, number: int, *, refused: bool) -> None:
        self.seen.add(key_hash, number << 1 | refused)

    def move(self, before: tuple[State, str], after: tuple[State, str]) -> None:
        """One URL changes its state; the sum stays."""
        if before != after:
            self.counts[before] -= 1
            if not self.counts[before]:
                del self.counts[before]
            self.counts[after] += 1
