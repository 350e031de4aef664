"""State exploration: what is clickable on a page is clicked, and what that brings to light is taken.

    the page -> click each -> a state with anything new -> what is clickable in it for the first time -> click each ...

Invariants: what brings nothing new is not clicked again; what does is clicked until it no longer does, so that a list
with a button for more is had whole, and counts as one state. A state counts when it shows a link or a line that none
before it did; the path of a state is the acts that lead there from the page as it is at first. What is no longer there
when its turn comes is reached by showing the page anew and going its path again.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from dowse.core.sessions import says_log_out
from dowse.core.steps import Step
from dowse.fetch.page_scripts import CLICKABLE
from dowse.fetch.page_steps import Actor

if TYPE_CHECKING:
    from playwright.async_api import Page

DEEPEST = 3
"""Acts in a row that lead to a state, at most."""

MOST_PRESSES = 50
"""Clicks on one thing in a row, at most."""

CLICKS_A_STATE = 5
"""Clicks that may be in vain, for each state that is wanted."""


class _Place(NamedTuple):
    """Something to click on, and the clicks that lead to where it is."""

    way: tuple[str, ...]
    selector: str
    is_once: bool


class Explorer:
    """Explores one page. `restore` shows it anew."""

    def __init__(self, page: Page, actor: Actor, restore: Callable[[], Awaitable[None]], act_time: float) -> None:
        self._page = page
        self._actor = actor
        self._restore = restore
        self._act_time = act_time
        self._known: set[tuple[str, str]] = set()
        self._waiting: deque[_Place] = deque()
        self._way: tuple[str, ...] = ()

    async def explore(self, most_states: int) -> None:
        """Look at up to so many states."""
        async with asyncio.timeout(self._act_time):
            await self._actor.begin()
            await self._find()
        states = 0
        for _ in range(CLICKS_A_STATE * most_states):
            if not self._waiting or states >= most_states:
                return
            place = self._waiting.popleft()
            async with asyncio.timeout((DEEPEST + 2) * self._act_time):
                is_there = await self._reach(place)
            if is_there:
                states += await self._press(place, most_states - states)

    async def _press(self, place: _Place, most_states: int) -> int:
        """Click on something as long as that brings anything new; to how many states it led.

        What opens and closes something would close it.
        """
        states = 0
        for _ in range(1 if place.is_once else MOST_PRESSES):
            async with asyncio.timeout(2 * self._act_time):
                if not await self._click(place.selector):
                    break
                states += not (states and self._actor.has_grown)
                await self._find()
                if states >= most_states and not self._actor.has_grown:
                    break
                if not await self._is_there(place.selector):
                    break
        return states

    async def _find(self) -> None:
        """Note what is clickable here and was not before."""
        if len([*groupby(self._way)]) >= DEEPEST:
            return
        for selector, label, is_once in await self._actor.world.run(CLICKABLE):
            if (selector, label) not in self._known and not says_log_out(label):
                self._known.add((selector, label))
                self._waiting.append(_Place(self._way, selector, is_once))

    async def _reach(self, place: _Place) -> bool:
        """Go to the state a place is in; whether it is there."""
        if self._way[: len(place.way)] == place.way and await self._is_there(place.selector):
            return True
        self._actor.restart()
        self._way = ()
        await self._restore()
        for selector in place.way:
            await self._click(selector)
        return await self._is_there(place.selector)

    async def _is_there(self, selector: str) -> bool:
        element = await self._page.query_selector(selector)
        return element is not None and await element.is_visible()

    async def _click(self, selector: str) -> bool:
        """One click; whether it led to anything new."""
        is_new = await self._actor.act(Step("click", selector))
        self._way = (*self._way, selector)
        return is_new
