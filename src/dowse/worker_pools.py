"""The pool that a job asks for: this process, several, or the actors of a cluster."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from dowse.assembly import build_far, build_from, build_worker
from dowse.core.briefing import Briefing
from dowse.core.errors import JobError
from dowse.core.job import Job
from dowse.core.protocols import WorkerPool
from dowse.core.user_agent import user_agent
from dowse.engine.callbacks import OwnCode
from dowse.engine.events import Notice
from dowse.engine.loop import Listener
from dowse.fetch.fetcher_chain import check_means
from dowse.jobs.stored_jobs import pack_job
from dowse.pools.inline import InlinePool
from dowse.pools.open_files import within_limits
from dowse.pools.processes import ProcessPool, WorkerValues
from dowse.pools.ray_cluster import check_cluster, cluster_of
from dowse.store.folder import BODIES, put_bodies_at


def check_place(job: Job) -> None:
    """Whether what the job needs is there: a folder for bodies, a cluster, or a browser on this machine. If not, an
    error that says it; before the crawl begins, for then the place of its bodies is fixed."""
    if job.fetch.bodies_at and not Path(job.fetch.bodies_at).is_dir():
        raise JobError(f"bodies_at: {job.fetch.bodies_at} cannot be used: there is no such folder")
    if cluster_of(job.fetch):
        check_cluster(job.fetch)
    else:
        check_means(job.fetch)


def make_pool(job: Job, briefing: Briefing, own: OwnCode, listener: Listener) -> WorkerPool:
    """The pool, not opened yet. The folder of the crawl is there."""
    if job.fetch.bodies_at:
        folder = put_bodies_at(Path(job.output), job.fetch.bodies_at)
        job = replace(job, fetch=replace(job.fetch, bodies_at=str(folder)))
    if cluster_of(job.fetch):
        if not job.fetch.cluster:
            listener(Notice(f"the workers are on the cluster that RAY_ADDRESS names, {cluster_of(job.fetch)}"))
        return far_pool(job, briefing)
    if job.fetch.workers > 1:
        return ProcessPool(job.fetch, WorkerValues(pack_job(job), briefing), build_from)
    job = within_limits(job, listener)
    return InlinePool(build_worker(job, briefing, own), job.fetch.concurrency)


def far_pool(job: Job, briefing: Briefing) -> WorkerPool:
    """Workers on a cluster."""
    from dowse.pools.ray_actors import RayPool  # other crawls need not load it
    from dowse.store.warc.travelling_answers import BodiesHome

    home = None
    if job.fetch.bodies and not job.fetch.bodies_at:
        named = replace(job, fetch=replace(job.fetch, user_agent=user_agent(job)))
        home = BodiesHome(Path(job.output) / BODIES, named)
    return RayPool(job.fetch, WorkerValues(pack_job(job), briefing), build_far, home)
