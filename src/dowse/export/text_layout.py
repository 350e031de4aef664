"""Texts within the lines of a terminal, and points in time on the clock of this machine."""

from __future__ import annotations

import re
import textwrap
import time
import unicodedata
from collections.abc import Iterable, Iterator

from dowse.core.phrasing import printable

WIDTH = 80
"""Columns that output keeps to, but for addresses and what else cannot be broken."""

_HALF_A_DAY = 12 * 3600.0

# Numbers stay with what they count, and with what they are the value of.
_AT_A_NUMBER = re.compile(r"(?<=\d) (?=[a-zA-Z]{1,2}(?:,|$))| (?=[\d.]+[,)])")


def moment_text(timestamp: float) -> str:
    """A point in time, on the clock of this machine."""
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(timestamp))


def clock_text(timestamp: float) -> str:
    """A point in time within a day: 14:03:05; one further off with its date."""
    if abs(timestamp - time.time()) > _HALF_A_DAY:
        return moment_text(timestamp)
    return time.strftime("%H:%M:%S", time.localtime(timestamp))


def wrapped(text: str, indent: int, first: int = 0) -> str:
    """A text in lines of at most `WIDTH` columns, broken between words; all but the first line are indented.

    `first` is how far to the right the first begins, where that is not what they are indented by.
    """
    lines = textwrap.wrap(
        _AT_A_NUMBER.sub("\xa0", text),
        WIDTH,
        initial_indent=" " * (first or indent),
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join(lines).lstrip(" ").replace("\xa0", " ")


def poured(text: str, indent: int) -> str:
    """A text of any script in lines of at most `WIDTH` columns, all but the first indented.

    Lines are broken between words; where there is no space for a whole line, as in Chinese, between characters. What
    takes two columns counts so.
    """
    lines, line, used = [], "", indent
    for word in text.split():
        width = _columns(word)
        if line and used + 1 + width <= WIDTH:
            line, used = f"{line} {word}", used + 1 + width
            continue
        if line and (width <= WIDTH - indent or used > WIDTH // 2):
            lines.append(line)
            line, used = "", indent
        line, used = (f"{line} ", used + 1) if line else ("", indent)
        for character in word:
            if used + _columns(character) > WIDTH:
                lines.append(line)
                line, used = "", indent
            line, used = line + character, used + _columns(character)
    return f"\n{'':{indent}}".join((*lines, line))


def _columns(text: str) -> int:
    """How many columns of a terminal a text takes."""
    return len(text) if text.isascii() else sum(map(_column, text))


def _column(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf", "Co"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def facts(rows: Iterable[tuple[str, str]], indent: str = "") -> Iterator[str]:
    """Names and values in two columns; a name that comes again is written once."""
    before = ""
    first = len(indent) + 17
    for name, value in rows:
        yield f"{indent}{name if name != before else '':<17}{wrapped(printable(value), first + 2, first)}"
        before = name
