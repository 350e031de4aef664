"""Crawls as files: every table in every format, what was stored, and the report.

A file is written to a place that only the server knows, and sent from there. What is asked for is looked up by its
name among the tables and formats that there are; no part of a request ever becomes a path.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from pathlib import Path
from typing import Any

from fastapi import APIRouter
from starlette.background import BackgroundTask
from starlette.responses import FileResponse, Response

from dowse.core.errors import CrawlMissing
from dowse.export.formats import FOLDER, FORMATS, ROWS
from dowse.web.api_values import CRAWL_PROBLEMS, Problem
from dowse.web.crawl_api import Folders, Here

ROUTER = APIRouter(prefix="/api", tags=["inside a crawl"])

FILE_PROBLEMS: dict[int | str, dict[str, Any]] = {
    **CRAWL_PROBLEMS,
    501: {"model": Problem, "description": "The format needs a package that is not installed."},
}
_ENDINGS = {"warc": "warc.gz", "markdown": "md", FOLDER: "zip"}
_UNFIT = re.compile(r"[^\w.-]+", re.ASCII)

# The report is complete in itself. It runs nothing, and its own policy lets nothing be loaded.
_REPORT_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox allow-popups allow-top-navigation"
)


@ROUTER.get(
    "/crawls/{crawl_id}/files/{table}/{format_}",
    responses={**FILE_PROBLEMS, 200: {"content": {"application/octet-stream": {}}, "description": "The file."}},
    response_class=Response,
)
def get_file(place: Here, table: str, format_: str, folders: Folders) -> Response:
    """A table as a file in one of its formats. A folder comes as a zip file."""
    with folders.open(place.id) as crawl:
        known = {**FORMATS, **dict.fromkeys(crawl.mode.tables, ROWS)}
        if format_ not in known.get(table, ()):
            raise CrawlMissing(f"there is no table {table!r:.60} as {format_!r:.60}; see /api/crawls/.../tables")
        folder = Path(tempfile.mkdtemp(prefix="dowse-"))
        try:
            file = folder / f"file.{_ENDINGS.get(format_, format_)}"
            if format_ == FOLDER:
                crawl.export(table, folder / "files", format_)
                file = Path(shutil.make_archive(str(folder / "packed"), "zip", folder / "files"))
            else:
                crawl.export(table, file, format_)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
    name = f"{_UNFIT.sub('-', place.directory.name)}-{table}.{_ENDINGS.get(format_, format_)}"
    gone = BackgroundTask(shutil.rmtree, folder, ignore_errors=True)
    return FileResponse(file, media_type="application/octet-stream", filename=name, background=gone)


@ROUTER.get(
    "/crawls/{crawl_id}/report",
    responses={**CRAWL_PROBLEMS, 200: {"content": {"text/html": {}}, "description": "The report."}},
    response_class=Response,
)
def get_report(place: Here, folders: Folders) -> Response:
    """The report of a crawl: one HTML page with plots, complete in itself."""
    with folders.open(place.id) as crawl:
        folder = Path(tempfile.mkdtemp(prefix="dowse-"))
        try:
            text = crawl.report(folder / "report.html").read_text(encoding="utf-8")
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    return Response(text, media_type="text/html", headers={"content-security-policy": _REPORT_POLICY})
