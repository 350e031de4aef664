"""What a focus crawl costs: CPU time a page that the default adds to the engine, and ranking 100,000 links anew."""

from __future__ import annotations

import time

import numpy as np

from benchmarks.focus_webs import FocusWeb
from dowse.assembly import seed_requests
from dowse.config import make_job
from dowse.core.briefing import NOTHING
from dowse.core.job import Job
from dowse.core.scope import Scope
from dowse.engine.events import Event, Visited
from dowse.engine.gate import Gate
from dowse.engine.loop import Engine
from dowse.engine.worker import Worker
from dowse.fetch.replay import ReplayFetcher
from dowse.modes.focus.options import FocusOptions
from dowse.modes.focus.ranker import build_ranker, build_topic
from dowse.modes.registry import find_mode
from dowse.pools.event_loop import run as run_loop
from dowse.pools.inline import InlinePool
from dowse.rank.evidence import lead_type, records_of
from dowse.store.best_first.leads import Leads
from dowse.store.crawl_store import CrawlStore
from dowse.store.folder import connect_memory
from dowse.store.frontier.lease_best_first import RANK_INDEX
from dowse.store.schema import TABLES

PAGES = 400
AT_ONCE = 16
LINKS = 100_000
MOST_MILLISECONDS = 1.0
MOST_SECONDS = 2.0
ROUNDS = 4

_TASK = "INSERT INTO task (id, key_hash, url, host, site, label, depth, priority, parent, anchor, state, reason)"


def report_cost(web: FocusWeb) -> bool:
    site, focus = page_costs(web)
    seconds = rerank_seconds()
    print(f"CPU a page: {site:.2f} ms for a site crawl, {focus:.2f} for the default of a focus crawl")
    print(f"  it adds {focus - site:.2f} ms (aim {MOST_MILLISECONDS:g})")
    print(f"{LINKS:,} waiting links are ranked anew in {seconds:.2f} s (aim {MOST_SECONDS:g})")
    return focus - site < MOST_MILLISECONDS and seconds < MOST_SECONDS


def page_costs(web: FocusWeb) -> tuple[float, float]:
    """Milliseconds a page of a site crawl and of a focus crawl that make the same requests, the best of some rounds.

    What a focus crawl asks for is given to the site crawl as its seeds: left alone it would meet other pages, with more
    links or fewer, and other dead ones.
    """
    topic = web.topics[0]
    alone = {"delay": 0.0, "retries": 0, "bodies": False, "max_pages": PAGES, "concurrency": AT_ONCE}
    polite = {"robots": "ignore", "per_host": AT_ONCE, "sitemaps": False}
    focus = make_job("focus", topic.seeds[0], topic=topic.words, patience=0, **alone, **polite)
    pages, requests = _crawl(focus, web)  # fills the caches, too
    site = make_job("site", requests, **alone, **polite)
    taken: list[list[float]] = [[], []]
    for _ in range(ROUNDS):
        for job, times in zip((site, focus), taken, strict=True):
            started = time.process_time()
            again, same = _crawl(job, web)
            times.append((time.process_time() - started) / pages * 1000)
            assert (again, set(same)) == (pages, set(requests))
    return min(taken[0]), min(taken[1])


def _crawl(job: Job, web: FocusWeb) -> tuple[int, list[str]]:
    """How many pages a crawl fetched, and all that it asked for."""
    mode = find_mode(job.mode)
    store = CrawlStore(None, job, mode.lease_policy(job), mode.bookkeeping(job, NOTHING))
    store.begin("", 0.0)
    seeds = seed_requests(job, mode.seeds(job, NOTHING))
    store.add_seeds(seeds, 1e6)
    scope = Scope(job.scope, job.limits, {request.host for request in seeds})
    gate = Gate(job, scope, lambda _: False)
    worker = Worker(job, ReplayFetcher(web.find), lambda briefing: mode.strategy(job, briefing), NOTHING, scope, gate)
    requests: list[str] = []

    async def crawl() -> None:
        pool = InlinePool(worker, AT_ONCE)
        await pool.open()
        await Engine(store, pool, job.limits, lambda event: _note(event, requests)).run()
        await pool.close()

    run_loop(crawl())
    pages = store.pages
    store.close()
    return pages, requests


def _note(event: Event, requests: list[str]) -> None:
    if isinstance(event, Visited):
        requests.append(event.url)


def rerank_seconds() -> float:
    """Time to rank links anew whose worth has changed for all of them."""
    options = FocusOptions(topic="sorting methods")
    topic = build_topic(options)
    rows = np.zeros(LINKS, lead_type(topic.embedder.size))
    chance = np.random.default_rng(1)
    rows["parents"] = chance.integers(1, 9, LINKS)
    for name in ("anchor", "context", "parent"):
        rows[name] = chance.integers(-40, 40, rows[name].shape)
    connection = connect_memory()
    for statement in (*TABLES.split(";\n"), *Leads.tables, RANK_INDEX):
        connection.execute(statement)
    connection.execute("BEGIN")
    links = ((n, n, f"http://e.org/{n}", 1, 1, "", 1, n / LINKS, 1, "a link", 0, "") for n in range(LINKS))
    connection.executemany(f"{_TASK} VALUES ({','.join('?' * 12)})", links)
    connection.executemany("INSERT INTO lead VALUES (?, ?)", enumerate(records_of(rows)))
    leads = Leads(build_ranker(options))
    leads.load(connection)
    started = time.process_time()
    leads.rerank(LINKS)
    connection.execute("COMMIT")
    return time.process_time() - started
