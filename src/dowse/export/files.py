"""Files that the user names to be written: whole or not at all."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import BinaryIO, TextIO

from dowse.core.errors import FileUnwritable


@contextmanager
def writing(path: str | Path) -> Iterator[BinaryIO]:
    """A file that takes its place when it is complete; one that was there before stays until then."""
    target = Path(os.path.realpath(path))  # a link stays one, and what it leads to is written
    part: Path | None = None
    try:
        stream, part = _begin(target)
        with stream:
            yield stream
        if part is not None:
            if target.exists():
                shutil.copymode(target, part)  # what was private stays so
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


def _begin(target: Path) -> tuple[BinaryIO, Path | None]:
    """The file to write to and, unless that is a device or a pipe, what is put in the place of the other later."""
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if target.exists():
        if not target.is_file():
            return target.open("wb"), None
        target.open("ab").close()  # whoever may not change it may not replace it
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    return part.open("wb"), part
