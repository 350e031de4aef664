"""How the crawls of a mode are kept by the store, as values."""

from __future__ import annotations

from typing import NamedTuple


class Patience(NamedTuple):
    """After how many answers that brought next to nothing a crawl ends (0: never), and from which relevance an answer
    counts (-1: found from the pages)."""

    answers: int = 0
    threshold: float = -1.0


class Habits(NamedTuple):
    """How the crawls of a mode are kept: whether levels are finished one by one, when to give up, whether pages have
    types, and whether results are files with names."""

    by_level: bool = True
    patience: Patience = Patience()
    has_types: bool = False
    names_files: bool = False
