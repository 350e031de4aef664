"""Rules from examples: explore until the wanted links are found, find the table, and try it on the stored pages.

start URL, wanted links -> exploring crawl, in rounds -> stored pages -> rule_learning/ -> Lesson
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from msgspec import Struct

from dowse.config import make_job
from dowse.core.errors import JobError, NotLearned
from dowse.core.phrasing import counted
from dowse.core.urls import resolve
from dowse.engine.loop import Listener
from dowse.modes.rules.rule_places import write_rules
from dowse.modes.rules.rule_table import Rule
from dowse.rule_learning.evaluation import Applied, apply_table
from dowse.rule_learning.explored_pages import Explored
from dowse.rule_learning.proposals import Proposal, propose, unexplored
from dowse.rule_learning.pruning import with_label
from dowse.settings import read_url
from dowse.workflows.exploration import Exploration

_TRIALS = 3
_MOST_TRIED = 100
"""How often the best tables are tried on unexplored pages, and on how many pages each time."""
_SAMPLES = 3


class LearnedRule(Struct, frozen=True):
    """A rule on the explored pages: the pages it is applied to, the links it matches, and the first of these links."""

    rule: Rule
    pages: int
    links: int
    samples: list[str]


class Rival(Struct, frozen=True):
    """Another table that keeps all examples, with links that only one of the two tables keeps."""

    rules: list[Rule]
    kept: int
    pages: int
    kept_by_it_alone: list[str]
    kept_by_the_first_alone: list[str]


class Lesson(Struct, frozen=True):
    """The table that was learned, and its results on the explored pages.

    paths        the pages that lead to each example
    missing      examples that no explored page links to
    kept         all links that the table keeps
    pages        pages that the table would visit, at least
    unexplored   those of them that nobody has looked at; they may hold more links
    """

    base_url: str
    rules: list[LearnedRule]
    paths: dict[str, list[str]]
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
        write_rules(self.table, place)

    @property
    def others(self) -> list[str]:
        """What the table keeps beside the examples."""
        return [url for url in self.kept if url not in self.paths]


def learn(
    url: str,
    want: Sequence[str],
    unlike: Sequence[str] = (),
    listener: Listener | None = None,
    **options: Any,
) -> Lesson:
    """Learn a rule table. Options are those of the exploring crawl; `output` keeps that crawl, or continues it.

    Raises JobError if the job is wrong, CrawlError if no table can be found.
    """
    want, unlike = _urls("want", want), _urls("unlike", unlike)
    if both := set(want) & set(unlike):
        raise JobError(f"unlike: {both.pop()} is wanted as well; leave one of them out")
    if options.get("bodies") is False:
        raise JobError("bodies: rules are learned from stored pages; leave --no-bodies out")
    with tempfile.TemporaryDirectory(prefix="dowse-learn-") as folder:
        place = options.pop("output", None) or str(Path(folder) / "crawl")
        job = make_job("explore", url, want=want, **options, output=place)
        with closing(Exploration(job, options)) as exploration:
            exploration.run(listener)
            return _Teacher(exploration, unlike).lesson(job.limits.max_pages, listener)


def _urls(name: str, urls: Sequence[str]) -> tuple[str, ...]:
    """Links as users write them, each once."""
    listed = [urls] if isinstance(urls, str) else urls
    found = [resolve("", read_url(each, name)) for each in listed]
    if name == "want" and not found:
        raise JobError("want: there is none; give two or more links that are wanted")
    return tuple(dict.fromkeys(each for each in found if each))


class _Teacher:
    """Chooses a table for what was explored."""

    def __init__(self, exploration: Exploration, unlike: Sequence[str]) -> None:
        self._exploration = exploration
        self._unlike = unlike

    def lesson(self, limit: int, listener: Listener | None) -> Lesson:
        """The table for the explored pages, after the best tables were tried on further pages."""
        exploration = self._exploration
        left = limit - exploration.pages if limit else _TRIALS * _MOST_TRIED
        for _ in range(_TRIALS):
            explored, _found, proposals = self._proposals()
            urls = unexplored(explored, proposals, exploration.may_try, min(left, _MOST_TRIED)) if left > 0 else []
            if not urls:
                break
            exploration.try_out(urls, listener)
            left -= len(urls)
        _explored, found, proposals = self._proposals()
        return self._told(proposals, found)

    def _proposals(self) -> tuple[Explored, dict[str, str], list[Proposal]]:
        """The explored pages, the URL under which each example is linked, and the tables that keep the examples."""
        exploration = self._exploration
        explored, found = exploration.explored(), exploration.as_linked(exploration.want)
        if not found:
            raise NotLearned(_not_found(exploration))
        refused = list(exploration.as_linked(self._unlike).values())
        numbers = [explored.number[url] for url in found.values()]
        proposals = propose(explored, exploration.base, numbers, [explored.number[url] for url in refused])
        if not proposals:
            raise NotLearned(
                f"no rule keeps all {len(found)} wanted links without {' or '.join(refused)}: "
                "their addresses and the elements around them do not differ; leave one out, or write the table by hand"
            )
        return explored, found, proposals

    def _told(self, proposals: Sequence[Proposal], found: dict[str, str]) -> Lesson:
        best = proposals[0]
        rules = with_label(best.rules, list(found.values()), self._exploration.page)
        applied = apply_table(rules, self._exploration.page)
        unseen = self._visitable(applied)
        return Lesson(
            base_url=rules[0].base_url,
            rules=[
                LearnedRule(each.rule, each.pages, len(each.links), each.links[:_SAMPLES]) for each in applied.matched
            ],
            paths={link: applied.paths[link] for link in found.values() if link in applied.paths},
            missing=[url for url in self._exploration.want if url not in found],
            kept=list(applied.paths),
            pages=len(applied.pages) + len(unseen),
            unexplored=len(unseen),
            explored=self._exploration.pages,
            is_whole_site=self._exploration.is_complete,
            rivals=[
                self._rival(rival, applied, apply_table(rival.rules, self._exploration.page)) for rival in proposals[1:]
            ],
        )

    def _rival(self, proposal: Proposal, first: Applied, other: Applied) -> Rival:
        return Rival(
            rules=list(proposal.rules),
            kept=len(other.paths),
            pages=len(other.pages) + len(self._visitable(other)),
            kept_by_it_alone=_first_of(url for url in other.paths if url not in first.paths),
            kept_by_the_first_alone=_first_of(url for url in first.paths if url not in other.paths),
        )

    def _visitable(self, applied: Applied) -> list[str]:
        """The pages that a table would fetch and that are not stored."""
        return [url for url in applied.unseen if self._exploration.may_visit(url)]


def _first_of(urls: Iterable[str]) -> list[str]:
    return [url for _, url in zip(range(_SAMPLES), urls, strict=False)]


def _not_found(exploration: Exploration) -> str:
    cure = (
        "no page that can be reached from there links to them; check their spelling, or --scope domain|any"
        if exploration.is_complete
        else "give more --max-pages, or a start that is nearer to them"
    )
    wanted, pages = counted(len(exploration.want), "wanted link"), counted(exploration.pages, "page")
    return f"of {wanted} none was found on {pages}: {cure}"
