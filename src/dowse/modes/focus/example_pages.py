"""What a best-first crawl is made of: its strategy and ranker, for a topic with example pages and a dictionary.

These are read when a crawl begins and kept with it, so that it goes on with the same ones.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec.structs import replace

from dowse.config import read_url, user_agent
from dowse.core.errors import CrawlError, JobError
from dowse.core.files import wanted_files
from dowse.core.job import FilesOptions, FocusOptions, Job
from dowse.core.model import Failure, Request, Response
from dowse.core.protocols import Ranker
from dowse.core.urls import UrlKeys, resolve
from dowse.engine.verdict import Strategy
from dowse.fetch.http import HttpFetcher
from dowse.modes.files.ranker import FilesRanker
from dowse.modes.files.strategy import FilesStrategy
from dowse.modes.focus.orders import build_ranker, build_related, build_strategy
from dowse.parse.page import Page
from dowse.score.related import Related
from dowse.score.topic import Example
from dowse.store.reading.reader import CrawlReader
from dowse.wordnet import WordNet, find_wordnet

EXAMPLES = "examples"
"""The fact of a crawl's table `meta` that holds the texts of its examples."""

RELATED = "related"
"""The same for the words related to its topic."""

_SHOWN_WORDS = 12
_SHOWN_MEANINGS = 4
_READ = 5_000
"""Characters of an example that count."""


def focus_of(job: Job) -> FocusOptions:
    """The options of a focus crawl. Raises CrawlError if it is none."""
    if not isinstance(job.strategy, FocusOptions):
        raise CrawlError(f"the crawl in {job.output} has no topic: it was not made by dowse focus")
    return job.strategy


def strategy_of(job: Job) -> Strategy:
    """The strategy for a worker of a crawl that has begun."""
    if isinstance(job.strategy, FilesOptions):
        return FilesStrategy(wanted_files(job.strategy))
    return build_strategy(focus_of(job), kept_examples(job))


def ranker_of(job: Job, examples: Sequence[Example], related: Related) -> Ranker:
    return build_ranker(focus_of(job), examples, related)


def files_ranker(options: FilesOptions) -> Ranker:
    """The ranker of a crawl for files."""
    return FilesRanker(wanted_files(options))


def explain(job: Job, model: bytes, lead: bytes) -> dict[str, float]:
    """The parts of what a link that waits is worth, by what its crawl has learned so far."""
    if isinstance(job.strategy, FilesOptions):
        ranker = files_ranker(job.strategy)
    else:
        ranker = ranker_of(job, kept_examples(job), kept_related(job))
    if model:
        ranker.load(model)
    return ranker.explain([lead])[0]


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


def kept_related(job: Job) -> Related:
    """The related words of a crawl that has begun."""
    reader = CrawlReader(Path(job.output))
    try:
        return msgspec.json.decode(reader.meta(RELATED) or "{}", type=Related)
    finally:
        reader.close()


def find_related(options: FocusOptions, examples: Sequence[Example] = ()) -> Related:
    """The words related to a topic, by the dictionary and the embeddings that are on this machine."""
    folder = find_wordnet()
    return build_related(options, examples, WordNet(folder) if folder is not None else None)


def related_sentences(related: Related) -> list[str]:
    """What a user should know of the related words that a crawl goes by."""
    told = []
    if related.words:
        told.append(f"related words: {_some(list(related.words), _SHOWN_WORDS)}; --no-related leaves them out")
    if len(related.undecided) == 1:
        ((keyword, senses),) = related.undecided.items()
        meanings = _some([sense.definition for sense in senses], _SHOWN_MEANINGS, "; ")
        told.append(f"{keyword} has several meanings ({meanings}); the words beside it on the seeds decide")
    elif related.undecided:
        keywords = ", ".join(related.undecided)
        told.append(f"several meanings: {keywords}; the words beside them on the seeds decide")
    return told


def _some(words: Sequence[str], most: int, joint: str = ", ") -> str:
    more = f"{joint}{len(words) - most} more" if len(words) > most else ""
    return joint.join(words[:most]) + more


def read_examples(job: Job) -> tuple[Example, ...]:
    """The example pages a user named, from their files and servers."""
    options = focus_of(job)
    wanted = [Example(_text("like", place, job)) for place in options.like]
    return (*wanted, *(Example(_text("unlike", place, job), wanted=False) for place in options.unlike))


def facts(examples: Sequence[Example], related: Related) -> dict[str, str]:
    """What is to be kept with the crawl."""
    return {name: msgspec.json.encode(value).decode() for name, value in ((EXAMPLES, examples), (RELATED, related))}


def _text(option: str, place: str, job: Job) -> str:
    """The text of the page at a place. Raises JobError, with the option that named it, if there is none."""
    page = Page(_fetched(option, place, job) if "://" in place else _read(option, place))
    text = f"{page.title}\n{page.text}".strip()
    if not text:
        lack = "has no text" if page.response.body else "is empty"
        raise JobError(f"{option}: {place} {lack}; name a page that has words, as a file or a URL")
    return text[:_READ]


def _read(option: str, place: str) -> Response:
    path = Path(place)
    try:
        body = path.read_bytes()
    except FileNotFoundError as error:
        raise JobError(f"{option}: there is no file {place}; name a file, or a URL with https://") from error
    except OSError as error:
        raise JobError(f"{option}: {place}: {error.strerror}") from error
    media = "text/plain" if path.suffix == ".txt" else "text/html"
    return Response(Request("http://localhost/", 0, "localhost"), 200, {"content-type": media}, body, 0.0, 0.0)


def _fetched(option: str, place: str, job: Job) -> Response:
    found = resolve("", read_url(place, option))
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
        raise JobError(f"{option}: {place} could not be fetched: {why}")
    return answer
