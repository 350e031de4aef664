"""Reused tabs of one browser, and the browser's replacement when it is old, large, hung or gone.

Invariants: a tab shows one page at a time. A browser that is to be replaced keeps the tabs that are in use until they
are done; nothing new is shown in it. A page whose browser died under it is shown once more in the next one.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from typing import TYPE_CHECKING, Any

from dowse.core.errors import CrawlError
from dowse.core.job import FetchOptions
from dowse.core.model import Failure, FailureKind, Response
from dowse.fetch.chromium import Chromium
from dowse.fetch.cookies import CookieExchange, CookieStore
from dowse.fetch.guard import AddressGuard
from dowse.fetch.isolated_world import TabBroken, TabStuck
from dowse.fetch.tab import Rendering, Tab, TabRules

if TYPE_CHECKING:
    from playwright.async_api import Page

TAB_PAGES = 20
"""Pages after which a tab is closed, and what the scripts of the sites left in it is gone."""

BROWSER_PAGES = 2_000
"""Pages after which the browser is replaced."""

TAB_MEMORY = 1_500_000_000
BROWSER_MEMORY = 4_000_000_000
_LOOK = 0.5
"""Seconds between two looks at the memory of the browser's processes."""

_TRIES = 2
_END = 5.0


class Tabs:
    """Shows up to `options.tabs` pages at once."""

    def __init__(
        self, options: FetchOptions, guard: AddressGuard, rules: TabRules, cookies: CookieStore, storage: Any = None
    ) -> None:
        self._options = options
        self._guard = guard
        self._rules = rules
        self._cookies = cookies
        self._room = asyncio.Semaphore(options.tabs)
        self._waiting = 0
        self._starting = asyncio.Lock()
        self._current: _Generation | None = None
        self._ending: set[asyncio.Task[None]] = set()
        self._storage = storage
        self._notices: list[str] = []

    async def show(self, response: Response, *, picture: bool = False) -> Rendering | Failure:
        """Render a page that was fetched. Trouble with the page or the browser is a failure."""
        self._waiting += 1
        async with self._room:
            self._waiting -= 1
            for _ in range(_TRIES):
                try:
                    generation = await self._generation()
                except CrawlError as trouble:
                    return Failure(FailureKind.CRASH, str(trouble))
                answer = await self._show_in(generation, response, picture)
                if answer is not None:
                    return answer
        return Failure(FailureKind.CRASH, f"the browser ended {_TRIES} times while it showed this page")

    def begin_anew(self, storage: Any) -> None:
        """Replace the browser by one with this storage; what the one before it leaves behind is forgotten."""
        self._storage = storage
        if self._current is not None:
            self._current.is_forgotten = True
            self._retire(self._current)

    def take_notices(self) -> tuple[str, ...]:
        """What the user should know of the browser and was not told yet."""
        notices, self._notices = tuple(self._notices), []
        return notices

    async def close(self) -> None:
        if self._current is not None:
            self._retire(self._current)
        await asyncio.gather(*self._ending)

    async def _show_in(self, generation: _Generation, response: Response, picture: bool) -> Rendering | Failure | None:
        """None when the browser died, which is not the page's fault until it happens again."""
        showing = asyncio.ensure_future(self._show_there(generation, response, picture))
        # The driver does not always answer what it was asked before its browser died.
        gone = asyncio.ensure_future(generation.chromium.gone.wait())
        generation.busy += 1
        try:
            await asyncio.wait((showing, gone), return_when=asyncio.FIRST_COMPLETED)
            return showing.result() if showing.done() else None
        finally:
            gone.cancel()
            showing.cancel()
            await asyncio.gather(showing, return_exceptions=True)
            generation.busy -= 1
            if generation.is_worn:
                self._retire(generation)

    async def _show_there(
        self, generation: _Generation, response: Response, picture: bool
    ) -> Rendering | Failure | None:
        from playwright.async_api import Error

        tab: Tab | None = None
        try:
            tab = await generation.take_tab(self._rules, response.request.url)
            answer = await generation.show(tab, response, picture)
            await self._give_back(generation, tab)
            return answer
        except TabBroken as trouble:
            await generation.drop(tab)
            if generation.chromium.is_gone or isinstance(trouble, TabStuck):
                return None
            return Failure(FailureKind.CRASH, generation.reason or str(trouble))
        except Error as trouble:
            await generation.drop(tab)
            if await generation.is_dead():
                return None
            return Failure(FailureKind.CRASH, f"the browser says {str(trouble).splitlines()[0][:200]}")
        except BaseException:
            # Whatever went wrong, a tab that is not given back would stay open for ever.
            await generation.drop(tab)
            raise

    async def _give_back(self, generation: _Generation, tab: Tab) -> None:
        """Keep a tab for the next page, unless it has served its time."""
        if tab.pages >= TAB_PAGES or tab.is_spent:
            await generation.drop(tab)
            return
        try:
            if not self._waiting:
                async with asyncio.timeout(_END):
                    await tab.clear()
        except TimeoutError:
            await generation.drop(tab)
        else:
            generation.idle.append(tab)

    async def _generation(self) -> _Generation:
        """The browser to use now; started if there is none, or the last one is gone."""
        async with self._starting:
            if self._current is not None and self._current.is_worn:
                self._retire(self._current)
            if self._current is None:
                chromium = Chromium(self._options, self._guard)
                await chromium.start(self._storage, gated=True)
                self._notices += chromium.notices
                self._current = _Generation(chromium, self._cookies if self._options.cookies else None)
            return self._current

    def _retire(self, generation: _Generation) -> None:
        """Use a browser no more, and end it when it is not in use."""
        if self._current is generation:
            self._current = None
        if not generation.busy and not generation.is_ending:
            generation.is_ending = True
            task = asyncio.ensure_future(self._end(generation))
            self._ending.add(task)
            task.add_done_callback(self._ending.discard)

    async def _end(self, generation: _Generation) -> None:
        from playwright.async_api import Error

        if not generation.chromium.is_gone and self._options.cookies and not generation.is_forgotten:
            with contextlib.suppress(Error, TimeoutError):
                async with asyncio.timeout(_END):
                    self._storage = await generation.chromium.storage()
        await generation.close()


