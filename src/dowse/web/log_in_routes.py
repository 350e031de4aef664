"""The way in and out: the link of `dowse serve`, the password, and tokens for programs."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field
from starlette.responses import JSONResponse, Response

from dowse.web.api_values import PROBLEMS, Problem
from dowse.web.html_answers import Entry, page, plain_page
from dowse.web.log_ins import LogIns
from dowse.web.request_checks import Door, cookie_of

ROUTER = APIRouter()
MENU = (Entry("Access", "/access"),)

_WRONG_LINK = "This link was used before, or is too old. Start dowse serve again for another one."


class Password(BaseModel):
    """What somebody types to log in."""

    password: Annotated[str, Field(max_length=1000)]


class Done(BaseModel):
    """The act was done."""

    done: bool = True


class NewToken(BaseModel):
    """A token for a program. It is shown once, and good until `dowse serve` ends."""

    token: str


class NewLink(BaseModel):
    """A path that logs another browser in, once, within an hour."""

    path: str


@ROUTER.get("/login", include_in_schema=False)
def log_in(request: Request, token: str = "") -> Response:
    """Log in by the link of `dowse serve`; without a token, ask for the password."""
    log_ins: LogIns = request.app.state.log_ins
    if not token:
        return plain_page("log_in.html", has_password=log_ins.has_password)
    secret = log_ins.by_link(token)
    if secret is None:
        return plain_page("log_in.html", 403, has_password=log_ins.has_password, trouble=_WRONG_LINK)
    # Not a redirect: a browser that came from another site would not send a strict cookie along with it.
    return _with_cookie(request, plain_page("logged_in.html"), secret)


@ROUTER.post(
    "/api/login",
    tags=["access"],
    response_model=Done,
    responses={**PROBLEMS, 403: {"model": Problem}, 429: {"model": Problem}},
)
def log_in_by_password(request: Request, given: Password) -> Response:
    """Log a browser in; the answer sets its cookie."""
    log_ins: LogIns = request.app.state.log_ins
    secret = log_ins.by_password(given.password, _client(request))
    if secret is None:
        return JSONResponse({"message": "that is not the password", "key": "password"}, 403)
    return _with_cookie(request, JSONResponse({"done": True}), secret)


@ROUTER.post("/api/logout", tags=["access"], response_model=Done, responses=PROBLEMS)
def log_out(request: Request) -> Response:
    """End the session of this browser."""
    door: Door = request.app.state.door
    request.app.state.log_ins.end(cookie_of(request.headers, door.cookie))
    answer = JSONResponse({"done": True})
    answer.delete_cookie(door.cookie)
    return answer


@ROUTER.post("/api/tokens", tags=["access"], responses=PROBLEMS)
def make_token(request: Request) -> NewToken:
    """Make a bearer token for a program or for the browser extension."""
    return NewToken(token=request.app.state.log_ins.begin(bearer=True))


@ROUTER.post("/api/links", tags=["access"], responses=PROBLEMS)
def make_link(request: Request) -> NewLink:
    """Make a link that logs another browser in."""
    return NewLink(path=f"/login?token={request.app.state.log_ins.make_link()}")


@ROUTER.get("/access", include_in_schema=False)
def access(request: Request) -> Response:
    """Tokens, links, and what the API has."""
    operations = [
        (method.upper(), path, operation.get("summary", ""), operation.get("description", ""))
        for path, methods in request.app.openapi()["paths"].items()
        for method, operation in methods.items()
    ]
    return page(request, "access.html", operations=operations)


def _with_cookie(request: Request, answer: Response, secret: str) -> Response:
    door: Door = request.app.state.door
    secure = request.url.scheme == "https"
    answer.set_cookie(door.cookie, secret, httponly=True, samesite="strict", secure=secure, path="/")
    return answer


def _client(request: Request) -> str:
    return request.client.host if request.client else ""
