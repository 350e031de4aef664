"""Fetchers put together as a job asks: HTTP, the browser around it where pages are rendered, robots.txt around all.

    robots  ->  auto  ->  browser  ->  http
                  +------------------>

Each knows only the one behind it. A browser asks robots.txt about the requests of its pages too, so it is told late.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from dowse.core.errors import JobError
from dowse.core.job import FetchOptions, Job
from dowse.core.model import Request, Response
from dowse.core.protocols import Fetcher, Renewal
from dowse.core.rendering_gain import Shown
from dowse.core.sessions import has_session, leads_to_log_out
from dowse.fetch.http import HttpFetcher
from dowse.fetch.robots import RobotsFetcher

if TYPE_CHECKING:
    from dowse.fetch.browser import BrowserFetcher, Write
    from dowse.fetch.login import Profile
    from dowse.fetch.login_renewal import Reveal


class Questions(NamedTuple):
    """What fetchers have to ask, and who answers: the layers above, which they do not know.

    `wants` says of a media type whether its bodies are taken, `look` what a page shows, `write` how it is written for a
    browser, `lacks` whether it has nothing of what is asked for, `excludes` of a URL that no request may be made for
    it: none of a page that is rendered, none that robots.txt redirects to. `reveal` puts the secrets into the steps of
    a log-in.
    """

    wants: Callable[[str], bool]
    look: Callable[[Response], Shown]
    write: Write
    lacks: Callable[[Response], bool] | None = None
    excludes: Callable[[str], object] = lambda url: False
    reveal: Reveal = lambda url, steps, seal: steps


class Fetchers(NamedTuple):
    """The fetcher to ask, and the parts of it that others have questions for."""

    first: Fetcher
    http: HttpFetcher
    browser: BrowserFetcher | None
    robots: RobotsFetcher | None
    renewal: Renewal | None = None

    @property
    def heard(self) -> list[Response]:
        """Answers to requests for robots.txt; whoever archives them empties the list."""
        return self.robots.heard if self.robots is not None else []

    def refuses(self, url: str) -> bool:
        """Whether rules of robots.txt that are known already forbid this absolute URL."""
        return self.robots is not None and self.robots.refuses(url)


def check_means(options: FetchOptions) -> None:
    """Whether what the options need is there: a browser, a log-in. If not, an error that says what to do."""
    if options.fetch != "http":
        from dowse.fetch.chromium import check_browser

        check_browser()
    _profile_of(options)


def check_manners(job: Job) -> None:
    """Whether a job, with its secrets, can do as it tells sites: heed them, and prove who it is. If not, an error."""
    if job.politeness.use and job.politeness.robots == "ignore":
        raise JobError("use: sites say in robots.txt and robots tags what they allow; leave out robots = ignore")
    if job.fetch.sign_key:
        from dowse.fetch.request_signing import signer_of  # few crawls need the library for it

        signer_of(job.fetch)


def build_fetchers(job: Job, seeds: Iterable[Request], questions: Questions) -> Fetchers:
    """The fetchers that a job asks for. Seeds may be at private addresses."""
    http = HttpFetcher(job.fetch, seeds, questions.wants)
    profile = _profile_of(job.fetch)
    if profile is not None:
        http.add_cookie_lines(profile.cookie_lines)
    first: Fetcher = http
    browser: BrowserFetcher | None = None
    robots: RobotsFetcher | None = None
    if job.fetch.fetch != "http":
        from dowse.fetch.browser import BrowserFetcher  # a crawl by HTTP need not load it

        keeps_session = has_session(job.fetch)

        async def permits(url: str) -> bool:
            if questions.excludes(url) or (keeps_session and leads_to_log_out(url)):
                return False
            return robots is None or await robots.permits(url)

        storage = profile.storage if profile is not None else None
        first = browser = BrowserFetcher(http, job.fetch, permits, questions.write, storage, questions.lacks)
        if job.fetch.fetch == "auto":
            from dowse.fetch.auto_fetcher import AutoFetcher

            first = AutoFetcher(http, browser, questions.look)
    if job.politeness.robots == "obey":
        first = robots = RobotsFetcher(
            first, job.fetch.user_agent, excluded=questions.excludes, uses=job.politeness.use, keep=job.fetch.bodies
        )
    renewal = _renewal(job.fetch, profile, http, browser, questions.reveal) if profile is not None else None
    return Fetchers(first, http, browser, robots, renewal)


def _profile_of(options: FetchOptions) -> Profile | None:
    if not options.profile:
        return None
    from dowse.fetch.login import read_profile  # a crawl without a log-in need not load it

    return read_profile(options.profile)


def _renewal(
    options: FetchOptions, profile: Profile, http: HttpFetcher, browser: BrowserFetcher | None, reveal: Reveal
) -> Renewal:
    """What makes the log-in anew, and gives it to both fetchers."""
    from dowse.fetch.login import cookie_lines
    from dowse.fetch.login_renewal import ProfileRenewal

    def take(renewed: Any) -> None:
        http.add_cookie_lines(cookie_lines(renewed))
        if browser is not None:
            browser.begin_anew(renewed)

    return ProfileRenewal(options, profile, take, reveal)
