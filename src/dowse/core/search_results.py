"""What a search found, as rows."""

from __future__ import annotations

from msgspec import Struct

SEARCH = "search"
"""What the table of pages that were found is called."""


class Found(Struct, frozen=True):
    """A page that was found. `marks` are where in the snippet the words are: pairs of a first place and the one behind
    the last. `date` is what the page states; times are seconds since 1970."""

    url: str
    title: str
    snippet: str
    marks: list[tuple[int, int]]
    score: float
    site: str
    type: str
    language: str
    date: float | None
    fetched_at: float
    relevance: float | None
    crawl: str

    def marked(self, before: str, after: str) -> str:
        """The snippet with something before and after each of the words.

        >>> found = Found("u", "t", "a heat pump", [(2, 6), (7, 11)], 1.0, "", "html", "", None, 0.0, None, "out")
        >>> found.marked("<", ">")
        'a <heat> <pump>'
        """
        parts, place = [], 0
        for first, last in self.marks:
            parts += [self.snippet[place:first], before, self.snippet[first:last], after]
            place = last
        return "".join((*parts, self.snippet[place:]))


class Search(Struct, frozen=True):
    """How a search went: how it was read, how many pages there are, and what has to be said."""

    understood: str
    total: int
    notes: tuple[str, ...]
    found: list[Found]
