"""Start crawls: the modes with their options, the job that a form makes, and the crawl as a process of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import JSONResponse
from starlette.responses import Response

from dowse.core.job import Job
from dowse.modes.registry import offered_modes
from dowse.web.api_values import PROBLEMS, Problem
from dowse.web.asked_jobs import see_job, shown_mode
from dowse.web.crawl_api import Folders
from dowse.web.demo_site import DemoCrawls
from dowse.web.job_values import JobAsked, JobSeen, Modes, Started
from dowse.web.served_folders import ServedFolders
from dowse.workflows import started_crawls

ROUTER = APIRouter(prefix="/api", tags=["crawls"])

START_PROBLEMS: dict[int | str, dict[str, Any]] = {
    **PROBLEMS,
    409: {"model": Problem, "description": "The crawl could not begin."},
    501: {"model": Problem, "description": "It needs a package that is not installed."},
}


def demo_of(request: Request) -> DemoCrawls:
    """The demonstration of this page."""
    demo: DemoCrawls = request.app.state.demo
    return demo


@ROUTER.get("/modes", responses=PROBLEMS)
def list_modes() -> Modes:
    """Every mode with its options, those that people give most first."""
    return Modes(modes=[shown_mode(mode) for mode in offered_modes()])


@ROUTER.post("/jobs", responses=PROBLEMS)
def check_job(request: Request, asked: JobAsked, folders: Folders) -> JobSeen:
    """The job file of what is asked for, and what is wrong with it. Nothing is started."""
    return see_job(asked, folders, allow_private=request.app.state.allow_private)[0]


@ROUTER.post("/crawls", responses=START_PROBLEMS, response_model=Started)
def start_crawl(request: Request, asked: JobAsked, folders: Folders) -> Response:
    """Start a crawl. It goes on when the page is closed, and when `dowse serve` ends."""
    seen, job = see_job(asked, folders, allow_private=request.app.state.allow_private)
    if job is None:
        first = seen.problems[0]
        return JSONResponse({"message": first.message, "key": first.key}, 422)
    return JSONResponse(started(job, folders).model_dump())


@ROUTER.post("/demo", responses=START_PROBLEMS)
def start_demo(demo: Annotated[DemoCrawls, Depends(demo_of)], folders: Folders) -> Started:
    """Serve the sample site on this machine, and start two crawls of it: by rules, and of everything."""
    jobs = demo.jobs()
    return [started(job, folders) for job in jobs][-1]


def started(job: Job, folders: ServedFolders) -> Started:
    """A job as a crawl that runs."""
    run = started_crawls.start(job)
    place = folders.place_of(Path(job.output))
    return Started(id=place.id, name=place.name, command=run.command)
