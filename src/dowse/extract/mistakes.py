"""What is wrong with a selector, before anybody knows which option it stands in."""

from __future__ import annotations


class Mistake(ValueError):
    """A problem, and the number of the character where it shows, from 0."""

    def __init__(self, problem: str, position: int) -> None:
        super().__init__(problem)
        self.problem = problem
        self.position = position
