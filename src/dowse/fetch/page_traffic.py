"""What one page asks for and where it tries to go while it is shown, and the answers to that.

its own document              what was fetched already
another document, a window    refused; the address is noted and read as a link
a frame of another origin     refused, for nobody would read it
images, fonts, sound, video   refused unless asked for
anything else                 let through as far as robots.txt and the address guard allow

The password and the headers that the user entrusts to the seeds go with a request only if its page is of a seed too,
and if no other host had a hand in it on the way: otherwise any page could have something done in the user's name.
"""

from __future__ import annotations

import asyncio
from base64 import b64decode, b64encode
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from dowse.core.model import Response
from dowse.fetch.browser_gate import Gate
from dowse.fetch.captured_json import BUFFERS, Capture, is_json

if TYPE_CHECKING:
    from playwright.async_api import CDPSession

QUIET = 0.2
"""Seconds without a request under way after which a page that is loaded counts as ready."""

_MOST_NOTED = 1_000
_LONGEST_NOTED = 8_192
_MOST_DIALOGS = 20

# What a page can do without, when nobody looks at it; and what is for others than its reader.
_FOR_THE_EYE = frozenset({"Image", "Media", "Font", "TextTrack"})
_NEVER = frozenset({"Ping", "Prefetch", "CSPViolationReport", "Manifest", "SignedExchange"})
# Requests that stay open as long as the page does.
_ENDLESS = frozenset({"EventSource", "WebSocket"})
# Headers that are not true of a body without its encoding; cookies are in the browser before the page is.
_LEFT_OUT = frozenset({"content-encoding", "content-length", "transfer-encoding", "set-cookie"})


class TrafficRules(NamedTuple):
    """What pages may ask for."""

    images: bool
    capture: bool
    permits: Callable[[str], Awaitable[bool]]
    secrets_for: Callable[[str], list[tuple[str, str]]]
    signature_for: Callable[[str], list[tuple[str, str]]] = lambda url: []


