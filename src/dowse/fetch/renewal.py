"""A lost log-in, made anew by the steps that made it first; once, for what is lost twice will be lost again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from dowse.core.errors import CrawlError, JobError
from dowse.core.job import FetchOptions, UrlOptions
from dowse.core.urls import UrlKeys
from dowse.fetch.guard import AddressGuard
from dowse.fetch.login import Profile, log_in, write_profile

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
            made_by = self._made_by
            host = UrlKeys(UrlOptions()).request(made_by.url).host
            guard = AddressGuard([host], allow_private=self._options.allow_private)
            try:
                steps = self._reveal(made_by.url, made_by.step, made_by.seal)
                marker = made_by.signed_in or self._options.signed_in
                options = replace(self._options, step=steps, signed_in=marker)
                storage = await log_in(made_by.url, options, guard)
                write_profile(self._options.profile, storage, made_by)
            except (CrawlError, JobError, OSError) as error:
                self._trouble = str(error)
                return self._trouble
            self._take(storage)
            self.age += 1
            return ""
