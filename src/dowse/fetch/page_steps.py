"""Steps done on a page in a tab: one act after the other, each followed by a wait until the page is quiet again."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from dowse.core.steps import Step
from dowse.fetch.isolated_world import World
from dowse.fetch.page_scripts import SCROLL, SEE
from dowse.fetch.state_texts import States

if TYPE_CHECKING:
    from playwright.async_api import ElementHandle, Page

_PATIENCE = 1_000
"""Milliseconds until an element that is there can be acted on: it may be moving, or covered."""


class Actor:
    """Does the steps of one page. `settle` waits until what an act has begun is over, `read` gives the document.

    `effects` says of each step whether the page had anything for it.
    """

    def __init__(
        self,
        page: Page,
        world: World,
        settle: Callable[[], Awaitable[None]],
        act_time: float,
        read: Callable[[], Awaitable[str | int]] | None = None,
    ) -> None:
        self._page = page
        self.world = world
        self._settle = settle
        self._act_time = act_time
        self._read = read
        self._is_keeping = False
        self.states = States()
        self.effects: dict[str, bool] = {}
        self.has_grown = False
        self._path: tuple[str, ...] = ()

    async def perform(self, steps: list[Step]) -> None:
        """All steps, in their order. A step that cannot be done is passed over.

        What is done again and again (turning pages, scrolling) leads through states that are all wanted.
        """
        async with asyncio.timeout(self._act_time):
            self.states.take((), await self.see())
        for step in steps:
            self._is_keeping = step.times > 1
            if self._is_keeping:
                async with asyncio.timeout(self._act_time):
                    await self._keep(await self.see())
            for _ in range(step.times):
                if not await self.act(step):
                    break
        self._is_keeping = False

    async def begin(self) -> None:
        """From here on the page is what it is now, and every state that shows anything new is wanted."""
        seen = await self.see()
        self.states.take((), seen)
        html = await self._read() if self._read is not None else 0
        if isinstance(html, str):
            self.states.begin(seen, html)
            self._is_keeping = True

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

        self.has_grown = False
        try:
            async with asyncio.timeout(self._act_time):
                before = await self.world.run(SCROLL) if step.verb == "scroll" else 0
                if step.verb != "scroll" and not await self._do(step):
                    return False
                self.effects[step.name] = True
                await self._settle()
                self._path = (*self._path, str(step))
                seen = await self.see()
                is_new = self.states.take(self._path, seen)
                if is_new and self._is_keeping:
                    await self._keep(seen)
                if step.verb == "scroll":
                    return is_new or await self.world.run(SCROLL) != before
                return is_new
        except (TimeoutError, Error):
            return False

    async def _keep(self, seen: dict[str, Any]) -> None:
        """Keep the document of this state; one that is too large is no document."""
        html = await self._read() if self._read is not None else 0
        if isinstance(html, str):
            self.has_grown = self.states.keep(self._path, seen, html)

    async def _do(self, step: Step) -> bool:
        if step.verb == "wait":
            await self._page.wait_for_selector(step.selector, state="attached", timeout=0)
            return True
        element = await self._visible(step.selector)
        if element is None:
            return False
        if step.verb.startswith("click"):
            self.states.press(await element.inner_text())
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
