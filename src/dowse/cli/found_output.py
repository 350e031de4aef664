"""What commands print of every best-first crawl: its first results, how many there are and how many may be left."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dowse.core.saturation import Prospect
    from dowse.store.best_first.judgements import Standing

MOST_SHOWN = 10

_WIDE = 2
"""An estimate that reaches to so many times what was found is none."""


def shown_rows(rows: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The first rows, as many as are printed."""
    return islice(rows, MOST_SHOWN)


def count_text(standing: Standing, file: Path, name: str, more: str, answers: str) -> Iterator[str]:
    """How many results of that name there are, where the others are, how many came of late and how many may be left."""
    found = standing.prospect
    if found.matched > MOST_SHOWN:
        yield f"  and {found.matched - MOST_SHOWN:,} more in {file}"
    yield ""
    yield f"{name:<40}{found.matched:>12,}   {more}"
    yield f"{f'  of the last {found.window:,} {answers}':<40}{found.recent:>12,}"
    if found.matched and standing.waiting:
        yield f"{'  links that wait':<40}{standing.waiting:>12,}"
        yield from left_text(found)
    yield ""


def left_text(found: Prospect) -> Iterator[str]:
    """The estimate of what is left, which is a rough one and says so."""
    heading = "  left, by a rough estimate"
    if not found.is_falling:
        yield f"{heading:<40}{'unknown':>12}   it finds as many as ever"
        return
    if found.most > _WIDE * found.matched:
        yield f"{heading:<40}{'unknown':>12}   perhaps {found.least:,} to {found.most:,}"
        return
    about = f"about {round(found.left):,}"
    yield f"{heading:<40}{about:>12}   perhaps {found.least:,} to {found.most:,}"
    yield f"{'  share found, by that':<40}{f'about {found.recall:.2f}':>12}"


def left_json(standing: Standing) -> dict[str, Any]:
    """The same for programs."""
    found = standing.prospect
    return {"estimated_left": round(found.left), "estimated_left_range": [found.least, found.most]}
