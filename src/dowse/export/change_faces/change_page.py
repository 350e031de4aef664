"""Changes as one HTML page, complete in itself: differences in colour, side by side where there is room, and filters.

The page loads nothing. Its policy lets through the one style sheet and the one script by their checksums, so nothing
that a crawled page put into its text can run. The script only hides what the reader does not want to see; without it
everything is shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TextIO

from dowse.core.revisits.changes import KINDS, AboutChanges, Change
from dowse.export.change_faces.change_words import field_rows, heading, short_pieces
from dowse.export.pages.page_heads import moment, subject
from dowse.export.pages.templates import number, write_document

MOST_CHANGES = 2_000
"""Changes that are shown; a page with more would not open any more. The other formats have them all."""

MOST_PASSAGES = 60


def write_page(about: AboutChanges, changes: Iterable[Change], stream: TextIO) -> int:
    """Write the page; the answer is how many changes are in it."""
    waiting = iter(changes)
    shown = list(islice(waiting, MOST_CHANGES))
    more = sum(1 for _ in waiting)
    shown.sort(key=lambda change: -change.number)
    counts = Counter(change.kind for change in shown)
    write_document(
        stream,
        "changes.html",
        ("colours.css", "theme.css", "changes.css"),
        "changes.js",
        subject=subject(about.seeds, about.name),
        span=_span(about, shown),
        pages=about.pages,
        lost=f" The first {number(len(shown))} are here, {number(more)} more in the other formats." if more else "",
        counts=[(kind, counts[kind]) for kind in KINDS if counts[kind]],
        filters=list(_filters(shown)),
        changes=shown,
        most_passages=MOST_PASSAGES,
        written_at=about.written_at,
        name=about.name,
        heading=heading,
        field_rows=field_rows,
        short_pieces=short_pieces,
    )
    return len(shown)


def _span(about: AboutChanges, shown: Sequence[Change]) -> str:
    if not shown:
        return f"Since {moment(about.since)}. " if about.since else ""
    return f"From {moment(about.since or shown[-1].at)} to {moment(shown[0].at)}. "


def _filters(shown: Sequence[Change]) -> Iterator[tuple[str, list[str]]]:
    """Boxes for what there is of each."""
    for name, values in (("kind", KINDS), ("what", sorted({change.what for change in shown}))):
        there = [value for value in values if any(getattr(change, name) == value for change in shown)]
        if len(there) > 1:
            yield name, there
