"""The words that commands are told in: those of `dowse.core.phrasing` and `dowse.text_layout`."""

from __future__ import annotations

from dowse.core.phrasing import counted, duration_text, printable, shortened, size_text, state_text
from dowse.text_layout import clock_text, facts, moment_text, wrapped

__all__ = [
    "clock_text",
    "counted",
    "duration_text",
    "facts",
    "moment_text",
    "printable",
    "shortened",
    "size_text",
    "state_text",
    "wrapped",
]
