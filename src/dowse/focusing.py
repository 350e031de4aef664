"""What a focus crawl needs from outside: its example pages, and the strategy and ranker that are made of them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec.structs import replace

from dowse.config import read_url, user_agent
from dowse.core.errors import CrawlError, JobError
from dowse.core.job import FocusOptions, Job
from dowse.core.model import Failure, Request, Response
from dowse.core.protocols import Ranker
from dowse.core.urls import UrlKeys, resolve
from dowse.fetch.http import HttpFetcher
from dowse.parse.page import Page
from dowse.score.topic import Example
from dowse.store.queries import CrawlReader
from dowse.strategies.focus import FocusStrategy
from dowse.strategies.focusing import build_ranker, build_strategy

EXAMPLES = "examples"
"""The fact of a crawl's table `meta` that holds the texts of its examples."""

_READ = 5_000
"""Characters of an example that count."""


def focus_of(job: Job) -> FocusOptions:
    """The options of a focus crawl. Raises CrawlError if it is none."""
    if not isinstance(job.strategy, FocusOptions):
        raise CrawlError(f"the crawl in {job.output} has no topic: it was not made by dowse focus")
    return job.strategy


def strategy_of(job: Job) -> FocusStrategy:
    """The strategy for a worker of a crawl that has begun."""
    return build_strategy(focus_of(job), kept_examples(job))


def ranker_of(job: Job, examples: Sequence[Example]) -> Ranker:
    return build_ranker(focus_of(job), examples)


def explain(job: Job, model: bytes, lead: bytes) -> dict[str, float]:
    """The parts of what a link that waits is worth, by what its crawl has learned so far."""
    ranker = ranker_of(job, kept_examples(job))
    if model:
        ranker.load(model)
    return ranker.explain(lead)


def kept_examples(job: Job) -> tuple[Example, ...]:
    """The examples of a crawl that has begun."""
    options = focus_of(job)
    if not options.like and not options.unlike:
        return ()
    reader = CrawlReader(Path(job.output))
    try:
        return msgspec.json.decode(reader.meta(EXAMPLES) or "[]", type=tuple[Example, ...])
    finally:
        reader.close()


def read_examples(job: Job) -> tuple[Example, ...]:
    """The example pages a user named, from their files and servers."""
    options = focus_of(job)
    named = [(place, True) for place in options.like] + [(place, False) for place in options.unlike]
    return tuple(Example(_text(_page(place, job))[:_READ], wanted) for place, wanted in named)


def examples_json(examples: Sequence[Example]) -> str:
    return msgspec.json.encode(examples).decode()


def _page(place: str, job: Job) -> Page:
    path = Path(place)
    if "://" in place or not path.exists():
        return Page(_fetched(place, job))
    try:
        body = path.read_bytes()
    except OSError as error:
        raise JobError(f"like: {place}: {error.strerror}") from error
    media = "text/plain" if path.suffix == ".txt" else "text/html"
    request = Request("http://localhost/", 0, "localhost")
    return Page(Response(request, 200, {"content-type": media}, body, 0.0, 0.0))


def _fetched(place: str, job: Job) -> Response:
    if "://" not in place:
        raise JobError(f"like: there is no file {place}; name a file, or a URL with https://")
    found = resolve("", read_url(place))
    assert found is not None  # or read_url would have refused it
    request = UrlKeys(job.urls).request(found)

    async def fetch() -> Response | Failure:
        options = replace(job.fetch, user_agent=user_agent(job))
        fetcher = HttpFetcher(options, [request], lambda media_type: True)
        try:
            return await fetcher.fetch(request)
        finally:
            await fetcher.close()

    answer = asyncio.run(fetch())
    if isinstance(answer, Failure) or answer.status >= 300:
        why = f"{answer.kind}: {answer.detail}" if isinstance(answer, Failure) else f"status {answer.status}"
        raise JobError(f"like: {place} could not be fetched: {why}")
    return answer


def _text(page: Page) -> str:
    text = f"{page.title}\n{page.text}".strip()
    if not text:
        raise JobError(f"like: {page.url} has no text to go by")
    return text
