"""The way in and out: the link of `dowse serve`, the password, and tokens for programs."""

from __future__ import annotations

import time
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from fastapi.exceptions import HTTPException
from pydantic import BaseModel, Field
from starlette.responses import JSONResponse, Response

from dowse.web.api_values import PROBLEMS, Problem, Value
from dowse.web.html_answers import Entry, page, plain_page
from dowse.web.log_ins import LogIns
from dowse.web.request_checks import Door

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
    """A token for a program. It is shown once, and good until it is ended, or `dowse serve` ends."""

    token: str


class TokenShown(Value):
    """A token without its secret: how many seconds ago it was made, and last used."""

    id: str
    age: float
    idle: float


class TokenList(BaseModel):
    """The tokens that programs have, the newest first."""

    tokens: list[TokenShown]


class NewLink(BaseModel):
    """A path that logs another browser in, once, within an hour."""

    path: str


def log_ins_of(request: Request) -> LogIns:
    """Who may use the page."""
    log_ins: LogIns = request.app.state.log_ins
    return log_ins


def in_browser(request: Request) -> LogIns:
    """The same for acts that programs may not do: a token that got into wrong hands lets nobody else in."""
    if request.state.session.is_program:
        raise HTTPException(403, "tokens and links are made and ended in a browser, on the page Access")
    return log_ins_of(request)


Known = Annotated[LogIns, Depends(log_ins_of)]
InBrowser = Annotated[LogIns, Depends(in_browser)]
BROWSER_PROBLEMS: dict[int | str, dict[str, Any]] = {
    **PROBLEMS,
    403: {"model": Problem, "description": "A program asks for what only a browser may do."},
}


@ROUTER.get("/login", include_in_schema=False)
def log_in(request: Request, log_ins: Known, token: str = "") -> Response:
    """Log in by the link of `dowse serve`; without a token, ask for the password."""
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
def log_in_by_password(request: Request, log_ins: Known, given: Password) -> Response:
    """Log a browser in; the answer sets its cookie."""
    secret = log_ins.by_password(given.password, _client(request))
    if secret is None:
        return JSONResponse({"message": "that is not the password", "key": "password"}, 403)
    return _with_cookie(request, JSONResponse({"done": True}), secret)


@ROUTER.post("/api/logout", tags=["access"], response_model=Done, responses=PROBLEMS)
def log_out(request: Request, log_ins: Known) -> Response:
    """End the session of this browser or program."""
    log_ins.end(request.state.session.id)
    answer = JSONResponse({"done": True})
    answer.delete_cookie(request.app.state.door.cookie)
    return answer


@ROUTER.post("/api/tokens", tags=["access"], responses=BROWSER_PROBLEMS)
def make_token(log_ins: InBrowser) -> NewToken:
    """Make a bearer token for a program or for the browser extension."""
    return NewToken(token=log_ins.begin(bearer=True))


@ROUTER.get("/api/tokens", tags=["access"], responses=BROWSER_PROBLEMS)
def list_tokens(log_ins: InBrowser) -> TokenList:
    """The tokens that were made and not ended."""
    return TokenList(tokens=[TokenShown.model_validate(token) for token in log_ins.tokens()])


@ROUTER.post("/api/tokens/{token_id}/end", tags=["access"], responses=BROWSER_PROBLEMS)
def end_token(log_ins: InBrowser, token_id: str) -> Done:
    """End a token: whoever has it gets nothing more."""
    if not any(token.id == token_id for token in log_ins.tokens()):
        raise HTTPException(404, "there is no such token any more")
    return Done(done=log_ins.end(token_id))


@ROUTER.post("/api/links", tags=["access"], responses=BROWSER_PROBLEMS)
def make_link(log_ins: InBrowser) -> NewLink:
    """Make a link that logs another browser in."""
    return NewLink(path=f"/login?token={log_ins.make_link()}")


@ROUTER.get("/access", include_in_schema=False)
def access(request: Request, log_ins: Known) -> Response:
    """Tokens, links, and what the API has."""
    operations = [
        (method.upper(), path, operation.get("summary", ""), operation.get("description", ""))
        for path, methods in request.app.openapi()["paths"].items()
        for method, operation in methods.items()
    ]
    return page(request, "access.html", operations=operations, tokens=log_ins.tokens(), now=time.time())


def _with_cookie(request: Request, answer: Response, secret: str) -> Response:
    door: Door = request.app.state.door
    secure = request.url.scheme == "https"
    answer.set_cookie(door.cookie, secret, httponly=True, samesite="strict", secure=secure, path="/")
    return answer


def _client(request: Request) -> str:
    return request.client.host if request.client else ""
