"""Labels: a file that says which pages are relevant.

    url,relevant            CSV or TSV with a head: the address or path, and (if there is such a column) 1, yes or true
    https://e.org/a,1
    https://e.org/b,0

or one address a line, all relevant.
"""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

from dowse.core.errors import JobError

_PLACES = ("url", "path", "page")
_MARKS = ("relevant", "label")
_YES = frozenset({"1", "yes", "true", "relevant", "y"})


def read_truth(file: Path, address: Callable[[str], str]) -> set[str]:
    """The URLs of the relevant pages; `address` makes a URL of what the file says."""
    try:
        text = file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise JobError(f"{file}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise JobError(f"{file}: not a text in UTF-8 (byte {error.start})") from error
    lines = [line for line in text.splitlines() if line.strip()]
    rows = list(csv.reader(lines, delimiter="\t" if lines and "\t" in lines[0] else ","))
    head = [cell.strip().lower() for cell in rows[0]] if rows else []
    place = next((head.index(name) for name in _PLACES if name in head), None)
    mark = next((head.index(name) for name in _MARKS if name in head), None)
    if place is None:
        place, mark = 0, None
    else:
        rows = rows[1:]
    found = {
        address(row[place].strip())
        for row in rows
        if len(row) > place and (mark is None or (len(row) > mark and row[mark].strip().lower() in _YES))
    }
    if not found:
        raise JobError(f"{file}: no page is marked as relevant; give a column url, and 1 in a column relevant")
    return found
