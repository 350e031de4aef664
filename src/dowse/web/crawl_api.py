"""The crawls of the served folders: which there are, and one of them."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request
from msgspec import to_builtins

from dowse.config import dump_job
from dowse.web.api_values import CRAWL_PROBLEMS, PROBLEMS, CrawlDetail, CrawlList
from dowse.web.crawl_lines import CrawlLines
from dowse.web.served_folders import Place, ServedFolders

ROUTER = APIRouter(prefix="/api", tags=["crawls"])


def served(request: Request) -> ServedFolders:
    """The folders that are served."""
    folders: ServedFolders = request.app.state.folders
    return folders


def lines_of(request: Request) -> CrawlLines:
    """How their crawls stand."""
    lines: CrawlLines = request.app.state.lines
    return lines


Folders = Annotated[ServedFolders, Depends(served)]
Lines = Annotated[CrawlLines, Depends(lines_of)]
CrawlId = Annotated[str, Path(max_length=100, description="The id of a crawl, as the list has it.")]


def found_place(crawl_id: CrawlId, folders: Folders) -> Place:
    """The crawl that a request is about; a route takes it as `Here`."""
    return folders.find(crawl_id)


Here = Annotated[Place, Depends(found_place)]


@ROUTER.get("/crawls", responses=PROBLEMS)
def list_crawls(lines: Lines) -> CrawlList:
    """Every crawl: those at work first, then by their last change."""
    return CrawlList(crawls=lines.all())


@ROUTER.get("/crawls/{crawl_id}", responses=CRAWL_PROBLEMS)
def get_crawl(place: Here, lines: Lines, folders: Folders) -> CrawlDetail:
    """One crawl with its job and what it found."""
    line = lines.of(place)
    if line.trouble:
        return CrawlDetail(**line.model_dump())
    with folders.open(place.id) as crawl:
        return CrawlDetail(**line.model_dump(), job=dump_job(crawl.job), results=to_builtins(crawl.results()))
