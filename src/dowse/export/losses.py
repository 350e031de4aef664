"""What is missing in a file that was written from stored pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from dowse.core.phrasing import counted


@dataclass(slots=True)
class Losses:
    """Pages that are damaged, a line for each, and documents without text that can be read here."""

    damaged: list[str] = field(default_factory=list)
    unread: list[tuple[str, str]] = field(default_factory=list)
    """The URL of each document, and why its text was not read."""

    def add(self, others: Losses) -> None:
        self.damaged += others.damaged
        self.unread += others.unread

    def unread_lines(self) -> Iterator[str]:
        """The documents by what was wrong with them, in sentences with an example each."""
        example = {why: url for url, why in reversed(self.unread)}
        for why, number in Counter(why for _, why in self.unread).most_common():
            such = "such as " if number > 1 else ""
            yield f"{counted(number, 'document')} left out, {such}{example[why]}: {why}"
