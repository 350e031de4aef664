"""A mode that asks the search of a site, page after page: each request is a POST whose hint says which page it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Struct

from dowse.core.briefing import Briefing
from dowse.core.job import Job, Option
from dowse.modes.mode import Mode

if TYPE_CHECKING:
    from dowse.core.model import Task
    from dowse.engine.verdict import Verdict
    from dowse.parse.page import Page


class AskingOptions(Struct, frozen=True, kw_only=True):
    """What is searched for."""

    word: Annotated[str, Option("What to search for.", "WORD")] = ""


class AskingStrategy:
    """Asks for the next page of results, which only the hint of the task can number."""

    reads = "links"

    def __init__(self, word: str) -> None:
        self._word = word

    def priority(self, depth: int) -> float:
        return -float(depth)

    def judge(self, page: Page, task: Task) -> Verdict:
        from dowse.engine.verdict import Proposal, Verdict

        following = int.from_bytes(task.hint, "big") + 1
        proposal = Proposal(
            url="/search",
            method="POST",
            body=f"q={self._word}&page={following}".encode(),
            headers=(("X-Asking", str(following)),),
            hint=following.to_bytes(2, "big"),
            why=f"page {following} of the results",
        )
        return Verdict(0.0, [], requests=[] if page.title == "no more" else [proposal], evidence=task.hint)


class AskingMode(Mode[AskingOptions]):
    """Ask the search of a site for a word."""

    name = "asking"
    options = AskingOptions
    arguments = ("word",)

    def strategy(self, job: Job, briefing: Briefing) -> Any:
        return AskingStrategy(self.of(job).word)


MODE = AskingMode()
