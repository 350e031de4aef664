"""Stored answers that travel with tasks to workers on other machines."""

from __future__ import annotations

import pytest

from dowse.core.duplicates.twins import Twin
from dowse.core.errors import CrawlError
from dowse.core.model import Request, Task
from dowse.store.warc.travelling_answers import PackingArchive
from tests.archiving import a_job, answer

PLACE = "00001-aaaaaaaa.warc.gz:0:10:10"


def like(number: int) -> Task:
    """A task whose page is compared with the one that is stored."""
    url = f"https://example.org/{number}"
    return Task(number, Request(url, number, "example.org"), "example.org", twin=Twin("https://example.org/", PLACE))


def test_an_answer_stays_until_the_last_task_that_came_with_it_is_done() -> None:
    archive, stored = PackingArchive(a_job()), answer(body="<p>the first")
    first, second, third = like(1), like(2), like(3)
    archive.lend({PLACE: stored}, [first, second])
    archive.forget(first)
    assert archive.read(PLACE) is stored
    archive.lend({PLACE: stored}, [third])
    archive.forget(second)
    assert archive.read(PLACE) is stored
    archive.forget(third)
    with pytest.raises(CrawlError, match="did not come along"):
        archive.read(PLACE)
