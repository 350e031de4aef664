"""Numbers, times and foreign texts as a terminal may show them."""

from __future__ import annotations

import re
import time

# C0 and C1 controls, and the marks that turn the direction of writing: a page's title must not steer the terminal.
UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]+")


def printable(text: str) -> str:
    """A text from the web without what would steer the terminal."""
    return UNSAFE.sub(" ", text)


def shortened(text: str, width: int) -> str:
    """The text cut to a width, with a mark that it was."""
    return text if len(text) <= width else text[: width - 1] + "…"


def size_text(size: float) -> str:
    """Bytes in the unit that keeps the number short: 140.2 MB."""
    for unit in ("B", "kB", "MB", "GB"):
        if size < 1000:
            return f"{size:.0f} B" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} TB"


def duration_text(seconds: float) -> str:
    """A length of time: 0:12, 3:05, 1:02:03."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def moment_text(timestamp: float) -> str:
    """A point in time, on the clock of this machine."""
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(timestamp))


def state_text(state: str) -> str:
    """A state's name as words: out of scope, refused by robots."""
    return "refused by robots" if state == "robots" else state.replace("_", " ")
