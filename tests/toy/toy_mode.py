"""A mode that lives outside dowse: it looks for pages whose title has a word, and goes no farther than those."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Struct

from dowse import JobError
from dowse.extending import Briefing, Found, Job, Mode, Number, Option, Results

if TYPE_CHECKING:
    from dowse import Crawl
    from dowse.extending import Page, Strategy, Task, Verdict
    from dowse.modes.mode import Tell
    from dowse.parse.page import Reads
    from dowse.store.reading.reader import CrawlReader
    from dowse.store.reading.stories import Story
    from dowse.store.reading.tables import Table


class ToyOptions(Struct, frozen=True, kw_only=True):
    """Which pages."""

    word: Annotated[str, Option("A word that the titles of wanted pages have.", "WORD")] = ""


class ToyStrategy:
    """Follows the links of pages that do not have the word yet."""

    reads: Reads = "links"

    def __init__(self, word: str) -> None:
        self._word = word

    def priority(self, depth: int) -> float:
        return -float(depth)

    def judge(self, page: Page, task: Task) -> Verdict:
        from dowse.extending import Verdict

        if self._word in page.title:
            return Verdict(1.0, [])
        return Verdict(0.0, [(link, self.priority(task.depth + 1), "") for link in page.links])


class ToyMode(Mode[ToyOptions]):
    """Crawl a site for pages whose title has a word."""

    name = "toy"
    options = ToyOptions
    arguments = ("word",)
    identity = ("word",)
    tables = ("hits",)
    result_table = "hits"
    lack = "looks for no word"

    def check(self, job: Job) -> None:
        if not self.of(job).word:
            raise JobError("word: there is none; say which word titles should have")

    def prepare(self, job: Job, stored: Briefing | None, tell: Tell) -> Briefing:
        return stored or {"word": self.of(job).word.encode()}

    def strategy(self, job: Job, briefing: Briefing) -> Strategy:
        return ToyStrategy(briefing["word"].decode())

    def table(self, name: str, reader: CrawlReader, job: Job) -> Table:
        query = """SELECT task.url AS url, visit.title AS title FROM task JOIN visit ON visit.id = task.visit
            WHERE instr(visit.title, ?) > 0 ORDER BY visit.id"""
        return reader.query_table(query, [self.of(job).word])

    def results(self, crawl: Crawl) -> Results:
        hits = list(crawl.frame("hits"))
        return Results(
            best=tuple(Found("*", row["title"], row["url"]) for row in hits),
            numbers=(Number("hits", len(hits)),),
            trouble="" if hits else "no title has the word",
            facts={"hits": len(hits)},
        )

    def story(self, crawl: Crawl, number: int) -> dict[str, Any]:
        return {"word": self.of(crawl.job).word}

    def story_lines(self, story: Story) -> Iterable[tuple[str, str]]:
        yield "looked for", story.word


MODE = ToyMode()
