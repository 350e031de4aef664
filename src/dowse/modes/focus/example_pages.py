"""What a focus crawl reads when it begins: its example pages, and the words related to its topic by a dictionary.

Both are its briefing and stay with the crawl, so that it goes on with the same ones. When it goes on with
another topic, only what is new is read.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from dowse.core.briefing import NOTHING, Briefing
from dowse.core.errors import JobError
from dowse.core.job import Job
from dowse.core.model import Failure, Request, Response
from dowse.core.url_keys import UrlKeys
from dowse.core.urls import resolve
from dowse.core.user_agent import user_agent
from dowse.documents.document_reader import DocumentReader
from dowse.documents.read_pages import page_of_answer
from dowse.fetch.http import HttpFetcher
from dowse.machine.wordnet import WordNet, find_wordnet
from dowse.modes.focus.options import FocusOptions
from dowse.modes.focus.ranker import build_related
from dowse.modes.mode import Tell
from dowse.score.related import Related
from dowse.score.topic import Example
from dowse.settings import read_url

_EXAMPLES, _RELATED, _ASKED = "examples", "related", "asked"
_SHOWN_WORDS = 12
_SHOWN_MEANINGS = 4
_READ = 5_000
"""Characters of an example that count."""


class Asked(Struct, frozen=True):
    """What a briefing was made for: a topic, and where its examples are."""

    topic: str = ""
    like: tuple[str, ...] = ()
    unlike: tuple[str, ...] = ()


def read_briefing(job: Job, options: FocusOptions, tell: Tell, before: Briefing = NOTHING) -> Briefing:
    """Read the examples and look the topic's words up; what the user should know of these is told. Examples that were
    read `before` are not read again: they may be gone."""
    places = _asked(before)
    known = dict(zip([*places.like, *places.unlike], (each.text for each in examples_of(before)), strict=False))
    examples = read_examples(job, options, known)
    related = find_related(options, examples)
    for sentence in related_sentences(related):
        tell(sentence)
    return {
        _EXAMPLES: msgspec.json.encode(examples),
        _RELATED: msgspec.json.encode(related),
        _ASKED: msgspec.json.encode(Asked(options.topic, options.like, options.unlike)),
    }


def is_of(options: FocusOptions, briefing: Briefing) -> bool:
    """Whether a briefing was made for the topic and examples of some options."""
    return _asked(briefing) == Asked(options.topic, options.like, options.unlike)


def topic_text(options: FocusOptions) -> str:
    """A topic with its examples, in words."""
    examples = [f"like {place}" for place in options.like] + [f"unlike {place}" for place in options.unlike]
    return "; ".join(part for part in (options.topic.strip(), *examples) if part)


def _asked(briefing: Briefing) -> Asked:
    return msgspec.json.decode(briefing.get(_ASKED, b"{}"), type=Asked)


def examples_of(briefing: Briefing) -> tuple[Example, ...]:
    return msgspec.json.decode(briefing.get(_EXAMPLES, b"[]"), type=tuple[Example, ...])


def related_of(briefing: Briefing) -> Related:
    return msgspec.json.decode(briefing.get(_RELATED, b"{}"), type=Related)


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


def read_examples(job: Job, options: FocusOptions, known: Mapping[str, str]) -> tuple[Example, ...]:
    """The example pages a user named, from their files and servers, unless their texts are known."""
    texts = {
        place: known.get(place) or _text(option, place, job)
        for option, places in (("like", options.like), ("unlike", options.unlike))
        for place in places
    }
    wanted = [Example(texts[place]) for place in options.like]
    return (*wanted, *(Example(texts[place], wanted=False) for place in options.unlike))


def _text(option: str, place: str, job: Job) -> str:
    """The text of the page at a place. Raises JobError, with the option that named it, if there is none."""
    with DocumentReader() as reader:
        page = page_of_answer(_fetched(option, place, job) if "://" in place else _read(option, place), reader)
    text = f"{page.title}\n{page.text}".strip()
    if not text:
        lack = page.note or "has no text" if page.response.body else "is empty"
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
