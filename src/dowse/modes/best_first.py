"""The base of modes with a ranker: seeds first, an estimate of the rest, and the worth of links and pages for `why`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dowse.core.briefing import Briefing
from dowse.core.exhibits import Line
from dowse.core.job import Job
from dowse.core.model import CHOSEN
from dowse.core.patience import Patience
from dowse.core.phrasing import counted
from dowse.core.results import Number
from dowse.modes.mode import Mode, O, Seed

if TYPE_CHECKING:
    from dowse.core.protocols import Ranker
    from dowse.core.saturation import Prospect
    from dowse.crawl import Crawl
    from dowse.store.best_first.judgements import Judgements, Standing
    from dowse.store.bookkeeping import Bookkeeping
    from dowse.store.frontier.lease_policy import LeasePolicy
    from dowse.store.reading.stories import Story

MOST_SHOWN = 10
_JUDGED = "SELECT CASE WHEN relevance >= ? THEN 1 ELSE 0 END FROM judgement ORDER BY id"


_UNSEEN = 10
"""How many links may wait for each page that was read, for what is left to be told: what is behind so many is another
site than the one that was seen."""


class BestFirstMode(Mode[O]):
    """A mode whose ranker says which link is next."""

    def seeds(self, job: Job, briefing: Briefing) -> Sequence[Seed]:
        return [Seed(url, CHOSEN) for url in job.seeds]

    def ranker(self, job: Job, briefing: Briefing) -> Ranker:
        """Says which of the links that wait is best, and learns from what comes of them."""
        raise NotImplementedError

    def patience(self, job: Job) -> Patience:
        return Patience()

    def least_worth(self, job: Job) -> float:
        """What a link must be worth not to be dropped; 0 drops none."""
        return 0.0

    def purpose(self, job: Job) -> str:
        """What pages are judged for, in words. When a crawl goes on for another, they are judged again."""
        return ""

    def matched_from(self, job: Job) -> float:
        return self.patience(job).threshold

    def bookkeeping(self, job: Job, briefing: Briefing) -> list[Bookkeeping]:
        from dowse.store.best_first.leads import Leads

        ranker, least = self.ranker(job, briefing), self.least_worth(job)
        return [Leads(ranker, self.patience(job), least_worth=least, purpose=self.purpose(job))]

    def lease_policy(self, job: Job) -> LeasePolicy:
        from dowse.store.frontier.lease_best_first import BestFirst

        return BestFirst()

    @property
    def view_type(self) -> type[BestFirstView]:
        return BestFirstView

    def story(self, crawl: Crawl, number: int) -> dict[str, Any]:
        return BestFirstView(crawl).story(number)

    def story_lines(self, story: Story) -> Iterable[tuple[str, str]]:
        if story.worth:
            yield "worth", f"{sum(story.worth.values()):.3f}{_parts_text(story.worth)}"
        elif story.depth and story.relevance is None:
            yield "worth", f"{story.priority:.3f}"
        if story.relevance is not None:
            yield "relevance", f"{story.relevance:.3f}{_parts_text(story.parts)}"
        elif (before := story.facts.get("judged_before")) is not None:
            yield (
                "relevance",
                f"{before['relevance']:.3f} for an earlier topic ({before['purpose']}); {_prospect(before)}",
            )


class BestFirstView:
    """The methods that crawls of modes with a ranker have besides."""

    def __init__(self, crawl: Crawl) -> None:
        self._crawl = crawl
        assert isinstance(crawl.mode, BestFirstMode)
        self._mode: BestFirstMode[Any] = crawl.mode

    def standing(self) -> Standing:
        """How far the crawl is: the number of results, and an estimate of the rest."""
        return self._judgements.standing()

    @property
    def _judgements(self) -> Judgements:
        from dowse.store.best_first.judgements import Judgements

        return Judgements(self._crawl.reader.connection, self._mode.patience(self._crawl.job))

    def story(self, number: int) -> dict[str, Any]:
        """One URL: its priority, and the relevance of the page or the worth of its links."""
        judgements = self._judgements
        page = judgements.page(number)
        if page is not None:
            relevance, parts, worth = page
        else:
            lead = judgements.lead(number)
            relevance, parts, worth = None, {}, self._worth(lead) if lead else {}
        priority, earlier = judgements.priority(number), judgements.earlier(number)
        facts = {"priority": priority, "relevance": relevance, "parts": parts, "worth": worth}
        return {**facts, "judged_before": earlier._asdict() if earlier is not None else None}

    def _worth(self, lead: bytes) -> dict[str, float]:
        """The worth of a waiting link, in parts, by the ranker as it is now."""
        ranker = self._mode.ranker(self._crawl.job, self._crawl.reader.briefing())
        if model := self._judgements.model():
            ranker.load(model)
        return ranker.explain([lead])[0]


def harvest_line(crawl: Crawl, name: str) -> Line:
    """How many results there were after each answer, in the order they came."""
    rows = crawl.reader.connection.execute(_JUDGED, (crawl.mode.matched_from(crawl.job),))
    return Line(name, tuple(accumulate(is_result for (is_result,) in rows)))


def best_rows(rows: Iterable[dict[str, Any]]) -> Iterable[dict[str, Any]]:
    """The first rows, as many as are shown."""
    return islice(rows, MOST_SHOWN)


def more_text(found: int, file: Path) -> str:
    """A line about the results that are not shown, and their file."""
    return f"and {found - MOST_SHOWN:,} more in {file}" if found > MOST_SHOWN else ""


def numbers(standing: Standing, name: str, note: str, answer: str) -> tuple[Number, ...]:
    """The number of results, of recent results, and of results that may be left."""
    found = standing.prospect
    told = [Number(name, found.matched, note)]
    if found.window < found.pages:
        told.append(Number(f"  of the last {counted(found.window, answer)}", found.recent))
    if standing.waiting:
        told += [Number("  links that wait", standing.waiting), *_left(found, standing.waiting)]
    if standing.rereads:
        told.append(Number("  pages to be judged again", standing.rereads, "when the crawl goes on (dowse resume)"))
    return tuple(told)


def _left(found: Prospect, waiting: int) -> list[Number]:
    """The estimate of the rest with its range, or that it is not known."""
    name, span = "  left, as far as can be told", f"{found.least:,} to {found.most:,}" if found.most else "none"
    if lack := _cannot_be_told(found, waiting):
        return [Number(name, "not known", lack)]
    if not found.is_known:
        return [Number(name, f"at most {found.most:,}", "no closer number")]
    told = Number(name, f"about {round(found.left):,}", f"{span} in 9 crawls of 10")
    return [told, Number("  share found, by that", f"about {found.recall:.2f}")]


def _cannot_be_told(found: Prospect, waiting: int) -> str:
    """Why nothing can be said of the rest, if so."""
    if not found.matched:
        return "nothing was found"
    return "too few links were read" if waiting > _UNSEEN * found.pages else ""


def left_facts(standing: Standing) -> dict[str, Any]:
    """The same for programs."""
    found = standing.prospect
    if standing.waiting and _cannot_be_told(found, standing.waiting):
        return {"estimated_left": None, "estimated_left_range": [0, standing.waiting]}
    left = round(found.left) if found.is_known else None
    return {"estimated_left": left, "estimated_left_range": [found.least, found.most]}


def _prospect(before: Mapping[str, Any]) -> str:
    """What becomes of a page that was judged for an earlier topic."""
    if before["is_due"]:
        return "judged for the topic of now when the crawl goes on (dowse resume)"
    return "it was not stored, so it is judged for the topic of now when it is fetched again"


def _parts_text(parts: Mapping[str, float]) -> str:
    if parts.keys() <= {"worth"}:  # the whole, once more
        return ""
    ranked = sorted(parts.items(), key=lambda part: -abs(part[1]))
    return f" ({', '.join(f'{name} {value:.3g}' for name, value in ranked)})"
