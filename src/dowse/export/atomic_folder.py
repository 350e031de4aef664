"""Folders that are there as a whole or not at all: they grow under another name, and take their place when complete."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from dowse.core.errors import FileUnwritable

MayReplace = Callable[[Path], bool]
"""Whether a folder that has something in it is older work of the same kind."""


def check_free(folder: Path, may_replace: MayReplace = lambda _folder: False) -> bool:
    """Raise FileUnwritable if what is in the place of a folder has to stay. Whether there is something to replace."""
    has_something = folder.exists() and (not folder.is_dir() or any(folder.iterdir()))
    if has_something and not (folder.is_dir() and may_replace(folder)):
        raise FileUnwritable(f"{folder} has something in it already; name another folder, or remove it")
    return has_something


@contextmanager
def growing_folder(folder: Path, may_replace: MayReplace = lambda _folder: False) -> Iterator[Path]:
    """A new folder to write to, which takes its place in the end."""
    has_something = check_free(folder, may_replace)
    part, old = (folder.with_name(f".{folder.name}.{os.getpid()}.{state}") for state in ("part", "old"))
    try:
        part.mkdir(parents=True)
        yield part
        if has_something:
            folder.replace(old)
        part.replace(folder)
    except OSError as error:
        raise FileUnwritable(f"{folder} cannot be written: {error.strerror or error}") from error
    finally:
        for left in (part, old):
            shutil.rmtree(left, ignore_errors=True)
