"""One page of a crawl, read from its archive."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from dowse.core.job import Job
from dowse.core.record import Record
from dowse.core.user_agent import product_token, user_agent
from dowse.store.folder import BODIES
from dowse.store.warc.body_reader import BodyReader

if TYPE_CHECKING:
    from dowse.parse.page import Page


def read_page(directory: Path, job: Job, location: str, records: Sequence[Record] = ()) -> Page:
    """The page that is archived at a location. Raises CrawlError where the archive is damaged."""
    from dowse.parse.decode import charset_name  # the parser, which those who read tables need not load
    from dowse.parse.page import Page

    with BodyReader(directory / BODIES) as bodies:
        response = bodies.read(location)
    page = Page(response, product_token(user_agent(job)), charset=charset_name(job.fetch.charset))
    page.records = records
    return page
