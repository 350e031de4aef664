"""What becomes of a URL once its visit is over: one pure function from an outcome to a state and a reason."""

from __future__ import annotations

from typing import NamedTuple

from dowse.core.duplicates.fingerprint import Case, content_case
from dowse.core.model import SITEMAP, Failure, FailureKind, Outcome, State
from dowse.core.retry_dates import next_attempt
from dowse.core.sitemap_turns import NO_SITEMAP
from dowse.core.task_labels import NO_PAGES

MIRROR = "mirror"
NEAR_DUPLICATE = "near_duplicate"
CANONICAL = "canonical"
CHANGED = "changed"
UNCHANGED = "unchanged"
LEFT_OUT = "links too many left out"
"""How the detail of a visit ends whose page had more links than are read of one."""

WITHHELD = "usage"
"""Why a page that was fetched is not kept: it does not want to be used for what the crawl is for."""

GONE = (404, 410)
NO_PAGE = (FailureKind.MEDIA_TYPE, FailureKind.USAGE)


class Fate(NamedTuple):
    """The state to write down, why, and for a retry the date."""

    state: State
    reason: str = ""
    not_before: float = 0.0


class Finding(NamedTuple):
    """The page that another one is (0: none), by which test, and how alike they are, in words."""

    page: int
    reason: str = ""
    detail: str = ""


def fate(outcome: Outcome, *, content_known: bool, nearly_known: str = "", retries: int, now: float) -> Fate:
    """Decide where a visited URL stands now.

    `content_known` says that this body was seen before under another URL; it is false where nobody asked for that.
    `nearly_known` is the test that found it to be another page with small changes, if one did.
    """
    if outcome.failure is not None:
        return _fate_of_failure(outcome, outcome.failure, retries, now)
    if outcome.redirect is not None:
        return Fate(State.FETCHED, "redirect")
    if outcome.task.label == SITEMAP and not (outcome.media_type or outcome.unchanged):
        return Fate(State.FETCHED, NO_SITEMAP)
    if outcome.task.label in NO_PAGES:
        return Fate(State.FETCHED, outcome.task.label)
    if nearly_known:
        return Fate(State.DUPLICATE, nearly_known)
    if outcome.unchanged and not content_known:
        return Fate(State.FETCHED, UNCHANGED)
    case = content_case(bool(outcome.task.digest), content_known)
    if not case.is_processed:
        return Fate(State.DUPLICATE, MIRROR)
    if outcome.noindex:
        return Fate(State.FETCHED, "noindex")
    if case is not Case.CHANGED:
        return Fate(State.FETCHED)
    # Other bytes are on most pages no more than another date or token, which nobody would call a change.
    is_same = outcome.difference is not None and not outcome.difference
    return Fate(State.FETCHED, UNCHANGED if is_same else CHANGED)


def is_gone(outcome: Outcome) -> bool:
    """Whether an answer says that there is no page at this address any more, or none that we may use, so that a copy of
    it is history.

    Any other failure says nothing of the page: a server in trouble, a time-out, a log-in that ran out. What is known of
    it from the visit before stays.
    """
    return outcome.failure is not None and (outcome.status in GONE or outcome.failure.kind in NO_PAGE)


def _fate_of_failure(outcome: Outcome, failure: Failure, retries: int, now: float) -> Fate:
    if failure.kind is FailureKind.ROBOTS:
        return Fate(State.ROBOTS, "robots")
    if failure.kind is FailureKind.USAGE:
        return Fate(State.ROBOTS, WITHHELD)
    if failure.kind is FailureKind.SCOPE:
        return Fate(State.OUT_OF_SCOPE, failure.detail)
    if failure.kind is FailureKind.MEDIA_TYPE:
        return Fate(State.OUT_OF_SCOPE, f"media type {failure.detail}")
    date = next_attempt(failure, outcome.task.attempt, now, retries, salt=outcome.task.id)
    if date is not None:
        return Fate(State.WAITING, reason_of(failure), date)
    return Fate(State.FAILED, reason_of(failure))


def reason_of(failure: Failure) -> str:
    """A failure in few words, the same for all URLs that failed alike, so that the ledger can count them."""
    return f"{failure.kind} {failure.status}" if failure.status else str(failure.kind)
