"""The server by streamable HTTP, and what a request has to pass before it sees it.

Host     a name that leads here; another one is that of a site which rebinds its name to this machine
Origin   none, or our own: no page of another site may talk to the server through its visitor's browser
token    in the Authorization header; compared in constant time
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable
from typing import NamedTuple

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from dowse.core.errors import JobError
from dowse.mcp.protocol_server import Offer, make_server
from dowse.web.listening import is_loopback, listening, shown_host
from dowse.web.request_checks import Door

PATH = "/mcp"
_SHORTEST_TOKEN = 16


class Address(NamedTuple):
    """Where the server is, by which further `names` clients reach it, and their token; without one it is made."""

    host: str
    port: int
    names: tuple[str, ...] = ()
    token: str = ""


def serve_http(offer: Offer, address: Address, tell: Callable[[str], None]) -> None:
    """Serve until somebody stops it. `tell` gets the address, and the token if it was made here."""
    is_local = is_loopback(address.host)
    if not is_local and not address.token:
        raise JobError("host: other machines can reach the server there, so it needs a token: add --token env:NAME")
    if address.token and len(address.token) < _SHORTEST_TOKEN:
        raise JobError(f"token: expected at least {_SHORTEST_TOKEN} characters")
    token = address.token or secrets.token_urlsafe(24)
    # The gate asks for the Host as that of the web page does, so the SDK need not ask again.
    app = make_server(offer).streamable_http_app(
        streamable_http_path=PATH,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )
    with listening(address.host, address.port) as listener:
        port = listener.getsockname()[1]
        tell(f"The server is at http://{shown_host(address.host, address.names)}:{port}{PATH}")
        if not address.token:
            tell(f"Clients send this header: Authorization: Bearer {token}")
        gate = TokenGate(app, Door(port, is_local, tuple(name.lower() for name in address.names)), token)
        config = uvicorn.Config(
            gate, log_level="error", access_log=False, server_header=False, timeout_graceful_shutdown=2
        )
        uvicorn.Server(config).run(sockets=[listener])


class TokenGate:
    """The application behind the checks."""

    def __init__(self, app: ASGIApp, door: Door, token: str) -> None:
        self._app = app
        self._door = door
        self._token = token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await (self._refusal(Headers(scope=scope)) or self._app)(scope, receive, send)

    def _refusal(self, headers: Headers) -> JSONResponse | None:
        """Why the request goes no further; None if it may."""
        host, origin = headers.get("host", ""), headers.get("origin")
        if not self._door.leads_here(host):
            return _refused(421, "this name is not one that the server has; see dowse mcp --name")
        if origin is not None and origin.partition("://")[2] != host:
            return _refused(403, "the request comes from another site")
        kind, _, token = headers.get("authorization", "").partition(" ")
        if kind.lower() != "bearer" or not hmac.compare_digest(token.strip().encode(), self._token):
            return _refused(401, "send the token of dowse mcp as Authorization: Bearer TOKEN")
        return None


def _refused(status: int, message: str) -> JSONResponse:
    return JSONResponse({"error": message}, status, {"WWW-Authenticate": "Bearer"} if status == 401 else None)
