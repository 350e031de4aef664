"""A crawl that is to take the place of another: what must be sure before that one is removed."""

from __future__ import annotations

import multiprocessing
from pathlib import Path

from msgspec.structs import replace

from dowse.assembly import build_from
from dowse.core.briefing import Briefing
from dowse.core.errors import CrawlError
from dowse.core.job import Job
from dowse.core.protocols import WorkerPool
from dowse.crawl import remove
from dowse.jobs.stored_jobs import pack_job
from dowse.pools.event_loop import StopRequest, run_anywhere
from dowse.pools.processes import GUARD, ProcessPool, WorkerValues
from dowse.pools.ray_cluster import cluster_of
from dowse.worker_pools import far_pool


def check_process() -> None:
    """Refuse to crawl in a worker process that reads the script again: it would repeat every crawl of the script, and
    those that replace others would remove them."""
    if getattr(multiprocessing.current_process(), "_inheriting", False):
        raise CrawlError(f"this is a worker process; {GUARD}")


def make_room(job: Job, briefing: Briefing, stop: StopRequest) -> None:
    """Remove the crawl in the folder of a job. Before that one worker process is started, if the job wants some: the
    usual reason why none can start is in the script, and the old crawl is not to be lost for it."""
    if job.fetch.workers > 1 or cluster_of(job.fetch):
        run_anywhere(_start_one(job, briefing))
        stop.heed()
    remove(Path(job.output))


async def _start_one(job: Job, briefing: Briefing) -> None:
    one = replace(job, fetch=replace(job.fetch, workers=1, cluster=cluster_of(job.fetch), bodies_at=""))
    pool: WorkerPool = ProcessPool(one.fetch, WorkerValues(pack_job(one), briefing), build_from)
    if one.fetch.cluster:
        pool = far_pool(one, briefing)
    try:
        await pool.open()
    finally:
        await pool.close()
