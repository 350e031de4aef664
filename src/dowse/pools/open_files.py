"""How many requests at a time this process can have open, by its limit on open files.

The soft limit, often 1,024, or 256 on macOS, is raised as far as the work needs and the machine allows, and no further:
some libraries cannot count beyond 1,024. Where that is not enough there are fewer requests at a time.
"""

from __future__ import annotations

import os
import resource
from contextlib import suppress

from msgspec.structs import replace

from dowse.core.job import Job
from dowse.core.phrasing import counted
from dowse.engine.events import Notice
from dowse.engine.loop import Listener

_EACH = 4
"""Descriptors of one request: its socket, our copy of it while it connects, and those of the resolver."""

_SPARE = 32
"""For the database, the archive, a reader of both, and the event loop."""

_MANY = 1 << 20


def affordable(requests: int) -> int:
    """So many of these requests can be open at a time, after the limit was raised as far as it goes."""
    used = _open_now() + _SPARE
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = _MANY if hard == resource.RLIM_INFINITY else hard
    needed = used + _EACH * requests
    if soft != resource.RLIM_INFINITY and soft < needed:
        with suppress(OSError, ValueError):  # macOS has a limit below the one it names
            resource.setrlimit(resource.RLIMIT_NOFILE, (min(needed, most), hard))
        soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        return max(1, min(requests, (soft - used) // _EACH))
    return requests


def within_limits(job: Job, listener: Listener) -> Job:
    """The same job with as many requests at a time as this process may have open files for."""
    asked = job.fetch.concurrency
    number = affordable(asked)
    if number < asked:
        listener(
            Notice(f"{counted(number, 'request')} at a time instead of {asked}: few files may be open (ulimit -n)")
        )
    return replace(job, fetch=replace(job.fetch, concurrency=number))


def _open_now() -> int:
    try:
        return len(os.listdir("/dev/fd"))
    except OSError:
        return _SPARE
