"""What the commands print: the one place that writes to standard output and standard error.

Much of it was written by strangers: titles, addresses, headers, messages of servers. What would steer a terminal
(escape sequences, carriage returns, marks that turn the direction of writing) is printed as \\u001b and the like, which
in JSON is the same text. Only files and pipes get tables and pages as they are.
"""

from __future__ import annotations

import codecs
import io
import re
import sys
from contextlib import suppress
from typing import BinaryIO, cast

import click

from dowse.core.phrasing import UNSAFE

_LEFT = "\t\n"


def safe(text: str) -> str:
    """
    >>> safe("a\\tb\\n\\x1b[31mred")
    'a\\tb\\n\\\\u001b[31mred'
    """
    return UNSAFE.sub(_written, text)


def _written(found: re.Match[str]) -> str:
    return "".join(letter if letter in _LEFT else f"\\u{ord(letter):04x}" for letter in found[0])


def say(text: str, *, err: bool = False) -> None:
    """Print a text and end its line."""
    click.echo(safe(text), err=err)


def say_in_bold(text: str, begin: str, end: str) -> None:
    """Print a text that is bold between two marks; they are ours, and take no column."""
    click.echo(safe(text).replace(begin, click.style("", bold=True, reset=False)).replace(end, click.style("")))


def standard_output() -> BinaryIO:
    """Where tables and pages go: to a pipe as they are, to a terminal so that they do not steer it."""
    sys.stdout.flush()
    return cast(BinaryIO, _Terminal(sys.stdout.buffer)) if sys.stdout.isatty() else sys.stdout.buffer


class _Terminal(io.BufferedIOBase):
    """Takes the bytes of texts in UTF-8, in pieces."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def writable(self) -> bool:
        return True

    def write(self, data: bytes, /) -> int:  # type: ignore[override]
        self._stream.write(safe(self._decoder.decode(bytes(data))).encode("utf-8", "replace"))
        return len(data)

    def flush(self) -> None:
        with suppress(ValueError):  # when Python ends, it may be closed already
            self._stream.flush()
