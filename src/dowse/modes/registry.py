"""The modes by name: those of dowse, and those that other packages bring by the entry point group `dowse.modes`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Any

from dowse.core.errors import JobError
from dowse.machine.plugins import installed, load_installed
from dowse.modes.mode import Mode

NAMES = ("site", "rules", "explore", "focus", "files", "forms", "forum")
"""The modes of dowse, in the order of the manual."""

GROUP = "dowse.modes"


@cache
def find_mode(name: str) -> Mode[Any]:
    """The mode of that name. Raises JobError if there is none."""
    if name in NAMES:
        found: Mode[Any] = import_module(f"dowse.modes.{name}.mode").MODE
        return found
    if name not in _others():
        offered = (each for each in mode_names() if each not in NAMES or not find_mode(each).hidden)
        raise JobError(f"mode: expected one of {', '.join(offered)}; got {name!r}")
    found = load_installed(GROUP, name)
    if not isinstance(found, Mode) or found.name != name:
        raise JobError(f"mode: the entry point {name} of {GROUP} is not a mode of that name, but {found!r}")
    return found


def mode_names() -> tuple[str, ...]:
    """The names of all modes."""
    return (*NAMES, *_others())


def modes() -> Iterator[Mode[Any]]:
    """All modes, those of dowse first."""
    return map(find_mode, mode_names())


def offered_modes() -> list[Mode[Any]]:
    """Those that a user can ask for; the others are parts of commands."""
    return [mode for mode in modes() if not mode.hidden]


def _others() -> list[str]:
    return [name for name in installed(GROUP) if name not in NAMES]
