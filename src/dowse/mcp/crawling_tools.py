"""The tools that crawl: what can be asked of each mode, a bounded crawl as a process of its own, and how it stands."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

from msgspec import to_builtins
from pydantic import Field

from dowse.config import dump_job, folder_of
from dowse.core.errors import CrawlError, DowseError
from dowse.core.job import Job
from dowse.core.phrasing import counted, options_by_name
from dowse.mcp.allowed_jobs import Allowance, Asked, allowed_job, offered_settings
from dowse.mcp.tool_values import Crawl, CrawlStatus, ModeOptions, OptionRow, RuleRow, StartedCrawl
from dowse.mcp.web_text import seen, seen_value
from dowse.modes.registry import offered_modes
from dowse.settings import read_url
from dowse.store.folder import holds_crawl
from dowse.web.crawl_lines import CrawlLines
from dowse.web.served_folders import ServedFolders
from dowse.workflows import started_crawls
from dowse.workflows.built_tables import save_table

_USUAL_PAGES = 100
_MOST_WAIT = 45
_LOOK = 0.5
_TABLE = "table.csv"


class CrawlingTools:
    """Crawls are started within an allowance. None is ever removed or written over."""

    def __init__(self, folders: ServedFolders, allowance: Allowance) -> None:
        self._folders = folders
        self._allowance = allowance
        self._lines = CrawlLines(folders)
        self._starting = threading.Lock()

    def mode_options(
        self,
        mode: Annotated[str, Field(description="site, rules, focus, files, forms or forum; without one, all.")] = "",
    ) -> list[ModeOptions]:
        """Say what start_crawl can be asked for: the modes, and if one is named all of its options."""
        found = [each for each in offered_modes() if mode in ("", each.name)]
        if not found:
            raise CrawlError(f"there is no mode {mode!r:.40}; call without one for all")
        return [
            ModeOptions(
                mode=each.name,
                about=options_by_name(" ".join((each.__doc__ or "").split())),
                begins_with="table" if each.start else "seeds",
                options=[
                    OptionRow(
                        name=row.name,
                        type=_type(row),
                        default=to_builtins(row.default),
                        about=options_by_name(row.help),
                    )
                    for row in (offered_settings(each) if mode else ())
                ],
            )
            for each in found
        ]

    def start_crawl(
        self,
        mode: Annotated[
            str, Field(description="site (every page), focus (a topic), rules (a table), files, forms, forum.")
        ],
        seeds: Annotated[list[str], Field(description="URLs to start from; none in mode rules.")] = [],  # noqa: B006
        max_pages: Annotated[int, Field(ge=1, description="Stop after so many pages.")] = _USUAL_PAGES,
        options: Annotated[
            dict[str, Any],
            Field(
                description='Further options by name, such as {"topic": "heat pumps", "depth": 3}: see mode_options.'
            ),
        ] = {},  # noqa: B006
        table: Annotated[list[RuleRow], Field(description="The rules, in mode rules.", max_length=500)] = [],  # noqa: B006
        name: Annotated[str, Field(description="A name for its folder; without one, that of the host.")] = "",
    ) -> StartedCrawl:
        """Start a new crawl of the web. It runs by itself within limits that the user set, obeys robots.txt, and keeps
        what it fetches. Ask list_crawls first whether the pages are there already. crawl_status follows it.
        """
        with self._starting:
            self._check_room()
            folder = self._folders.new_folder(name) if name else self._free_folder(mode, seeds)
            place = str(folder / _TABLE) if table else ""
            job = allowed_job(Asked(mode, seeds, max_pages, options, place), folder, self._allowance, self._folders)
            self._start(job, folder, table)
        found = self._folders.place_of(folder)
        limits = job.limits
        return StartedCrawl(
            crawl=found.id,
            name=found.name,
            max_pages=limits.max_pages,
            max_time=limits.max_time,
            max_bytes=limits.max_bytes,
            job=dump_job(job),
        )

    def crawl_status(
        self,
        crawl: Crawl,
        wait: Annotated[
            int, Field(ge=0, le=_MOST_WAIT, description="Wait so many seconds for it to end, if it runs.")
        ] = 0,
    ) -> CrawlStatus:
        """Say how a crawl stands and what it found so far: counts, its ledger, the results of its mode."""
        place = self._folders.find(crawl)
        end = time.monotonic() + wait
        while (line := self._lines.of(place)).state == "running" and time.monotonic() < end:
            time.sleep(_LOOK)
        if line.trouble:
            raise CrawlError(line.trouble)
        with self._folders.open(crawl) as found:
            summary = found.status()
            return CrawlStatus(
                crawl=crawl,
                name=place.name,
                mode=line.mode,
                state=line.state,
                stop_reason=summary.stop_reason,
                pages=summary.pages,
                waiting=line.waiting,
                failed=line.failed,
                bytes=summary.bytes_received,
                seconds=round(summary.elapsed, 1),
                ledger=[seen_value(to_builtins(row)) for row in found.balance()],
                results=seen_value(to_builtins(found.results())),
                result_table=found.mode.result_table,
                troubles=[seen(trouble.text) for trouble in found.troubles],
                printed=[seen(text) for text in started_crawls.printed(place.directory)],
            )

    def stop_crawl(self, crawl: Crawl) -> CrawlStatus:
        """Ask a crawl that was started by start_crawl to stop. What it fetched stays, and the user can resume it."""
        place = self._folders.find(crawl)
        if not started_crawls.stop(place.directory):
            raise CrawlError("no crawl that was started by start_crawl runs there, so there is nothing to stop")
        return self.crawl_status(crawl, wait=10)

    def _check_room(self) -> None:
        runs = [started_crawls.find(place.directory) for place in self._folders.places()]
        running = sum(run is not None and run.is_running for run in runs)
        if running >= self._allowance.max_crawls:
            raise CrawlError(
                f"{counted(running, 'crawl')} of those that were started here run, and the user allows"
                f" {self._allowance.max_crawls} at once; wait with crawl_status, or stop one with stop_crawl"
            )

    def _free_folder(self, mode: str, seeds: list[str]) -> Path:
        """A folder named after the first host, with a number if there is one already."""
        first = (folder_of(read_url(seeds[0])) if seeds else "")[:60] or mode[:20]
        return self._folders.new_folder(self._folders.unused_name(first))

    def _start(self, job: Job, folder: Path, table: list[RuleRow]) -> None:
        if not table:
            started_crawls.start(job)
            return
        folder.mkdir(parents=True)
        try:
            save_table([row.model_dump(by_alias=True) for row in table], str(folder / _TABLE), replace=False)
            started_crawls.start(job)
        except DowseError:
            if not holds_crawl(folder):
                (folder / _TABLE).unlink(missing_ok=True)
                with suppress(OSError):
                    folder.rmdir()
            raise


def _type(row: Any) -> str:
    if row.choices:
        return " | ".join(row.choices)
    return {
        "switch": "true or false",
        "whole": "whole number",
        "number": "number",
        "text": "text",
        "list": "list of texts",
    }[row.kind]
