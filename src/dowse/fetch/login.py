"""Log-ins: cookies and storage of a browser in a file, made by steps on a log-in page or by any tool of Playwright.

The file is Playwright's storage state, so `playwright codegen --save-storage FILE URL` makes one too, by hand:

    {"cookies": [{"name", "value", "domain", "path", "expires", ...}], "origins": [{"origin", "localStorage": [...]}]}

One made by steps has these too, under "made_by", so that it can be made anew (fetch/login_renewal.py). Other tools
pass over that.
"""

from __future__ import annotations

import asyncio
import json
import os
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import filelock
import msgspec
from msgspec import Struct

from dowse.core.errors import CrawlError, JobError
from dowse.core.job import FetchOptions
from dowse.core.steps import Steps
from dowse.fetch.chromium import Chromium
from dowse.fetch.cookies import to_line
from dowse.fetch.guard import AddressGuard
from dowse.fetch.isolated_world import TabBroken, World
from dowse.fetch.page_steps import Actor

_MADE_BY = "made_by"
_MOMENT = 0.5
"""Seconds after a click until the page it leads to is surely asked for."""

_LONGEST_WAIT = 300.0
"""Seconds that others may take to renew a log-in: several requests and pages, each within its own limit."""


class MadeBy(Struct, frozen=True):
    """How a log-in was made: on which page, by which steps, and what every page shows from then on.

    The steps name their secrets and do not hold them; the `seal` shows who named them (credentials.py).
    """

    url: str
    step: tuple[str, ...]
    signed_in: str = ""
    seal: str = ""


class Profile(NamedTuple):
    """A log-in: for the browser as it is, for libcurl as cookies in lines; and how it was made, if that is known."""

    storage: dict[str, Any]
    cookie_lines: list[str]
    made_by: MadeBy | None = None


def read_profile(path: str) -> Profile:
    """The log-in of a file. One that cannot be used or has expired is an error that says so."""
    try:
        storage = json.loads(Path(path).read_text(encoding="utf-8"))
        lines = cookie_lines(storage)
        ends = [float(cookie["expires"]) for cookie in storage["cookies"] if float(cookie["expires"]) > 0]
        made_by = msgspec.convert(storage.pop(_MADE_BY, None), MadeBy | None)
    except OSError as error:
        raise JobError(f"profile: {path}: {error.strerror}; dowse login URL {path} makes one") from error
    except (ValueError, LookupError, TypeError, AttributeError, msgspec.ValidationError) as error:
        raise JobError(f"profile: {path} is no log-in; dowse login URL {path} makes one") from error
    if ends and max(ends) < time.time() and len(ends) == len(lines):
        date = time.strftime("%Y-%m-%d", time.localtime(max(ends)))
        raise CrawlError(f"the log-in of {path} expired on {date}; make it anew: dowse login URL {path}")
    return Profile(storage, lines, made_by)


def cookie_lines(storage: dict[str, Any]) -> list[str]:
    """The cookies of a log-in, as libcurl reads them."""
    return [to_line(cookie) for cookie in storage["cookies"]]


def write_profile(path: str, storage: Any, made_by: MadeBy) -> None:
    """Keep a log-in, for its owner alone. Whoever reads the file meanwhile has the old one or the new one, whole."""
    storage = {**storage, _MADE_BY: msgspec.to_builtins(made_by)}
    place = Path(path).resolve()  # a link stays one
    descriptor, part = tempfile.mkstemp(prefix=f".{place.name}.", dir=place.parent)  # readable by its owner alone
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
            json.dump(storage, stream, indent=1)
        os.replace(part, place)
    except BaseException:
        os.unlink(part)
        raise


@asynccontextmanager
async def locked_profile(path: str) -> AsyncIterator[None]:
    """The file of a log-in to oneself, among all workers and crawls that use it. It can be read all the same."""
    place = Path(path).resolve()
    lock = filelock.FileLock(place.with_name(f".{place.name}.lock"))
    end = time.monotonic() + _LONGEST_WAIT
    while True:
        try:
            lock.acquire(timeout=0)
            break
        except filelock.Timeout:
            if time.monotonic() > end:
                raise CrawlError(f"another crawl has been renewing {path} for {_LONGEST_WAIT:g} s") from None
            await asyncio.sleep(_MOMENT)
    try:
        yield
    finally:
        lock.release()


async def log_in(url: str, options: FetchOptions, guard: AddressGuard) -> Any:
    """Go to a page, do the steps, and take what the browser has then. Unlike in a crawl, pages may lead elsewhere."""
    from playwright.async_api import Error
    from playwright.async_api import TimeoutError as TooLate

    chromium = Chromium(options, guard)
    await chromium.start()
    limit = options.page_time * 1000
    try:
        page = await chromium.context.new_page()
        await page.goto(url, timeout=options.timeout * 1000)

        async def settle() -> None:
            await asyncio.sleep(_MOMENT)
            await page.wait_for_load_state("networkidle", timeout=limit)

        world = World(await chromium.context.new_cdp_session(page), options.page_time)
        actor = Actor(page, world, settle, options.page_time)
        steps = Steps(options.step).for_page(url)
        await actor.perform(steps)
        if options.signed_in:
            try:
                await page.wait_for_selector(options.signed_in, state="attached", timeout=limit)
            except TooLate:
                raise CrawlError(f"not logged in: {page.url} does not show {options.signed_in}") from None
        else:
            if missed := [str(step) for step in steps if not actor.effects.get(step.name)]:
                raise CrawlError(f"not logged in: {page.url} has nothing for the step {missed[0]!r} to act on")
            await settle()
        return await chromium.storage()
    except (Error, TabBroken) as error:
        raise CrawlError(f"{url}: {str(error).splitlines()[0]}") from error
    finally:
        await chromium.close()
