"""Rules from examples: explore until the wanted links are found, find the table, and try it on the stored pages.

start URL, wanted links -> exploring crawl, in rounds -> stored pages -> rule_learning/ -> Lesson
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Sequence
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
from dowse.rule_learning.deciding import Decision, decide
from dowse.rule_learning.evaluation import Applied, apply_table
from dowse.rule_learning.explored_pages import Explored
from dowse.rule_learning.proposals import Proposal, different, propose, unexplored
from dowse.rule_learning.pruning import with_label
from dowse.settings import BARE_HOST, read_url
from dowse.workflows.exploration import Exploration

_TRIALS = 3
_MOST_TRIED = 100
"""How often the best tables are tried on unexplored pages, and on how many pages each time."""
_SAMPLES = 3
MOST_QUESTIONS = 3
_LABELLED = 2
"""How many of the best tables are tried with a label as well."""


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


class Question(Struct, frozen=True):
    """A link of which the examples do not say whether it is wanted. `title` is the text of the link."""

    url: str
    title: str
    found_on: str


Ask = Callable[[Question], bool | None]
"""Whether a link is wanted; None if that is not known, and then nothing more is asked."""


class Lesson(Struct, frozen=True):
    """The table that was learned, and its results on the explored pages.

    start        the URL that was given
    paths        the pages that lead to each example
    missing      examples that no explored page links to
    kept         all links that the table keeps
    pages        pages that the table would visit, at least
    unexplored   those of them that nobody has looked at; they may hold more links
    question     the link to ask about, if the examples leave it open which table is meant
    want, unlike what was given, and what was answered
    """

    start: str
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
    question: Question | None
    want: list[str]
    unlike: list[str]

    def answer(self, is_wanted: bool, **options: Any) -> Lesson:
        """Learn again with the answer to the question. `output` as in the first lesson spares most of the fetching."""
        if self.question is None:
            raise JobError("the lesson has no question to answer")
        want, unlike = list(self.want), list(self.unlike)
        (want if is_wanted else unlike).append(self.question.url)
        return learn(self.start, want, unlike, **options)

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
    ask: Ask | None = None,
    **options: Any,
) -> Lesson:
    """Learn a rule table. Options are those of the exploring crawl; `output` keeps that crawl, or continues it.

    `ask` is called with a link as long as the examples do not decide, and at most a few times.

    Raises JobError if the job is wrong, CrawlError if no table can be found.
    """
    start = resolve("", read_url(url)) or url
    want, unlike = _urls("want", want, start), _urls("unlike", unlike, start)
    if both := set(want) & set(unlike):
        raise JobError(f"unlike: {both.pop()} is wanted as well; leave one of them out")
    if options.get("bodies") is False:
        raise JobError("bodies: rules are learned from stored pages; leave --no-bodies out")
    with tempfile.TemporaryDirectory(prefix="dowse-learn-") as folder:
        place = options.pop("output", None) or str(Path(folder) / "crawl")
        job = make_job("explore", url, want=want, **options, output=place)
        with closing(Exploration(job, options)) as exploration:
            exploration.run(listener)
            teacher = _Teacher(exploration, want, unlike)
            lesson = teacher.lesson(job.limits.max_pages, listener)
            for _ in range(MOST_QUESTIONS):
                if ask is None or lesson.question is None or (answer := ask(lesson.question)) is None:
                    break
                teacher.told(lesson.question.url, answer)
                lesson = teacher.lesson(job.limits.max_pages, listener)
            return lesson


def _urls(name: str, urls: Sequence[str], start: str) -> tuple[str, ...]:
    """Links as users write them, each once. A path or the name of a file is one that the start could link to."""
    listed = [urls] if isinstance(urls, str) else urls
    found = [resolve(start, each) if _is_relative(each) else resolve("", read_url(each, name)) for each in listed]
    if name == "want" and not found:
        raise JobError("want: there is none; give two or more links that are wanted")
    return tuple(dict.fromkeys(each for each in found if each))


def _is_relative(url: object) -> bool:
    """Whether a link is written as seen from a page. "a.pdf" is a file and no host: nobody wants a whole one.

    >>> [_is_relative(url) for url in ("a.pdf", "/docs/a.pdf", "docs/a.pdf", "example.org/a.pdf", "https://a.pdf")]
    [True, True, True, False, False]
    """
    if not isinstance(url, str) or ":" in url or not url.strip():
        return False
    return not BARE_HOST.fullmatch(url) if "/" in url else "." in url


class _Teacher:
    """Chooses a table for what was explored."""

    def __init__(self, exploration: Exploration, want: Sequence[str], unlike: Sequence[str]) -> None:
        self._exploration = exploration
        self._want, self._unlike = list(want), list(unlike)
        self._tried = 0

    def told(self, url: str, is_wanted: bool) -> None:
        """One more example, or one that is not wanted."""
        (self._want if is_wanted else self._unlike).append(url)

    def lesson(self, limit: int, listener: Listener | None) -> Lesson:
        """The table for the explored pages, after the best tables were tried on further pages."""
        exploration = self._exploration
        explored, found, decision = self._decided()
        for _ in range(_TRIALS):
            left = limit - exploration.pages if limit else _TRIALS * _MOST_TRIED - self._tried
            urls = unexplored(explored, decision.proposals, exploration.may_try, min(left, _MOST_TRIED))
            if not urls or left <= 0:
                break
            exploration.try_out(urls, listener)
            self._tried += len(urls)
            explored, found, decision = self._decided()
        return self._told(decision.proposals, found, self._question(explored, decision.asked))

    def _decided(self) -> tuple[Explored, dict[str, str], Decision]:
        """The explored pages, the URL under which each example is linked, and the tables that keep the examples."""
        exploration = self._exploration
        explored, found = exploration.explored(), exploration.as_linked(self._want)
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
        proposals += self._labelled(explored, proposals, list(found.values()))
        return explored, found, decide(proposals, explored.mask(range(len(explored.urls))))

    def _labelled(self, explored: Explored, proposals: Sequence[Proposal], examples: Sequence[str]) -> list[Proposal]:
        """The best tables once more, limited to the label of the examples."""
        found = []
        for proposal in proposals[:_LABELLED]:
            rules, said = with_label(proposal.rules, examples, self._exploration.page)
            if rules != list(proposal.rules):
                kept = explored.mask(explored.number[url] for url in apply_table(rules, self._exploration.page).paths)
                found.append(proposal._replace(rules=tuple(rules), kept=kept, score=proposal.score + said))
        return found

    def _question(self, explored: Explored, asked: int | None) -> Question | None:
        if asked is None:
            return None
        url = explored.urls[asked]
        place = next(place for place in explored.reached if explored.links[place] >> asked & 1)
        page = self._exploration.page(explored.url(place))
        texts = [link.text for link in page.links if link.url == url] if page else []
        return Question(url, texts[0] if texts else "", explored.url(place))

    def _told(self, proposals: Sequence[Proposal], found: dict[str, str], question: Question | None) -> Lesson:
        rules = list(proposals[0].rules)
        applied = apply_table(rules, self._exploration.page)
        unseen = self._visitable(applied)
        return Lesson(
            start=self._exploration.start,
            base_url=rules[0].base_url,
            rules=[LearnedRule(each.rule, each.pages, each.matches, each.links[:_SAMPLES]) for each in applied.matched],
            paths={link: applied.paths[link] for link in found.values() if link in applied.paths},
            missing=[url for url in self._want if url not in found],
            kept=list(applied.paths),
            pages=len(applied.pages) + len(unseen),
            unexplored=len(unseen),
            explored=self._exploration.pages,
            is_whole_site=self._exploration.is_complete,
            rivals=[
                self._rival(rival, applied, apply_table(rival.rules, self._exploration.page))
                for rival in different(proposals)[1:]
            ],
            question=question,
            want=self._want,
            unlike=self._unlike,
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
    return f"of {wanted} none was found on {pages}, such as {exploration.want[0]}: {cure}"
