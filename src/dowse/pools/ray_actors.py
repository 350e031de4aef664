"""Visits in the actors of a Ray cluster, for when one machine is not enough.

Invariants: the tasks of a host that are out are with one actor, so its connections, cookies and robots.txt are in one
place. What an actor had out when it ended comes home as a failure that is tried again. No more is out, or home and not
yet committed, than `concurrency` allows: an engine that falls behind sends nothing new, and asks actors for nothing.

Where actors run, and that they run again elsewhere when a node is gone, is Ray's work (pools/ray_cluster.py).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from contextlib import suppress

import msgspec

from dowse.core.archive import HomeArchive, PackedAnswer
from dowse.core.briefing import Briefing
from dowse.core.errors import CrawlError, StoreFull
from dowse.core.job import FetchOptions
from dowse.core.model import Failure, FailureKind, Outcome, Task
from dowse.core.phrasing import counted
from dowse.core.protocols import Cluster
from dowse.engine.outcomes import failed
from dowse.pools.far_worker import Errand, FarBuild, Parcel, name_of, pack, unpack_parcel, unpack_ready
from dowse.pools.host_shares import HostShares, Member
from dowse.pools.outcome_queue import OutcomeQueue
from dowse.pools.processes import WorkerValues
from dowse.pools.ray_cluster import ClusterLost, RayCluster, answer_to, take_back_signals
from dowse.version import VERSION

_FIRST_PLACE = 120.0
"""Seconds within which a cluster must have a place for one worker at least."""

_MORE_PLACES = 10.0
"""Seconds that the first worker waits for the others, so that hosts need not move when these come."""

_TRIED_AGAIN = 30.0
"""Seconds until a worker that was refused during the crawl is tried again: somebody may mend its node."""

_FLUSH = 0.005
"""Seconds that tasks wait for others to travel with."""

_DEATHS_IN_A_ROW = 50
"""If so many workers died and none brought anything home, something else is wrong than a page or a node."""

_DECIDED = 40.0
"""Seconds for Ray to find out why a worker cannot be reached."""

_GOODBYE = 3.0
"""Seconds for workers to close what they have open, such as browsers."""

_ROOM_AGAIN = 2.0
"""Seconds between two tries to write to a full disk."""


class RayPool:
    """Shares the tasks out to `options.workers` actors, by host. `home` keeps answers, if the workers do not."""

    def __init__(
        self, options: FetchOptions, values: WorkerValues, build: FarBuild, home: HomeArchive | None = None
    ) -> None:
        self._values = msgspec.structs.replace(values, concurrency=options.concurrency)
        self._concurrency, self._workers = options.concurrency, min(options.workers, options.concurrency)
        self._build, self._home = name_of(build), home
        self._cluster = RayCluster(options)
        self._queue, self._shares = OutcomeQueue(), HostShares()
        self._taken, self._changed = asyncio.Event(), asyncio.Event()
        self._seats: list[asyncio.Task[None]] = []
        self._notices: list[str] = []
        self._deaths = 0
        self._is_open = False
        self._trouble: Exception | None = None

    async def open(self) -> None:
        await asyncio.to_thread(self._cluster.join)
        take_back_signals()
        self._cluster.check_room()
        self._seats = [asyncio.create_task(self._fill(number)) for number in range(self._workers)]
        await self._wait_for(1, _FIRST_PLACE)
        if not self._shares.members:
            places = self._cluster.free_places()
            raise CrawlError(f"the cluster had no place for a worker within {_FIRST_PLACE:.0f} seconds: {places}")
        await self._wait_for(self._workers, _MORE_PLACES)
        if missing := self._workers - len(self._shares.members):
            self._notices.append(
                f"{missing} of {counted(self._workers, 'worker')} must wait for a place on the cluster"
                f" ({self._cluster.free_places()}); the crawl begins without them"
            )
        self._is_open = True

    async def _wait_for(self, number: int, seconds: float) -> None:
        """Until so many workers are at their places, or the time is up."""
        end = time.monotonic() + seconds
        while len(self._shares.members) < number and time.monotonic() < end:
            self._changed.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout_at(asyncio.get_running_loop().time() + end - time.monotonic()):
                    await self._changed.wait()
            if self._trouble is not None:
                raise self._trouble

    @property
    def busy(self) -> int:
        return self._shares.out + len(self._queue)

    @property
    def room(self) -> int:
        able = sum(member.share for member in self._shares.members.values())
        return min(self._concurrency, able) - self.busy

    @property
    def cluster(self) -> Cluster:
        return self._shares.places(self._workers)

    def notices(self) -> list[str]:
        notices, self._notices = self._notices, []
        return notices

    def submit(self, tasks: Sequence[Task]) -> None:
        for task in tasks:
            self._shares.add(task)
        if tasks:
            asyncio.get_running_loop().call_later(_FLUSH, self._flush)

    def _flush(self) -> None:
        """Send what was handed out, a message a worker."""
        for member in self._shares.members.values():
            if member.to_send:
                tasks, member.to_send = member.to_send, []
                stored = self._home.lend(tasks) if self._home is not None else {}
                member.actor.submit.remote(pack(Errand(tasks, stored)))

    def brief(self, briefing: Briefing) -> None:
        self._values = msgspec.structs.replace(self._values, briefing=briefing)  # for actors that start later
        for member in self._shares.members.values():
            member.actor.brief.remote(pack(dict(briefing)))

    async def results(self, timeout: float) -> list[Outcome]:
        await self._queue.wait(timeout)
        if self._trouble is not None:
            raise self._trouble
        self._taken.set()
        return self._queue.take()

    async def close(self) -> None:
        for seat in self._seats:
            seat.cancel()
        await asyncio.gather(*self._seats, return_exceptions=True)
        ends = [member.actor.end.remote() for member in self._shares.members.values()]
        with suppress(TimeoutError, *self._cluster.troubles):
            async with asyncio.timeout(_GOODBYE):
                for end in ends:
                    await answer_to(end)
        for member in self._shares.members.values():
            self._cluster.end(member.actor)
        await asyncio.to_thread(self._cluster.leave)
        if self._home is not None:
            self._home.close()

    async def _fill(self, number: int) -> None:
        """Have a worker of this number, one after the other, until the pool is closed."""
        try:
            while True:
                member = await self._placed(number)
                if member is not None:
                    self._shares.join(member)
                    self._changed.set()
                    self._flush()
                    await self._listen(member)
                if self._deaths > _DEATHS_IN_A_ROW:
                    raise CrawlError(f"{self._deaths} workers of the cluster ended and brought nothing home")
        except Exception as trouble:  # noqa: BLE001, for what this worker has out the crawl would wait for ever
            self._give_up(trouble)

    async def _placed(self, number: int) -> Member | None:
        """A new worker. None if there is none yet: during the crawl one that was refused is tried again later."""
        try:
            return await self._start(number)
        except CrawlError as trouble:
            if not self._is_open or isinstance(trouble, ClusterLost):
                raise
            self._notices.append(str(trouble))
            await asyncio.sleep(_TRIED_AGAIN)
            return None

    def _give_up(self, trouble: Exception) -> None:
        self._trouble = trouble
        self._changed.set()
        self._queue.wake()

    async def _start(self, number: int) -> Member | None:
        """A new worker. None if it ended before it began; a CrawlError if the next one would do no better."""
        actor = self._cluster.place_one()
        try:
            ready = unpack_ready(await answer_to(actor.begin.remote(VERSION, self._build, pack(self._values))))
        except self._cluster.troubles as trouble:
            self._cluster.check_mistake(trouble)
            self._deaths += 1
            return None
        except asyncio.CancelledError:
            self._cluster.end(actor)
            raise
        if ready.refusal:
            self._cluster.end(actor)
            raise CrawlError(f"the worker on {ready.host} cannot take part: {ready.refusal}")
        return Member(number, actor, ready.share, ready.node, ready.host)

    async def _listen(self, member: Member) -> None:
        """Take what a worker brings, until it is gone."""
        try:
            while True:
                while len(self._queue) >= self._concurrency:  # the engine has enough to do
                    self._taken.clear()
                    await self._taken.wait()
                if message := await answer_to(member.actor.results.remote()):
                    await self._take(member, unpack_parcel(message))
                    self._deaths, member.has_brought = 0, True
        except self._cluster.troubles as trouble:
            await self._give_back(member, trouble)

    async def _give_back(self, member: Member, trouble: Exception) -> None:
        """What a worker had out that is gone comes home. Only if it ended by itself, one of these may be to blame."""
        is_alone = await self._ended_alone(member, trouble)
        self._cluster.end(member.actor)  # one that cannot be reached and lives on would be of no use
        self._deaths += not member.has_brought
        kind, how = (FailureKind.CRASH, "ended") if is_alone else (FailureKind.NODE, "is gone with its node")
        gone = Failure(kind, f"the worker on {member.host} {how}")
        lost = [failed(task, gone, time.time()) for task in self._shares.leave(member)]
        self._queue.gather(lost, self._shares.out)
        self._cluster.check_connection(trouble)

    async def _ended_alone(self, member: Member, trouble: Exception) -> bool:
        """Whether a worker ended, and not its node or the way to it. Ray may need some seconds to know that."""
        if self._cluster.is_undecided(trouble):
            with suppress(TimeoutError):
                async with asyncio.timeout(_DECIDED):
                    try:
                        await answer_to(member.actor.results.remote())
                    except self._cluster.troubles as later:
                        trouble = later
        return not (self._cluster.is_undecided(trouble) or self._cluster.lost_node(trouble))

    async def _take(self, member: Member, parcel: Parcel) -> None:
        outcomes = []
        for outcome in parcel.outcomes:
            kept = await self._kept(outcome, parcel) if parcel.answers else outcome
            if kept.partial or self._shares.home(member, kept.task):
                outcomes.append(kept)
        self._queue.gather(outcomes, self._shares.out)

    async def _kept(self, outcome: Outcome, parcel: Parcel) -> Outcome:
        """The outcome with the places of its answers in the archive, where there were only names."""
        body = await self._keep(outcome, parcel.answers.get(outcome.body))
        robots = [
            msgspec.structs.replace(each, body=await self._keep(outcome, parcel.answers.get(each.body)) or each.body)
            for each in outcome.robots
        ]
        return msgspec.structs.replace(outcome, body=body if outcome.body else "", robots=robots)

    async def _keep(self, outcome: Outcome, answer: PackedAnswer | None) -> str:
        """Archive an answer; the result is its place. While the disk is full, say so once and try again."""
        is_told = False
        while answer is not None and self._home is not None:
            try:
                return self._home.keep(answer)
            except StoreFull as trouble:
                if not is_told:
                    full = Failure(FailureKind.INTERNAL, str(trouble))
                    self._queue.put((Outcome(task=outcome.task, fetched_at=time.time(), partial=True, failure=full),))
                    self._queue.wake()
                is_told = True
                await asyncio.sleep(_ROOM_AGAIN)
        return ""
