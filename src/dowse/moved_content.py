"""Pages that a recrawl found gone, and that are there at another address with nearly the same content."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from dowse.core.errors import CrawlError
from dowse.core.job import Job
from dowse.parse.decode import charset_name
from dowse.parse.media import is_html, media_type
from dowse.parse.page import Page
from dowse.store.folder import BODIES
from dowse.store.revisits.moved_pages import MayBeMoved
from dowse.store.warc.body_reader import BodyReader

LEAST_ALIKE = 0.8
"""The share of the characters of both pages that stand in lines which they have in common."""

LEAST_TEXT = 100
"""Characters of a page that says enough to know it again."""

MOST_PAGES = 2_000
"""Pages that are looked for in one run."""


def moved_pages(lost: list[MayBeMoved], job: Job) -> dict[MayBeMoved, str]:
    """Where pages are that are gone: at the address of a new one that says the same, if that is one alone."""
    bodies = BodyReader(Path(job.output) / BODIES)
    charset = charset_name(job.fetch.charset)
    found = {}
    try:
        for page in lost[:MOST_PAGES]:
            lines = _lines(bodies, page.body, charset)
            alike = [url for url, body in page.others if are_alike(lines, _lines(bodies, body, charset))]
            if len(alike) == 1:
                found[page] = alike[0]
    finally:
        bodies.close()
    return found


def are_alike(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two pages have nearly the same content.

    >>> fish = ["Fish", "The fish is caught in the river at night, with nets and lines, by old men of it.", "Nets"]
    >>> are_alike(fish, [*fish, "Boats"]), are_alike(fish, ["Fish", "Nets"])
    (True, False)
    """
    from dowse.extract.content_changes import changed_runs, is_noise  # few runs have any such page

    total = sum(map(len, one)) + sum(map(len, other))
    differing = 0
    for start, end, first, last in changed_runs(one, other):
        if end - start == last - first:
            pairs = zip(one[start:end], other[first:last], strict=True)
            differing += sum(len(line) + len(to) for line, to in pairs if not is_noise(line, to))
        else:
            differing += sum(map(len, one[start:end])) + sum(map(len, other[first:last]))
    return total >= 2 * LEAST_TEXT and total - differing >= LEAST_ALIKE * total


def _lines(bodies: BodyReader, location: str, charset: str) -> list[str]:
    """The content of a stored page; nothing of what is no page, or cannot be read."""
    from dowse.extract.content_changes import content_lines

    try:
        answer = bodies.read(location)
    except CrawlError:
        return []
    kind = media_type(answer.headers, answer.body)
    return content_lines(Page(answer, "", kind, charset=charset)) if is_html(kind) else []
