"""What can be wrong with a selector: in itself, before anybody knows which option it stands in, or on one page."""

from __future__ import annotations


class Mistake(ValueError):
    """A problem, and the number of the character where it shows, from 0."""

    def __init__(self, problem: str, position: int) -> None:
        super().__init__(problem)
        self.problem = problem
        self.position = position


class GaveUp(Exception):
    """A selector could not be run to its end on a page; the text says why."""
