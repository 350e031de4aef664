"""The weights of pages that a user keeps in a file."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from dowse.core.errors import JobError
from dowse.core.job import Job
from dowse.core.options.revisit_options import EQUAL, WAYS, RevisitOptions, Wishes
from dowse.core.revisits.page_weights import PageWeights, Rows, parse_weights


def wishes_of(options: RevisitOptions) -> Wishes:
    """What is asked for, with the weights of a file if one is named."""
    way = options.weights if options.weights in WAYS else EQUAL
    return Wishes(way, read_weights(options.weights), options.collection)


def with_room(job: Job) -> Job:
    """A job whose crawl ends when the collection is full. A file of weights that is wrong is told now."""
    room = wishes_of(job.revisits).collection
    return replace(job, limits=replace(job.limits, max_pages=room)) if room and not job.limits.max_pages else job


def read_weights(weights: str) -> Rows:
    """The rows of the file that the option names; none if it is one of its words."""
    if weights in WAYS:
        return ()
    try:
        text = Path(weights).expanduser().read_text(encoding="utf-8-sig")
    except (OSError, UnicodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not in UTF-8"
        raise JobError(f"weights: {weights} cannot be read ({reason}); name a CSV file, or {', '.join(WAYS)}") from None
    rows = parse_weights(text.splitlines(), weights)
    PageWeights(rows)  # says which expression is none
    return rows
