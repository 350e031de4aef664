"""The application: parts behind the checks of every request, with errors in our words and the API described.

/api/...        the JSON API; /api/openapi.json describes it
/assets/...     files of the package
anything else   pages, which get all that they show from the same values
"""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from dowse.core.errors import CrawlLocked, CrawlMissing, DowseError, ExtraMissing, JobError
from dowse.version import VERSION
from dowse.web.crawl_lines import CrawlLines
from dowse.web.demo_site import DemoCrawls
from dowse.web.html_answers import plain_page
from dowse.web.log_ins import LogIns, TooManyTries
from dowse.web.message_key import key_of
from dowse.web.parts import parts
from dowse.web.request_checks import Door, RequestChecks
from dowse.web.served_folders import ServedFolders
from dowse.workflows.fresh_indexes import FreshIndexes
from dowse.workflows.shown_pages import ShownPages

DESCRIPTION = "/api/openapi.json"
ASSETS = Path(__file__).parent / "assets"

_SEARCH_PATIENCE = 1.5
"""Seconds that a search waits for the index before it answers from what there is."""

_STATUS: dict[type[DowseError], int] = {JobError: 422, CrawlMissing: 404, CrawlLocked: 409, ExtraMissing: 501}
_ABOUT = """Everything that the page shows and does. Log in with a bearer token (`Authorization: Bearer ...`), which the
page makes under "Access", or with the cookie of the page and its CSRF token in the header `X-CSRF-Token`."""


def make_application(folders: ServedFolders, door: Door, log_ins: LogIns, *, allow_private: bool = False) -> ASGIApp:
    """The whole page. `allow_private`: crawls that are started here may be led to private addresses."""
    app = FastAPI(
        title="dowse", version=VERSION, description=_ABOUT, openapi_url=DESCRIPTION, docs_url=None, redoc_url=None
    )
    app.state.folders, app.state.door, app.state.log_ins = folders, door, log_ins
    app.state.allow_private = allow_private
    app.state.lines, app.state.demo = CrawlLines(folders), DemoCrawls(folders)
    app.state.shown_pages, app.state.indexes = ShownPages(), FreshIndexes(_SEARCH_PATIENCE)
    app.state.menu = []
    for part in parts():
        app.include_router(part.ROUTER)
        app.state.menu += getattr(part, "MENU", ())
    app.mount("/assets/pages", StaticFiles(packages=[("dowse.export.pages", "styles")]), name="shared")
    app.mount("/assets", StaticFiles(directory=ASSETS), name="assets")
    app.add_exception_handler(DowseError, _told)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _plain)
    app.add_exception_handler(TooManyTries, _too_many)
    return RequestChecks(app, door, log_ins, lambda: plain_page("log_in.html", 401, has_password=log_ins.has_password))


def _told(request: Request, error: Exception) -> Response:
    """An error of ours: its text is meant for the user."""
    status = next((number for kind, number in _STATUS.items() if isinstance(error, kind)), 409)
    return _problem(request, status, str(error))


def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"][1:])
    return _problem(request, 422, f"{place}: {first['msg']}" if place else str(first["msg"]))


def _plain(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    answer = _problem(request, error.status_code, str(error.detail))
    answer.headers.update(error.headers or {})
    return answer


def _too_many(request: Request, error: Exception) -> Response:
    assert isinstance(error, TooManyTries)
    answer = _problem(request, 429, str(error))
    answer.headers["retry-after"] = str(error.seconds)
    return answer


def _problem(request: Request, status: int, message: str) -> Response:
    message = message.encode("utf-8", "replace").decode()  # the name of a file may be no text
    if request.url.path.startswith("/api/"):
        return JSONResponse({"message": message, "key": key_of(message)}, status)
    return plain_page("problem.html", status, message=message)
