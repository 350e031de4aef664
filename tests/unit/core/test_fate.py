"""What becomes of a visited URL: the whole table."""

from __future__ import annotations

from typing import Any

import pytest

from dowse.core.fate import Fate, fate, reason_of
from dowse.core.model import SITEMAP, Candidate, Failure, FailureKind, Outcome, Request, State, Task
from dowse.core.retry_dates import STATUS_WAITS, UNCOUNTED, WAITS

NOW = 1_700_000_000.0
REQUEST = Request(url="https://e.org/", key_hash=1, host="e.org")


def decide(content_known: bool = False, digest: int = 0, label: str = "", **facts: Any) -> Fate:
    """`digest` is that of the last visit, 0 for a URL never fetched."""
    task = Task(id=1, request=REQUEST, site="e.org", digest=digest, label=label)
    return fate(Outcome(task, NOW, **facts), content_known=content_known, retries=2, now=NOW)


REDIRECT = Candidate(Request(url="https://e.org/there", key_hash=2, host="e.org"))


@pytest.mark.parametrize(
    ("facts", "state", "reason"),
    [
        # new URL: new content, known content
        ({}, State.FETCHED, ""),
        ({"content_known": True}, State.DUPLICATE, "mirror"),
        # known URL: changed content, content of another page, no change
        ({"digest": 5}, State.FETCHED, "changed"),
        ({"digest": 5, "content_known": True}, State.DUPLICATE, "mirror"),
        ({"digest": 5, "unchanged": True}, State.FETCHED, "unchanged"),
        ({"digest": 5, "unchanged": True, "content_known": True}, State.DUPLICATE, "mirror"),
        # marks that do not decide
        ({"noindex": True}, State.FETCHED, "noindex"),
        ({"noindex": True, "digest": 5}, State.FETCHED, "noindex"),
        ({"noindex": True, "content_known": True}, State.DUPLICATE, "mirror"),
        # no page at all
        ({"redirect": REDIRECT, "status": 302}, State.FETCHED, "redirect"),
        ({"label": SITEMAP, "media_type": SITEMAP}, State.FETCHED, "sitemap"),
        ({"label": SITEMAP, "status": 404}, State.FETCHED, "no sitemap"),
        ({"failure": Failure(FailureKind.ROBOTS, "Disallow: /")}, State.ROBOTS, "robots"),
        ({"failure": Failure(FailureKind.MEDIA_TYPE, "image/png")}, State.OUT_OF_SCOPE, "media type image/png"),
        ({"failure": Failure(FailureKind.TLS, "expired")}, State.FAILED, "tls"),
        ({"failure": Failure(FailureKind.HTTP, status=404)}, State.FAILED, "http 404"),
        ({"failure": Failure(FailureKind.HTTP, status=503)}, State.WAITING, "http 503"),
        ({"failure": Failure(FailureKind.CONNECT, "refused")}, State.WAITING, "connect"),
        # a failure comes before all else
        ({"failure": Failure(FailureKind.TLS), "unchanged": True, "content_known": True}, State.FAILED, "tls"),
    ],
)
def test_the_fate_of_a_visit(facts: dict[str, Any], state: State, reason: str) -> None:
    found = decide(**facts)
    assert (found.state, found.reason) == (state, reason)
    assert (found.not_before > NOW) is (state is State.WAITING)


@pytest.mark.parametrize("kind", list(FailureKind))
def test_every_failure_ends_somewhere_and_only_what_may_pass_waits(kind: FailureKind) -> None:
    status = 503 if kind is FailureKind.HTTP else 0
    waits = STATUS_WAITS[status] if status else WAITS[kind]
    failure = Failure(kind, "detail", status=status)
    states = []
    for attempt in range(4):
        task = Task(id=1, request=REQUEST, site="e.org", attempt=attempt)
        states.append(fate(Outcome(task, NOW, failure=failure), content_known=False, retries=2, now=NOW).state)
    assert states[:2] == [State.WAITING] * 2 if waits else State.WAITING not in states
    if kind in UNCOUNTED:
        assert set(states) == {State.WAITING}, "no page fails for what this machine cannot do"
    else:
        assert states[2] == states[3] != State.WAITING, "two retries are all"


def test_a_reason_has_the_status_where_there_is_one_and_nothing_of_the_detail() -> None:
    assert reason_of(Failure(FailureKind.HTTP, "status 410", status=410)) == "http 410"
    assert reason_of(Failure(FailureKind.TIMEOUT, "after 30,000 ms")) == "timeout"
