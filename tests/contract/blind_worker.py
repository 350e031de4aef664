"""Workers in a process that cannot see the crawl: values come in on standard input, and outcomes go out.

    python -m tests.contract.blind_worker FORBIDDEN_FOLDER < MESSAGES > OUTCOMES

Whatever tries to open a file or a database below the folder, or to look into it, ends the process.
"""

from __future__ import annotations

import asyncio
import os
import sys

import msgspec

from dowse.assembly import build_from
from dowse.core.model import Outcome, Task
from dowse.pools.event_loop import run
from dowse.pools.processes import WorkerValues

LOOKS = ("open", "sqlite3.connect", "os.listdir", "os.scandir", "os.mkdir", "os.rename", "os.remove", "os.chdir")


class Message(msgspec.Struct):
    """What a worker is made from, and what it is to do."""

    values: WorkerValues
    tasks: list[Task]


def forbid(folder: str) -> None:
    """From here on no part of this process can look into the folder."""

    def hear(event: str, arguments: tuple[object, ...]) -> None:
        if event in LOOKS and arguments and isinstance(arguments[0], str | bytes | os.PathLike):
            path = os.path.abspath(os.fsdecode(arguments[0]))
            if path.startswith(folder):
                sys.stderr.write(f"{event}: a worker looked at {path}\n")
                os._exit(9)

    sys.addaudithook(hear)


async def visited(messages: dict[str, Message]) -> dict[str, list[Outcome]]:
    """The outcomes of the tasks of several workers, one after the other."""
    outcomes: dict[str, list[Outcome]] = {}
    for name, message in messages.items():
        worker = build_from(message.values)
        try:
            async with asyncio.timeout(30):
                outcomes[name] = [await worker.visit(task, lambda _part: None) for task in message.tasks]
        finally:
            await worker.close()
    return outcomes


def main() -> None:
    forbid(sys.argv[1])
    messages = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=dict[str, Message])
    sys.stdout.buffer.write(msgspec.msgpack.encode(run(visited(messages))))


if __name__ == "__main__":
    main()
