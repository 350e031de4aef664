"""What does not go as asked, told as Python tells it: a warning at the line that called, with options as keywords."""

from __future__ import annotations

import re
import sys
import warnings
from pathlib import Path

from dowse.engine.events import Event, Problem
from dowse.engine.loop import Listener
from dowse.modes.registry import modes

_PACKAGE = str(Path(__file__).parent.parent)
_TYPED = re.compile(r"(?<![\w-])--(?P<name>[a-z][a-z-]*)(?P<value> [a-z]+)?")


def warning(listener: Listener) -> Listener:
    """Tells what is wrong with what a crawl was given in Python's own way, and the rest to somebody else."""

    def tell(event: Event) -> None:
        if isinstance(event, Problem) and event.is_error:
            warn(event.text)
        listener(event)

    return tell


def _as_keywords(text: str) -> str:
    """What is said of options as they are typed, in the words of Python: fetch='browser' for --fetch browser."""
    choices = {setting.name: setting.choices for mode in modes() for setting in mode.settings}

    def keyword(found: re.Match[str]) -> str:
        name, value = found["name"].replace("-", "_"), found["value"]
        if name not in choices:
            is_off = name.removeprefix("no_") in choices and name.startswith("no_")
            return f"{name.removeprefix('no_')}=False{value or ''}" if is_off else found[0]
        return f"{name}={value.strip()!r}" if value and value.strip() in choices[name] else f"{name}{value or ''}"

    return _TYPED.sub(keyword, text)


def warn(text: str) -> None:
    """Warn of something at the line that called dowse, however deep inside we are."""
    text = _as_keywords(text)
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        level, frame = level + 1, frame.f_back
    warnings.warn(text, stacklevel=level)
