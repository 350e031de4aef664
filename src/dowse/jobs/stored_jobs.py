"""The job as a crawl keeps it and as its workers get it: JSON, read again as the job of its mode."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from dowse.core.errors import JobError
from dowse.core.job import Job
from dowse.core.private_jobs import without_secrets
from dowse.modes.mode import Mode
from dowse.modes.registry import find_mode


def job_to_json(job: Job) -> str:
    """Every value of the job but its secrets, so that a stored crawl keeps its defaults when those of dowse change."""
    return msgspec.json.encode(without_secrets(job)).decode()


def pack_job(job: Job) -> bytes:
    """The job with its secrets, for a worker of this run; it is never written down."""
    return msgspec.json.encode(job)


def job_from_json(text: str | bytes) -> Job:
    """The job that `job_to_json` wrote, also one of a version that had the mode's name among its options."""
    try:
        table = msgspec.json.decode(text, type=dict[str, Any])
        options = table.get("options") or table.pop("strategy", {})
        name = table.get("mode") or options.pop("strategy", "")
        return typed_job(find_mode(name), {**table, "options": options})
    except (msgspec.DecodeError, JobError) as error:
        raise JobError(f"the stored job cannot be read: {error}") from error


def typed_job(mode: Mode[Any], table: Mapping[str, Any]) -> Job:
    """The job of a table that has all options of a group together."""
    job = msgspec.convert({**table, "mode": mode.name, "options": {}}, Job)
    return replace(job, options=msgspec.convert(table.get("options", {}), mode.options))
