"""The methods of a rule crawl besides its tables: its rules, their matches, and the instructions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from dowse.machine.credentials import is_ours
from dowse.modes.rules.rule_places import current_rules, own_place
from dowse.modes.rules.rule_table import Instruction, RuleTable, build_instruction
from dowse.modes.rules.tables import RuleReader

if TYPE_CHECKING:
    from dowse.crawl import Crawl
    from dowse.store.reading.stories import Story


class RulesView:
    """Its public names are names of the crawl: `crawl.instructions()`."""

    def __init__(self, crawl: Crawl) -> None:
        self._crawl = crawl
        self._reader = RuleReader(crawl.reader.connection)

    @property
    def rules(self) -> RuleTable:
        """The rules, as they are now."""
        job, directory = self._crawl.job, self._crawl.directory
        table: str = job.options.table  # type: ignore[attr-defined]
        # A stranger's crawl could name a database that is to get a password of ours; its own copy will do.
        if not is_ours(job, self._crawl.seal):
            table = own_place(directory)
        return current_rules(table, directory, job.options.base)  # type: ignore[attr-defined]

    def instructions(self) -> Iterator[Instruction]:
        """The instruction of each page."""
        return self._reader.instructions()

    def matches(self) -> dict[int, tuple[int, int]]:
        """For each row of the rule table the number of pages it was applied to, and of links it matched there."""
        return self._reader.matches()

    def next_instruction(self, story: Story) -> Instruction | None:
        """The instruction that a URL would get that was not visited yet; None if it has no page type."""
        if not story.page_types:
            return None
        table = self.rules
        rules = [rule for each in story.page_types for rule in table.from_type(each["base"], each["name"])]
        return build_instruction(story.page_types[0]["base"], story.url, rules)

    def story(self, number: int) -> dict[str, Any]:
        """What rules did to one URL."""
        return {
            "page_types": self._reader.page_types(number),
            "kept": self._reader.kept(number),
            "instruction": self._reader.instruction(number),
        }
