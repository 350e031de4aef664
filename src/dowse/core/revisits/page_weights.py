"""How much pages matter, as their user says it: lines of a URL or a regular expression, and a weight."""

from __future__ import annotations

import csv
from collections.abc import Iterable

from dowse.core.errors import JobError
from dowse.core.patterns import Patterns

Rows = tuple[tuple[str, float], ...]

MOST_WEIGHT = 1e6
_URL = ("http://", "https://")
_HEADINGS = ("weight", "importance")


def parse_weights(lines: Iterable[str], name: str) -> Rows:
    """The rows of a CSV file with two columns; `name` is what messages call it.

    >>> parse_weights(["url,weight", "https://example.org/,5", "/archive/,0.1"], "weights.csv")
    (('https://example.org/', 5.0), ('/archive/', 0.1))
    """
    found = []
    try:
        for number, row in enumerate(csv.reader(lines), 1):
            if not row or not "".join(row).strip() or row[0].lstrip().startswith("#"):
                continue
            if number == 1 and row[-1].strip().lower() in _HEADINGS:
                continue
            found.append(_row(row, f"weights: {name}, line {number}"))
    except csv.Error as error:
        raise JobError(f"weights: {name} is no CSV file: {error}") from None
    if not found:
        raise JobError(f"weights: {name} has no rows; each is a URL or a regular expression, a comma and a weight")
    return tuple(found)


def _row(row: list[str], where: str) -> tuple[str, float]:
    text = row[0].strip()
    try:
        weight = float(row[1]) if len(row) == 2 and text else -1.0
    except ValueError:
        weight = -1.0
    if not 0.0 <= weight <= MOST_WEIGHT:
        raise JobError(f"{where}: expected a URL or a regular expression, a comma and a weight from 0 to 1,000,000")
    return text, weight


class PageWeights:
    """Weights by URL: that of the row which is the URL, else of the first one whose expression is found in it, else 1.
    What begins with http:// or https:// is a URL.

    >>> weights = PageWeights((("https://example.org/", 5.0), ("/archive/", 0.1)))
    >>> weights.of("https://example.org/"), weights.of("https://example.org/archive/3"), weights.of("https://a.b/")
    (5.0, 0.1, 1.0)
    """

    def __init__(self, rows: Rows) -> None:
        self._exact = {text: weight for text, weight in reversed(rows) if text.startswith(_URL)}
        self._first = {text: weight for text, weight in reversed(rows) if not text.startswith(_URL)}
        self._first = dict(reversed(self._first.items()))
        self._patterns = Patterns("weights", list(self._first))

    def of(self, url: str) -> float:
        if url in self._exact:
            return self._exact[url]
        found = self._patterns.first(url)
        return self._first[found] if found else 1.0
