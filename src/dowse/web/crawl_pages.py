"""The pages of crawls: the list, and one crawl."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from dowse.web.crawl_api import Folders, Here, Lines, get_crawl
from dowse.web.html_answers import Entry, page

ROUTER = APIRouter(include_in_schema=False)
MENU = (Entry("Crawls", "/"),)


@ROUTER.get("/")
def crawls(request: Request, lines: Lines, folders: Folders) -> Response:
    """The list of crawls; where there are none, what to do first."""
    return page(request, "crawls.html", crawls=lines.all(), home=folders.home)


@ROUTER.get("/crawls/{crawl_id}")
def crawl(request: Request, place: Here, lines: Lines, folders: Folders) -> Response:
    """One crawl, live."""
    return page(request, "crawl.html", crawl=get_crawl(place, lines, folders))
