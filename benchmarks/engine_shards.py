"""Several engines, each with a share of the hosts: a simulation of what docs/scale.md plans.

    python -m benchmarks.engine_shards

Nothing is fetched and no time passes but on a clock of its own. What is simulated:

    web       hosts of very different sizes; each page links within its host and to others, by a hash of its number, so
              the same web is there for every run and needs no memory
    hosts     answer after a time of their own, log-normal around 0.25 s; a host is asked one thing at a time, and again
              after DELAY at the earliest
    workers   have CONNECTIONS requests under way and one core, of which a page takes READING
    engines   have the hosts whose number they get by a hash. They commit page by page, which takes COMMIT, lease what
              is ready, and know the pages of their own hosts alone. Links to hosts of others go to the inboxes of these
              in the same commit, and are read there POLL later at the latest

One engine may be killed (`killed_at`): what it has out is lost, what it committed is not, and it goes on after a while.
Two things must hold at the end of every run: no page was committed twice, and no host was asked before its date.
"""

from __future__ import annotations

import heapq
import math
import random
from collections import deque
from typing import NamedTuple

HOSTS = 20_000
DELAY = 1.0
CONNECTIONS = 16
READING = 0.001
COMMIT = 110e-6
LINK = 2e-6
"""Seconds for a link that a commit looks up; both were measured (docs/scale.md)."""

POLL = 0.1
WARM_UP, END = 3.0, 10.0
LINKS = 6
OUTWARD = 0.25
"""Share of links that lead to other hosts."""

_WORD = 2**64 - 1
_DONE, _READ, _INBOX, _WAKE, _BACK = range(5)
Page = tuple[int, int]


class Shape(NamedTuple):
    workers: int
    engines: int
    killed_at: float = 0.0


class Web:
    """Sizes and speeds of hosts are drawn once; links are a hash."""

    def __init__(self, hosts: int, seed: int = 7) -> None:
        chance = random.Random(seed)
        self.sizes = [max(5, min(200_000, int(chance.lognormvariate(math.log(300), 1.8)))) for _ in range(hosts)]
        self.speeds = [min(8.0, chance.lognormvariate(math.log(0.25), 0.7)) for _ in range(hosts)]

    def links(self, page: Page) -> list[Page]:
        host, number = page
        found: list[Page] = []
        state = (host << 32 | number) + 1
        for _ in range(LINKS):
            state = state * 0x9E3779B97F4A7C15 + 0x1234567 & _WORD
            draw = state ^ state >> 29
            at = (draw >> 8) % len(self.sizes) if draw & 255 < 256 * OUTWARD else host
            found.append((at, (draw >> 24) % self.sizes[at]))
        size = self.sizes[host]
        return found + [(host, each) for each in (2 * number + 1, 2 * number + 2) if each < size]


class Engine:
    """The frontier of some hosts: pages that wait, by host, and hosts by the date at which they may be asked."""

    def __init__(self, slots: int) -> None:
        self.slots = slots
        self.free_at = 0.0
        self.is_up = True
        self.seen: set[Page] = set()
        self.waiting: dict[int, deque[int]] = {}
        self.ready: list[tuple[float, int]] = []
        self.resting: dict[int, float] = {}
        self.out: set[Page] = set()
        self.inbox: list[Page] = []
        self.wakes_at = math.inf

    def admit(self, page: Page, now: float) -> None:
        if page in self.seen:
            return
        self.seen.add(page)
        self.wait(page, now)

    def wait(self, page: Page, now: float) -> None:
        host = page[0]
        queue = self.waiting.get(host)
        if queue is None:
            self.waiting[host] = deque([page[1]])
            if host not in self.resting or self.resting[host] < math.inf:
                heapq.heappush(self.ready, (max(now, self.resting.get(host, 0.0)), host))
        else:
            queue.append(page[1])


