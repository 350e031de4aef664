"""Exploration: the crawls that look for known links, and what is remembered of their pages.

DIR            the crawl that looks for the links, in rounds
DIR/tried-1    pages that a table would visit, and that the first crawl did not visit
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import nlargest
from pathlib import Path
from typing import Any

from dowse import app
from dowse.config import make_job
from dowse.core.errors import CrawlError
from dowse.core.job import Job
from dowse.core.scope import Scope
from dowse.core.url_keys import UrlKeys
from dowse.core.urls import resolve
from dowse.engine.loop import Listener
from dowse.parse.page import Page
from dowse.rank.url_likeness import Likeness
from dowse.rule_learning.explored_pages import Explored
from dowse.rule_learning.next_pages import headings, likely, shared_links
from dowse.rule_learning.seen_pages import SeenPage, see
from dowse.store.folder import bodies_of, holds_crawl
from dowse.store.warc.body_reader import BodyReader

_FIRST_ROUNDS = (1, 10, 20, 30, 45, 70, 100)
"""Pages explored before the rounds grow: a start page that lists all examples is mostly enough."""
_TRIED = "tried"
_LOOKED_BACK, _SHARED = 20, 6
"""Pages looked at in the end: so many at most, and so many of those that all examples link to if a list is known."""
_EXAMPLES_FIRST, _UP = 3, 6
"""Examples that are looked at first where the start does not list them, and pages that they and the start link to."""
_LEADS = 100
"""Pages like those that hold some examples, looked at for the others at once."""


class Exploration:
    """An exploring crawl, the crawls that tried tables, and the pages read from them so far."""

    def __init__(self, job: Job, options: dict[str, Any]) -> None:
        self._job = job
        self.start = job.seeds[0]
        self.base = resolve("", self.start) or ""
        self.want = job.options.want  # type: ignore[attr-defined]
        self._given = options
        self._keys = UrlKeys(job.urls)
        self._scope = Scope(job.scope, job.limits, {self._keys.request(self.base).host})
        self._seen: dict[str, SeenPage] = {}
        self._stored: dict[str, tuple[BodyReader, str]] = {}
        self._readers: dict[Path, BodyReader] = {}
        self._moved: dict[str, str] = {}
        self._asked: set[str] = set()
        self._dead: set[str] = set()
        self._tried = 0
        self.is_complete = False

    def close(self) -> None:
        for reader in self._readers.values():
            reader.close()

    def run(self, listener: Listener | None) -> None:
        """Crawl on, in rounds, until every example was seen or the limit is reached."""
        limit = self._job.limits.max_pages
        pages = self._stored_before()
        goal = max(_FIRST_ROUNDS[0], pages)
        while not self.is_complete:
            goal = min(goal, limit - self._tried) if limit else goal
            if pages < goal:
                pages = self._round(goal, listener)
            if pages == _FIRST_ROUNDS[0] and not self._is_enough(pages):
                self._look_up(limit, listener)
            if pages >= _FIRST_ROUNDS[-1]:
                self._follow_leads(limit, listener)
            if self._is_enough(pages) or (limit and pages + self._tried >= limit):
                break
            goal = next((size for size in _FIRST_ROUNDS if size > goal), goal * 2)
        self._look_back(limit, listener)

    def _is_enough(self, pages: int) -> bool:
        """Whether one page links to all examples; after the first rounds, whether each of them was seen at all."""
        if pages >= _FIRST_ROUNDS[-1]:
            return len(self.as_linked(self.want)) == len(self.want)
        return self._is_listed()

    def _is_listed(self) -> bool:
        """Whether one page, other than an example, links to all examples."""
        found = set(self.as_linked(self.want).values())
        lists = (page for page in self._reached() if page.url not in found)
        return len(found) == len(self.want) and any(found <= {each.url for each in page.anchors} for page in lists)

    def _look_up(self, limit: int, listener: Listener | None) -> None:
        """Look at some examples, and at pages that these and the start link to: one of them is mostly their list."""
        self._look_at(self.want[:_EXAMPLES_FIRST], limit, listener)
        looked_at = [self._moved.get(url, url) for url in self.want[:_EXAMPLES_FIRST]]
        examples = [self._seen[url] for url in looked_at if url in self._seen]
        if len(examples) > 1:
            start = [page for page in self._reached() if page not in examples]
            listed = {anchor.url for page in start for anchor in page.anchors}
            shared = [url for url in shared_links(examples, [*examples, *start]) if url in listed]
            self._look_at(nlargest(_UP, shared, key=Likeness(self.want).of), limit, listener)

    def _look_back(self, limit: int, listener: Listener | None) -> None:
        """Look at the examples, the headings above them, and the links they share: they may lead to their list."""
        found = list(self.as_linked(self.want).values())
        self._look_at(found, limit, listener)
        examples = [self._seen[url] for url in found if url in self._seen]
        pages = list(self._seen.values())
        shared = shared_links(examples, pages)
        self._look_at([*headings(found, pages), *(shared[:_SHARED] if self._is_listed() else shared)], limit, listener)

    def _look_at(self, urls: Iterable[str], limit: int, listener: Listener | None) -> None:
        new = [url for url in urls if url not in self._seen and self.may_visit(url) and self.may_try(url)]
        most = min(_LOOKED_BACK, limit - self.pages) if limit else _LOOKED_BACK
        if new and most > 0:
            self.try_out(new[:most], listener)

    def _follow_leads(self, limit: int, listener: Listener | None) -> None:
        """Look at pages like those that hold examples, as long as this finds further examples."""
        known = 0
        while known < len(found := self.as_linked(self.want)) < len(self.want):
            known = len(found)
            wanted = set(found.values())
            holders = [page.url for page in self._seen.values() if any(each.url in wanted for each in page.anchors)]
            links = {anchor.url for page in self._seen.values() for anchor in page.anchors} - self._seen.keys()
            open_links = [url for url in links if url not in self._moved and self.may_visit(url) and self.may_try(url)]
            most = min(_LEADS, limit - self.pages) if limit else _LEADS
            if most > 0 and (urls := likely(sorted(open_links), holders, most)):
                self.try_out(urls, listener)

    def _stored_before(self) -> int:
        if not holds_crawl(Path(self._job.output)):
            return 0
        crawl = app.read(self._job.output)
        if crawl.job.mode != self._job.mode or crawl.job.seeds != self._job.seeds:
            raise CrawlError(f"{self._job.output} holds another crawl; choose another folder (-o)")
        self.is_complete = crawl.stop_reason == "complete"
        self._read(Path(self._job.output))
        for tried in filter(holds_crawl, sorted(Path(self._job.output).glob(f"{_TRIED}-*"))):
            self._read(tried)
        return crawl.status().pages

    def _round(self, goal: int, listener: Listener | None) -> int:
        place = self._job.output
        if holds_crawl(Path(place)):
            summary = app.resume(place, listener, **{**self._given, "want": self.want, "max_pages": goal})
        else:
            options = {**self._given, "want": self.want, "max_pages": goal, "output": place}
            summary = app.start(make_job("explore", self._job.seeds, **options), listener)
        self.is_complete = summary.stop_reason == "complete"
        self._read(Path(place))
        return summary.pages

    def try_out(self, urls: Sequence[str], listener: Listener | None) -> None:
        """Fetch pages that a table would visit, and follow none of their links."""
        number = len(self._readers)
        place = Path(self._job.output) / f"{_TRIED}-{number}"
        options = {**self._given, "want": self.want, "depth": 0, "max_pages": 0, "output": place}
        summary = app.start(make_job("explore", urls, **options), listener)
        self._tried += summary.pages
        self._asked.update(urls)
        self._read(place)

    def _read(self, directory: Path) -> None:
        """Read the new pages of a crawl."""
        if directory not in self._readers:
            self._readers[directory] = BodyReader(bodies_of(directory))
        reader, crawl = self._readers[directory], app.read(directory)
        for stored in crawl.stored_pages():
            if stored.url not in self._seen:
                page = Page(reader.read(stored.location))
                if page.is_html and not page.trouble:
                    self._seen[stored.url] = see(page)
                    self._stored[stored.url] = reader, stored.location
        for row in crawl.ledger:
            if row["final_url"]:
                self._moved[row["url"]] = row["final_url"]
            if row["state"] == "failed":
                self._dead.add(row["url"])
        crawl.close()

    def _linked(self) -> dict[int, str]:
        """Every link of every page by its key, because a user may write an example differently than the page does."""
        return {
            self._keys.request(anchor.url).key_hash: anchor.url for page in self._reached() for anchor in page.anchors
        }

    def _reached(self) -> list[SeenPage]:
        """The pages that can be reached from the start over the others."""
        waiting = [self._moved.get(self.base, self.base)]
        reached: dict[str, SeenPage] = {}
        while waiting:
            page = self._seen.get(url := waiting.pop())
            if page is not None and url not in reached:
                reached[url] = page
                waiting += (self._moved.get(anchor.url, anchor.url) for anchor in page.anchors)
        return [page for url, page in self._seen.items() if url in reached]

    def as_linked(self, urls: Iterable[str]) -> dict[str, str]:
        """The URLs that an explored page links to, each with its spelling on that page."""
        linked = self._linked()
        return {url: linked[key] for url in urls if (key := self._keys.request(url).key_hash) in linked}

    def explored(self) -> Explored:
        """The explored pages so far. Raises CrawlError if the start page could not be read."""
        explored = Explored(list(self._seen.values()), self.base, self._moved, self.may_visit)
        if explored.start < 0:
            story = app.read(self._job.output).why(self.base)
            raise CrawlError(f"{self.base} could not be read: {(story and (story.reason or story.state)) or 'no page'}")
        return explored

    @property
    def pages(self) -> int:
        """How many pages were looked at."""
        return len(self._seen)

    def page(self, url: str) -> Page | None:
        """The page of a URL, where redirects lead, if it is stored."""
        known = self._stored.get(url) or self._stored.get(self._moved.get(url, ""))
        return Page(known[0].read(known[1])) if known else None

    def may_try(self, url: str) -> bool:
        """Whether a page may be fetched to try a table: once, and only within the scope of the exploring crawl."""
        host, home = self._keys.request(url).host, self._keys.request(self.base).host
        return url not in self._asked and not self._scope.refuse_walk(host, home, 0)

    def may_visit(self, url: str) -> bool:
        """Whether a rule crawl would visit a URL with success, as far as is known. Files are not visited."""
        return url not in self._dead and not self._scope.refuse(self._keys.request(url))
