"""Learning rules from examples: explore until the wanted links are found, find the table, and try it on what is stored.

start URL, wanted links -> exploring crawl, in rounds -> stored pages -> learning/ -> Lesson
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from msgspec import Struct

from dowse import app
from dowse.config import make_job, read_url
from dowse.core.errors import CrawlError, JobError
from dowse.core.job import ExploreOptions, Job
from dowse.core.rules import Rule
from dowse.core.scope import Scope
from dowse.core.urls import UrlKeys, resolve
from dowse.engine.loop import Listener
from dowse.learning.seen import Explored, SeenPage, see
from dowse.learning.tables import Proposal, propose, unexplored
from dowse.learning.trials import Applied, apply_table
from dowse.parse.page import Page
from dowse.store.bodies import FOLDER, BodyReader
from dowse.store.folder import DATABASE

_FIRST_ROUND = 100
_TRIALS = 2
_MOST_TRIED = 100
"""How often, and with how many pages, the best tables are tried beyond what was explored on the way to the examples."""
_TRIED = "tried"
_SAMPLES = 3


class LearnedRule(Struct, frozen=True):
    """What a rule does on the explored pages: on how many it is applied, how many links it matches, and some."""

    rule: Rule
    pages: int
    links: int
    samples: list[str]


class Rival(Struct, frozen=True):
    """Another table that keeps all examples: what it keeps and visits, and links that would tell it from the first."""

    rules: list[Rule]
    kept: int
    pages: int
    kept_by_it_alone: list[str]
    kept_by_the_first_alone: list[str]


class Lesson(Struct, frozen=True):
    """The table that was learned, and how it does on the pages that were explored.

    `ways` has for each example the pages that lead to it; `missing` are examples that no explored page links to. `kept`
    are all links that the table keeps. Of the `pages` that it would visit, at least, `unexplored` have not been looked
    at: they may hold more.
    """

    base_url: str
    rules: list[LearnedRule]
    ways: dict[str, list[str]]
    missing: list[str]
    kept: list[str]
    pages: int
    unexplored: int
    explored: int
    is_whole_site: bool
    rivals: list[Rival]

    @property
    def table(self) -> list[Rule]:
        """The rules alone."""
        return [learned.rule for learned in self.rules]

    def write(self, place: str) -> None:
        """Put the table into a file or a database, in the place of the rules that are there."""
        app.write_rules(self.table, place)

    @property
    def others(self) -> list[str]:
        """What the table keeps beside the examples."""
        return [url for url in self.kept if url not in self.ways]


def learn(
    url: str,
    want: Sequence[str],
    unlike: Sequence[str] = (),
    listener: Listener | None = None,
    **options: Any,
) -> Lesson:
    """Learn a rule table. Options are those of the exploring crawl; `output` keeps it, or goes on with what is there.

    Raises JobError where the question is wrong, CrawlError where no table can be found.
    """
    want, unlike = _urls("want", want), _urls("unlike", unlike)
    if both := set(want) & set(unlike):
        raise JobError(f"unlike: {both.pop()} is wanted as well; leave one of them out")
    if options.get("bodies") is False:
        raise JobError("bodies: rules are learned from stored pages; leave --no-bodies out")
    with tempfile.TemporaryDirectory(prefix="dowse-learn-") as folder:
        place = options.pop("output", None) or str(Path(folder) / "crawl")
        job = make_job("explore", url, want=want, **options, output=place)
        with closing(_Exploration(job, options)) as exploration:
            exploration.run(listener)
            return exploration.lesson(unlike, listener)


def _urls(name: str, urls: Sequence[str]) -> tuple[str, ...]:
    """Links as users write them, each once."""
    listed = [urls] if isinstance(urls, str) else urls
    try:
        found = [resolve("", read_url(each)) for each in listed]
    except JobError as error:
        raise JobError(str(error).replace("seeds:", f"{name}:", 1)) from None
    if name == "want" and not found:
        raise JobError("want: there is none; give two or more links that are wanted")
    return tuple(dict.fromkeys(each for each in found if each))


class _Exploration:
    """An exploring crawl, those that tried tables out, and what was read from them so far."""

    def __init__(self, job: Job, options: dict[str, Any]) -> None:
        assert isinstance(job.strategy, ExploreOptions)
        self._job = job
        self._base = resolve("", job.seeds[0]) or ""
        self._want = job.strategy.want
        self._given = options
        self._keys = UrlKeys(job.urls)
        self._scope = Scope(job.scope, job.limits, ())
        self._seen: dict[str, SeenPage] = {}
        self._stored: dict[str, tuple[BodyReader, str]] = {}
        self._readers: dict[Path, BodyReader] = {}
        self._moved: dict[str, str] = {}
        self._asked: set[str] = set()
        self._is_complete = False

    def close(self) -> None:
        for reader in self._readers.values():
            reader.close()

    def run(self, listener: Listener | None) -> None:
        """Crawl on, in rounds, until every example was seen or the limit is reached."""
        limit = self._job.limits.max_pages
        pages = self._stored_before()
        goal = max(_FIRST_ROUND, pages)
        while not self._is_complete:
            goal = min(goal, limit) if limit else goal
            if pages < goal:
                pages = self._round(goal, listener)
            if not self._missing() or (limit and goal >= limit):
                break
            goal *= 2

    def _stored_before(self) -> int:
        if not (Path(self._job.output) / DATABASE).exists():
            return 0
        crawl = app.read(self._job.output)
        if not isinstance(crawl.job.strategy, ExploreOptions) or crawl.job.seeds != self._job.seeds:
            raise CrawlError(f"{self._job.output} holds another crawl; choose another folder (-o)")
        self._is_complete = crawl.stop_reason == "complete"
        self._read(Path(self._job.output))
        for tried in sorted(Path(self._job.output).glob(f"{_TRIED}-*/{DATABASE}")):
            self._read(tried.parent)
        return crawl.status().pages

    def _round(self, goal: int, listener: Listener | None) -> int:
        place = self._job.output
        if (Path(place) / DATABASE).exists():
            summary = app.resume(place, listener, **{**self._given, "want": self._want, "max_pages": goal})
        else:
            options = {**self._given, "want": self._want, "max_pages": goal, "output": place}
            summary = app.start(make_job("explore", self._job.seeds, **options), listener)
        if summary.stop_reason == "interrupted":
            raise KeyboardInterrupt
        self._is_complete = summary.stop_reason == "complete"
        self._read(Path(place))
        return summary.pages

    def try_out(self, urls: Sequence[str], listener: Listener | None) -> None:
        """Fetch pages that a table would visit, and none that they link to."""
        number = len(self._readers)
        place = Path(self._job.output) / f"{_TRIED}-{number}"
        options = {**self._given, "want": self._want, "depth": 0, "max_pages": 0, "scope": "any", "output": place}
        if app.start(make_job("explore", urls, **options), listener).stop_reason == "interrupted":
            raise KeyboardInterrupt
        self._asked.update(urls)
        self._read(place)

    def _read(self, directory: Path) -> None:
        """Look at the pages of a crawl that came since the last time."""
        if directory not in self._readers:
            self._readers[directory] = BodyReader(directory / FOLDER)
        reader, crawl = self._readers[directory], app.read(directory)
        for stored in crawl.stored_pages():
            if stored.url not in self._seen:
                page = Page(reader.read(stored.location))
                if page.is_html and not page.trouble:
                    self._seen[stored.url] = see(page)
                    self._stored[stored.url] = reader, stored.location
        self._moved |= {row["url"]: row["final_url"] for row in crawl.ledger if row["final_url"]}
        crawl.close()

    def _linked(self) -> dict[int, str]:
        """Every link of every page by its key, for an example may be written in another way than on the page."""
        return {
            self._keys.request(anchor.url).key_hash: anchor.url
            for page in self._seen.values()
            for anchor in page.anchors
        }

    def _missing(self) -> list[str]:
        linked = self._linked()
        return [url for url in self._want if self._keys.request(url).key_hash not in linked]

    def lesson(self, unlike: Sequence[str], listener: Listener | None) -> Lesson:
        """What comes of the pages that were explored, after the best tables were tried on more of them."""
        left = _MOST_TRIED if not self._job.limits.max_pages else self._job.limits.max_pages - len(self._seen)
        for _ in range(_TRIALS):
            explored, found, proposals = self._proposals(unlike)
            urls = unexplored(explored, proposals, self._asked, min(left, _MOST_TRIED))
            if left <= 0 or not urls:
                break
            self.try_out(urls, listener)
            left -= len(urls)
        explored, found, proposals = self._proposals(unlike)
        return self._told(proposals, found)

    def _proposals(self, unlike: Sequence[str]) -> tuple[Explored, dict[str, str], list[Proposal]]:
        """What is explored, the examples that were found as they are linked, and the tables that keep them."""
        explored = Explored(list(self._seen.values()), self._base, self._moved, self._may_visit)
        if explored.start < 0:
            story = app.read(self._job.output).why(self._base)
            raise CrawlError(
                f"{self._base} could not be read: {(story and (story.reason or story.state)) or 'no page'}"
            )
        linked = self._linked()
        found = {url: linked[key] for url in self._want if (key := self._keys.request(url).key_hash) in linked}
        if not found:
            raise CrawlError(_not_found(self._want, len(self._seen), is_complete=self._is_complete))
        refused = [linked[key] for url in unlike if (key := self._keys.request(url).key_hash) in linked]
        numbers = [explored.number[url] for url in found.values()]
        proposals = propose(explored, self._base, numbers, [explored.number[url] for url in refused])
        if not proposals:
            raise CrawlError(
                f"no rule keeps all {len(found)} wanted links without {' or '.join(refused)}: "
                "their addresses and the elements around them do not differ; leave one out, or write the table by hand"
            )
        return explored, found, proposals

    def _page(self, url: str) -> Page | None:
        """The page of a URL, where redirects lead, if it is stored."""
        known = self._stored.get(url) or self._stored.get(self._moved.get(url, ""))
        return Page(known[0].read(known[1])) if known else None

    def _told(self, proposals: Sequence[Proposal], found: dict[str, str]) -> Lesson:
        best = proposals[0]
        applied = apply_table(best.rules, self._page)
        unseen = self._visitable(applied)
        return Lesson(
            base_url=best.rules[0].base_url,
            rules=[
                LearnedRule(each.rule, each.pages, len(each.links), each.links[:_SAMPLES]) for each in applied.matched
            ],
            ways={link: applied.ways[link] for link in found.values() if link in applied.ways},
            missing=[url for url in self._want if url not in found],
            kept=list(applied.ways),
            pages=len(applied.pages) + len(unseen),
            unexplored=len(unseen),
            explored=len(self._seen),
            is_whole_site=self._is_complete,
            rivals=[self._rival(rival, applied, apply_table(rival.rules, self._page)) for rival in proposals[1:]],
        )

    def _rival(self, proposal: Proposal, first: Applied, other: Applied) -> Rival:
        return Rival(
            rules=list(proposal.rules),
            kept=len(other.ways),
            pages=len(other.pages) + len(self._visitable(other)),
            kept_by_it_alone=_first_of(url for url in other.ways if url not in first.ways),
            kept_by_the_first_alone=_first_of(url for url in first.ways if url not in other.ways),
        )

    def _visitable(self, applied: Applied) -> list[str]:
        """The pages that a table would fetch and nobody has."""
        return [url for url in applied.unseen if self._may_visit(url)]

    def _may_visit(self, url: str) -> bool:
        """Whether a rule crawl would visit a URL; files are none."""
        return not self._scope.refuse(self._keys.request(url))


def _first_of(urls: Iterable[str]) -> list[str]:
    return [url for _, url in zip(range(_SAMPLES), urls, strict=False)]


def _not_found(want: Sequence[str], pages: int, *, is_complete: bool) -> str:
    cure = (
        "no page that can be reached from there links to them; check their spelling, or --scope domain|any"
        if is_complete
        else "give more --max-pages, or a start that is nearer to them"
    )
    return f"none of the {len(want)} wanted links was found on {pages:,} pages: {cure}"
