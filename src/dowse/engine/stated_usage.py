"""What is said of the use of an answer: by robots.txt, by its headers and by its meta tags. Most say nothing."""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from dowse.core.model import Failure, FailureKind, Outcome, Response
from dowse.core.usage import NO_AI, Statement, forbids, read_signal, read_usage, written
from dowse.parse.robots_tag import header_usage

_USAGE, _SIGNAL, _RESERVED, _TAG = "content-usage", "content-signal", "tdm-reservation", "x-robots-tag"


def usage_of(response: Response, tags: tuple[Statement, ...] = ()) -> tuple[Statement, ...]:
    """All that is said of a page; `tags` is what its tags say."""
    headers, found = response.headers, response.usage + tags
    if _USAGE in headers and (preferences := read_usage(headers[_USAGE])):
        found = (*found, Statement(f"Content-Usage: {headers[_USAGE]}", preferences))
    if _SIGNAL in headers and (preferences := read_signal(headers[_SIGNAL])):
        found = (*found, Statement(f"Content-Signal: {headers[_SIGNAL]}", preferences))
    if _RESERVED in headers and headers[_RESERVED].strip() == "1":
        found = (*found, Statement("tdm-reservation: 1", NO_AI))
    return found


def usage_of_file(response: Response, kind: str, product_token: str) -> tuple[Statement, ...]:
    """The same of what has no tags; `kind` is its media type."""
    tag = response.headers.get(_TAG)
    said = header_usage(tag, product_token, of_image=kind.startswith("image/")) if tag else ()
    return usage_of(response, said)


def speaks(response: Response) -> bool:
    """Whether robots.txt or the headers may say something of the use of an answer."""
    return bool(response.usage) or any(name in response.headers for name in (_USAGE, _SIGNAL, _RESERVED, _TAG))


def weighed(outcome: Outcome, said: tuple[Statement, ...], uses: Collection[str]) -> Outcome:
    """The outcome with what is `said`. If that forbids what the crawl is for, nothing of the page is kept; its links
    are, for whether they may be followed is said elsewhere."""
    if not said:
        return outcome
    outcome = replace(outcome, usage=written(said))
    source = forbids(said, uses)
    if not source:
        return outcome
    return replace(
        outcome,
        failure=Failure(FailureKind.USAGE, source),
        unchanged=False,
        digest=0,
        title="",
        records=[],
        passages=b"",
        canonical=0,
        judged=None,
        evidence=b"",
    )
