"""The worker of a cluster: a class that Ray makes an actor of, and the messages that go to it and come back.

Ray carries bytes and nothing else. What is in them is msgspec, as between processes. So another version of dowse on a
node is noticed by its name, and not by what unpickling makes of it.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from importlib import import_module
from typing import Any

import msgspec

from dowse.core.archive import PackedAnswer, TravelBag
from dowse.core.errors import DowseError
from dowse.core.model import Outcome, Response, Task
from dowse.engine.worker import Worker
from dowse.pools.inline import InlinePool
from dowse.pools.open_files import affordable
from dowse.pools.processes import WorkerValues
from dowse.version import VERSION

FarBuild = Callable[[WorkerValues], tuple[Worker, TravelBag | None]]
"""Makes a worker, and says where its answers wait to be sent home; nowhere if it writes them to their place itself."""

_LONGEST_POLL = 5.0
"""Seconds after which a question for outcomes is answered although there are none."""


class Ready(msgspec.Struct, frozen=True):
    """What a new worker says of itself: how many requests at a time it can make and where it is, or why it cannot."""

    host: str
    node: str
    share: int = 0
    refusal: str = ""


class Errand(msgspec.Struct, frozen=True, array_like=True):
    """Tasks on their way to a worker, with the stored answers that they may ask for."""

    tasks: list[Task]
    stored: dict[str, Response] = {}


class Parcel(msgspec.Struct, frozen=True, array_like=True):
    """Outcomes on their way home, with the answers that are to be archived there, by the names they go by."""

    outcomes: list[Outcome]
    answers: dict[str, PackedAnswer] = {}


pack = msgspec.msgpack.Encoder().encode
unpack_ready = msgspec.msgpack.Decoder(Ready).decode
unpack_parcel = msgspec.msgpack.Decoder(Parcel).decode
_unpack_errand = msgspec.msgpack.Decoder(Errand).decode
_unpack_values = msgspec.msgpack.Decoder(WorkerValues).decode
_unpack_briefing = msgspec.msgpack.Decoder(dict[str, bytes]).decode


class FarWorker:
    """Visits what it is sent, on the event loop that Ray gives to an actor."""

    _pool: InlinePool
    _bag: TravelBag | None

    async def begin(self, version: str, build: str, values: bytes) -> bytes:
        """Become the worker of a crawl. The values have secrets: Ray forgets the words of a call, and keeps those by
        which an actor is made."""
        import ray  # which has started this process

        ready = Ready(socket.gethostname(), ray.get_runtime_context().get_node_id())
        if version != VERSION:
            refusal = f"it has dowse {VERSION}, and this crawl is run by {version}: install the same on all nodes"
            return pack(msgspec.structs.replace(ready, refusal=refusal))
        given = _unpack_values(values)
        share = affordable(given.concurrency)
        try:
            worker, self._bag = _named(build)(msgspec.structs.replace(given, concurrency=share))
        except DowseError as trouble:
            return pack(msgspec.structs.replace(ready, refusal=str(trouble)))
        self._pool = InlinePool(worker, share)
        return pack(msgspec.structs.replace(ready, share=share))

    async def submit(self, message: bytes) -> None:
        errand = _unpack_errand(message)
        if self._bag is not None:
            self._bag.lend(errand.stored, errand.tasks)
        self._pool.submit(errand.tasks)

    async def brief(self, message: bytes) -> None:
        self._pool.brief(_unpack_briefing(message))

    async def results(self) -> bytes:
        """What has come of tasks; empty if nothing came for a while."""
        outcomes = await self._pool.results(_LONGEST_POLL)
        return pack(Parcel(outcomes, self._answers(outcomes))) if outcomes else b""

    async def end(self) -> None:
        await self._pool.close()

    def _answers(self, outcomes: list[Outcome]) -> dict[str, PackedAnswer]:
        bag, answers = self._bag, dict[str, PackedAnswer]()
        if bag is None:
            return answers
        for outcome in outcomes:
            for name in (outcome.body, *(robots.body for robots in outcome.robots)):
                answer = bag.take(name) if name else None
                if answer is not None:
                    answers[name] = answer
            if not outcome.partial:
                bag.forget(outcome.task)
        return answers


def name_of(build: FarBuild) -> str:
    """The name by which a worker finds a function that is also on its machine."""
    return f"{build.__module__}:{build.__qualname__}"


def _named(name: str) -> Any:
    module, _, function = name.partition(":")
    return getattr(import_module(module), function)
