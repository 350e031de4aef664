"""What a crawl for files shows in its report: how the files came, of which types they are, and where they hung."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from dowse.core.exhibits import Curve, Exhibit, Listing, Row
from dowse.core.phrasing import counted, share_text, size_text
from dowse.modes.best_first import harvest_line

if TYPE_CHECKING:
    from dowse.crawl import Crawl

MOST_ROWS = 25


def exhibits(crawl: Crawl) -> Iterator[Exhibit]:
    found = harvest_line(crawl, "files")
    if not found.values:
        return
    number, answers = int(found.values[-1]), len(found.values)
    title = f"{counted(number, 'file')} came with {counted(answers, 'answer')}"
    yield Curve("harvest", "Harvest", title, "Files, after each answer.", "answers", (found,))
    places: Counter[str] = Counter()
    types: Counter[str] = Counter()
    place_sizes: Counter[str] = Counter()
    type_sizes: Counter[str] = Counter()
    for row in crawl.frame("files"):
        place, type_ = row["found_on"] or "", row["media_type"] or "unknown"
        places[place] += 1
        types[type_] += 1
        place_sizes[place] += row["size"] or 0
        type_sizes[type_] += row["size"] or 0
    if not places:
        return
    yield _places(places, place_sizes)
    rows = [
        Row(name, value=count, cells=_cells(count, type_sizes[name])) for name, count in types.most_common(MOST_ROWS)
    ]
    title = f"{share_text(rows[0].value, number).capitalize()} of the files are {rows[0].text}"
    yield Listing("file-types", "Files", title, "As the servers said.", ("type", "files", "bytes"), rows)


def _places(places: Counter[str], sizes: Counter[str]) -> Listing:
    first = places.most_common(1)[0][1]
    rows = [
        Row(url or "a seed", url, value=count, cells=_cells(count, sizes[url]))
        for url, count in places.most_common(MOST_ROWS)
    ]
    title = f"The files hung on {counted(len(places), 'page')}, up to {first:,} on one"
    left = len(places) - len(rows)
    note = "The pages that linked to files first." + (
        f" {counted(left, 'more page is', 'more pages are')} not shown." if left else ""
    )
    return Listing("hung-on", "Where files hung", title, note, ("page", "files", "bytes"), rows)


def _cells(count: int, size: int) -> tuple[str, str]:
    return f"{count:,}", size_text(size)
