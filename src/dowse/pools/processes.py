"""Visits in several processes, for when one core is not enough.

Each process runs an inline pool of its own and speaks msgpack with this one over a socket pair: tasks in, outcomes
out. The store, the seen test and the ledger stay here. A process that dies is replaced, and what it had out comes
home as a failure that is tried again.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import signal
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.process import BaseProcess

import msgspec

from dowse.core.briefing import Briefing
from dowse.core.errors import CrawlError
from dowse.core.job import FetchOptions
from dowse.core.model import Failure, FailureKind, Outcome, Task
from dowse.engine.outcomes import failed
from dowse.engine.worker import Worker
from dowse.pools.event_loop import TERMINATING, run
from dowse.pools.inline import InlinePool
from dowse.pools.open_files import affordable
from dowse.pools.outcome_queue import OutcomeQueue


class WorkerValues(msgspec.Struct, frozen=True):
    """All that a worker is made from: the job, as bytes, the briefing, and how many requests may be under way."""

    job: bytes
    briefing: Briefing
    concurrency: int = 1


Build = Callable[[WorkerValues], Worker]

GUARD = "in a script, call dowse under `if __name__ == '__main__':`, because worker processes read the script again"
"""What to do where a script has no part that only its first process runs."""

_MOST_REPLACED = 100
"""A crawl in which so many processes died has something else wrong with it than a page or two."""

_spawn = multiprocessing.get_context("spawn")
_pack = msgspec.msgpack.Encoder().encode
_unpack_message = msgspec.msgpack.Decoder(list[Task] | dict[str, bytes]).decode
_unpack_outcomes = msgspec.msgpack.Decoder(list[Outcome]).decode


class ProcessPool:
    """Shares the tasks out to `options.workers` processes; the one with the most room gets the next."""

    def __init__(self, options: FetchOptions, values: WorkerValues, build: Build) -> None:
        self._options = options
        self._values = values
        self._build = build
        self._queue = OutcomeQueue()
        self._share = max(1, options.concurrency // options.workers)
        self._members: list[_Member] = []
        self._processes: list[BaseProcess] = []  # all that were started, also those that never got ready
        self._closing = False
        self._replaced = 0
        self._trouble: CrawlError | None = None

    async def open(self) -> None:
        processes = min(self._options.workers, self._options.concurrency)
        self._members = list(await asyncio.gather(*(self._start() for _ in range(processes))))

    @property
    def busy(self) -> int:
        return sum(len(member.out) for member in self._members) + len(self._queue)

    @property
    def room(self) -> int:
        return sum(member.share - len(member.out) for member in self._alive()) - len(self._queue)

    def submit(self, tasks: Sequence[Task]) -> None:
        portions: dict[_Member, list[Task]] = {}
        alive = self._alive()
        for task in tasks:
            member = max(alive, key=lambda each: each.share - len(each.out))
            member.out[task.id] = task
            portions.setdefault(member, []).append(task)
        for member, portion in portions.items():
            _send(member.writer, _pack(portion))

    @property
    def cluster(self) -> None:
        """It is on this machine."""

    def notices(self) -> list[str]:
        return []

    def brief(self, briefing: Briefing) -> None:
        self._values = msgspec.structs.replace(self._values, briefing=briefing)  # for processes that start later
        for member in self._alive():
            _send(member.writer, _pack(briefing))

    async def results(self, timeout: float) -> list[Outcome]:
        await self._queue.wait(timeout)
        if self._trouble is not None:
            raise self._trouble
        return self._queue.take()

    async def close(self) -> None:
        self._closing = True
        for member in self._members:
            member.writer.close()  # the other side reads the end and leaves
        await asyncio.gather(*(self._dismiss(member) for member in list(self._members)))
        for process in self._processes:
            process.kill()  # one that was still starting is deaf to all else

    async def _dismiss_if_closing(self, member: _Member) -> None:
        """The pool may have been closed while this one started."""
        if self._closing:
            await self._dismiss(member)

    async def _dismiss(self, member: _Member) -> None:
        member.writer.close()
        await asyncio.to_thread(member.process.join, 5)
        if member.process.is_alive():
            member.process.kill()
        await member.listening

    def _alive(self) -> list[_Member]:
        return [member for member in self._members if not member.gone]

    async def _start(self) -> _Member:
        here, there = socket.socketpair()
        process = _spawn.Process(
            target=_serve, args=(there, _pack(self._values), self._build, self._share), daemon=True
        )
        with deaf_children():
            process.start()
        self._processes.append(process)
        there.close()
        reader, writer = await asyncio.open_connection(sock=here)
        share = await _receive(reader)
        if not share:
            writer.close()
            raise CrawlError(f"a worker process could not start; {GUARD}")
        member = _Member(process, writer, int(share))
        member.listening = asyncio.create_task(self._listen(member, reader))
        return member

    async def _listen(self, member: _Member, reader: asyncio.StreamReader) -> None:
        while message := await _receive(reader):
            outcomes = _unpack_outcomes(message)
            for outcome in outcomes:
                if not outcome.partial:
                    del member.out[outcome.task.id]
            self._queue.put(outcomes)
            self._queue.wake()
        member.gone = True  # from here on nothing is sent to it, also not while the next one starts
        member.writer.close()
        if not self._closing:
            await self._replace(member)

    async def _replace(self, member: _Member) -> None:
        await asyncio.to_thread(member.process.join, 5)
        member.process.kill()  # one that closed its line and lives on would be of no use
        crash = Failure(FailureKind.CRASH, f"the worker process ended with status {member.process.exitcode}")
        self._queue.put(failed(task, crash, time.time()) for task in member.out.values())
        member.out.clear()
        self._queue.wake()
        if self._closing:
            return
        self._replaced += 1
        try:
            if self._replaced > _MOST_REPLACED:
                raise CrawlError(f"worker processes died {self._replaced} times; see the failures of kind crash")
            fresh = await self._start()
        except CrawlError as trouble:
            self._trouble = trouble
            self._queue.wake()
            return
        self._members[self._members.index(member)] = fresh
        await self._dismiss_if_closing(fresh)


class _Member:
    """One process, the way to it, what it has out and how much that may be."""

    listening: asyncio.Task[None]

    def __init__(self, process: BaseProcess, writer: asyncio.StreamWriter, share: int) -> None:
        self.process = process
        self.writer = writer
        self.share = share
        self.out: dict[int, Task] = {}
        self.gone = False


@contextmanager
def deaf_children() -> Iterator[None]:
    """Processes started here never hear what stops a crawl, though it may go to all of them: the first process decides.

    Ctrl-C goes to the whole group, and a service manager sends its SIGTERM to every process of a service. Not handlers
    that they set themselves, because they take half a second until they get that far.
    """
    resource_tracker.ensure_running()  # multiprocessing would start it below, and lift our block when it has
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, *TERMINATING})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(connection: socket.socket, values: bytes, build: Build, share: int) -> None:
    """The other process: visits what comes down the line until the line is closed."""
    share = affordable(share)
    given = msgspec.structs.replace(msgspec.msgpack.decode(values, type=WorkerValues), concurrency=share)
    run(_work(connection, build(given), share))


async def _work(connection: socket.socket, worker: Worker, share: int) -> None:
    pool = InlinePool(worker, share)
    reader, writer = await asyncio.open_connection(sock=connection)
    _send(writer, str(share).encode())  # it is ready, for so many at a time

    async def take() -> None:
        while message := await _receive(reader):
            received = _unpack_message(message)
            if isinstance(received, dict):
                pool.brief(received)
            else:
                pool.submit(received)

    taking = asyncio.create_task(take())
    while not taking.done():
        outcomes = await pool.results(timeout=0.25)
        if outcomes:
            _send(writer, _pack(outcomes))
    await pool.close()


def _send(writer: asyncio.StreamWriter, message: bytes) -> None:
    if not writer.is_closing():  # else the other side is gone, and whoever listens to it gives its tasks back
        writer.write(len(message).to_bytes(4, "big") + message)


async def _receive(reader: asyncio.StreamReader) -> bytes:
    """The next message; empty when the other side is gone."""
    try:
        size = int.from_bytes(await reader.readexactly(4), "big")
        return await reader.readexactly(size)
    except (asyncio.IncompleteReadError, ConnectionError):
        return b""
