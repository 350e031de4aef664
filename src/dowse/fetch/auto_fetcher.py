"""`--fetch auto`: every page by HTTP, and rendered where that has shown to add something (core/rendering_gain.py)."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable

from msgspec.structs import replace

from dowse.core.model import Failure, Request, Response
from dowse.core.protocols import Fetcher, Sink
from dowse.core.rendering_gain import Shown, WhereItPays, has_scripts, page_kind
from dowse.fetch.browser import BrowserFetcher, is_renderable, unconditional

Look = Callable[[Response], Shown]
"""Reads what a page shows. It is handed in, because reading pages is not the network's business."""


class AutoFetcher:
    """Asks by HTTP, and hands pages to the browser where it pays. What it learns, it learns anew with each run."""

    def __init__(self, http: Fetcher, browser: BrowserFetcher, look: Look) -> None:
        self._http = http
        self._browser = browser
        self._look = look
        self._model = WhereItPays()
        self._decided: defaultdict[str, asyncio.Event] = defaultdict(asyncio.Event)

    async def fetch(self, request: Request, sink: Sink | None = None) -> Response | Failure:
        answer = await self._http.fetch(request if sink else unconditional(request), sink)
        if sink is not None or isinstance(answer, Failure) or not is_renderable(answer) or not has_scripts(answer.body):
            return answer
        if request.filling or self._browser.steps.are_for(request.url, request.types):
            return await self._browser.render(answer)
        kind = page_kind(request.url, answer.body)
        if not await self._decide(kind):
            self._model.note(kind, self._look(answer))
            return answer
        try:
            return await self._render(kind, answer)
        finally:
            self._decided.pop(kind, asyncio.Event()).set()

    async def close(self) -> None:
        await self._browser.close()

    async def _decide(self, kind: str) -> bool:
        while (choice := self._model.decide(kind)) is None:
            await self._decided[kind].wait()
        return choice

    async def _render(self, kind: str, answer: Response) -> Response | Failure:
        try:
            rendered = await self._browser.render(answer)
        except BaseException:
            self._model.forget(kind)
            raise
        if isinstance(rendered, Failure) or rendered.rendered is None:
            # What the server sent is better than nothing.
            self._model.forget(kind)
            return answer
        after = self._look(rendered)
        after = after._replace(fields=after.fields + len(rendered.records))
        gain = self._model.learn(kind, self._look(answer), after)
        facts = replace(rendered.rendered, links=gain.links, text=gain.text)
        return replace(rendered, rendered=facts)