class Visit:
    """What happened since one page was put into the tab."""

    def __init__(self, response: Response) -> None:
        self.response = response
        self.size = 0
        self.dialogs = 0
        self.capture = Capture()
        self.entrusted: dict[str, list[tuple[str, str]]] = {}
        self.noted: dict[str, None] = {}
        self.quiet = asyncio.Event()
        self._timer: asyncio.TimerHandle | None = None
        self.begin()

    def begin(self) -> None:
        """Nothing of the page is there yet, or is any more."""
        self.is_shown = False
        self.is_loaded = False
        self.under_way: set[str] = set()
        self.quiet.clear()
        self.settle()

    def settle(self) -> None:
        """Begin to count the quiet moments, or stop to."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self.is_loaded and not self.under_way:
            self._timer = asyncio.get_running_loop().call_later(QUIET, self.quiet.set)

    async def settled(self) -> None:
        """Wait until it is quiet again after something was done."""
        self.quiet.clear()
        self.settle()
        await self.quiet.wait()

    def note(self, url: str) -> None:
        """An address that a script opened."""
        is_usable = url.startswith(("http://", "https://")) and len(url) <= _LONGEST_NOTED
        if is_usable and len(self.noted) < _MOST_NOTED:
            self.noted[url] = None


class Traffic:
    """The requests of one tab."""

    def __init__(self, session: CDPSession, rules: TrafficRules, gate: Gate) -> None:
        self._session = session
        self._rules = rules
        self._gate = gate
        self._frame = ""
        self._tasks: set[asyncio.Task[None]] = set()
        self.visit: Visit | None = None

    async def open(self) -> None:
        """Begin to watch."""
        for event, take in (
            ("Fetch.requestPaused", self._on_paused),
            ("Network.requestWillBeSent", self._on_started),
            ("Network.responseReceived", self._on_answer),
            ("Network.dataReceived", self._on_data),
            ("Network.loadingFinished", self._on_finished),
            ("Network.loadingFailed", self._on_ended),
            ("Page.loadEventFired", self._on_loaded),
            ("Page.windowOpen", self._on_opened),
            ("Page.javascriptDialogOpening", self._on_dialog),
            ("Page.navigatedWithinDocument", self._on_route),
        ):
            self._session.on(event, take)
        await self._session.send("Page.enable")
        # Bodies are kept in the tab only if somebody is to read them.
        await self._session.send("Network.enable", BUFFERS if self._rules.capture else {"maxTotalBufferSize": 0})
        await self._session.send("Fetch.enable", {"patterns": [{"urlPattern": "*"}]})
        tree = await self._session.send("Page.getFrameTree")
        self._frame = tree["frameTree"]["frame"]["id"]

    def _on_paused(self, event: dict[str, Any]) -> None:
        visit, kind, url = self.visit, event["resourceType"], event["request"]["url"]
        if kind == "Document" and event["frameId"] == self._frame:
            self._answer_document(visit, event, url)
        elif visit is None or not visit.is_shown or not self._is_wanted(visit, kind, url):
            self._refuse(event)
        else:
            self._begin(self._ask(visit, event))

    def _answer_document(self, visit: Visit | None, event: dict[str, Any], url: str) -> None:
        if visit is not None and not visit.is_shown and _same(url, visit.response.request.url):
            visit.is_shown = True
            self._begin(self._send("Fetch.fulfillRequest", _document(event["requestId"], visit.response)))
            return
        if visit is not None and visit.is_shown:
            if event["request"]["method"] == "GET":
                visit.note(url)
            # A document that its own scripts leave is not loaded any further.
            visit.is_loaded = True
            visit.under_way.discard(event.get("networkId", ""))
            visit.settle()
        self._refuse(event)

    def _is_wanted(self, visit: Visit, kind: str, url: str) -> bool:
        if kind in _NEVER or (kind in _FOR_THE_EYE and not self._rules.images):
            return False
        return kind != "Document" or _origin(url) == _origin(visit.response.request.url)

    def _refuse(self, event: dict[str, Any]) -> None:
        self._begin(self._send("Fetch.failRequest", {"requestId": event["requestId"], "errorReason": "Aborted"}))

    async def _ask(self, visit: Visit, event: dict[str, Any]) -> None:
        """Let a request of the page through if robots.txt does."""
        url = event["request"]["url"]
        is_web = url.startswith(("http://", "https://"))
        if (is_web and not await self._rules.permits(url)) or self.visit is not visit:
            self._refuse(event)
            return
        parameters: dict[str, Any] = {"requestId": event["requestId"]}
        secrets = self._secrets(visit, event.get("networkId", ""), url)
        if own := [*secrets, *self._rules.signature_for(url)] if is_web else secrets:
            headers = {**event["request"]["headers"], **dict(own)}
            parameters["headers"] = [{"name": name, "value": value} for name, value in headers.items()]
        self._gate.let_through(event)
        await self._send("Fetch.continueRequest", parameters)

    def _secrets(self, visit: Visit, request: str, url: str) -> list[tuple[str, str]]:
        """The headers of the user's that the page, this address and all that redirected to it may have."""
        before = visit.entrusted.get(request)
        if before is None:
            before = self._rules.secrets_for(visit.response.request.url)
        there = self._rules.secrets_for(url)
        visit.entrusted[request] = [header for header in before if header in there]
        return visit.entrusted[request]

    def _begin(self, work: Any) -> None:
        """Do what nobody waits for."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _send(self, method: str, parameters: dict[str, Any]) -> None:
        """Tell the browser; what it is told of may have gone in the meantime."""
        from playwright.async_api import Error

        try:
            await self._session.send(method, parameters)
        except Error:
            return

    def _on_started(self, event: dict[str, Any]) -> None:
        if self.visit is not None and event.get("type") not in _ENDLESS:
            self.visit.under_way.add(event["requestId"])
            self.visit.settle()

    def _on_answer(self, event: dict[str, Any]) -> None:
        is_data = event.get("type") in ("XHR", "Fetch") and is_json(event["response"]["mimeType"])
        if self._rules.capture and is_data and self.visit is not None:
            self.visit.capture.want(event["requestId"], event["response"]["url"])

    def _on_data(self, event: dict[str, Any]) -> None:
        if self.visit is not None:
            self.visit.capture.grow(event["requestId"], event["dataLength"])

    def _on_finished(self, event: dict[str, Any]) -> None:
        visit = self.visit
        if visit is not None and visit.capture.has_room_for(event["requestId"]):
            self._begin(self._capture(visit, event))
        else:
            self._on_ended(event)

    async def _capture(self, visit: Visit, event: dict[str, Any]) -> None:
        """Take the body of an answer. Until it is there the request counts as under way, so the page is kept."""
        from playwright.async_api import Error

        try:
            answer = await self._session.send("Network.getResponseBody", {"requestId": event["requestId"]})
            body = b64decode(answer["body"]).decode() if answer["base64Encoded"] else answer["body"]
            visit.capture.take(event["requestId"], body)
        except (Error, UnicodeDecodeError):
            pass  # it was let go by then, or is no text
        self._on_ended(event)

    def _on_ended(self, event: dict[str, Any]) -> None:
        if self.visit is not None:
            self.visit.under_way.discard(event["requestId"])
            self.visit.size += int(event.get("encodedDataLength", 0))
            self.visit.settle()

    def _on_loaded(self, _event: object) -> None:
        if self.visit is not None and self.visit.is_shown:
            self.visit.is_loaded = True
            self.visit.settle()

    def _on_opened(self, event: dict[str, Any]) -> None:
        if self.visit is not None:
            self.visit.note(event["url"])

    def _on_dialog(self, _event: object) -> None:
        """Dialogs are dismissed by the driver; a page that never stops to show them is stopped."""
        if self.visit is not None:
            self.visit.dialogs += 1
            if self.visit.dialogs == _MOST_DIALOGS:
                self._begin(self._send("Runtime.terminateExecution", {}))

    def _on_route(self, event: dict[str, Any]) -> None:
        """A script changed the address without leaving the page."""
        if self.visit is not None and event["frameId"] == self._frame:
            url = event["url"]
            if not _same(url, self.visit.response.request.url):
                self.visit.note(url.partition("#")[0])


def _document(request: str, response: Response) -> dict[str, Any]:
    """What was fetched, for the tab that asks for it."""
    headers = [
        {"name": name, "value": value} for name, value in response.headers.items() if name and name not in _LEFT_OUT
    ]
    body = b64encode(response.body).decode()
    return {"requestId": request, "responseCode": response.status, "responseHeaders": headers, "body": body}


def _same(one: str, other: str) -> bool:
    """Whether two addresses are of one document."""
    return one.partition("#")[0] == other.partition("#")[0]


def _origin(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc
