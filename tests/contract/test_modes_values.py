"""Every mode: a worker is made from values alone, wherever it is, and a replay is the same every time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from dowse import worker_pools
from dowse.core.errors import JobError
from dowse.core.model import Outcome, Task
from dowse.jobs.stored_jobs import job_from_json, pack_job
from dowse.pools.inline import InlinePool
from dowse.pools.processes import WorkerValues
from dowse.workflows.simulate import simulate
from tests.contract.blind_worker import Message
from tests.contract.mode_jobs import JOBS, ONE_BY_ONE, Runs, mode_of

ROOT = Path(__file__).parents[2]
MOMENTS = ("fetched_at", "elapsed", "body", "robots")
"""What differs between two visits: when they were, and where the answer was archived."""

REPLAY = {**ONE_BY_ONE, "scope": "any", "exclude": ["/private/", "//a.example/"], "bodies": False}
"""Where robots.txt and scope held the crawl back, a pattern does."""


class Watched(InlinePool):
    """Notes what goes out and what comes home."""

    tasks: list[Task]
    outcomes: list[Outcome]

    def submit(self, tasks: Sequence[Task]) -> None:
        self.tasks += tasks
        super().submit(tasks)

    async def results(self, timeout: float) -> list[Outcome]:
        outcomes = await super().results(timeout)
        self.outcomes += outcomes
        return outcomes


# Workers


@pytest.fixture(scope="module")
def seen(runs: Runs, tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Message, list[Outcome]]]:
    """What the worker of each crawl was given and what it made of it."""
    found = {}
    elsewhere = tmp_path_factory.mktemp("archives")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(worker_pools, "InlinePool", Watched)
        for case in JOBS:
            Watched.tasks, Watched.outcomes = [], []
            crawl = runs.crawl(case, runs.folder / "watched" / case)
            job = replace(crawl.job, output=str(elsewhere / case))
            values = WorkerValues(pack_job(job), dict(crawl.reader.briefing()))
            found[case] = Message(values, Watched.tasks), Watched.outcomes
    return found


@pytest.fixture(scope="module")
def blind(
    runs: Runs, seen: dict[str, tuple[Message, list[Outcome]]], tmp_path_factory: pytest.TempPathFactory
) -> dict[str, list[Outcome]]:
    """What workers make of the same tasks that have neither the folder, nor its neighbours, nor their user's home."""
    home, away = tmp_path_factory.mktemp("home"), runs.folder.with_name("away")
    paths = os.pathsep.join([str(ROOT), os.environ["PYTHONPATH"]])
    messages = msgspec.msgpack.encode({case: message for case, (message, _) in seen.items()})
    runs.folder.rename(away)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "tests.contract.blind_worker", str(runs.folder)],
            input=messages,
            capture_output=True,
            timeout=60,
            check=False,
            cwd=home,
            env={"PATH": os.environ["PATH"], "HOME": str(home), "PYTHONPATH": paths},
        )
    finally:
        away.rename(runs.folder)
    assert done.returncode == 0, done.stderr.decode()
    return msgspec.msgpack.decode(done.stdout, type=dict[str, list[Outcome]])


@pytest.mark.parametrize("case", JOBS)
def test_a_worker_that_cannot_see_the_crawl_brings_the_same(
    case: str, seen: dict[str, tuple[Message, list[Outcome]]], blind: dict[str, list[Outcome]]
) -> None:
    there, here = blind[case], [outcome for outcome in seen[case][1] if not outcome.partial]
    assert len(there) == len(here) > 10
    for one, other in zip(here, there, strict=True):
        for field in Outcome.__struct_fields__:
            if field not in MOMENTS:
                assert getattr(one, field) == getattr(other, field), (one.task.request.url, field)
    assert any(outcome.body for outcome in there), "it has an archive of its own"


def test_what_looks_into_the_folder_of_the_crawl_is_caught(runs: Runs) -> None:
    """The guard of the test above works."""
    table = runs.folder / "given" / "rules.csv"
    program = f"from tests.contract.blind_worker import forbid; forbid({str(runs.folder)!r}); open({str(table)!r})"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False, cwd=ROOT)
    assert (done.returncode, b"a worker looked at" in done.stderr) == (9, True)


# Replay


@pytest.fixture(scope="module")
def replays(runs: Runs) -> list[dict[str, list[tuple[str, float]]]]:
    """The stored crawls replayed twice, by processes that have little in common."""
    jobs = {}
    for case in JOBS:
        crawl = runs.undisturbed(case)
        assert job_from_json(pack_job(crawl.job)) == crawl.job
        jobs[case] = mode_of(case), str(crawl.directory), list(crawl.job.seeds), {**runs.options(case), **REPLAY}
    return [replayed(json.dumps(jobs), workers, seed) for workers, seed in ((1, "1"), (3, "4711"))]


def replayed(jobs: str, workers: int, seed: str) -> dict[str, list[tuple[str, float]]]:
    paths = os.pathsep.join([str(ROOT), os.environ["PYTHONPATH"]])
    done = subprocess.run(
        [sys.executable, "-m", "tests.contract.replaying", str(workers)],
        input=jobs,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": paths},
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)  # type: ignore[no-any-return]


@pytest.mark.parametrize("case", JOBS)
def test_a_replay_is_the_same_every_time(case: str, replays: list[dict[str, list[tuple[str, float]]]]) -> None:
    first, second = (replay[case] for replay in replays)
    assert first == second
    assert len(first) > 10


@pytest.mark.parametrize("case", JOBS)
def test_a_simulation_and_an_evaluation_are_measured_by_labels(case: str, runs: Runs, tmp_path: Path) -> None:
    crawl, labels = runs.undisturbed(case), tmp_path / "labels.csv"
    pages = [row["url"] for row in crawl.pages]
    labels.write_text("url\n" + "\n".join(pages[:3]), encoding="utf-8")
    mode, options = crawl.mode, runs.options(case)
    by = [str(options.pop(mode.compares, "learned"))] if mode.compares else []
    (simulated,) = simulate(crawl.directory, by, mode=mode.name, truth=labels, **options)
    assert simulated.by == (by[0] if by else mode.name)
    assert simulated.found.value == 1.0
    assert json.loads(msgspec.json.encode(simulated))["curve"] == simulated.curve
    results = crawl.frame(mode.result_table)
    if "url" not in results.columns:
        with pytest.raises(JobError, match=r"^truth: "):
            mode.measured(crawl)
        return
    measured, threshold = mode.measured(crawl)
    assert {url for url, _ in measured} >= {row["url"] for row in results}
    assert all(isinstance(relevance, float) for _, relevance in measured)
    assert isinstance(threshold, float)


@pytest.mark.parametrize("case", JOBS)
def test_a_replay_goes_as_the_crawl_went(
    case: str, runs: Runs, replays: list[dict[str, list[tuple[str, float]]]]
) -> None:
    """Page by page; a copy of another page is none there."""
    pages = [row["url"] for row in runs.undisturbed(case).pages if row["state"] == "fetched"]
    assert [url for url, _ in replays[0][case]] == pages
