"""Standard output and standard error as a command needs them, whatever they were made to be.

    standard error    closed, full or a terminal that is gone: what is said there is lost, and nothing else is
    standard output   closed or full: an `OutputLost`, which ends the command with one line; a pipe whose reader has
                      left (dowse export ... | head): an `OutputUnread`, which ends it without a word

A descriptor that is closed is opened on /dev/null first, for the next file to be opened would get its number, and with
it whatever a library prints.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_BUFFER = 1 << 16


class OutputLost(Exception):
    """What a command printed could not be written. No OSError: those are caught on the way, for files."""


class OutputUnread(OutputLost):
    """Whoever read it has left."""


class _Unfailing(io.FileIO):
    """Bytes that cannot be written are let go."""

    def write(self, data: Any) -> int:
        try:
            written = super().write(data)
        except OSError:
            return len(data)
        return len(data) if written is None else written  # a pipe that is full, and would not wait


class _Telling(io.FileIO):
    """Trouble with these bytes is told from trouble with any other file."""

    is_closed = False

    def write(self, data: Any) -> int:
        if self.is_closed:
            raise OutputLost("standard output is closed; name a file to write to, or leave it open")
        try:
            return super().write(data)
        except BrokenPipeError as error:
            raise OutputUnread("standard output: nobody reads it any more") from error
        except OSError as error:
            raise OutputLost(f"standard output cannot be written: {error.strerror}") from error


def settle() -> None:
    """Make the streams of this process what the module says; those that a caller has replaced are left alone."""
    missing = [number for number in (0, 1, 2) if not _is_open(number)]
    if missing:
        _reserve(missing)
    if sys.stderr is None or sys.stderr is sys.__stderr__:
        sys.stderr = io.TextIOWrapper(
            io.BufferedWriter(_Unfailing(2, "w", closefd=False)),
            _encoding(sys.stderr),
            "backslashreplace",
            line_buffering=True,
        )
    if sys.stdout is None or sys.stdout is sys.__stdout__:
        raw = _Telling(1, "w", closefd=False)
        raw.is_closed = 1 in missing
        sys.stdout = io.TextIOWrapper(
            io.BufferedWriter(raw, _BUFFER),
            _encoding(sys.stdout),
            getattr(sys.stdout, "errors", "strict"),
            line_buffering=raw.isatty(),
        )


@contextmanager
def by_the_way() -> Iterator[None]:
    """Print what the command is not for: where that cannot be, it is done nevertheless."""
    try:
        yield
    except OutputLost:
        give_up_output()


def give_up_output() -> None:
    """Let what is still to be written to standard output go, so that Python does not try again at its end."""
    raw = _raw(sys.stdout)
    if isinstance(raw, _Telling):
        raw.is_closed = False
        _reserve([1])


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def _reserve(numbers: list[int]) -> None:
    """Open descriptors on /dev/null, for this process and those it starts."""
    null = os.open(os.devnull, os.O_RDWR)
    for number in numbers:
        if number != null:
            os.dup2(null, number, inheritable=True)
    if null in numbers:
        os.set_inheritable(null, True)
    else:
        os.close(null)


def _raw(stream: Any) -> object:
    return getattr(getattr(stream, "buffer", None), "raw", None)


def _encoding(stream: io.TextIOBase | Any) -> str:
    return getattr(stream, "encoding", None) or "utf-8"
