"""Obeying robots.txt: a fetcher that asks each origin for its rules once and refuses what they forbid.

    what robots.txt answers          what is done                                       remembered for
    2xx                              its rules hold                                     24 hours
    3xx                              followed, up to 5 hops; beyond that, or to where
                                     the user wants no request, as 4xx                  24 hours
    4xx but 429                      there are no rules, all is allowed                 24 hours
    429, 5xx                         nothing is fetched; a failure that may pass        1, 5, 55 s, or Retry-After
    no answer (dns, timeout, ...)    nothing is fetched; the same failure               1, 5, 55 s
    it could not be asked (machine)  nothing is fetched; the same failure               not at all

Rules that are known already stay in force while robots.txt cannot be reached, as RFC 9309 allows.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Collection

from msgspec import Struct
from msgspec.structs import replace

from dowse.core.model import Failure, FailureKind, Request, Response
from dowse.core.protocols import Fetcher, Sink
from dowse.core.retry_dates import retry_after
from dowse.core.urls import host_of, resolve, split_credentials
from dowse.core.user_agent import product_token
from dowse.fetch.robots_rules import SIZE_LIMIT, RobotsRules

RULES_LAST = 24 * 3600.0
# A little less than the waits before a failed page is tried again (core.schedule), so that each try asks anew.
TROUBLE_LASTS = (0.9, 4.5, 55.0)
LONGEST_TROUBLE = 3600.0
REDIRECTS = 5
ORIGINS = 2_000
MOST_BYTES = 64_000_000
"""Origins remembered, and memory for their rules; those asked for least recently are forgotten first."""


class _Origin(Struct):
    """What is known of one origin: its rules, or the failure to get them."""

    rules: RobotsRules | Failure
    expires: float
    sitemaps: tuple[str, ...] | None = None
    failures: int = 0

    @property
    def size(self) -> int:
        return self.rules.size if isinstance(self.rules, RobotsRules) else 0


class RobotsFetcher:
    """Wraps a fetcher and lets through what robots.txt allows.

    A response carries the origin's crawl delay. Its sitemaps go with the first page that is fetched from it.
    """

    def __init__(
        self,
        inner: Fetcher,
        user_agent: str,
        clock: Callable[[], float] = time.monotonic,
        excluded: Callable[[str], object] = lambda url: False,
        uses: Collection[str] = (),
        *,
        keep: bool = False,
    ) -> None:
        """`excluded` says of a URL that a robots.txt may not be looked for there. `uses` is what pages are wanted for
        (core/usage.py). `keep`: each answer to a request for robots.txt is put into `heard`, for an archive."""
        self._uses = uses
        self._keep = keep
        self.heard: list[Response] = []
        self._excluded = excluded
        self._inner = inner
        self._token = product_token(user_agent)
        self._clock = clock
        self._origins: OrderedDict[str, _Origin] = OrderedDict()
        self._bytes = 0
        self._asking: dict[str, asyncio.Task[_Origin]] = {}

    async def fetch(self, request: Request, sink: Sink | None = None) -> Response | Failure:
        name = request.url[: request.url.index("/", 8)]
        origin = self._origins.get(name)
        if origin is None or origin.expires <= self._clock():
            origin = await self._ask_once(name)
        else:
            self._origins.move_to_end(name)
        rules = origin.rules
        if isinstance(rules, Failure):
            return rules
        refusal = rules.refusal(request.url)
        if refusal:
            return Failure(FailureKind.ROBOTS, refusal)
        answer = await self._inner.fetch(request, sink)
        if isinstance(answer, Failure):
            return answer
        sitemaps: tuple[str, ...] | None = None
        if sink is None and answer.status < 300:
            sitemaps, origin.sitemaps = origin.sitemaps, None
        usage = rules.usage(request.url)
        if sitemaps is None and not usage and rules.crawl_delay is None:
            return answer
        return replace(answer, crawl_delay=rules.crawl_delay, sitemaps=sitemaps, usage=usage)

    async def permits(self, url: str) -> bool:
        """Whether a page may ask for this absolute URL while it is rendered; unknown rules are asked for first."""
        name = url[: url.index("/", 8)]
        origin = self._origins.get(name)
        if origin is None or origin.expires <= self._clock():
            origin = await self._ask_once(name)
        return isinstance(origin.rules, RobotsRules) and origin.rules.allows(url)

    def refuses(self, url: str) -> bool:
        """Whether rules that are known already forbid this absolute URL."""
        origin = self._origins.get(url[: url.find("/", 8)])
        return origin is not None and isinstance(origin.rules, RobotsRules) and not origin.rules.allows(url)

    async def close(self) -> None:
        asking = list(self._asking.values())
        for task in asking:
            task.cancel()
        await asyncio.gather(*asking, return_exceptions=True)
        await self._inner.close()

    async def _ask_once(self, name: str) -> _Origin:
        task = self._asking.get(name)
        if task is None:
            task = asyncio.ensure_future(self._ask(name))
            self._asking[name] = task
            task.add_done_callback(lambda _: self._asking.pop(name, None))
        # One caller that is cancelled must not take the answer from the others.
        return await asyncio.shield(task)

    async def _ask(self, name: str) -> _Origin:
        url = f"{name}/robots.txt"
        answer = await self._download(url)
        before = self._origins.get(name)
        failures = before.failures if before is not None else 0
        if before is not None and isinstance(before.rules, Failure):
            before = None
        if isinstance(answer, Failure) and answer.kind is FailureKind.MACHINE:
            return before or _Origin(answer, 0.0)  # the origin had no part in it: nothing is remembered
        if isinstance(answer, Failure):
            rest = TROUBLE_LASTS[min(failures, len(TROUBLE_LASTS) - 1)]
            rest = min(max(rest, answer.retry_after or 0.0), LONGEST_TROUBLE)
            origin = _Origin(before.rules if before else answer, self._clock() + rest, failures=failures + 1)
        else:
            origin = _Origin(RobotsRules(answer, self._token, self._uses), self._clock() + RULES_LAST)
        if before:
            origin.sitemaps = before.sitemaps
        elif isinstance(origin.rules, RobotsRules):
            origin.sitemaps = tuple(filter(None, (resolve(url, sitemap) for sitemap in origin.rules.sitemaps)))
        self._remember(name, origin)
        return origin

    def _remember(self, name: str, origin: _Origin) -> None:
        before = self._origins.get(name)
        self._bytes += origin.size - (before.size if before is not None else 0)
        self._origins[name] = origin
        self._origins.move_to_end(name)
        while len(self._origins) > ORIGINS or (self._bytes > MOST_BYTES and len(self._origins) > 1):
            self._bytes -= self._origins.popitem(last=False)[1].size

    async def _download(self, url: str) -> bytes | Failure:
        """The text of a robots.txt; empty when the site has none."""
        for _ in range(REDIRECTS + 1):
            body = _Beginning()
            answer = await self._inner.fetch(Request(url=url, key_hash=0, host=host_of(url)), body.take)
            if self._keep and isinstance(answer, Response):
                octets = (answer.body or bytes(body.octets))[:SIZE_LIMIT]
                self.heard.append(replace(answer, body=octets, is_cut=len(octets) == SIZE_LIMIT))
            if isinstance(answer, Failure):
                if 400 <= answer.status < 500 and answer.status != 429:
                    return b""  # of a replay, which has no such page
                # An endless file is cut off by the fetcher's limits, but all that counts may be there by then.
                if body.is_complete:
                    return bytes(body.octets)
                return replace(answer, detail=f"robots.txt: {answer.detail}")
            if answer.status == 429 or answer.status >= 500:
                detail = f"robots.txt answered {answer.status}"
                wait = retry_after(answer.headers.get("retry-after", ""), answer.fetched_at)
                return Failure(FailureKind.HTTP, detail, wait, answer.status)
            if answer.status < 300:
                return bytes(body.octets)
            target = resolve(url, answer.headers.get("location", "")) if answer.status < 400 else None
            if target is None or target == url or self._excluded(target):
                return b""
            url = split_credentials(target)[0]
        return b""


class _Beginning:
    """As much of a body as counts."""

    def __init__(self) -> None:
        self.octets = bytearray()

    def take(self, chunk: bytes) -> None:
        self.octets += chunk[: SIZE_LIMIT - len(self.octets)]

    @property
    def is_complete(self) -> bool:
        return len(self.octets) >= SIZE_LIMIT
