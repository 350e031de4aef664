"""Patience with pages that fetch nothing and are not finished: what was asked for is to come by a timer.

A page counts as ready when it has asked for nothing for a moment. One that shows its data after ten seconds looks the
same as one that has none. So where fields are asked for, a page without any is given the time until its timers are
over, within `--page-time`. Many pages have timers and no fields: after a few pages of a type were waited for in vain,
the others of that type are not.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

from msgspec.structs import replace

from dowse.core.model import Response
from dowse.core.rendering_gain import page_kind

_IN_VAIN = 3
"""Pages of a type that are waited for in vain before no more are."""

_MARGIN = 0.05
_SOONEST = 0.01

# Runs before the scripts of a page, in their world, which is the only one that has timers. It is believed as far as
# waiting goes.
TIMERS = """
(() => {
  const later = window.setTimeout, never = window.clearTimeout, due = new Map();
  window.setTimeout = function setTimeout(task, delay, ...rest) {
    if (typeof task !== 'function' || !(delay >= 100)) return later.call(window, task, delay, ...rest);
    const number = later.call(window, (...values) => { due.delete(number); return task.apply(window, values); },
                              delay, ...rest);
    due.set(number, performance.now() + Number(delay));
    return number;
  };
  window.clearTimeout = function clearTimeout(number) { due.delete(number); return never.call(window, number); };
  Object.defineProperty(window, Symbol.for('timers'), {value: () => {
    const now = performance.now(), waits = [...due.values()].map(time => time - now).filter(wait => wait > -100);
    return waits.length ? Math.min(...waits) : -1000;
  }});
})()
"""
NEXT_TIMER = "(window[Symbol.for('timers')] || (() => -1000))()"
"""Milliseconds until the next timer of the page is over; less than -100 where there is none."""

Lacks = Callable[[Response], bool]
"""Whether a page has nothing of what was asked for."""


class Waiting(NamedTuple):
    """How to look after one page: what it shows, when its next timer is over, and when it is quiet again."""

    read: Callable[[], Awaitable[str | int]]
    next_timer: Callable[[], Awaitable[Any]]
    settle: Callable[[], Awaitable[None]]


class Patience:
    """Waits for pages of one crawl, and learns where that is in vain."""

    def __init__(self, lacks: Lacks) -> None:
        self._lacks = lacks
        self._in_vain: Counter[str] = Counter()

    async def wait(self, page: Waiting, answer: Response, seconds: float) -> bool:
        """Wait until what was asked for is there or nothing more is to come; False when the time was up first."""
        kind = page_kind(answer.request.url, answer.body)
        if self._in_vain[kind] >= _IN_VAIN or await _until(page) is None or not await self._is_lacking(page, answer):
            return True
        is_over = await self._wait_for_timers(page, answer, seconds)
        if await self._is_lacking(page, answer):
            self._in_vain[kind] += 1
            return is_over
        self._in_vain[kind] = -_IN_VAIN  # here it pays
        return True

    async def _wait_for_timers(self, page: Waiting, answer: Response, seconds: float) -> bool:
        """Whether all is there, or all timers are over, within that time. One that ends later is not waited for."""
        end = time.monotonic() + seconds
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while (timer := await _until(page)) is not None and await self._is_lacking(page, answer):
                    if time.monotonic() + timer > end:
                        return False
                    await asyncio.sleep(timer)
                    await page.settle()
                return True
        return False

    async def _is_lacking(self, page: Waiting, answer: Response) -> bool:
        html = await page.read()
        if not isinstance(html, str):
            return False
        headers = {**answer.headers, "content-type": "text/html; charset=utf-8"}
        return self._lacks(replace(answer, body=html.encode("utf-8", "replace"), headers=headers))


async def _until(page: Waiting) -> float | None:
    """Seconds until the next timer of a page is over; None if it has none, or says nonsense."""
    wait = await page.next_timer()
    if isinstance(wait, bool) or not isinstance(wait, int | float) or not math.isfinite(wait) or wait < -100:
        return None
    return max(_SOONEST, float(wait) / 1000 + _MARGIN)
