"""What every request has to pass before the page sees it, and what every answer carries.

    1  Host       a name that leads here; another one is that of a site which rebinds its name to this machine
    2  session    the cookie of a browser, or the bearer token of a program; without one there is only the log-in
    3  act        what changes something: from this page itself (Origin, CSRF token), as JSON

Answers say that nothing but our own files may run in the page, that no other site may frame, read or keep them.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable
from http.cookies import CookieError, SimpleCookie
from ipaddress import ip_address
from typing import NamedTuple
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dowse.web.log_ins import LogIns, Session

CSRF = "x-csrf-token"
OPEN_PATHS = ("/login", "/api/login", "/assets/")
"""What can be had without a session: the way in, and files that every installation has."""

LOG_IN_FIRST = "log in first: use the link of dowse serve"
EXTENSIONS = ("chrome-extension://", "moz-extension://")
"""Origins whose scripts may read answers of the API. They send a bearer token and no cookies; without one they get
what any stranger gets."""
_ASKED_BY_EXTENSIONS = {
    "access-control-allow-methods": "GET, POST",
    "access-control-allow-headers": "authorization, content-type",
    "access-control-max-age": "600",
}
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_MOST_BODY = 4_000_000

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "cache-control": "no-store",
}
"""On every answer. A route may give another policy or let an answer be kept: what it sets itself stays."""


class Door(NamedTuple):
    """Where the page is served: its port, whether only this machine can reach it, and further names it has."""

    port: int
    is_local: bool = True
    names: tuple[str, ...] = ()

    @property
    def cookie(self) -> str:
        """The name of the cookie. Ports of one host share cookies, so each has its own."""
        return f"dowse-{self.port}"

    def leads_here(self, host: str) -> bool:
        """Whether a Host header names this page. An address cannot be rebound, a name can."""
        try:
            parts = urlsplit(f"//{host}")
            name, port = parts.hostname or "", parts.port or 80
        except ValueError:
            return False
        if name in self.names:
            return True
        if port != self.port:
            return False
        if name == "localhost":
            return True
        try:
            address = ip_address(name)
        except ValueError:
            return False
        return address.is_loopback if self.is_local else True


class RequestChecks:
    """The application behind the checks."""

    def __init__(self, app: ASGIApp, door: Door, log_ins: LogIns, welcome: Callable[[], Response]) -> None:
        """`welcome` makes the page for those who are not logged in."""
        self._app = app
        self._door = door
        self._log_ins = log_ins
        self._welcome = welcome

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        headers = Headers(scope=scope)
        refusal = self._refusal(scope, headers)
        extension = _extension(scope, headers)

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                answer = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    answer.setdefault(name, value)
                if extension:
                    answer["access-control-allow-origin"] = extension
                    answer.add_vary_header("Origin")
            await send(message)

        await (refusal or self._app)(scope, _bounded(receive), sending)

    def _refusal(self, scope: Scope, headers: Headers) -> Response | None:
        """Why the request goes no further; None if it may. What is known of its sender goes along in its state."""
        if not self._door.leads_here(headers.get("host", "")):
            return _refused(421, "this address is not one that the page is served at; use the link of dowse serve")
        if int(headers.get("content-length") or 0) > _MOST_BODY:
            return _refused(413, "the request is too large")
        if scope["method"] == "OPTIONS" and _extension(scope, headers):
            return Response(status_code=204, headers=_ASKED_BY_EXTENSIONS)
        session = self._session(headers)
        scope.setdefault("state", {})["session"] = session
        path = scope["path"]
        if session is None and not path.startswith(OPEN_PATHS):
            return self._welcome() if not path.startswith("/api/") else _refused(401, LOG_IN_FIRST)
        if scope["method"] not in _SAFE:
            return self._wrong_act(headers, session)
        return None

    def _session(self, headers: Headers) -> Session | None:
        kind, _, token = headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer":
            return self._log_ins.find(token.strip(), bearer=True)
        cookie = cookie_of(headers, self._door.cookie)
        return self._log_ins.find(cookie) if cookie else None

    def _wrong_act(self, headers: Headers, session: Session | None) -> Response | None:
        """What is wrong with a request that is to change something."""
        if headers.get("content-type", "application/json").partition(";")[0].strip().lower() != "application/json":
            return _refused(415, "expected JSON")
        if session is not None and not session.csrf:
            return None
        origin, here = headers.get("origin"), headers.get("host", "")
        if origin is not None and origin.partition("://")[2] != here:
            return _refused(403, "the request comes from another site")
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return _refused(403, "the request comes from another site")
        if session is not None and not hmac.compare_digest(headers.get(CSRF, "").encode(), session.csrf.encode()):
            return _refused(403, f"the header {CSRF} is missing or wrong; load the page again")
        return None


def _extension(scope: Scope, headers: Headers) -> str:
    """The origin of an extension that asks the API; "" for all others."""
    origin = headers.get("origin", "")
    return origin if origin.startswith(EXTENSIONS) and scope["path"].startswith("/api/") else ""


def _bounded(receive: Receive) -> Receive:
    """What is sent without saying how much it is gets no further than other requests."""
    taken = 0

    async def receiving() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        return message if taken <= _MOST_BODY else {"type": "http.disconnect"}

    return receiving


def cookie_of(headers: Headers, name: str) -> str:
    """The value of a cookie, "" if there is none."""
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(name)
    except CookieError:
        return ""
    return found.value if found else ""


def _refused(status: int, message: str) -> Response:
    return JSONResponse({"message": message, "key": ""}, status)
