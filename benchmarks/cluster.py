"""Workers on a Ray cluster: python -m benchmarks.cluster [scaling | overhead]

scaling    pages a second by number of actors, on several hundred hosts that take 200 ms each (cluster_web.py)
overhead   what a page costs on the way to an actor and back, beside a process, with pages made in memory

Both alternate their contenders, because the machine may have other things to do.
"""

from __future__ import annotations

import logging
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from statistics import median

from msgspec.structs import replace

from benchmarks.cache import scratch
from benchmarks.cluster_web import host_names
from benchmarks.null import ORIGIN, child
from benchmarks.null_crawl import NullCrawl, build_far, build_from
from benchmarks.server import free_port
from dowse import app
from dowse.config import make_job
from dowse.core.briefing import NOTHING
from dowse.core.job import Job, Limits
from dowse.core.protocols import WorkerPool
from dowse.engine.events import Event, Visited
from dowse.engine.loop import Engine
from dowse.jobs.stored_jobs import pack_job
from dowse.pools.event_loop import run as run_loop
from dowse.pools.processes import ProcessPool, WorkerValues
from dowse.pools.ray_actors import RayPool

LATENCY = 0.2
HOSTS = 400
ACTORS = (1, 2, 4, 8, 16)
REQUESTS = 4
"""Requests under way for each actor: few enough for two cores to keep up with 16 actors."""

SECONDS = 12.0
TURNS = 3
NULL_PAGES = 6000


class Pace:
    """Hears of visits, and knows how many came in a second, without the first and the last moments."""

    def __init__(self) -> None:
        self._moments: list[float] = []

    def __call__(self, event: Event) -> None:
        if isinstance(event, Visited):
            self._moments.append(time.monotonic())

    def pages_per_second(self) -> float:
        start, end = self._moments[0] + 2.0, self._moments[-1] - 0.5
        return sum(start <= moment < end for moment in self._moments) / (end - start)


def scaling() -> None:
    """Efficiency: pages a second of N actors, as a part of N times those of one."""
    rates: dict[int, list[float]] = {number: [] for number in ACTORS}
    with _web() as port, _ray(max(ACTORS)):
        for _ in range(TURNS):
            for number in ACTORS:
                rates[number].append(_rate(number, port))
                print(f"  {number} actors: {rates[number][-1]:.1f} pages/s", flush=True)
    one = median(rates[1])
    print(f"{'actors':>6} {'pages/s':>8} {'ideal':>8} {'of ideal':>8} {'efficiency':>10}")
    for number, found in rates.items():
        rate, ideal = median(found), number * REQUESTS / LATENCY
        print(f"{number:6} {rate:8.1f} {ideal:8.1f} {rate / ideal:8.2f} {rate / (number * one):10.2f}")


def _rate(actors: int, port: int) -> float:
    pace = Pace()
    with scratch() as folder:
        job = make_job(
            "site",
            [f"http://{host}:{port}/" for host in host_names(HOSTS)],
            output=str(folder / "crawl"),
            cluster="local",
            workers=actors,
            concurrency=REQUESTS * actors,
            per_host=1,
            delay=0.0,
            sitemaps=False,
            robots="ignore",
            dedup="off",
            max_time=SECONDS,
        )
        app.start(job, pace)
    return pace.pages_per_second()


@contextmanager
def _web() -> Iterator[int]:
    port = free_port()
    command = [sys.executable, "-m", "benchmarks.cluster_web", str(port), str(HOSTS), str(LATENCY)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        server.stdout.readline()
        try:
            yield port
        finally:
            server.terminate()


@contextmanager
def _ray(workers: int) -> Iterator[None]:
    """One cluster for all runs: it takes seconds to start."""
    import ray

    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    ray.init("local", num_cpus=workers, include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR)
    try:
        yield
    finally:
        ray.shutdown()


def overhead() -> None:
    """One worker beside one worker: the processor time of the first process, and of all that it started."""
    costs: dict[str, list[tuple[float, float]]] = {"processes": [], "ray": []}
    for _ in range(TURNS):
        for name in costs:
            costs[name].append(_null(name))
    print(f"{'pool':10} {'pages/s':>8} {'engine us/page':>15}")
    for name, found in costs.items():
        print(f"{name:10} {median(rate for rate, _ in found):8.0f} {median(cost for _, cost in found):15.0f}")


def _null(name: str) -> tuple[float, float]:
    with scratch() as folder:
        child(folder, "build", folder / "crawl", ORIGIN, 20_000)
        crawl = NullCrawl(folder / "crawl", 1)
        job = replace(crawl.job, limits=Limits(max_pages=crawl.store.pages + NULL_PAGES))
        moments: list[float] = []
        with _ray(1) if name == "ray" else nullcontext():
            run_loop(_crawl(name, job, crawl, moments))
        crawl.store.close()
    started, cpu, ended, cpu_then = moments
    return NULL_PAGES / (ended - started), (cpu_then - cpu) / NULL_PAGES * 1e6


async def _crawl(name: str, job: Job, crawl: NullCrawl, moments: list[float]) -> None:
    values, fetch = WorkerValues(pack_job(job), NOTHING), replace(job.fetch, workers=1, cluster="local")
    pool: WorkerPool = ProcessPool(fetch, values, build_from)
    if name == "ray":
        pool = RayPool(fetch, values, build_far)
    await pool.open()
    moments += (time.perf_counter(), _cpu())
    await Engine(crawl.store, pool, job.limits, lambda _event: None).run()
    moments += (time.perf_counter(), _cpu())
    await pool.close()


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    for name in sys.argv[1:] or ("scaling", "overhead"):
        {"scaling": scaling, "overhead": overhead}[name]()
