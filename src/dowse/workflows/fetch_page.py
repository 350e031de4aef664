"""One page, without a crawl: fetched as a job's options say, its redirects followed, rendered and pictured if asked."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from dowse.config import make_job
from dowse.core.errors import CrawlError, JobError
from dowse.core.job import Job
from dowse.core.model import Failure, Response
from dowse.core.phrasing import counted
from dowse.core.private_jobs import without_secrets
from dowse.core.url_keys import UrlKeys
from dowse.core.urls import resolve
from dowse.core.user_agent import user_agent
from dowse.extract.visible_content import looking
from dowse.fetch.fetcher_chain import Fetchers, Questions, build_fetchers, check_means
from dowse.machine.credentials import mark, resolved
from dowse.modes.registry import find_mode
from dowse.parse.decode import charset_name, for_browser
from dowse.pools.event_loop import run
from dowse.settings import PAGE_GROUPS

_SIDE_BY_SIDE = 6


class SinglePage(Struct, frozen=True):
    """What came of one address: where it led, the answer, and what the page looks like if that was asked."""

    url: str
    response: Response
    picture: bytes = b""


def job_of_page(url: str, **options: Any) -> Job:
    """What one page is fetched by: its address, and options of a crawl by name. Those that only a crawl has use for
    are refused."""
    idle = {row.name for row in find_mode("site").settings if row.group not in PAGE_GROUPS} - {"robots"}
    if refused := [name for name in options if name in idle | {"output", "seeds_from"}]:
        raise JobError(f"{', '.join(refused)}: not for a single page, which is no crawl; leave it out")
    return make_job("site", url, **options)


def fetch_page(job: Job, *, picture: bool = False, link: str = "") -> SinglePage:
    """Fetch the first seed of a job; a picture is made by the browser. Trouble is a CrawlError that names it.

    A `link` is fetched in its place. The seed is then what its user named, so the link may not lead to other private
    addresses.
    """
    fetch = replace(job.fetch, user_agent=user_agent(job))
    if picture:
        # What is pictured is looked at, so it is whole.
        fetch = replace(fetch, fetch="browser", images=True)
    check_means(fetch)
    return run(_fetch(resolved(replace(job, fetch=fetch)), picture, link))


def log_in(job: Job, file: str) -> None:
    """Log in on the page of the first seed by the job's steps, and keep that in a file. Trouble is a CrawlError."""
    from dowse.fetch.chromium import check_browser
    from dowse.fetch.guard import guard_of
    from dowse.fetch.login import MadeBy, log_in, write_profile

    check_browser()
    seed = UrlKeys(job.urls).request(resolve("", job.seeds[0]) or job.seeds[0])
    options = replace(resolved(job).fetch, user_agent=user_agent(job))
    guard = guard_of(options, [seed.host])
    steps = without_secrets(job).fetch.step
    made_by = MadeBy(seed.url, steps, options.signed_in, mark((seed.url, steps)))
    write_profile(file, run(log_in(seed.url, options, guard)), made_by)


def fetch_files(job: Job, urls: Sequence[str], seconds: float, largest: int) -> dict[str, Response | None]:
    """What the page of a job needs besides, or other pages like it: by HTTP, a few at a time, within some seconds.

    Addresses are guarded as those of links on the page. What did not come in time, is larger, or did not come at all is
    None.
    """
    fetch = replace(job.fetch, user_agent=user_agent(job), fetch="http", max_body=min(largest, job.fetch.max_body))
    return run(_fetch_files(resolved(replace(job, fetch=fetch)), urls, seconds))


async def _fetch_files(job: Job, urls: Sequence[str], seconds: float) -> dict[str, Response | None]:
    keys, fetchers = _fetchers(job)
    found: dict[str, Response | None] = dict.fromkeys(urls)
    room = asyncio.Semaphore(_SIDE_BY_SIDE)

    async def fetch(url: str) -> None:
        async with room:
            answer = await _led(job, fetchers, keys, url, picture=False)
        if isinstance(answer, SinglePage) and answer.response.status < 400:
            found[url] = answer.response

    try:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await asyncio.gather(*map(fetch, urls))
    finally:
        await asyncio.shield(fetchers.first.close())
    return found


async def _fetch(job: Job, picture: bool, link: str) -> SinglePage:
    keys, fetchers = _fetchers(job)
    url = link or job.seeds[0]
    url = resolve("", url) or url
    try:
        found = await _led(job, fetchers, keys, url, picture)
    finally:
        await asyncio.shield(fetchers.first.close())
    if isinstance(found, SinglePage):
        return found
    raise CrawlError(found)


def _fetchers(job: Job) -> tuple[UrlKeys, Fetchers]:
    keys = UrlKeys(job.urls)
    write = partial(for_browser, given=charset_name(job.fetch.charset))
    questions = Questions(wants=lambda _media_type: True, look=looking([]), write=write)
    return keys, build_fetchers(job, [keys.request(resolve("", job.seeds[0]) or job.seeds[0])], questions)


async def _led(job: Job, fetchers: Fetchers, keys: UrlKeys, url: str, picture: bool) -> SinglePage | str:
    """What is at the end of the redirects from a URL, or what went wrong."""
    begun = url
    for _ in range(job.fetch.max_redirects + 1):
        answer, image = await _ask(fetchers, keys, url, picture)
        if isinstance(answer, Failure):
            return f"{url}: {answer.kind}: {answer.detail}"
        target = resolve(url, answer.headers.get("location", "")) if 300 <= answer.status < 400 else None
        if target is None:
            return SinglePage(url, answer, image)
        url = target
    return f"{begun}: more than {counted(job.fetch.max_redirects, 'redirect')}"


async def _ask(fetchers: Fetchers, keys: UrlKeys, url: str, picture: bool) -> tuple[Response | Failure, bytes]:
    if not picture or fetchers.browser is None:
        return await fetchers.first.fetch(keys.request(url)), b""
    with fetchers.browser.picturing() as pictures:
        answer = await fetchers.first.fetch(keys.request(url))
    return answer, pictures[-1] if pictures else b""
