"""Requests for what changed since the last visit, and for nothing else."""

from __future__ import annotations

from msgspec.structs import replace

from dowse.core.model import Request, Task
from dowse.core.task_labels import REQUISITE


def conditional(task: Task) -> Request:
    """Ask only for what changed since the last visit, if there was one. Conditions say that of a GET alone."""
    if not task.request.is_plain:
        return task.request
    headers = task.request.headers
    if task.etag:
        headers += (("If-None-Match", task.etag),)
    if task.last_modified:
        headers += (("If-Modified-Since", task.last_modified),)
    if task.label == REQUISITE:
        return replace(task.request, headers=headers, is_requisite=True)
    return replace(task.request, headers=headers) if headers else task.request
