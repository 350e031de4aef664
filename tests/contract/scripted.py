"""A fetcher that acts by the path it is asked for, and a worker around it that any process can build."""

from __future__ import annotations

import asyncio
import os

from dowse.core.briefing import Briefing
from dowse.core.model import Failure, FailureKind, Request, Response, Task
from dowse.core.protocols import Sink
from dowse.core.scope import Scope
from dowse.engine.gate import Gate
from dowse.engine.verdict import Verdict
from dowse.engine.worker import Worker
from dowse.jobs.stored_jobs import job_from_json
from dowse.modes.site.options import SiteOptions
from dowse.modes.site.strategy import SiteStrategy
from dowse.parse.page import Page
from dowse.pools.processes import WorkerValues

HOST = "example.org"
ENTRIES = 3500


class ScriptedFetcher:
    """/raise, /hang, /die, /refuse and /map do what they say; all else is a page with a link below itself."""

    async def fetch(self, request: Request, sink: Sink | None = None) -> Response | Failure:
        match request.url.split("/")[3]:
            case "raise":
                raise RuntimeError("a mistake")
            case "hang":
                await asyncio.sleep(3600)
            case "die":
                os._exit(7)
            case "refuse":
                return Failure(FailureKind.CONNECT, "nobody is there")
            case "map" if sink is not None:
                sink(b"<urlset>")
                for number in range(ENTRIES):
                    sink(b"<url><loc>http://%s/page/%d</loc></url>" % (HOST.encode(), number))
                return _page(request, b"")
        await asyncio.sleep(0)
        return _page(request, f'<title>{request.url}</title><a href="{request.url}/next">next</a>'.encode())

    async def close(self) -> None:
        pass


class ScriptedStrategy(SiteStrategy):
    """Says on /briefed what it was briefed with, and on /where which process it is in."""

    def __init__(self, briefing: Briefing) -> None:
        super().__init__(SiteOptions())
        self._briefing = briefing

    def judge(self, page: Page, task: Task) -> Verdict:
        verdict = super().judge(page, task)
        if "/briefed/" in page.url:
            return verdict._replace(evidence=self._briefing.get("word", b""))
        return verdict._replace(evidence=str(os.getpid()).encode()) if "/where/" in page.url else verdict


def _page(request: Request, body: bytes) -> Response:
    headers = {"content-type": "text/html; charset=utf-8"}
    return Response(request, 200, headers, body, fetched_at=1.0, elapsed=0.5, size=len(body))


def build_far(values: WorkerValues) -> tuple[Worker, None]:
    """The same for a cluster."""
    return build(values), None


def build(values: WorkerValues) -> Worker:
    job = job_from_json(values.job)
    scope = Scope(job.scope, job.limits, [HOST])
    gate = Gate(job, scope, lambda _: False)
    return Worker(job, ScriptedFetcher(), ScriptedStrategy, values.briefing, scope, gate)
