"""An exception of somebody's code in one line: what a ledger, a notice and an error message have room for."""

from __future__ import annotations

from types import TracebackType

_LONGEST = 200
_IMPORTS = "<frozen "
"""How the files of Python's own import are called; nobody looks for a mistake there."""


def mistake_text(error: BaseException) -> str:
    """The last line of a traceback, and where it was raised.

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
    place = ""
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if not name.startswith(_IMPORTS):
            place = f"{name.replace(chr(92), '/').rpartition('/')[2]}, line {trace.tb_lineno}"
        trace = trace.tb_next
    return place
