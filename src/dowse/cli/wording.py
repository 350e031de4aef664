"""The words that commands are told in: those of `dowse.core.phrasing` and `dowse.export.text_layout`."""

from __future__ import annotations

from dowse.core.phrasing import (
    counted,
    duration_text,
    printable,
    share_text,
    shortened,
    shortened_url,
    size_text,
    state_text,
)
from dowse.export.text_layout import WIDTH, clock_text, facts, moment_text, poured, wrapped

__all__ = [
    "WIDTH",
    "clock_text",
    "counted",
    "duration_text",
    "facts",
    "moment_text",
    "poured",
    "printable",
    "share_text",
    "shortened",
    "shortened_url",
    "size_text",
    "state_text",
    "wrapped",
]
