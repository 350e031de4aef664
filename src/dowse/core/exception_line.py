"""An exception of somebody's code in one line: what a ledger, a notice and an error message have room for."""

from __future__ import annotations

import types
from types import TracebackType

MISTAKES = (Exception, SystemExit)
"""What the code of others may raise and nothing ends by: `sys.exit()` is meant for a script, and a crawl is none."""

_LONGEST = 200


def _spelled(path: str) -> str:
    return path.replace("\\", "/")


_OURS = _spelled(__file__).rpartition("/core/")[0] + "/"
_OF_PYTHON = _spelled(types.__file__).rpartition("/")[0] + "/"
_INSTALLED = ("/site-packages/", "/dist-packages/")


def mistake_text(error: BaseException) -> str:
    """The last line of a traceback, and the last place in it that is the user's to mend.

    >>> try:
    ...     [][0]
    ... except IndexError as error:
    ...     mistake_text(error).partition(" (")[0]
    'IndexError: list index out of range'
    """
    words = " ".join(str(error).split())[:_LONGEST]
    kind = type(error).__name__
    told = f"{kind}: {words}" if words else kind
    place = _place(error.__traceback__)
    return f"{told} ({place})" if place else told


def _place(trace: TracebackType | None) -> str:
    """Where the innermost file of the user is left; that of an installed package if there is no other."""
    place = package = ""
    while trace is not None:
        path = _spelled(trace.tb_frame.f_code.co_filename)
        is_installed = any(folder in path for folder in _INSTALLED)
        if not path.startswith((_OURS, "<")) and (is_installed or not path.startswith(_OF_PYTHON)):
            here = f"{path.rpartition('/')[2]}, line {trace.tb_lineno}"
            place, package = (place, here) if is_installed else (here, package)
        trace = trace.tb_next
    return place or package
