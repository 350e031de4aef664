"""A lost log-in, made anew by the steps that made it first; once, for what is lost twice will be lost again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from dowse.core.errors import CrawlError
from dowse.core.job import FetchOptions, UrlOptions
from dowse.core.urls import UrlKeys
from dowse.fetch.guard import AddressGuard
from dowse.fetch.login import Profile, log_in, write_profile

_UNKNOWN = "its file does not say how it was made (dowse login writes that down)"
_ONCE = "it was renewed before"


class ProfileRenewal:
    """Renews the log-in of a profile file. `take` is handed the new one, and the file is written anew."""

    def __init__(self, options: FetchOptions, profile: Profile, take: Callable[[Any], None]) -> None:
        self._options = options
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
            options = replace(self._options, step=made_by.step, signed_in=made_by.signed_in or self._options.signed_in)
            try:
                storage = await log_in(made_by.url, options, guard)
                write_profile(self._options.profile, storage, made_by)
            except (CrawlError, OSError) as error:
                self._trouble = str(error)
                return self._trouble
            self._take(storage)
            self.age += 1
            return ""
