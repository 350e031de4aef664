"""Paging in every mode: a strategy around that of the mode, which follows the further pages of what the mode takes.

A further page is as far from a seed as the first one (the label PAGING), comes right after the page that names it, and
carries the hint that the mode wants there. Where a list ends is told by `SeriesMemory`: then the pages that come next
are written down as refused, so that `dowse why` can say it.
"""

from __future__ import annotations

from collections.abc import Container

from msgspec.structs import replace

from dowse.core.model import PAGING, Task
from dowse.core.task_labels import NO_PAGES, PAGING_ENDED, PAGING_FIRST, PAGING_TOO_LONG
from dowse.engine.paging_series import MOST_PAGES, Series, SeriesMemory
from dowse.engine.verdict import Choice, Paging, Proposal, Strategy, Typing, Verdict
from dowse.parse.links import Link
from dowse.parse.page import Page
from dowse.parse.pagination.pagination import Pagination, PagingLink

TAKEN = 0.5
"""The relevance from which on a page counts as taken, in modes that rank their links."""

SOONER = 0.5
"""How much sooner than others of its depth further pages are asked for. They keep their order among each other."""

MOST_COUNTED = 500
"""Pages that no link leads to, but the first and the last of which are linked."""


_NAMES = {"next": "next", "prev": "previous", "first": "first", "last": "last", "page": "next"}


class PagingStrategy:
    """Judges as the strategy of a mode does, and follows the paging links of pages that it takes."""

    def __init__(self, inner: Strategy, memory: SeriesMemory) -> None:
        self.inner = inner
        self.reads = inner.reads
        self._memory = memory

    def priority(self, depth: int) -> float:
        return self.inner.priority(depth)

    def judge(self, page: Page, task: Task) -> Verdict:
        verdict = self.inner.judge(page, task)
        is_taken = verdict.judged is None or verdict.relevance >= TAKEN
        if task.label in NO_PAGES or not is_taken or not page.is_html:
            return verdict
        paging = page.paging
        own = {link.url: link for link in paging.own if link.url != page.url}
        if not own and task.label != PAGING:
            return verdict
        series = self._memory.series_of(page.url) if task.label == PAGING else None
        is_first = series is None
        series = series or self._memory.begin(page.url)
        has_news = self._memory.note(series, page, own) or is_first
        series.has_first |= _is_first(paging, page.url)
        ended = _refused(series, has_news=has_news)
        refused = {url: ended or (PAGING_FIRST if series.has_first and _is_alias(paging, url) else "") for url in own}
        self._memory.expect(series, [url for url, reason in refused.items() if not reason])
        between = {} if ended else _between(paging, own)
        return self._with_pages(verdict, task, own, between, refused)

    def _with_pages(
        self,
        verdict: Verdict,
        task: Task,
        own: dict[str, PagingLink],
        between: dict[str, int],
        refused: dict[str, str],
    ) -> Verdict:
        hint = self.inner.further(task) if isinstance(self.inner, Paging) else b""
        priority = task.priority if task.label == PAGING else task.priority + SOONER
        ruled = {each.url for each in verdict.requests if each.url in own and each.visit}
        links = {link.url: link for link, *_ in verdict.choices} | {link.url: link for link in verdict.left}
        asked = [
            replace(each, label=PAGING, priority=priority, refused=refused[each.url]) if each.url in ruled else each
            for each in verdict.requests
        ]
        asked += [
            _proposal(link, links.get(url), priority, hint, refused[url])
            for url, link in own.items()
            if url not in ruled
        ]
        asked += [_counted(url, number, priority, hint) for url, number in between.items()]
        verdict = verdict._replace(requests=asked, left=[link for link in verdict.left if link.url not in own])
        return _without_choices(verdict, own)


class TypedPagingStrategy(PagingStrategy):
    """The same for modes that know types of pages before they are fetched."""

    def types(self, task: Task) -> tuple[str, ...]:
        assert isinstance(self.inner, Typing)
        return self.inner.types(task)


def with_paging(strategy: Strategy, memory: SeriesMemory) -> Strategy:
    """A strategy that follows paging links, too."""
    return (TypedPagingStrategy if isinstance(strategy, Typing) else PagingStrategy)(strategy, memory)


def _refused(series: Series, *, has_news: bool) -> str:
    if not has_news:
        return PAGING_ENDED
    return PAGING_TOO_LONG if series.pages >= MOST_PAGES else ""


def _is_first(paging: Pagination, url: str) -> bool:
    """Whether a page is the first of its list, and its URL does not count."""
    return paging.current == 1 and paging.counter is not None and paging.counter.page_of(url) is None


def _is_alias(paging: Pagination, url: str) -> bool:
    return paging.counter is not None and paging.counter.page_of(url) == 1


def _between(paging: Pagination, own: dict[str, PagingLink]) -> dict[str, int]:
    """The pages between those that are linked, where no link leads from one to the next."""
    counter, numbers = paging.counter, {link.number for link in own.values() if link.number is not None}
    if counter is None or len(numbers) < 2 or any(link.kind == "next" for link in paging.links):
        return {}
    if any(counter.url_of(link.number) != url for url, link in own.items() if link.number and link.number > 1):
        return {}  # numbers with zeros before them, or URLs of several forms
    known = numbers | {paging.current}
    missing = [number for number in range(min(numbers) + 1, max(numbers)) if number not in known]
    return {counter.url_of(number): number for number in missing[:MOST_COUNTED]}


def _proposal(link: PagingLink, found: Link | None, priority: float, hint: bytes, refused: str) -> Proposal:
    return Proposal(
        url=link.url,
        anchor=found.text if found is not None else link.text,
        priority=priority,
        label=PAGING,
        hint=hint,
        why=f"page {link.number} of a list" if link.number else f"the {_NAMES[link.kind]} page of a list",
        is_link=True,
        nofollow=found is not None and found.nofollow,
        refused=refused,
    )


def _counted(url: str, number: int, priority: float, hint: bytes) -> Proposal:
    why = f"page {number} of a list whose pages are counted, between two that are linked"
    return Proposal(url=url, priority=priority, label=PAGING, hint=hint, why=why)


def _without_choices(verdict: Verdict, urls: Container[str]) -> Verdict:
    """The verdict without choices of these URLs, and without what a ranker is told of them."""
    kept: list[Choice] = []
    places: list[int] = []
    for at, choice in enumerate(verdict.choices):
        if choice[0].url not in urls:
            kept.append(choice)
            places.append(at)
    judged = verdict.judged
    if judged is not None and judged.hints and len(kept) < len(verdict.choices):
        size = len(judged.hints) // len(verdict.choices)
        hints = b"".join([judged.hints[at * size : (at + 1) * size] for at in places])
        judged = replace(judged, hints=hints)
    return verdict._replace(choices=kept, judged=judged)
