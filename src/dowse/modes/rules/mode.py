"""The mode `rules`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dowse.core.briefing import Briefing, Watch
from dowse.core.errors import JobError
from dowse.core.job import Job
from dowse.core.results import Results
from dowse.modes.mode import Mode, Seed, Tell
from dowse.modes.rules.options import RulesOptions

if TYPE_CHECKING:
    from dowse.core.exhibits import Exhibit
    from dowse.crawl import Crawl
    from dowse.engine.loop import Listener
    from dowse.engine.verdict import Strategy
    from dowse.modes.rules.live_outputs import GrowingLists
    from dowse.modes.rules.rule_table import RuleTable
    from dowse.modes.rules.view import RulesView
    from dowse.store.bookkeeping import Bookkeeping
    from dowse.store.reading.reader import CrawlReader
    from dowse.store.reading.stories import Story
    from dowse.store.reading.tables import Table


class RulesMode(Mode[RulesOptions]):
    """Crawl what the rules of a table lead to, and keep what they keep.

    The links found grow in keep.csv and follow.csv, beside the database of the crawl.
    """

    name = "rules"
    options = RulesOptions
    usual = ("table", "head")
    page_kinds = "SELECT task, min(name) AS kind FROM page_type GROUP BY task"
    start = "table"
    command = ("rules", "run")
    tables = ("kept", "followed")
    outputs = ("keep.csv", "follow.csv")
    result_table = "kept"
    finds = "kept links"
    visits = "instructions"
    identity = ("base",)
    lack = "has no rules that keep or follow links"
    # Rules say themselves where to go.
    defaults = {"scope": "any", "sitemaps": False}  # noqa: RUF012

    def check(self, job: Job) -> None:
        if not self.of(job).table:
            raise JobError("table: there is none; name the rule table, such as rules.csv or sqlite:///rules.db")

    def check_change(self, before: Job, after: Job, changed: Iterable[str]) -> None:
        from dowse.modes.rules.rule_places import is_database, own_place

        super().check_change(before, after, changed)
        table = self.of(after).table
        if "table" in changed and not is_database(table):
            raise JobError(
                f"table: the crawl has rules of its own by now; change them with: dowse rules import"
                f" {table} {own_place(Path(after.output))} --replace"
            )

    def folder(self, options: Mapping[str, Any]) -> str:
        table = str(options.get("table", "")).partition("?")[0].rstrip("/").rpartition("/")[2]
        hosts = [re.split(r"[/?#]", base.partition("://")[2])[0] for base in options.get("base", ())]
        return "-".join(
            re.sub(r"[^\w.-]+", "-", word).strip("-.") for word in (table.rpartition(".")[0] or table, *hosts)
        )

    def prepare(self, job: Job, stored: Briefing | None, tell: Tell) -> Briefing:
        from dowse.modes.rules.briefing import pack_rules
        from dowse.modes.rules.rule_places import current_rules, usable_rules

        table, bases = self.of(job).table, self.of(job).base
        if stored is None:
            return pack_rules(usable_rules(table, bases))
        return pack_rules(current_rules(table, Path(job.output), bases))

    def problems(self, job: Job, briefing: Briefing) -> tuple[list[str], list[str]]:
        table = self.rules(briefing)
        warnings = [str(problem) for problem in table.warnings]
        if not job.fetch.bodies:
            warnings.append("without bodies, a page that gets a second page type is fetched again")
        return [str(problem) for problem in table.errors], warnings

    def rules(self, briefing: Briefing) -> RuleTable:
        """The rules that a crawl was briefed with."""
        from dowse.modes.rules.briefing import unpack_rules

        return unpack_rules(briefing)

    def current_seeds(self, crawl: Crawl) -> tuple[str, ...]:
        return self.view_type(crawl).rules.bases or crawl.job.seeds

    def seeds(self, job: Job, briefing: Briefing) -> Sequence[Seed]:
        from dowse.modes.rules.rule_table import BASE

        return [Seed(url, hint=BASE.encode()) for url in self.rules(briefing).bases or job.seeds]

    def strategy(self, job: Job, briefing: Briefing) -> Strategy:
        from dowse.modes.rules.strategy import RulesStrategy

        return RulesStrategy(self.rules(briefing).rules, heads=self.of(job).head)

    def bookkeeping(self, job: Job, briefing: Briefing) -> list[Bookkeeping]:
        from dowse.modes.rules.bookkeeping import PageTypes
        from dowse.modes.rules.kept_heads import KeptHeads
        from dowse.modes.rules.rule_places import is_database

        return [PageTypes(self.rules(briefing).rules, copies=is_database(self.of(job).table)), KeptHeads()]

    def watch(self, job: Job) -> Watch:
        from dowse.modes.rules.briefing import RuleWatch

        return RuleWatch(self.of(job).table, Path(job.output), self.of(job).base)

    def live_outputs(self, job: Job, listener: Listener) -> GrowingLists:
        from dowse.modes.rules.live_outputs import GrowingLists

        return GrowingLists(Path(job.output), listener)

    def table(self, name: str, reader: CrawlReader, job: Job) -> Table:
        from dowse.modes.rules.tables import query_of

        return reader.query_table(query_of(name, reader.connection))

    @property
    def view_type(self) -> type[RulesView]:
        from dowse.modes.rules.view import RulesView

        return RulesView

    def results(self, crawl: Crawl) -> Results:
        from dowse.modes.rules.results import results

        return results(crawl)

    def exhibits(self, crawl: Crawl) -> Iterable[Exhibit]:
        from dowse.modes.rules.exhibits import exhibits

        return exhibits(crawl)

    def story(self, crawl: Crawl, number: int) -> dict[str, Any]:
        return self.view_type(crawl).story(number)

    def story_lines(self, story: Story) -> Iterable[tuple[str, str]]:
        from dowse.modes.rules.results import story_lines

        return story_lines(story)


MODE = RulesMode()
