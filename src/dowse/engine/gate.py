"""The gate between a link and the frontier: scope, robots.txt and nofollow, with the rule that said no."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec.structs import replace

from dowse.core.job import Job
from dowse.core.model import KEPT, PAGING, SITEMAP, Candidate, Request, Task, is_seed
from dowse.core.redirects import after_redirect
from dowse.core.revisits.server_signs import Said
from dowse.core.scope import Scope
from dowse.core.sessions import LOG_OUT, has_session, leads_to_log_out
from dowse.core.sitemap_turns import SOUGHT_FIRST, sought_at
from dowse.core.task_labels import HEAD, QUERY, REQUISITE, REQUISITES_FIRST
from dowse.core.url_keys import UrlKeys
from dowse.core.urls import Base
from dowse.engine.verdict import Choice, Proposal
from dowse.parse.links import Link

_REMEMBERED = 30_000


class Gate:
    """Makes candidates of URLs.

    Rules about the URL alone are asked once and remembered, because the pages of a site repeat most of their links.
    Rules about the path to it (host, depth) are asked each time.
    """

    def __init__(self, job: Job, scope: Scope, refused_by_robots: Callable[[str], bool]) -> None:
        self._scope = scope
        self._obey = job.politeness.robots == "obey"
        self._refused_by_robots = refused_by_robots
        self._has_session = has_session(job.fetch)
        self._keys = UrlKeys(job.urls)
        self._known: dict[str, tuple[Request, str]] = {}
        self._known_requisites: dict[str, Candidate] = {}

    def choices(self, choices: Iterable[Choice], task: Task, *, nofollow: bool) -> list[Candidate]:
        """The choices of a strategy as candidates, each with its refusal or none."""
        known, obey, refuse_link = self._known, self._obey, self._scope.refuse_link
        site, depth = task.site, task.depth + 1
        refused_at_home = self._scope.refuse_walk(
            site, site, depth
        )  # asked once, for most links lead to the page's own host
        candidates = []
        for link, priority, label in choices:
            request, refused = known.get(link.url) or self._decide(link.url)
            if not refused:
                refused = refused_at_home if request.host == site else refuse_link(request, site, depth)
                if not refused and obey and (nofollow or link.nofollow):
                    refused = "nofollow"
            candidates.append(Candidate(request, link.text, priority, label, refused))
        return candidates

    def proposals(self, proposals: Iterable[Proposal], task: Task, *, nofollow: bool) -> list[Candidate]:
        """Proposals as candidates, each with its refusal or none. A proposal without a usable URL is left out."""
        base, candidates = Base(task.request.url), []
        for each in proposals:
            known = self._known.get(each.url)
            if known is None:
                url = base.join(each.url)
                if url is None:
                    continue
                known = self._known.get(url) or self._decide(url)
            request, refused = known
            if each.label == HEAD:  # robots.txt is asked when it is made
                refused = self._refuse_head(request, task)
            elif each.visit and not refused:
                refused = self._scope.refuse_link(request, task.site, task.depth + (each.label != PAGING))
                if not refused and self._obey and (nofollow or each.nofollow):
                    refused = "nofollow"
            refused = refused or each.refused
            if not each.visit or (refused and each.keep):
                refused = KEPT
            if each.method != "GET" or each.body or each.headers:
                request = self._keys.request(request.url, each.method, each.body, each.headers)
            candidates.append(
                Candidate(
                    request, each.anchor, each.priority, each.label, refused, each.hint, each.why, is_link=each.is_link
                )
            )
        return candidates

    def left(self, links: Sequence[Link], priority: float, why: str) -> list[Candidate]:
        """Links that the strategy did not choose. They are not visited, so neither scope nor robots.txt is asked."""
        known = self._known
        requests = [known[link.url][0] if link.url in known else self._keys.request(link.url) for link in links]
        return [Candidate(request, link.text, priority, "", why) for request, link in zip(requests, links, strict=True)]

    def listed(self, entries: Iterable[tuple[str, Said | None]], task: Task, priority: float) -> list[Candidate]:
        """Entries of a sitemap or feed, and what it says of them: one step from the page that named it."""
        return [self.single(url, task.site, task.depth + 1, priority, said) for url, said in entries]

    def lists(self, urls: Iterable[str], task: Task, priority: float) -> list[Candidate]:
        """Sitemaps and feeds themselves. They add no depth, and `--include` does not hold for them."""
        candidates = []
        for url in urls:
            request = self._keys.request(url)
            refused = self._scope.refuse(request, seed=True)
            refused = refused or self._scope.refuse_walk(request.host, task.site, task.depth)
            candidates.append(Candidate(request, "", priority, SITEMAP, refused))
        return candidates

    def sought(self, task: Task) -> Candidate:
        """A sitemap where most sites have theirs. No page links to it."""
        return replace(self.lists([sought_at(task.request.url)], task, SOUGHT_FIRST)[0], is_link=False)

    def requisites(self, urls: Iterable[str]) -> list[Candidate]:
        """What a page needs to be shown: files, wherever they are. Robots.txt is asked again when it is known."""
        known = self._known_requisites
        if len(known) >= _REMEMBERED:
            known.clear()
        return [known.get(url) or known.setdefault(url, self._requisite(url)) for url in urls]

    def _requisite(self, url: str) -> Candidate:
        request = self._keys.request(url)
        refused = self._scope.refuse(request, seed=True) or self._refuse_url(url)
        return Candidate(request, "", REQUISITES_FIRST, REQUISITE, refused, is_link=False)

    def redirect(self, url: str, task: Task, priority: float, status: int = 301) -> Candidate:
        """The target of a redirect. The target of a seed counts as a seed, so its host is in scope."""
        if task.label == SITEMAP:
            return self.lists([url], task, priority)[0]
        if task.label == REQUISITE:
            return self._requisite(url)
        request = self._keys.request(url, *after_redirect(task.request, url, status))
        if is_seed(task):
            refused = self._scope.refuse(request, seed=True)
        elif task.label == HEAD:
            refused = self._refuse_head(request, task)
        elif task.label == QUERY:
            refused = self._scope.refuse(request, seed=True) or self._scope.refuse_walk(request.host, task.site, 0)
        else:
            refused = self.single(url, task.site, task.depth, priority).refused
        return Candidate(request, "", priority, task.label, refused)

    def single(self, url: str, site: str, depth: int, priority: float, said: Said | None = None) -> Candidate:
        request, refused = self._known.get(url) or self._decide(url)
        refused = refused or self._scope.refuse_link(request, site, depth)
        return Candidate(request, "", priority, "", refused, said=said)

    def _refuse_head(self, request: Request, task: Task) -> str:
        """Only the headers of a result are asked for, so it may be a file, and is no farther than the page."""
        return self._scope.refuse(request, seed=True) or self._scope.refuse_link(request, task.site, task.depth)

    def key(self, url: str | None) -> int:
        """The number a URL is known by; 0 for none."""
        return self._keys.request(url).key_hash if url else 0

    def _decide(self, url: str) -> tuple[Request, str]:
        request = self._keys.request(url)
        refused = self._scope.refuse(request) or self._refuse_url(url)
        if len(self._known) >= _REMEMBERED:
            self._known.clear()
        self._known[url] = (request, refused)
        return request, refused

    def _refuse_url(self, url: str) -> str:
        """What is said of a URL besides the scope."""
        if self._obey and self._refused_by_robots(url):
            return "robots"
        return LOG_OUT if self._has_session and leads_to_log_out(url) else ""
