"""What is run inside a page, and where: in a world of its own, so the page's scripts can neither see nor change it.

A page can replace what its own scripts use (`Array.prototype.slice = () => 5`); an isolated world has another set of
all that. What the two share is the document, and there a name hides what it is the same as: `<img name=body>` is
`document.body`. So a script is handed a document that answers for itself only (`honest`).
"""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.async_api import CDPSession

_TRIES = 5
_PAUSE = 0.1
"""Seconds until a page that was just being left has a document again."""

_HONEST = """
(real) => new Proxy(real, {get: (target, name) => {
  const value = Reflect.get(Document.prototype, name, target);
  return typeof value === 'function' ? value.bind(target) : value;
}})
"""


class TabBroken(Exception):
    """The tab or its browser is of no use any more; the text says why."""


class TabStuck(TabBroken):
    """The same, and not by the fault of the page: it did not even get into the tab, or the browser closed it."""


class World:
    """Runs scripts beside those of a page. `longest` is the seconds that one of them may take."""

    def __init__(self, session: CDPSession, longest: float) -> None:
        self._session = session
        self._longest = longest
        self._frame = ""

    async def run(self, script: str, argument: object = None) -> Any:
        """What a script (a function, as text) answers. TabBroken if the page does not let it."""
        from playwright.async_api import Error

        call = f"({script})({json.dumps(argument)})"
        expression = f"((honest) => ((document) => {call})(honest(document)))({_HONEST})"
        for left in reversed(range(_TRIES)):
            try:
                return await self._evaluate(expression)
            except Error:
                if not left:
                    raise
                await asyncio.sleep(_PAUSE)
        return None

    async def _evaluate(self, expression: str) -> Any:
        if not self._frame:
            tree = await self._session.send("Page.getFrameTree")
            self._frame = tree["frameTree"]["frame"]["id"]
        world = await self._session.send("Page.createIsolatedWorld", {"frameId": self._frame, "worldName": "dowse"})
        call = {"expression": expression, "contextId": world["executionContextId"], "returnByValue": True}
        answer = await self._session.send("Runtime.evaluate", {**call, "timeout": self._longest * 1000})
        if trouble := answer.get("exceptionDetails"):
            what = trouble.get("exception", {}).get("description") or trouble.get("text", "no answer")
            raise TabBroken(f"the page cannot be read: {what.splitlines()[0][:200]}")
        return answer["result"].get("value")
