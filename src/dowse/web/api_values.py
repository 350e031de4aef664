"""What the API gives of crawls and of problems, and what all its values have in common.

job_values.py       jobs, acts and schedules
inside_values.py    what is inside of a crawl
builder_values.py   the rule builder
"""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict


class Value(BaseModel):
    """Made from a value of the crawl by its attributes."""

    model_config = ConfigDict(from_attributes=True)


class Problem(BaseModel):
    """Why something was not done. `key` is the option that is wrong, if it is one."""

    message: str
    key: str = ""


class LedgerCount(Value):
    """How many discovered URLs are in one state for one reason."""

    state: str
    reason: str
    count: int


class CrawlLine(BaseModel):
    """A crawl in a list. `trouble` says why it cannot be read, if it cannot."""

    id: str
    name: str
    mode: str = ""
    state: str = ""
    stop_reason: str = ""
    seeds: list[str] = []
    pages: int = 0
    waiting: int = 0
    failed: int = 0
    size: int = 0
    elapsed: float = 0.0
    changed: float = 0.0
    is_watched: bool = False
    trouble: str = ""


class CrawlList(BaseModel):
    """Every crawl of the served folders."""

    crawls: list[CrawlLine]


class CrawlDetail(CrawlLine):
    """A crawl with its job and what it found."""

    job: str = ""
    results: dict[str, Any] = {}
    log: str = ""


PROBLEMS: dict[int | str, dict[str, Any]] = {
    400: {"model": Problem, "description": "The request is not written as it should be."},
    401: {"model": Problem, "description": "Nobody is logged in."},
    422: {"model": Problem, "description": "Something is wrong with what was given."},
}
"""What can come of every request."""

CRAWL_PROBLEMS: dict[int | str, dict[str, Any]] = {
    **PROBLEMS,
    404: {"model": Problem, "description": "There is no such crawl."},
    409: {"model": Problem, "description": "The crawl is as it is: it runs, or cannot be read or written."},
}
"""What can come of a request about a crawl."""
