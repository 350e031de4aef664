"""Labels: a file that says which pages are relevant.

    url,relevant            CSV, also with semicolons or tabs, with a head: the address or path, and (if there is such
                            a column) 1, yes or true, or else 0, no or false
    https://e.org/a,1
    https://e.org/b,0

or one address a line, all relevant.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from pathlib import Path

from dowse.core.errors import JobError

_PLACES = ("url", "path", "page")
_MARKS = ("relevant", "relevance", "label")
_ADDRESS = re.compile(r"\s*+[^\s<>/.]*+[/.][^\s<>]*+\s*+")
_YES = frozenset({"1", "yes", "true", "relevant", "y"})
_NO = frozenset({"0", "no", "false", "irrelevant", "n", ""})


def read_labels(file: Path, address: Callable[[str], str]) -> set[str]:
    """The URLs of the relevant pages; `address` makes a URL of what the file says."""
    try:
        text = file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise JobError(f"{file}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise JobError(f"{file}: not a text in UTF-8 (byte {error.start})") from error
    lines = [line for line in text.splitlines() if line.strip()]
    rows = list(csv.reader(lines, delimiter=_delimiter(lines[0]) if lines else ","))
    head = [cell.strip().lower() for cell in rows[0]] if rows else []
    place = next((head.index(name) for name in _PLACES if name in head), None)
    mark = next((head.index(name) for name in _MARKS if name in head), None)
    if place is not None:
        rows = rows[1:]
    elif not all(map(_ADDRESS.fullmatch, lines)):
        raise JobError(f"{file}: there is no column {' or '.join(_PLACES)}; its first line is {lines[0][:80]!r}")
    else:
        rows, mark = [[line] for line in lines], None
    found = {
        address(row[place or 0].strip())
        for number, row in enumerate(rows, 1)
        if len(row) > (place or 0) and (mark is None or _is_relevant(file, number, row, mark))
    }
    if not found:
        raise JobError(f"{file}: no page is marked as relevant; give a column url, and 1 in a column relevant")
    return found


def _delimiter(head: str) -> str:
    return next((mark for mark in "\t;," if mark in head), ",")


def _is_relevant(file: Path, number: int, row: list[str], mark: int) -> bool:
    word = row[mark].strip().lower() if len(row) > mark else ""
    if word not in _YES | _NO:
        raise JobError(f"{file}: label {number} is {word!r}; write 1, yes or true for relevant, 0, no or false for not")
    return word in _YES
