"""What can be asked of a focus crawl, and what it can be told: which pages it is least sure of, and what they are."""

from __future__ import annotations

from pathlib import Path

from dowse.core.errors import CrawlError
from dowse.modes.best_first import BestFirstView
from dowse.modes.focus.live_outputs import GrowingUrls, write_urls
from dowse.modes.focus.quotations import lines_about
from dowse.modes.focus.scoring import scorer_of
from dowse.settings import shown
from dowse.store.best_first.answer_table import given_answers, leave_answer
from dowse.store.crawl_store import CrawlStore
from dowse.store.folder import is_running
from dowse.store.inner_paths import inside

_UNSURE = """
    SELECT task.url, visit.title, judgement.relevance, judgement.task
    FROM judgement JOIN task ON task.id = judgement.task LEFT JOIN visit ON visit.id = task.visit
    ORDER BY abs(judgement.relevance - ?), judgement.id
"""

_PAGE = """
    SELECT task.url, coalesce(visit.title, '') FROM task LEFT JOIN visit ON visit.id = task.visit WHERE task.id = ?
"""


class FocusView(BestFirstView):
    """A focus crawl."""

    @property
    def topic(self) -> str:
        """What it looks for, in words."""
        return self._mode.purpose(self._crawl.job)

    def unsure(self, count: int = 10) -> list[tuple[str, str, float]]:
        """The pages it is least sure of, the least first: URL, title and relevance. What was labelled is left out."""
        connection = self._crawl.reader.connection
        answered = given_answers(connection)
        threshold = self._mode.patience(self._crawl.job).threshold
        rows = connection.execute(_UNSURE, (threshold,))
        unanswered = ((url, title or "", relevance) for url, title, relevance, task in rows if task not in answered)
        return [row for row, _ in zip(unanswered, range(count), strict=False)]

    def lines_about(self, url: str, width: int = 80) -> list[str]:
        """Up to two sentences of a stored page with words of the topic, or else its first, in rows of that width; none
        if it has neither, or is not stored.

        >>> crawl.lines_about("/topics/international/")           # doctest: +SKIP
        """
        from dowse.modes.focus.ranker import build_topic

        try:
            text = self._crawl.page(url).text
        except CrawlError:
            return []
        return lines_about(text, build_topic(self._mode.of(self._crawl.job)).keywords, width)

    def labels(self) -> list[tuple[str, str, bool]]:
        """What was said of pages, the last first: URL, title, and whether it is on topic."""
        connection = self._crawl.reader.connection
        said = reversed(given_answers(connection).items())
        return [(*connection.execute(_PAGE, (task,)).fetchone(), wanted) for task, wanted in said]

    def label(self, url: str, wanted: bool | None) -> None:
        """Say of a page whether it is on topic; None takes back what was said. All pages are judged anew by that, and a
        crawl goes on with it. One that runs takes it up with its next page.

        >>> crawl.label("https://example.org/heaps", True)           # doctest: +SKIP
        """
        if not isinstance(wanted, bool | None):
            raise CrawlError(f"wanted: expected True, False or None, got {shown(wanted)}")
        story = self._crawl.why(url)
        if story is None or story.facts.get("relevance") is None:
            raise CrawlError(f"{url} is no page that this crawl has judged; crawl.crawled lists those")
        job, directory = self._crawl.job, self._crawl.directory
        if not self._mode.takes_labels(job):
            scorer = scorer_of(self._mode.of(job))
            raise CrawlError(f"labels are for crawls with the scorer relevance; the scorer of this one is {scorer}")
        if wanted is None and story.number not in given_answers(self._crawl.reader.connection):
            raise CrawlError(f"nothing was said of {story.url} that could be taken back")
        if is_running(directory):
            leave_answer(directory, story.number, wanted)
            return
        bookkeeping = self._mode.bookkeeping(job, self._crawl.reader.briefing())
        store = CrawlStore(Path(directory), job, self._mode.lease_policy(job), bookkeeping)
        try:
            store.answer({story.number: wanted})
        finally:
            store.close()
        write_urls(inside(directory, GrowingUrls.LIST), self._crawl.reader, self._mode.patience(job))
