"""Answers between a worker on another machine and the archive of its crawl: packed there, kept here.

worker   PackingArchive   makes the records, and gives each a name; reads what came along with a task
engine   BodiesHome       puts the records into the crawl's own file; sends along what a task may ask for
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha1
from pathlib import Path

from msgspec.structs import replace

from dowse.core.archive import PackedAnswer
from dowse.core.duplicates.fingerprint import SeenKeys
from dowse.core.errors import CrawlError
from dowse.core.job import Job
from dowse.core.model import Response, Task
from dowse.store.warc.body_reader import BodyReader
from dowse.store.warc.body_writer import WORTH_A_REVISIT, WarcArchive, body_key
from dowse.store.warc.gzip_members import pack, pack_small
from dowse.store.warc.warc_records import RecordWriter, digest_name


class PackingArchive:
    """The archive of a worker that does not see the folder of its crawl."""

    def __init__(self, job: Job, sent: Iterable[str] = ()) -> None:
        self._records = RecordWriter(job, sent)
        self._seen = SeenKeys()
        self._number = 0
        self._packed: dict[str, PackedAnswer] = {}
        self._lent: dict[str, Response] = {}
        self._borrowers: Counter[str] = Counter()

    def write(self, response: Response, before: str = "") -> str:
        """Keep an answer until it is taken. What comes back is the name to take it by, and no location yet."""
        self._number += 1
        name = str(self._number)
        self._packed[name] = PackedAnswer(response=_bare(response), before=before) if before else self._pack(response)
        return name

    def read(self, location: str) -> Response:
        try:
            return self._lent[location]
        except KeyError:
            raise CrawlError("the stored answer did not come along: it is not there any more") from None

    def close(self) -> None:
        self._packed.clear()
        self._lent.clear()
        self._borrowers.clear()

    def lend(self, stored: Mapping[str, Response], tasks: Iterable[Task]) -> None:
        self._lent.update(stored)
        self._borrowers.update(location for task in tasks for location in locations_of(task))

    def forget(self, task: Task) -> None:
        """Several tasks may look at one answer: many pages have the same twin."""
        for location in locations_of(task):
            self._borrowers[location] -= 1
            if self._borrowers[location] <= 0:
                del self._borrowers[location]
                self._lent.pop(location, None)

    def take(self, name: str) -> PackedAnswer | None:
        return self._packed.pop(name, None)

    def _pack(self, response: Response) -> PackedAnswer:
        digest = int.from_bytes(sha1(response.body, usedforsecurity=False).digest(), "big")
        key = body_key(digest) if len(response.body) >= WORTH_A_REVISIT else 0
        if key and self._seen.get(key):
            return PackedAnswer(response=_bare(response))  # at home it becomes a reference to the first
        answer, request = self._records.visit(response, digest_name(digest), None)
        if key:
            self._seen.add(key, 1)
        return PackedAnswer(pack(answer), pack_small(request), key)


class BodiesHome:
    """The archive of a crawl whose workers are on other machines."""

    def __init__(self, directory: Path, job: Job) -> None:
        self._archive = WarcArchive(directory, job)
        self._reader = BodyReader(directory)

    def keep(self, answer: PackedAnswer) -> str:
        return self._archive.keep(answer)

    def lend(self, tasks: Sequence[Task]) -> dict[str, Response]:
        """A body that is not there any more stays at home; the worker says so then."""
        lent = {}
        for task in tasks:
            for location in locations_of(task):
                try:
                    stored = self._reader.read(location)
                except CrawlError:
                    continue
                if location != task.before or task.usage or _may_be_page(stored):
                    lent[location] = stored
        return lent

    def close(self) -> None:
        self._archive.close()
        self._reader.close()


def locations_of(task: Task) -> Iterator[str]:
    """The stored answers that the visit of a task may look at."""
    if task.body:
        yield task.body
    if task.before and task.digest:
        yield task.before
    if task.twin is not None and task.twin.body:
        yield task.twin.body


def _may_be_page(stored: Response) -> bool:
    """Of a page that has changed the earlier version is looked at; of images and archives nobody does."""
    kind = stored.headers.get("content-type", "")
    return not kind or "html" in kind or "xml" in kind


def _bare(response: Response) -> Response:
    """As much of an answer as an archive keeps."""
    request = replace(response.request, filling=None, types=())
    return replace(response, request=request, rendered=None, records=(), sitemaps=None, usage=())
