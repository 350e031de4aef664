"""One tab of the browser: shows a page that was fetched already, waits until it is ready, and reads it.

navigate -> the tab asks for its document, and for what that needs (fetch/page_traffic.py)
         -> loaded, and quiet for a moment; or the selector is there; or the time is up
         -> the document is read as it stands then
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from dowse.core.model import Failure, FailureKind, Response
from dowse.core.rendered_pages import State, StateDocument, ready_name
from dowse.core.steps import MARK, FormFilling, Steps
from dowse.fetch.browser_gate import Gate
from dowse.fetch.captured_json import Captured
from dowse.fetch.event_streams import Streams
from dowse.fetch.isolated_world import TabBroken, TabStuck, World
from dowse.fetch.page_patience import NEXT_TIMER, TIMERS, Patience, Waiting
from dowse.fetch.page_scripts import MARK_CONTROLS, READ, SEE
from dowse.fetch.page_states import Explorer
from dowse.fetch.page_steps import Actor
from dowse.fetch.page_traffic import Traffic, TrafficRules, Visit
from dowse.fetch.state_texts import States

if TYPE_CHECKING:
    from playwright.async_api import CDPSession, Page

_GRACE = 5.0
"""Seconds to read a page in, after its time is up."""

_RETRY = 0.1


class TabRules(NamedTuple):
    """What holds for every page: its time, what makes it ready, and what it may ask for."""

    page_time: float
    ready: str
    max_body: int
    steps: Steps
    explore: int
    traffic: TrafficRules
    patience: Patience | None = None


class Rendering(NamedTuple):
    """A page as it stood when it was read.

    `noted` are the addresses its scripts opened, `size` the bytes its requests brought, `cut` says that its time ran
    out before it was ready, `picture` is what it looked like, if somebody asked. `hidden` is what its other states
    showed, `documents` are these, and `effects` says of each step and condition whether the page had anything for it.
    """

    html: str
    elapsed: float
    size: int
    noted: list[str]
    cut: bool
    picture: bytes
    browser: str
    states: tuple[State, ...] = ()
    captured: tuple[Captured, ...] = ()
    hidden: str = ""
    documents: tuple[StateDocument, ...] = ()
    effects: Mapping[str, bool] = {}
    left_out: int = 0


class Reading(NamedTuple):
    """What was read of a page: its document (or the size of one that is too large) and what its states add to it."""

    html: str | int
    hidden: str
    documents: tuple[StateDocument, ...]
    picture: bytes


class Tab:
    """A page of the browser and the wire to it. It shows one response at a time.

    `is_spent` once a page had to be stopped in it: no script runs there any more. `trust` is what the user entrusts to
    the pages that it shows.
    """

    def __init__(self, page: Page, session: CDPSession, rules: TabRules, gate: Gate) -> None:
        self._page = page
        self._session = session
        self._rules = rules
        self._browser = f"chromium/{page.context.browser.version}" if page.context.browser else "chromium"
        self._traffic = Traffic(session, rules.traffic, gate)
        self._world = World(session, rules.page_time)
        self._broken: asyncio.Future[TabBroken] = asyncio.get_running_loop().create_future()
        self.pages = 0
        self.trust: list[tuple[str, str]] = []
        self.is_spent = False

    async def open(self) -> None:
        """Prepare a new tab."""
        crash = TabBroken("the page crashed its tab, perhaps for want of memory")
        self._page.on("crash", lambda _page: self._break(crash))
        self._page.on("close", lambda _page: self._break(TabStuck("the tab was closed")))
        if self._rules.patience is not None:
            await self._session.send("Page.addScriptToEvaluateOnNewDocument", {"source": TIMERS})
        Streams(self._session, lambda: self._traffic.visit).open()
        await self._traffic.open()

    async def show(self, response: Response, *, picture: bool = False) -> Rendering | Failure:
        """Render a page. TabBroken means that this tab cannot be used again."""
        showing = asyncio.ensure_future(self._show(response, picture))
        try:
            await asyncio.wait((showing, self._broken), return_when=asyncio.FIRST_COMPLETED)
            if showing.done():
                return await showing
        finally:
            showing.cancel()
            await asyncio.gather(showing, return_exceptions=True)
        raise self._broken.result()

    async def clear(self) -> None:
        """Leave the page, so that its scripts do not go on while nobody reads it."""
        self._traffic.visit = None
        await self._session.send("Page.navigate", {"url": "about:blank"})

    async def close(self) -> None:
        await self._page.close()

    async def _show(self, response: Response, picture: bool) -> Rendering | Failure:
        visit = self._traffic.visit = Visit(response)
        self.pages += 1
        started = time.monotonic()
        limits = self._rules
        steps = limits.steps.for_page(response.request.url, response.request.types)
        actor = Actor(self._page, self._world, visit.settled, limits.page_time, self._document)
        ready = {ready_name(limits.ready): False} if limits.ready else {}
        cut = False
        try:
            if failure := await self._load(visit):
                return failure
            ready = dict.fromkeys(ready, True)
            if limits.patience is not None and not steps:
                cut = not await self._wait_for_timers(limits.patience, visit, started)
            if steps:
                await actor.perform(steps)
            if isinstance(response.request.filling, FormFilling):
                await self._fill(response.request.filling, visit)
            if limits.explore:
                await Explorer(self._page, actor, lambda: self._load_again(visit), limits.page_time).explore(
                    limits.explore
                )
            async with asyncio.timeout(limits.page_time):
                reading = await self._read(picture, actor.states)
        except TimeoutError:
            if not visit.is_shown:
                raise TabStuck("the page before it would not leave the tab") from None
            cut = True
            reading = await self._read_in_the_end(picture, actor.states)
        if isinstance(reading.html, int):
            return Failure(FailureKind.TOO_LARGE, f"rendered to {reading.html:,} characters")
        elapsed = time.monotonic() - started
        return Rendering(
            html=reading.html,
            elapsed=elapsed,
            size=visit.size,
            noted=list(visit.noted),
            cut=cut,
            picture=reading.picture,
            browser=self._browser,
            states=tuple(actor.states.found),
            captured=tuple(visit.capture.answers),
            hidden=reading.hidden,
            documents=reading.documents,
            effects={**ready, **dict.fromkeys((step.name for step in steps), False), **actor.effects},
            left_out=visit.capture.left_out,
        )

    async def _fill(self, filling: FormFilling, visit: Visit) -> None:
        """Fill in a form and send it, if both times the document as it stands is one that allows it.

        What the page showed before is no part of the answer, so the states that this leads through are not kept.
        """
        actor = Actor(self._page, self._world, visit.settled, self._rules.page_time)
        for plan in filling:
            await self._world.run(MARK_CONTROLS, [MARK, True])
            html = await self._document()
            steps = plan(html) if isinstance(html, str) else None
            if steps is None:
                break
            await actor.perform(steps)
        await self._world.run(MARK_CONTROLS, [MARK, False])

    async def _load(self, visit: Visit) -> Failure | None:
        async with asyncio.timeout(self._rules.page_time):
            answer = await self._session.send("Page.navigate", {"url": visit.response.request.url})
            if trouble := answer.get("errorText"):
                return Failure(FailureKind.PROTOCOL, f"the browser says {trouble}")
            if trouble := await self._wait_until_ready(visit):
                return Failure(FailureKind.INTERNAL, trouble)
        return None

    async def _wait_for_timers(self, patience: Patience, visit: Visit, started: float) -> bool:
        """Whether what is to come of a page without requests has come in time."""
        left = self._rules.page_time - (time.monotonic() - started)
        waiting = Waiting(self._document, self._next_timer, visit.settled)
        async with asyncio.timeout(left + _GRACE):
            return await patience.wait(waiting, visit.response, max(left, 0))

    async def _next_timer(self) -> Any:
        answer = await self._session.send("Runtime.evaluate", {"expression": NEXT_TIMER, "returnByValue": True})
        return answer["result"].get("value")

    async def _load_again(self, visit: Visit) -> None:
        visit.begin()
        await self._load(visit)

    async def _wait_until_ready(self, visit: Visit) -> str:
        """Wait; the answer is why that cannot be done, if so."""
        from playwright.async_api import Error

        if not self._rules.ready:
            await visit.quiet.wait()
            return ""
        try:
            await self._page.wait_for_selector(self._rules.ready, state="attached", timeout=0)
        except Error as error:
            if self._broken.done() or self._page.is_closed():
                raise
            return f"ready: {self._rules.ready!r} cannot be waited for: {str(error).splitlines()[0]}"
        return ""

    async def _read_in_the_end(self, picture: bool, states: States) -> Reading:
        """What is there when the time is up; of a page that was being explored, what was there before."""
        try:
            async with asyncio.timeout(_GRACE):
                await self._stop_scripts()
                return await self._read(picture, states if states.first is not None else None)
        except TimeoutError:
            raise TabBroken(f"the page did not answer for {_GRACE:g} s after its time was up") from None

    async def _stop_scripts(self) -> None:
        """A script in an endless loop would not let anything else be done, nor would the next one its timer starts."""
        self.is_spent = True
        stopping = asyncio.ensure_future(self._session.send("Emulation.setScriptExecutionDisabled", {"value": True}))
        try:
            while not stopping.done():
                await self._session.send("Runtime.terminateExecution")
                await asyncio.wait((stopping,), timeout=_RETRY)
            await stopping
        finally:
            stopping.cancel()

    async def _read(self, picture: bool, states: States | None) -> Reading:
        """The document, or its size if it is too large, what its other states showed, and what it looks like."""
        image = await self._page.screenshot(full_page=True, animations="disabled") if picture else b""
        if states is not None and states.first is not None:
            return Reading(states.first.html, states.html(None), states.documents(None), image)
        if states is None or not states.found:
            return Reading(await self._document(), "", (), image)
        last = await self._world.run(SEE)  # only what was acted on has states
        return Reading(await self._document(), states.html(last), states.documents(last), image)

    async def _document(self) -> str | int:
        """The document as it stands, or its size if it is too large."""
        value = await self._world.run(READ, self._rules.max_body)
        if not isinstance(value, str | int):
            raise TabBroken("the page cannot be read: no answer")
        return value

    def _break(self, why: TabBroken) -> None:
        if not self._broken.done():
            self._broken.set_result(why)
