"""When this machine can open no more sockets or files: trouble that is ours, and must not be taken for a server's."""

from __future__ import annotations

import errno
import os
import resource

from dowse.core.model import Failure, FailureKind

EXHAUSTED = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
"""Of this process, of the whole machine; and no memory for more."""


def descriptors_are_left() -> bool:
    """Whether another could be opened at this moment."""
    try:
        os.close(os.open(os.devnull, os.O_RDONLY))
    except OSError as error:
        return error.errno not in EXHAUSTED
    return True


def out_of_descriptors() -> Failure:
    """For a request that could not be made."""
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return Failure(FailureKind.MACHINE, f"no more files or connections can be opened (ulimit -n is {limit})")
