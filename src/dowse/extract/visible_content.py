"""What a page shows, so that it can be compared with the same page after its scripts have run."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xxhash import xxh3_64_intdigest

from dowse.core.model import Response
from dowse.core.record import APART
from dowse.core.rendering_gain import Shown
from dowse.extract.extractors import Extractor
from dowse.extract.state_records import records_of
from dowse.parse.page import Page


def looking(extractors: Sequence[Extractor]) -> Callable[[Response], Shown]:
    """A look at pages that sees links, text and what these extractors find."""

    def look(response: Response) -> Shown:
        page = Page(response)
        links = {xxh3_64_intdigest(link.url.encode()) for link in page.links}
        lines = (line.strip() for line in page.text.splitlines())
        records = records_of(page, extractors)
        fields = sum(len(record.fields) for record in records if record.kind not in APART)
        return Shown(
            links, {xxh3_64_intdigest(line.encode("utf-8", "replace")): len(line) for line in lines if line}, fields
        )

    return look


def lacking(extractors: Sequence[Extractor]) -> Callable[[Response], bool] | None:
    """Whether a page has nothing that these extractors would take; None where nothing is asked for."""
    if not extractors:
        return None

    def lacks(response: Response) -> bool:
        page = Page(response)
        return not any(record.kind not in APART for each in extractors for record in each.extract(page))

    return lacks
