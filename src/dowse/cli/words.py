"""The words of `dowse.core.words`, and points in time on the clock of this machine."""

from __future__ import annotations

import time

from dowse.core.words import counted, duration_text, printable, shortened, size_text, state_text

__all__ = ["counted", "duration_text", "moment_text", "printable", "shortened", "size_text", "state_text"]


def moment_text(timestamp: float) -> str:
    """A point in time, on the clock of this machine."""
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(timestamp))