class Simulation:
    """One run. `asked` is when each host was asked last, `times` how often each page was committed."""

    def __init__(self, shape: Shape, web: Web) -> None:
        self.shape, self.web = shape, web
        self._chance = random.Random(3)
        share = shape.workers * CONNECTIONS // shape.engines
        self.engines = [Engine(share) for _ in range(shape.engines)]
        self._workers = [0.0] * shape.workers
        self._events: list[tuple[float, int, int, object]] = []
        self._number = 0
        self.asked = [-math.inf] * len(web.sizes)
        self.under_way = bytearray(len(web.sizes))
        self.committed: set[Page] = set()
        self.twice = self.impolite = self.fetched_again = self.counted = 0
        self.busy = [0.0] * shape.engines

    def run(self) -> None:
        for host in range(len(self.web.sizes)):
            self.engines[self._engine_of(host)].admit((host, 0), 0.0)
        for number in range(len(self.engines)):
            self._wake(0.0, number)
            self._at(POLL, _INBOX, number)
        if self.shape.killed_at:
            self._at(self.shape.killed_at, _BACK, -1)
        while self._events and self._events[0][0] < END:
            now, _, kind, what = heapq.heappop(self._events)
            self._handle(now, kind, what)

    def _handle(self, now: float, kind: int, what: object) -> None:
        if kind == _DONE:
            self._answered(now, what)  # type: ignore[arg-type]
        elif kind == _READ:
            self._commit(now, what)  # type: ignore[arg-type]
        elif kind == _INBOX:
            self._read_inbox(now, what)  # type: ignore[arg-type]
        elif kind == _WAKE:
            self._lease(now, what)  # type: ignore[arg-type]
        else:
            self._kill(now, what)  # type: ignore[arg-type]

    def _engine_of(self, host: int) -> int:
        return (host * 0x9E3779B97F4A7C15 & 0xFFFFFFFF) % len(self.engines)

    def _worker_of(self, host: int) -> int:
        each = self.shape.workers // self.shape.engines
        return self._engine_of(host) * each + (host * 0xC2B2AE3D27D4EB4F >> 7) % each

    def _at(self, moment: float, kind: int, what: object) -> None:
        self._number += 1
        heapq.heappush(self._events, (moment, self._number, kind, what))

    def _lease(self, now: float, number: int) -> None:
        engine = self.engines[number]
        if now >= engine.wakes_at:
            engine.wakes_at = math.inf
        if not engine.is_up:
            return
        while engine.slots and engine.ready and engine.ready[0][0] <= now:
            _, host = heapq.heappop(engine.ready)
            if engine.resting.get(host) == math.inf or host not in engine.waiting:
                continue
            queue = engine.waiting[host]
            page = (host, queue.popleft())
            if not queue:
                del engine.waiting[host]
            engine.slots -= 1
            engine.out.add(page)
            engine.resting[host] = math.inf
            self._ask(now, page)
        if engine.slots and engine.ready:
            self._wake(max(engine.ready[0][0], now + 0.002), number)

    def _ask(self, now: float, page: Page) -> None:
        host = page[0]
        self.impolite += now < self.asked[host] + DELAY - 1e-9 or self.under_way[host]
        self.asked[host] = now
        self.under_way[host] = 1
        self.fetched_again += page in self.committed
        took = self.web.speeds[host] * self._chance.lognormvariate(0.0, 0.3)
        self._at(now + took, _DONE, page)

    def _answered(self, now: float, page: Page) -> None:
        self.under_way[page[0]] = 0
        worker = self._worker_of(page[0])
        self._workers[worker] = max(now, self._workers[worker]) + READING
        self._at(self._workers[worker], _READ, page)

    def _commit(self, now: float, page: Page) -> None:
        number = self._engine_of(page[0])
        engine = self.engines[number]
        if not engine.is_up or page not in engine.out:
            return
        links = self.web.links(page)
        cost = COMMIT + LINK * len(links)
        engine.free_at = max(now, engine.free_at) + cost
        done = engine.free_at
        if now >= WARM_UP:
            self.busy[number] += cost
            self.counted += 1
        engine.out.discard(page)
        self.twice += page in self.committed
        self.committed.add(page)
        for link in links:  # one transaction: the page, its own links, and what goes to others
            other = self._engine_of(link[0])
            if other == number:
                engine.admit(link, done)
            else:
                self.engines[other].inbox.append(link)
        engine.slots += 1
        date = max(done, self.asked[page[0]] + DELAY)
        engine.resting[page[0]] = date
        if page[0] in engine.waiting:
            heapq.heappush(engine.ready, (date, page[0]))
        self._wake(done, number)

    def _wake(self, moment: float, number: int) -> None:
        """Let an engine look for work then, unless it will before."""
        engine = self.engines[number]
        if moment < engine.wakes_at:
            engine.wakes_at = moment
            self._at(moment, _WAKE, number)

    def _read_inbox(self, now: float, number: int) -> None:
        engine = self.engines[number]
        if engine.is_up:
            engine.free_at = max(now, engine.free_at) + LINK * len(engine.inbox)
            for link in engine.inbox:
                engine.admit(link, now)
            engine.inbox.clear()
            self._wake(now, number)
        self._at(now + POLL, _INBOX, number)

    def _kill(self, now: float, number: int) -> None:
        """The first engine dies, and comes back two seconds later: what was out waits again, on the same dates."""
        engine = self.engines[0]
        if number < 0:
            engine.is_up = False
            self._at(now + 2.0, _BACK, 0)
            return
        engine.is_up = True
        engine.free_at = now
        for page in engine.out:
            # A request may still be under way: whoever takes over waits as long as one can last.
            engine.resting[page[0]] = max(now, self.asked[page[0]] + DELAY) + 20.0 * self.under_way[page[0]]
            engine.wait(page, now)
            if page[0] in engine.waiting:
                heapq.heappush(engine.ready, (engine.resting[page[0]], page[0]))
        engine.slots += len(engine.out)
        engine.out.clear()
        self._wake(now, 0)


SHAPES = (
    Shape(1, 1), Shape(4, 1), Shape(16, 1), Shape(64, 1), Shape(256, 1),
    Shape(64, 4), Shape(256, 4), Shape(256, 16), Shape(256, 16, killed_at=4.0),
)  # fmt: skip


def main() -> None:
    web = Web(HOSTS)
    print(f"{HOSTS:,} hosts, {sum(web.sizes):,} pages; {END - WARM_UP:.0f} simulated seconds")
    print(
        f"{'workers':>7} {'engines':>7} {'pages/s':>8} {'a worker':>8} {'engine busy':>11} {'twice':>5} {'impolite':>8}"
    )
    for shape in SHAPES:
        run = Simulation(shape, web)
        run.run()
        rate = run.counted / (END - WARM_UP)
        busy = max(run.busy) / (END - WARM_UP)
        killed = (
            f"   one engine killed; {run.fetched_again} pages asked for after their commit" if shape.killed_at else ""
        )
        print(
            f"{shape.workers:7} {shape.engines:7} {rate:8,.0f} {rate / shape.workers:8.1f} {busy:11.0%} {run.twice:5}"
            f" {run.impolite:8}{killed}",
            flush=True,
        )


if __name__ == "__main__":
    main()
