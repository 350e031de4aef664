"""One page of a crawl, read from its archive."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from dowse.core.errors import CrawlError
from dowse.core.job import Job
from dowse.core.phrasing import printable, state_text
from dowse.core.record import Record
from dowse.core.user_agent import product_token, user_agent
from dowse.store.folder import bodies_of
from dowse.store.reading.reader import CrawlReader
from dowse.store.warc.body_reader import BodyReader

if TYPE_CHECKING:
    from dowse.documents.document_reader import DocumentReader
    from dowse.parse.page import Page


def find_page(directory: Path, job: Job, reader: CrawlReader, number: int, name: str) -> Page:
    """The page of a URL by its number, redirects followed. Raises CrawlError if none is stored; `name` is what the user
    calls the URL."""
    stored = reader.stored_page(number)
    if not stored.location:
        state, reason = reader.standing(stored.task)
        because = "" if reason in ("", state) else f" ({printable(reason)})"
        lack = "" if job.fetch.bodies else "; the crawl was made with bodies=False"
        raise CrawlError(f"no page is stored for {name}: it is {state_text(state)}{because}{lack}")
    return read_page(directory, job, stored.location, reader.records_of_page(stored.task))


def read_page(
    directory: Path, job: Job, location: str, records: Sequence[Record] = (), documents: DocumentReader | None = None
) -> Page:
    """The page that is archived at a location. Raises CrawlError where the archive is damaged. `documents` is who reads
    documents, for those who have many pages to read."""
    from dowse.documents.document_reader import DocumentReader
    from dowse.documents.read_pages import page_of_answer
    from dowse.parse.decode import charset_name  # the parser, which those who read tables need not load

    reading = nullcontext(documents) if documents else DocumentReader()
    with BodyReader(bodies_of(directory)) as bodies, reading as reader:
        response = bodies.read(location)
        token, charset = product_token(user_agent(job)), charset_name(job.fetch.charset)
        page = page_of_answer(response, reader, token, charset)
    page.records = records
    return page
