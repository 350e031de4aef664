"""What takes long to make of a crawl is made seldom, however often it is asked for.

A crawl that runs changes all the time. So what took long is left alone for several times as long: pages that are looked
at take no more than a share of the time that the crawl needs itself.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from math import inf
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

_SHARE = 10
"""What took a second to make is not made again for so many seconds."""
_MOST = 5_000

T = TypeVar("T")


class _Made(NamedTuple, Generic[T]):
    turn: Hashable
    stamp: tuple[object, ...]
    until: float
    value: T


class SeldomMade(Generic[T]):
    """One value of each crawl."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._made: dict[Path, _Made[T]] = {}

    def get(self, directory: Path, stamp: tuple[object, ...], make: Callable[[], T], turn: Hashable = None) -> T:
        """The value of a crawl. It is made again if its `stamp` is another one, or tells nothing because it is empty;
        at once if its `turn` is another one, which it is not often."""
        begun, known = self._clock(), self._made.get(directory)
        if known is not None and known.turn == turn and (known.until > begun or (stamp and known.stamp == stamp)):
            return known.value
        if known is not None:  # whoever asks meanwhile does with what there is
            self._made[directory] = known._replace(until=inf)
        try:
            value = make()
        except BaseException:
            self.forget(directory)
            raise
        now = self._clock()
        if len(self._made) >= _MOST:
            self._made.clear()
        self._made[directory] = _Made(turn, stamp, now + (now - begun) * _SHARE, value)
        return value

    def forget(self, directory: Path) -> None:
        """Make it again when it is asked for next."""
        self._made.pop(directory, None)
