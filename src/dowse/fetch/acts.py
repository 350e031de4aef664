"""Steps done on a page in a tab: one act after the other, each followed by a wait until the page is quiet again."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from dowse.core.steps import Step
from dowse.fetch.scripts import SCROLL, SEE
from dowse.fetch.states import States
from dowse.fetch.world import World

if TYPE_CHECKING:
    from playwright.async_api import ElementHandle, Page

_PATIENCE = 1_000
"""Milliseconds until an element that is there can be acted on: it may be moving, or covered."""


class Actor:
    """Does the steps of one page. `settle` waits until what an act has begun is over."""

    def __init__(self, page: Page, world: World, settle: Callable[[], Awaitable[None]], act_time: float) -> None:
        self._page = page
        self.world = world
        self._settle = settle
        self._act_time = act_time
        self.states = States()
        self._path: tuple[str, ...] = ()

    async def perform(self, steps: list[Step]) -> None:
        """All steps, in their order. A step that cannot be done is passed over."""
        async with asyncio.timeout(self._act_time):
            self.states.take((), await self.see())
        for step in steps:
            for _ in range(step.times):
                if not await self.act(step):
                    break

    async def see(self) -> dict[str, Any]:
        """What the page shows now."""
        seen: dict[str, Any] = await self.world.run(SEE)
        return seen

    def restart(self) -> None:
        """The page is shown anew: what is done from here on begins at its first state."""
        self._path = ()

    async def act(self, step: Step) -> bool:
        """One act, within its time; whether it was done and brought anything new, so that it may be done again."""
        from playwright.async_api import Error

        try:
            async with asyncio.timeout(self._act_time):
                before = await self.world.run(SCROLL) if step.verb == "scroll" else 0
                if step.verb != "scroll" and not await self._do(step):
                    return False
                await self._settle()
                self._path = (*self._path, str(step))
                is_new = self.states.take(self._path, await self.see())
                if step.verb == "scroll":
                    return is_new or await self.world.run(SCROLL) != before
                return is_new
        except (TimeoutError, Error):
            return False

    async def _do(self, step: Step) -> bool:
        if step.verb == "wait":
            await self._page.wait_for_selector(step.selector, state="attached", timeout=0)
            return True
        element = await self._visible(step.selector)
        if element is None:
            return False
        match step.verb:
            case "click" | "click-until-gone":
                await element.click(timeout=_PATIENCE, no_wait_after=True)
            case "hover":
                await element.hover(timeout=_PATIENCE)
            case "type":
                await element.fill(step.value, timeout=_PATIENCE)
            case "press":
                await element.press(step.value, timeout=_PATIENCE, no_wait_after=True)
            case "select":
                await _select(element, step.value)
        return True

    async def _visible(self, selector: str) -> ElementHandle | None:
        """The first element that can be seen and used."""
        for element in await self._page.query_selector_all(selector):
            if await element.is_visible() and await element.is_enabled():
                return element
        return None


async def _select(element: ElementHandle, value: str) -> None:
    from playwright.async_api import Error

    try:
        await element.select_option(label=value, timeout=_PATIENCE)
    except Error:
        await element.select_option(value=value, timeout=_PATIENCE)
