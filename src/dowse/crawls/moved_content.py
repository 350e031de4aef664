"""What became of pages, by their stored content: those that are gone and are there at another address, and those in
whose place one and the same page stands, as from servers that never say 404."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from dowse.core.errors import CrawlError
from dowse.core.job import Job
from dowse.parse.decode import charset_name
from dowse.parse.media import is_html, media_type
from dowse.parse.page import Page
from dowse.store.folder import bodies_of
from dowse.store.revisits.moved_pages import MayBeMoved
from dowse.store.revisits.soft_missing import Turned

if TYPE_CHECKING:
    from dowse.store.warc.body_reader import BodyReader

LEAST_ALIKE = 0.8
"""The share of the characters of both pages that stand in lines which they have in common."""

LEAST_TEXT = 100
"""Characters of a page that says enough to know it again."""

FEWEST_MISSING = 2
"""Different pages that have to have become one and the same before they count as missing."""

MOST_REGRET = 1_500
"""Characters of a page that has no more to say than that nothing is there."""

MOST_PAGES = 2_000
"""Pages that are looked for in one run."""


class StoredContent:
    """Reads the stored pages of a crawl and says which of them have the same content."""

    def __init__(self, job: Job) -> None:
        self._directory = bodies_of(Path(job.output))
        self._charset = charset_name(job.fetch.charset)

    def moved(self, lost: list[MayBeMoved]) -> dict[MayBeMoved, str]:
        """Where pages are that are gone: at the address of a new one that says the same, if that is one alone."""
        found = {}
        with closing(self._bodies()) as bodies:
            for page in lost[:MOST_PAGES]:
                lines = self._lines(bodies, page.body)
                alike = [url for url, body in page.others if are_alike(lines, self._lines(bodies, body))]
                if len(alike) == 1:
                    found[page] = alike[0]
        return found

    def missing(self, group: list[Turned], shown: list[str]) -> list[Turned]:
        """Pages in whose place one and the same stands, that was not there before. That is so of a single one, too, if
        it is what its server shows where nothing is, or says itself that nothing is there."""
        with closing(self._bodies()) as bodies:
            for first in group[:FEWEST_MISSING]:
                lines = self._lines(bodies, first.later, first.url)
                found = [page for page in group[:MOST_PAGES] if self._became(bodies, page, lines)]
                if len(found) >= FEWEST_MISSING:
                    return [page for page in found if page.change]
            for place in shown:
                lines = self._lines(bodies, place, "/robots.txt")
                if found := [page for page in group[:MOST_PAGES] if page.change and self._became(bodies, page, lines)]:
                    return found
            return [page for page in group[:MOST_PAGES] if page.change and self._regrets(bodies, page)]

    def _became(self, bodies: BodyReader, page: Turned, lines: Sequence[str]) -> bool:
        """Whether a page has this content now, and had another."""
        later, earlier = self._lines(bodies, page.later, page.url), self._lines(bodies, page.earlier, page.url)
        return are_alike(lines, later, 1) and not are_alike(lines, earlier, 1)

    def _regrets(self, bodies: BodyReader, page: Turned) -> bool:
        from dowse.extract.missing_titles import says_missing  # few runs have any such page

        if not says_missing(page.title) or says_missing(page.before):
            return False
        return 0 < sum(map(len, self._lines(bodies, page.later))) <= MOST_REGRET

    def _bodies(self) -> BodyReader:
        from dowse.store.warc.body_reader import BodyReader  # a first crawl reads nothing back

        return BodyReader(self._directory)

    def _lines(self, bodies: BodyReader, location: str, url: str = "") -> list[str]:
        """The content of a stored page; nothing of what is no page, or cannot be read. A page that is shown for others
        may name the one that was asked for, by its `url`."""
        from dowse.extract.content_changes import content_lines  # few runs have any such page

        try:
            answer = bodies.read(location) if location else None
        except CrawlError:
            answer = None
        if answer is None or not is_html(kind := media_type(answer.headers, answer.body)):
            return []
        lines = content_lines(Page(answer, "", kind, charset=self._charset))
        path = "/" + url.partition("://")[2].partition("/")[2] if "://" in url else url
        return [line.replace(url, "").replace(path, "") for line in lines] if len(path) > 1 else lines


def are_alike(one: Sequence[str], other: Sequence[str], least: int = LEAST_TEXT) -> bool:
    """Whether two pages have nearly the same content, of so many characters at `least`.

    >>> fish = ["Fish", "The fish is caught in the river at night, with nets and lines, by old men.", "Nets"]
    >>> are_alike(fish, [*fish, "Boats"], 50), are_alike(fish, ["Fish", "Nets"], 10)
    (True, False)
    """
    from dowse.extract.content_changes import changed_runs, is_noise

    total = sum(map(len, one)) + sum(map(len, other))
    differing = 0
    for start, end, first, last in changed_runs(one, other):
        if end - start == last - first:
            pairs = zip(one[start:end], other[first:last], strict=True)
            differing += sum(len(line) + len(to) for line, to in pairs if not is_noise(line, to))
        else:
            differing += sum(map(len, one[start:end])) + sum(map(len, other[first:last]))
    return total >= 2 * least and total - differing >= LEAST_ALIKE * total
