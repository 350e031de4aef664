"""Which host may be asked next: the hosts of a crawl, ordered by the date each is ready.

Invariant: a host is in the heap exactly once if it has waiting tasks, room for a request and pages left in its
budget; otherwise it is not there at all. So a host that must rest, or is full, costs nothing to pass over.
"""

from __future__ import annotations

import heapq
from itertools import count

from dowse.core.job import Politeness
from dowse.core.politeness import HostState
from dowse.core.sitemap_turns import FREE_LISTS, counted_as_pages


class Host:
    """One host: its politeness, and how many of its tasks wait and are out; how many lists it has and had."""

    __slots__ = ("active", "id", "lists", "lists_asked", "name", "pages", "politeness", "probe", "queued", "waiting")

    def __init__(self, number: int, name: str, politeness: HostState, pages: int = 0) -> None:
        self.id = number
        self.name = name
        self.politeness = politeness
        self.pages = pages
        self.waiting = 0
        self.active = 0
        self.queued = False
        self.lists = 0
        self.lists_asked = 0
        self.probe = 0  # a task that asks more than once; until it comes home nothing else goes out

    @property
    def spent(self) -> int:
        """What counts against a limit on its pages."""
        return self.pages + counted_as_pages(self.lists_asked, self.pages)


class HostTable:
    """All hosts, and the heap of those that could be asked."""

    def __init__(self, policy: Politeness, host_pages: int) -> None:
        self._policy = policy
        self._host_pages = host_pages
        self._heap: list[tuple[float, int, Host]] = []
        self._turns = count()
        self.by_name: dict[str, Host] = {}
        self.by_id: dict[int, Host] = {}
        self.changed: set[Host] = set()
        self._busy: set[Host] = set()
        self._listing: set[Host] = set()
        self.lists_asked = 0

    def add(self, host: Host) -> Host:
        self.by_name[host.name] = host
        self.by_id[host.id] = host
        self.changed.add(host)
        return host

    def send_out(self, host: Host, tasks: int) -> None:
        """So many of its tasks are with workers."""
        host.active += tasks
        self._busy.add(host)
        self.changed.add(host)

    def send_lists(self, host: Host, lists: int) -> None:
        """So many lists of it are asked for."""
        host.lists_asked += lists
        self.lists_asked += lists
        if host.lists_asked > FREE_LISTS:
            self._listing.add(host)

    @property
    def spent_on_lists(self) -> int:
        """How many lists count against a limit on pages."""
        return sum(host.spent - host.pages for host in self._listing)

    def take_home(self, host: Host, task: int) -> None:
        """One of its tasks has come to its end."""
        host.active -= 1
        if host.probe == task:
            host.probe = 0
        if not host.active:
            self._busy.discard(host)
        self.changed.add(host)

    def room(self, host: Host) -> int:
        """How many more of its tasks may go out now."""
        if host.probe:
            return 0
        most = self._policy.per_host
        if not host.politeness.latency:
            most = 1  # its robots.txt, and so its Crawl-delay, is not known before its first answer
        room = min(host.waiting, most - host.active)
        if self._host_pages:
            room = min(room, self._host_pages - host.spent - host.active)
        return room

    def offer(self, host: Host) -> None:
        """Put a host in line if it could take a request and is not in line yet."""
        if not host.queued and self.room(host) > 0:
            host.queued = True
            heapq.heappush(self._heap, (host.politeness.not_before, next(self._turns), host))

    def line_up(self) -> None:
        """Put those in line where their dates say, after these were changed."""
        line, self._heap = self._heap, []
        for _, _, host in line:
            host.queued = False
        for _, _, host in line:
            self.offer(host)

    def next_ready(self, now: float) -> Host | None:
        """Take the host that has been ready the longest out of line; its caller offers it again."""
        while self._heap and self._heap[0][0] <= now:
            _, _, host = heapq.heappop(self._heap)
            host.queued = False
            if host.politeness.not_before > now:  # told to rest while it stood in line
                self.offer(host)
            elif self.room(host) > 0:
                return host
        return None

    def next_date(self) -> float | None:
        """When the first host in line is ready."""
        return self._heap[0][0] if self._heap else None

    def active(self) -> dict[str, int]:
        """Hosts with requests under way, for the progress display."""
        return {host.name: host.active for host in self._busy}