class _Generation:
    """One browser, its idle tabs and the look that is kept on its memory."""

    def __init__(self, chromium: Chromium, cookies: CookieStore | None) -> None:
        self.chromium = chromium
        self._cookies = CookieExchange(cookies, chromium.context) if cookies is not None else None
        self.idle: list[Tab] = []
        self.busy = 0
        self.is_ending = False
        self.is_forgotten = False
        self.reason = ""
        self._pages = 0
        self._is_large = False
        self._watching = asyncio.ensure_future(self._watch())

    @property
    def is_worn(self) -> bool:
        return self.chromium.is_gone or self._is_large or self._pages >= BROWSER_PAGES

    async def take_tab(self, rules: TabRules, url: str) -> Tab:
        """A tab for a page. What the last one sends while it is left must not pass for a request of this page, so a
        tab shows only pages that the user entrusts the same to."""
        trust = rules.traffic.secrets_for(url)
        for tab in reversed(self.idle):
            if tab.trust == trust:
                self.idle.remove(tab)
                return tab
        if self.idle:
            await self.drop(self.idle.pop(0))
        page = await self.chromium.context.new_page()
        try:
            tab = Tab(page, await self.chromium.context.new_cdp_session(page), rules, self.chromium.gate)
            tab.trust = trust
            await tab.open()
        except BaseException:
            await self.drop(page)
            raise
        return tab

    async def show(self, tab: Tab, response: Response, picture: bool) -> Rendering | Failure:
        self._pages += 1
        if self._cookies is None:
            await self.chromium.context.clear_cookies()
        else:
            await self._cookies.hand_over()
        answer = await tab.show(response, picture=picture)
        if self._cookies is not None:
            await self._cookies.take_back(response.request.url)
        return answer

    async def is_dead(self) -> bool:
        """Whether the browser does not answer any more; it is ended then."""
        from playwright.async_api import Error

        try:
            async with asyncio.timeout(_END):
                await self.chromium.processes()
        except (Error, TimeoutError):
            self.chromium.kill()
        return self.chromium.is_gone

    async def drop(self, tab: Tab | Page | None) -> None:
        """Close a tab; a browser that does not even do that is ended."""
        from playwright.async_api import Error

        if tab is None or self.chromium.is_gone:
            return
        try:
            async with asyncio.timeout(_END):
                await tab.close()
        except TimeoutError:
            self.chromium.kill()
        except Error:
            return

    async def close(self) -> None:
        self._watching.cancel()
        await asyncio.gather(self._watching, return_exceptions=True)
        await self.chromium.close()

    async def _watch(self) -> None:
        """End a process that takes too much, before the system ends one of its own choice."""
        from playwright.async_api import Error

        while not self.chromium.is_gone:
            await asyncio.sleep(_LOOK)
            if not self.busy:
                continue
            try:
                async with asyncio.timeout(_END):
                    processes = await self.chromium.processes()
            except TimeoutError:
                self.chromium.kill()
                return
            except Error:
                return
            self._is_large = sum(process.memory for process in processes) > BROWSER_MEMORY
            for process in processes:
                if process.kind == "renderer" and process.memory > TAB_MEMORY:
                    self.reason = f"the page took more than {TAB_MEMORY // 1_000_000:,} MB of memory"
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(process.number, signal.SIGKILL)
