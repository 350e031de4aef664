"""Which worker of a cluster has which hosts, and what each has out.

The tasks of a host go to one worker. As long as some are out, the next go there too. Else the worker with the highest
number for that host gets them (rendezvous hashing): when a worker is gone, only its hosts move, and when it is
replaced, they come back.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from xxhash import xxh3_64_intdigest

from dowse.core.model import Task
from dowse.core.protocols import Cluster

_REMEMBERED = 100_000
"""Hosts whose worker is remembered. Finding it again takes a microsecond a worker."""


class Member:
    """A worker at its place: the actor, where it is, what it has out, and what is to be sent to it."""

    def __init__(self, number: int, actor: Any, share: int, node: str, host: str) -> None:
        self.number, self.actor, self.share = number, actor, share
        self.node, self.host = node, host
        self.out: dict[int, Task] = {}
        self.to_send: list[Task] = []
        self.has_brought = False


class HostShares:
    """The workers at work, by number, and what is out."""

    def __init__(self) -> None:
        self.members: dict[int, Member] = {}
        self._held: list[Task] = []
        self._busy: dict[str, list[Any]] = {}
        self._chosen: dict[str, Member] = {}

    @property
    def out(self) -> int:
        return len(self._held) + sum(len(member.out) for member in self.members.values())

    def add(self, task: Task) -> None:
        """Give a task to the worker of its host. While there is no worker at all, it is held."""
        if not self.members:
            self._held.append(task)
            return
        host = task.request.host
        at_work = self._busy.get(host)
        if at_work is None:
            at_work = self._busy[host] = [self._choose(host), 0]
        at_work[1] += 1
        member: Member = at_work[0]
        member.out[task.id] = task
        member.to_send.append(task)

    def home(self, member: Member, task: Task) -> bool:
        """A task has come home; whether it was out there at all."""
        if member.out.pop(task.id, None) is None:
            return False
        at_work = self._busy[task.request.host]
        at_work[1] -= 1
        if not at_work[1]:
            del self._busy[task.request.host]
        return True

    def join(self, member: Member) -> None:
        self.members[member.number] = member
        self._chosen.clear()
        held, self._held = self._held, []
        for task in held:
            self.add(task)

    def leave(self, member: Member) -> list[Task]:
        """A worker is gone. The answer is what it had out."""
        del self.members[member.number]
        self._chosen.clear()
        lost = list(member.out.values())
        for task in lost:
            self.home(member, task)
        return lost

    def places(self, wanted: int) -> Cluster:
        """How many of the workers that are wanted are on which node. Nodes of one name get a part of their number."""
        at = Counter(member.node for member in self.members.values())
        names = {member.node: member.host for member in self.members.values()}
        times = Counter(names.values())
        nodes = {name if times[name] == 1 else f"{name}-{node[:4]}": at[node] for node, name in names.items()}
        return Cluster(nodes, wanted - len(self.members))

    def _choose(self, host: str) -> Member:
        chosen = self._chosen.get(host)
        if chosen is None:
            if len(self._chosen) >= _REMEMBERED:
                self._chosen.clear()
            text = host.encode()
            chosen = max(self.members.values(), key=lambda member: xxh3_64_intdigest(text, seed=member.number))
            self._chosen[host] = chosen
        return chosen
