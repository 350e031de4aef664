"""The modes by name: those of dowse, and those that other packages bring by the entry point group `dowse.modes`."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from dowse.core.errors import JobError
from dowse.modes.mode import Mode

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

NAMES = ("site", "rules", "explore", "focus", "files")
"""The modes of dowse, in the order of the manual."""

GROUP = "dowse.modes"


@cache
def find_mode(name: str) -> Mode[Any]:
    """The mode of that name. Raises JobError if there is none."""
    if name in NAMES:
        found: Mode[Any] = import_module(f"dowse.modes.{name}.mode").MODE
        return found
    if name not in _others():
        raise JobError(f"mode: expected one of {', '.join(mode_names())}; got {name!r}")
    found = _others()[name].load()
    if not isinstance(found, Mode) or found.name != name:
        raise JobError(f"mode: the entry point {name} of {GROUP} is not a mode of that name, but {found!r}")
    return found


def mode_names() -> tuple[str, ...]:
    """The names of all modes."""
    return (*NAMES, *_others())


def modes() -> Iterator[Mode[Any]]:
    """All modes, those of dowse first."""
    return map(find_mode, mode_names())


@cache
def _others() -> dict[str, EntryPoint]:
    if not _is_any_installed():
        return {}
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=GROUP) if point.name not in NAMES}


def _is_any_installed() -> bool:
    """Whether a package on the path names the group at all.

    Asking `importlib.metadata` takes 25 ms, a quarter of what `dowse --help` takes; to look for the words, 2.
    """
    mark = f"[{GROUP}]".encode()
    return any(mark in content for folder in sys.path for content in _entry_points_in(folder or "."))


def _entry_points_in(folder: str) -> Iterator[bytes]:
    try:
        names = [name for name in os.listdir(folder) if name.endswith((".dist-info", ".egg-info"))]
    except OSError:  # not a folder, or not there
        return
    for name in names:
        with suppress(OSError), open(os.path.join(folder, name, "entry_points.txt"), "rb") as stream:
            yield stream.read()
