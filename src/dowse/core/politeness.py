"""Politeness: when a host may be asked again, worked out from how it answered. Pure functions over a small state.

    after_request    a request goes out     the host rests for a gap
    after_outcome    an answer came in      the gap follows its latency, its complaints and its silence
    in_time          the clock was moved    dates that it could not have set come home

Invariants, whatever came before:
- `not_before` is the last request's date plus the gap, or `blocked_until` if that is later.
- The gap is never shorter than the job's delay, nor than the host's Crawl-delay where robots.txt is obeyed.
- With a delay of 0 the gap of a healthy host is exactly 0; a job without a delay waits as long as answers take, so that
  on average one request is under way.
- One host's state is made from that host's outcomes alone.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from dowse.core.job import Politeness
from dowse.core.model import FailureKind, Outcome
from dowse.core.phrasing import span_text

# A latency before the first answer, so that a new host is not asked for everything at once.
ASSUMED_LATENCY = 1.0
LONGEST_LATENCY_GAP = 10.0
# How much the newest answer counts: slow enough for one large file, fast enough for a host that begins to struggle.
LATENCY_WEIGHT = 0.25

# Answers by which a host says "too fast".
COMPLAINTS = frozenset({429, 503})
FIRST_BACKOFF = 1.0
LONGEST_BACKOFF = 300.0
# Good answers in a row that halve the back-off; below half of the first it is over.
GOOD_ANSWERS = 3

# How a host says nothing at all, and how many of that in a row are a coincidence.
SILENCES = frozenset({FailureKind.DNS, FailureKind.CONNECT, FailureKind.TIMEOUT})
HARMLESS_FAILURES = 2
# At this many in a row the host has been given two minutes, and a quarter of one if it never answered: nearly all such
# hosts are gone for years. Where each try waits for its time to connect, that comes on top.
HOPELESS_FAILURES, HOPELESS_AT_FIRST = 10, 7
# The same of complaints, with some twenty minutes: a server that is down for a day may say so, to every request.
HOPELESS_COMPLAINTS = 12

# What a host may ask for at most, by Retry-After or Crawl-delay; beyond it is as good as never.
LONGEST_WISH = 3600.0


class HostState(Struct, frozen=True, gc=False):
    """What is remembered of one host; all of it numbers. The default is a host never asked.

    `failures` counts silences in a row, `complaints` answers in a row that were complaints, `good_answers` those since
    the back-off last changed. Two request dates are kept because a request that was not sent after all gives its turn
    back.
    """

    not_before: float = 0.0
    last_request: float = 0.0
    previous_request: float = 0.0
    blocked_until: float = 0.0
    latency: float = 0.0
    crawl_delay: float = 0.0
    backoff: float = 0.0
    good_answers: int = 0
    failures: int = 0
    complaints: int = 0


def gap(state: HostState, policy: Politeness) -> float:
    """Seconds from one request to the next."""
    wanted = policy.delay
    if wanted < 0:
        wanted = min(state.latency or ASSUMED_LATENCY, LONGEST_LATENCY_GAP)
    if policy.robots == "obey":
        wanted = max(wanted, state.crawl_delay)
    return max(wanted, state.backoff)


def after_request(state: HostState, now: float, policy: Politeness) -> HostState:
    """A request is handed out now."""
    return replace(
        state,
        not_before=max(now + gap(state, policy), state.blocked_until),
        last_request=now,
        previous_request=state.last_request,
    )


def after_outcome(state: HostState, outcome: Outcome, now: float, policy: Politeness) -> HostState:
    """A request of this host came to its end; its turn is given back if it was never sent."""
    if outcome.crawl_delay is not None:
        state = replace(state, crawl_delay=_wish(outcome.crawl_delay))
    if not outcome.requested:
        state = replace(state, last_request=state.previous_request)
    elif outcome.failure is not None and outcome.failure.kind in SILENCES:
        state = _after_silence(state, outcome, now)
    else:
        state = _after_answer(state, outcome, now)
    if outcome.compared.asked_at > state.last_request:
        state = replace(state, last_request=outcome.compared.asked_at)
    return replace(state, not_before=max(state.last_request + gap(state, policy), state.blocked_until))


def is_hopeless(state: HostState) -> bool:
    """Whether the host has given no page for so long that its waiting URLs would only hold up the end of the crawl."""
    most = HOPELESS_FAILURES if state.latency else HOPELESS_AT_FIRST
    return state.failures >= most or state.complaints >= HOPELESS_COMPLAINTS


def forgiven(state: HostState) -> HostState:
    """The same host without what its silence had cost it, or that it only complained."""
    if not state.failures and not is_hopeless(state):
        return state
    return replace(state, failures=0, complaints=0, blocked_until=0.0, not_before=state.last_request)


def in_time(state: HostState, now: float, policy: Politeness) -> HostState:
    """The same host by a clock that was set back: no request was made in the future, and no wish reaches that far.

    Dates keep their distance to the last request.
    """
    ahead = max(state.last_request - now, 0.0)
    blocked_until = min(state.blocked_until - ahead, now + LONGEST_WISH)
    previous_request = min(state.previous_request, state.last_request)
    if not ahead and (blocked_until, previous_request) == (state.blocked_until, state.previous_request):
        return state
    state = replace(
        state,
        last_request=state.last_request - ahead,
        previous_request=max(previous_request - ahead, 0.0),
        blocked_until=max(blocked_until, 0.0),
    )
    return replace(state, not_before=max(state.last_request + gap(state, policy), state.blocked_until))


def why_resting(state: HostState, policy: Politeness) -> str:
    """Why a host is not asked before its date."""
    if state.blocked_until >= state.not_before and state.blocked_until:
        if state.failures > HARMLESS_FAILURES:
            return f"it was silent {state.failures} times in a row"
        return "it asked for patience (status 429 or 503)"
    if state.backoff and state.backoff >= gap(state, policy):
        return "it said that requests came too fast (status 429 or 503)"
    if policy.robots == "obey" and state.crawl_delay >= gap(state, policy):
        return f"its robots.txt asks for {span_text(state.crawl_delay)} between requests"
    if policy.delay >= 0:
        return f"--delay is {policy.delay:g} s"
    return "it takes long to answer"


def _after_answer(state: HostState, outcome: Outcome, now: float) -> HostState:
    latency = _smoothed(state.latency, outcome.elapsed)
    if outcome.status in COMPLAINTS:
        return _after_complaint(replace(state, latency=latency, good_answers=0, failures=0), outcome, now)
    # Where it only complained it was down, and is back; else it may still be asked too often.
    backoff = FIRST_BACKOFF if is_hopeless(state) and state.backoff else state.backoff
    state = replace(state, latency=latency, failures=0, complaints=0, backoff=backoff)
    if not backoff or not _is_news(state, outcome):
        return state
    if state.good_answers + 1 < GOOD_ANSWERS:
        return replace(state, good_answers=state.good_answers + 1)
    return replace(state, backoff=backoff / 2 if backoff > FIRST_BACKOFF else 0.0, good_answers=0)


def _after_complaint(state: HostState, outcome: Outcome, now: float) -> HostState:
    asked = _wish((outcome.failure.retry_after if outcome.failure is not None else None) or 0.0)
    backoff, complaints = state.backoff, state.complaints
    if _is_news(state, outcome):
        backoff = min(max(FIRST_BACKOFF, 2 * backoff), LONGEST_BACKOFF)
        # Who asks for all the time there is, and once more when that has passed, is away.
        complaints += HOPELESS_COMPLAINTS // 2 if asked >= LONGEST_WISH else 1
    until = max(state.blocked_until, now + max(backoff, asked))
    return replace(state, backoff=backoff, complaints=complaints, blocked_until=until)


def _after_silence(state: HostState, outcome: Outcome, now: float) -> HostState:
    """Silence doubles the wait, but the first answer ends it: unlike a complaint it may have been our own line."""
    if not _is_news(state, outcome):
        return state
    failures = state.failures + 1
    until = state.blocked_until
    if failures > HARMLESS_FAILURES:
        wait = FIRST_BACKOFF * 2.0 ** min(failures - HARMLESS_FAILURES - 1, 32)
        until = max(until, now + min(wait, LONGEST_BACKOFF))
    return replace(state, failures=failures, blocked_until=until)


def _is_news(state: HostState, outcome: Outcome) -> bool:
    """Whether the request went out after the last block. If not, it repeats what is known: four at once are one."""
    return outcome.fetched_at >= state.blocked_until


def _smoothed(latency: float, sample: float) -> float:
    if sample <= 0:
        return latency
    return latency + LATENCY_WEIGHT * (sample - latency) if latency else sample


def _wish(seconds: float) -> float:
    return min(max(0.0, seconds), LONGEST_WISH)
