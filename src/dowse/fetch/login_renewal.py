"""A lost log-in, made anew by the steps that made it first; once, for what is lost twice will be lost again.

All workers of a crawl lose the same log-in, and each of them notices. The first to lock its file logs in and writes the
file anew; the others find another log-in there than they had, and take that.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from dowse.core.errors import CrawlError, JobError
from dowse.core.job import FetchOptions, UrlOptions
from dowse.core.url_keys import UrlKeys
from dowse.fetch.guard import guard_of
from dowse.fetch.login import MadeBy, Profile, locked_profile, log_in, read_profile, write_profile

Reveal = Callable[[str, tuple[str, ...], str], tuple[str, ...]]

_UNKNOWN = "its file does not say how it was made (dowse login writes that down)"
_ONCE = "it was renewed before"


class ProfileRenewal:
    """Renews the log-in of a profile file. `take` is handed the new one, and the file is written anew.

    `reveal` gives the steps on a page with the secrets that they name, given their seal.
    """

    def __init__(self, options: FetchOptions, profile: Profile, take: Callable[[Any], None], reveal: Reveal) -> None:
        self._options = options
        self._reveal = reveal
        self._made_by = profile.made_by
        self._storage = profile.storage
        self._take = take
        self._trouble = "" if profile.made_by else _UNKNOWN
        self._lock = asyncio.Lock()
        self.age = 0

    async def renew(self, age: int) -> str:
        """Many pages find a log-in lost at the same time: the first renews it, the others wait for that."""
        async with self._lock:
            if self._trouble or self._made_by is None or self.age > age:
                return self._trouble
            self._trouble = _ONCE
            try:
                async with locked_profile(self._options.profile):
                    self._storage = self._made_by_others() or await self._log_in(self._made_by)
            except (CrawlError, JobError, OSError) as error:
                self._trouble = str(error)
                return self._trouble
            self._take(self._storage)
            self.age += 1
            return ""

    def _made_by_others(self) -> dict[str, Any] | None:
        """The log-in that is in the file by now, if it is not the one that was lost."""
        try:
            storage = read_profile(self._options.profile).storage
        except (CrawlError, JobError):
            return None
        return storage if storage != self._storage else None

    async def _log_in(self, made_by: MadeBy) -> dict[str, Any]:
        host = UrlKeys(UrlOptions()).request(made_by.url).host
        guard = guard_of(self._options, [host])
        steps = self._reveal(made_by.url, made_by.step, made_by.seal)
        marker = made_by.signed_in or self._options.signed_in
        storage: dict[str, Any] = await log_in(made_by.url, replace(self._options, step=steps, signed_in=marker), guard)
        write_profile(self._options.profile, storage, made_by)
        return storage
