"""One visit: a task becomes a request, a response, a page, a verdict and, in the end, one outcome."""

from __future__ import annotations

import time
from collections.abc import Callable

from msgspec.structs import replace

from dowse.core.fingerprint import checksum
from dowse.core.job import Job
from dowse.core.model import Candidate, Failure, FailureKind, Outcome, Request, Response, Task
from dowse.core.protocols import Fetcher
from dowse.core.scope import Scope
from dowse.core.urls import Base, UrlKeys
from dowse.engine.outcomes import failed, refused, told
from dowse.parse.media import is_html, is_xml_links, media_type
from dowse.parse.page import Page
from dowse.parse.sitemap import SitemapEntry, SitemapReader
from dowse.strategies.verdict import Strategy

SITEMAP = "sitemap"
"""The page type of sitemaps and feeds: lists of URLs, read as a stream, their entries one click from a seed."""

_BATCH = 1000
_MEMORY = 30_000

Emit = Callable[[Outcome], None]
"""Takes a partial outcome while its task is still under way."""


class Worker:
    """Visits tasks. It owns no queue and writes nothing: what it has to say is in the outcome."""

    def __init__(
        self, job: Job, fetcher: Fetcher, strategy: Strategy, scope: Scope, refused_by_robots: Callable[[str], bool]
    ) -> None:
        self._job = job
        self._fetcher = fetcher
        self._strategy = strategy
        self._scope = scope
        self._refused_by_robots = refused_by_robots
        self._use_lists = job.politeness.sitemaps and job.limits.depth < 0
        self._obey = job.politeness.robots == "obey"
        self._keys = UrlKeys(job.urls)
        self._known: dict[str, tuple[Request, str]] = {}

    async def close(self) -> None:
        await self._fetcher.close()

    async def visit(self, task: Task, emit: Emit) -> Outcome:
        """Fetch and read one page. Trouble with the page is part of the outcome, never an exception."""
        if task.label == SITEMAP:
            return await self._visit_sitemap(task, emit)
        answer = await self._fetcher.fetch(_conditional(task))
        if isinstance(answer, Failure):
            return failed(task, answer)
        if 300 <= answer.status < 400 and answer.status != 304:
            return self._redirected(task, answer)
        if answer.status == 304:
            return told(task, answer, unchanged=True)
        if answer.status >= 400:
            return refused(task, answer)
        return self._read(task, answer)

    def _read(self, task: Task, response: Response) -> Outcome:
        kind = media_type(response.headers, response.body)
        digest = checksum(response.body, self._job.dedup.checksum)
        if task.digest and digest == task.digest:
            return told(task, response, unchanged=True, digest=digest, media_type=kind)
        if is_xml_links(kind) and self._use_lists:
            candidates = self._list_candidates(task, SitemapReader(), response.body)
            return told(task, response, digest=digest, media_type=kind, candidates=candidates)
        if not is_html(kind):
            refusal = self._scope.refuse_media_type(kind)
            if refusal:
                return told(task, response, failure=Failure(FailureKind.MEDIA_TYPE, kind))
            return told(task, response, digest=digest, media_type=kind)
        return self._judge(task, response, Page(response), digest)

    def _judge(self, task: Task, response: Response, page: Page, digest: int) -> Outcome:
        if page.trouble:
            return told(task, response, failure=Failure(FailureKind.PARSE, page.trouble))
        verdict = self._strategy.judge(page, task)
        nofollow = self._obey and page.robots.nofollow
        depth = task.depth + 1
        candidates = [
            self._candidate(
                choice.link.url,
                task.site,
                depth,
                anchor=choice.link.text,
                priority=choice.priority,
                label=choice.label,
                nofollow=nofollow or (self._obey and choice.link.nofollow),
            )
            for choice in verdict.choices
        ]
        if self._use_lists:
            candidates += self._listed((*response.sitemaps, *page.feeds), task)
        return told(
            task,
            response,
            digest=digest,
            media_type=page.media_type,
            charset=page.charset,
            title=page.title,
            candidates=candidates,
            noindex=self._obey and page.robots.noindex,
        )

    def _candidate(
        self, url: str, site: str, depth: int, *, anchor: str = "", priority: float, label: str = "", nofollow: bool = False
    ) -> Candidate:
        known = self._known.get(url)
        if known is None:
            known = self._decide(url)
        request, refused = known
        if label == SITEMAP:
            refused = ""  # patterns and extensions are about pages, not about lists of them
        return Candidate(
            request,
            anchor,
            priority,
            label,
            refused or self._scope.refuse_walk(request.host, site, depth) or ("nofollow" if nofollow else ""),
        )

    def _decide(self, url: str) -> tuple[Request, str]:
        """What depends on the URL alone is decided once: the pages of a site repeat most of their links."""
        request = self._keys.request(url)
        refused = self._scope.refuse(request)
        if not refused and self._obey and self._refused_by_robots(url):
            refused = "robots"
        if len(self._known) >= _MEMORY:
            self._known.clear()
        self._known[url] = (request, refused)
        return request, refused

    def _redirected(self, task: Task, response: Response) -> Outcome:
        location = response.headers.get("location", "")
        target = Base(response.request.url).join(location) if location else None
        if target is None:
            detail = f"status {response.status} to {location!r}" if location else f"status {response.status}, no location"
            return told(task, response, failure=Failure(FailureKind.REDIRECT, detail, status=response.status))
        if task.redirects >= self._job.fetch.max_redirects:
            detail = f"more than {self._job.fetch.max_redirects} redirects"
            return told(task, response, failure=Failure(FailureKind.REDIRECT, detail, status=response.status))
        request = self._keys.request(target)
        # A seed that moved takes its scope along: the user asked for that site, wherever it lives now.
        site = request.host if task.depth == 0 else task.site
        candidate = self._candidate(
            target, site, task.depth, priority=self._strategy.priority(task.depth), label=task.label
        )
        return told(task, response, redirect=candidate)

    async def _visit_sitemap(self, task: Task, emit: Emit) -> Outcome:
        reader = SitemapReader()
        entries: list[SitemapEntry] = []

        def take(chunk: bytes) -> None:
            entries.extend(reader.feed(chunk))
            if len(entries) >= _BATCH:
                emit(
                    Outcome(
                        task=task, fetched_at=time.time(), partial=True, candidates=self._entries(task, entries)
                    )
                )
                entries.clear()

        answer = await self._fetcher.fetch(_conditional(task), take)
        if isinstance(answer, Failure):
            return failed(task, answer)
        if 300 <= answer.status < 400:
            return self._redirected(task, answer)
        if answer.status >= 400:
            return refused(task, answer)
        entries.extend(reader.close())
        return told(task, answer, media_type=SITEMAP, candidates=self._entries(task, entries))

    def _list_candidates(self, task: Task, reader: SitemapReader, body: bytes) -> list[Candidate]:
        return self._entries(task, [*reader.feed(body), *reader.close()])

    def _entries(self, task: Task, entries: list[SitemapEntry]) -> list[Candidate]:
        base = Base(task.request.url)
        depth = task.depth + 1
        pages = [entry.url for entry in entries if entry.kind == "page"]
        lists = tuple(entry.url for entry in entries if entry.kind == SITEMAP)
        candidates = self._listed(lists, task)
        for url in pages:
            target = base.join(url)
            if target is not None:
                candidates.append(self._candidate(target, task.site, depth, priority=self._strategy.priority(depth)))
        return candidates

    def _listed(self, urls: tuple[str, ...], task: Task) -> list[Candidate]:
        """Sitemaps and feeds as candidates: read first, and no step away, for they only name what can be had."""
        if not urls:
            return []
        first = self._strategy.priority(0) + 1
        base = Base(task.request.url)
        targets = [base.join(url) for url in urls]
        return [
            self._candidate(target, task.site, task.depth, priority=first, label=SITEMAP)
            for target in targets
            if target is not None
        ]


def _conditional(task: Task) -> Request:
    request = task.request
    if not (task.etag or task.last_modified):
        return request
    headers = request.headers
    if task.etag:
        headers += (("If-None-Match", task.etag),)
    if task.last_modified:
        headers += (("If-Modified-Since", task.last_modified),)
    return replace(request, headers=headers)
