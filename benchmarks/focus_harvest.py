"""What the log of a focused crawl comes to: relevant pages among the first pages and among the first requests."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import mean
from urllib.parse import unquote

from msgspec import Struct

from benchmarks.web_proxy import Asked

BUDGET = 300
EARLY = 100


class Run(Struct):
    """Relevant pages among the first 100 and 300 pages and requests, how many there were, and what they took."""

    by_pages: tuple[int, int]
    by_requests: tuple[int, int]
    pages: int
    requests: int
    seconds: float
    cpu: float


def identity(url: str) -> str:
    """The same for all ways to write the URL of one page: crawlers escape and end URLs differently."""
    return unquote(url.partition("#")[0]).removesuffix("index.html").rstrip("/")


def counted(log: Sequence[Asked], truth: frozenset[str], seconds: float, cpu: float) -> Run:
    """What a log comes to. A page that was asked for twice is relevant once."""
    pages = [identity(asked.url) for asked in log if asked.is_page][:BUDGET]
    answered = [identity(asked.url) if asked.is_page else "" for asked in log]
    return Run(
        by_pages=(len(truth & set(pages[:EARLY])), len(truth & set(pages))),
        by_requests=(len(truth & set(answered[:EARLY])), len(truth & set(answered[:BUDGET]))),
        pages=len(pages),
        requests=len(log),
        seconds=seconds,
        cpu=cpu,
    )


def means(runs: Sequence[Run]) -> list[float]:
    """Shares are of the whole budget: pages that a crawler did not fetch are not relevant."""
    shares = [
        mean(getattr(ran, kind)[at] / limit for ran in runs)
        for kind in ("by_pages", "by_requests")
        for at, limit in enumerate((EARLY, BUDGET))
    ]
    return [*shares, *(mean(getattr(ran, kind) for ran in runs) for kind in ("pages", "requests", "seconds", "cpu"))]
