"""Files that the user names to be written: whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import BinaryIO, TextIO

from dowse.core.errors import FileUnwritable


@contextmanager
def writing(path: str | Path, *, private: bool = False) -> Iterator[BinaryIO]:
    """A file that takes its place when it is complete; one that was there before stays until then.

    A `private` one is for its owner alone, and so is what takes the place of one that was, from its first byte on.
    """
    target = Path(os.path.realpath(path))  # a link stays one, and what it leads to is written
    part: Path | None = None
    try:
        stream, part = _begin(target, private)
        with stream:
            yield stream
        if part is not None:
            part.replace(target)
    except OSError as error:
        raise FileUnwritable(f"{path} cannot be written: {error.strerror or error}") from error
    finally:
        if part is not None:
            part.unlink(missing_ok=True)


@contextmanager
def as_text(stream: BinaryIO) -> Iterator[TextIO]:
    """The stream for texts, in UTF-8; it stays open."""
    text = TextIOWrapper(stream, "utf-8", newline="")
    try:
        yield text
    finally:
        text.detach()  # which writes what is left


def _begin(target: Path, private: bool) -> tuple[BinaryIO, Path | None]:
    """The file to write to and, unless that is a device or a pipe, what is put in the place of the other later."""
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if target.exists():
        if not target.is_file():
            return target.open("wb"), None
        target.open("ab").close()  # whoever may not change it may not replace it
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    part.unlink(missing_ok=True)  # what a process that was killed left may be open to all
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600 if private else 0o666)
    if target.exists():
        mode = stat.S_IMODE(target.stat().st_mode)
        os.fchmod(descriptor, mode & 0o700 if private else mode)
    return os.fdopen(descriptor, "wb"), part
