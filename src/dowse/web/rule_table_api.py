"""The table of the rule builder: tried by a small crawl, saved, and opened again."""

from __future__ import annotations

import shlex
from typing import Any

from fastapi import APIRouter, Request
from msgspec import to_builtins

from dowse.core.errors import CrawlError
from dowse.modes.rules.rule_places import has_rules, is_database, shown_place
from dowse.modes.rules.rule_table import COLUMNS
from dowse.web.builder_api import PAGE_PROBLEMS, check_steps, fetching
from dowse.web.builder_values import (
    Files,
    FilesAsked,
    OpenAsked,
    Opened,
    Options,
    SaveAsked,
    Saved,
    TableNames,
    Trial,
    TrialAsked,
)  # fmt: skip
from dowse.web.crawl_api import Folders
from dowse.web.named_places import served_place
from dowse.workflows.built_tables import (
    JOB_ENDING,
    job_options,
    open_table,
    save_job,
    save_table,
    table_files,
    table_names,
    try_table,
)

ROUTER = APIRouter(prefix="/api/builder", tags=["rule builder"])


@ROUTER.post("/trial", responses=PAGE_PROBLEMS)
def make_trial(request: Request, asked: TrialAsked) -> Trial:
    """Crawl a few pages by a table, and see what is kept. Nothing of it is left."""
    check_steps(asked.steps)
    attempt = try_table(asked.rows, asked.max_pages, **fetching(request, **_options(asked)))
    return Trial.model_validate(to_builtins(attempt))


@ROUTER.post("/save", responses=PAGE_PROBLEMS)
def save(asked: SaveAsked, folders: Folders) -> Saved:
    """Write a table without mistakes to a file of the served folders, or to a database."""
    place = served_place("table", asked.place, folders)
    options, command = _options(asked), ["dowse", "rules", "run", shown_place(place)]
    job = folders.within(f"{asked.place}{JOB_ENDING}") if options and not is_database(place) else None
    if job is not None and job.exists() and not asked.replace and not has_rules(place):
        raise CrawlError(f"{job} is there already; choose to replace it, or another place")
    rules = save_table(asked.rows, place, replace=asked.replace)
    if job is not None:
        save_job(place, job, **options)
        command = ["dowse", "run", str(job)]
    elif options:
        command += [word for field in asked.fields for word in ("--extract", field)]
        command += [word for step in asked.steps for word in ("--step", step)]
        command += ["--fetch", options["fetch"]] if "fetch" in options else []
    return Saved(rules=rules, place=shown_place(place), command=shlex.join(command))


@ROUTER.post("/open", responses=PAGE_PROBLEMS)
def open_(asked: OpenAsked, folders: Folders) -> Opened:
    """The rows of a table in a file of the served folders, or in a database."""
    place = served_place("table", asked.place, folders)
    rows = open_table(place)
    job = None if is_database(place) else folders.within(f"{asked.place}{JOB_ENDING}")
    return Opened(rows=rows, **(job_options(job) if job is not None and job.is_file() else {}))


@ROUTER.get("/tables", responses=PAGE_PROBLEMS)
def list_tables(folders: Folders) -> TableNames:
    """The columns of tables, and the tables in files of the first served folder, by name."""
    return TableNames(columns=list(COLUMNS), tables=table_names(folders.home))


@ROUTER.post("/files", responses=PAGE_PROBLEMS)
def make_files(asked: FilesAsked) -> Files:
    """A table without mistakes as the texts of files: the table, and the job file if it needs one."""
    return Files(files=table_files(asked.rows, asked.name, **_options(asked)))


def _options(asked: Options) -> dict[str, Any]:
    fetch = "browser" if asked.steps and asked.fetch == "http" else asked.fetch
    given = {"extract": asked.fields, "step": asked.steps, "fetch": "" if fetch == "http" else fetch}
    return {name: value for name, value in given.items() if value}
