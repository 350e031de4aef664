"""A fetcher that acts by the path it is asked for, and a worker around it that any process can build."""

from __future__ import annotations

import asyncio
import os

from dowse.core.model import Failure, FailureKind, Request, Response
from dowse.core.protocols import Sink
from dowse.core.scope import Scope
from dowse.engine.gate import Gate
from dowse.engine.worker import Worker
from dowse.modes.site.options import SiteOptions
from dowse.modes.site.strategy import SiteStrategy
from dowse.pools.processes import WorkerValues
from dowse.stored_jobs import job_from_json

HOST = "example.org"
ENTRIES = 3500


class ScriptedFetcher:
    """/raise, /hang, /die, /refuse and /map do what they say; all else is a page with a link below itself."""

    async def fetch(self, request: Request, sink: Sink | None = None) -> Response | Failure:
        match request.url.removeprefix(f"http://{HOST}").split("/")[1]:
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


def _page(request: Request, body: bytes) -> Response:
    headers = {"content-type": "text/html; charset=utf-8"}
    return Response(request, 200, headers, body, fetched_at=1.0, elapsed=0.5, size=len(body))


def build(values: WorkerValues) -> Worker:
    job = job_from_json(values.job)
    scope = Scope(job.scope, job.limits, [HOST])
    gate = Gate(job, scope, lambda _: False)
    return Worker(job, ScriptedFetcher(), lambda _: SiteStrategy(SiteOptions()), values.briefing, scope, gate)
