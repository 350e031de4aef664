"""A worker computes only what the job needs."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from typing import Any

import pytest

from dowse.config import make_job
from dowse.core.duplicates.passages import Passages
from dowse.core.model import Outcome, Request, Task
from dowse.core.url_keys import key_of
from dowse.jobs.stored_jobs import job_to_json
from dowse.pools.processes import WorkerValues
from tests.contract.scripted import HOST, build


def visit(**options: Any) -> Outcome:
    job = make_job("site", f"http://{HOST}/", **options)
    url = f"http://{HOST}/page"
    return asyncio.run(
        build(WorkerValues(job_to_json(job).encode(), {})).visit(
            Task(1, Request(url, key_of(url), HOST), HOST), lambda _outcome: None
        )
    )


@pytest.mark.parametrize("dedup", ["off", "exact"])
def test_what_near_duplicates_are_told_by_is_read_for_them_alone(dedup: str) -> None:
    assert visit(dedup=dedup).passages == b""
    passages = Passages.unpack(visit(dedup="near").passages)
    assert (len(passages.words), len(passages.links)) == (1, 1)


def test_other_crawls_do_not_load_numpy_for_them() -> None:
    program = "import sys, dowse.app, dowse.engine.worker, dowse.store.crawl_store; print('numpy' in sys.modules)"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ended.stdout == "False\n"
