"""The bodies of a crawl, written: `warc/*.warc.gz`, files that any WARC software reads.

Invariants: a file has one writer, a process, and is never opened for writing again, so what a killed process left
half written stays at the end of its file. A location is given out when the operating system has the whole record, so
kill -9 leaves no location that points at nothing. What no location points at is unused, not wrong.
"""

from __future__ import annotations

import errno
import os
import secrets
import time
from collections.abc import Iterable
from contextlib import suppress
from hashlib import sha1
from pathlib import Path

from dowse.core.archive import Location, PackedAnswer, Place
from dowse.core.duplicates.fingerprint import SeenKeys
from dowse.core.errors import CrawlError, StoreFull
from dowse.core.job import Job
from dowse.core.model import Response
from dowse.core.private_jobs import is_private
from dowse.store.inner_paths import inside
from dowse.store.warc.body_reader import BodyReader
from dowse.store.warc.gzip_members import pack, pack_small
from dowse.store.warc.warc_records import Original, RecordWriter, digest_name, sha1_name

FILE_LIMIT = 1_000_000_000
"""Bytes after which the next file is begun, as the standard recommends."""

WORTH_A_REVISIT = 256
"""Bytes of body below which pointing at the first copy saves nothing; the two take the same room at some 170."""

_OFFSET_BITS = 40
_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})
"""No room to write, for now."""


class WarcArchive:
    """Writes answers; one process has one. Bodies it has written before are written as a reference to the first.

    The memory for that is 16 bytes a page: where the first is. Its URL and date are read from its record.
    """

    def __init__(self, directory: Path, job: Job, sent: Iterable[str] = ()) -> None:
        """Nothing is made before the first answer. `sent` are the headers that go with every request."""
        self._directory = directory
        self._mode = 0o600 if is_private(job) else 0o666
        self._records = RecordWriter(job, sent)
        self._reader = BodyReader(directory)
        self._seen = SeenKeys()
        self._names: list[str] = []
        self._descriptor = -1
        self._size = 0

    def write(self, response: Response, before: str = "") -> str:
        """Keep an answer; the answer to that is its location, and by then the operating system has all of it."""
        if before:
            return self._write_again(response, Location.parse(before))
        digest = int.from_bytes(sha1(response.body, usedforsecurity=False).digest(), "big")
        name = digest_name(digest)
        key = body_key(digest)
        may_repeat = len(response.body) >= WORTH_A_REVISIT
        place = self._first_place(key) if may_repeat else None
        original = self._original(place, name) if place else None
        location = self._write(response, name, original, place if original is not None else None)
        if may_repeat and original is None:
            self._seen.add(key, len(self._names) << _OFFSET_BITS | location.place.offset)
        if self._size >= FILE_LIMIT:
            self._end_file()
        return str(location)

    def keep(self, answer: PackedAnswer) -> str:
        """The same for an answer that another process packed."""
        if answer.response is not None:
            return self.write(answer.response, answer.before)
        offset = self._append(answer.answer + answer.request)
        location = Location(Place(self._names[-1], offset), len(answer.answer), len(answer.request))
        if answer.key and not self._seen.get(answer.key):
            self._seen.add(answer.key, len(self._names) << _OFFSET_BITS | offset)
        if self._size >= FILE_LIMIT:
            self._end_file()
        return str(location)

    def _write_again(self, response: Response, before: Location) -> str:
        """Keep an answer that says: it is still as it was before."""
        place = before.original or before.place
        try:
            original = self._reader.original(place)
        except CrawlError:
            return ""
        if response.status != 304 and original.digest != sha1_name(response.body):
            return self.write(response)  # nearly the same, by a number of 64 bits
        location = self._write(response, original.digest, original, place)
        if self._size >= FILE_LIMIT:
            self._end_file()
        return str(location)

    def _write(self, response: Response, digest: str, original: Original | None, place: Place | None) -> Location:
        parts = self._records.visit(response, digest, original)
        answer = pack(parts[0]) if original is None else pack_small(parts[0])
        request = pack_small(parts[1])
        offset = self._append(answer + request)
        return Location(Place(self._names[-1], offset), len(answer), len(request), place)

    def read(self, location: str) -> Response:
        """An answer of this crawl, whichever process wrote it."""
        return self._reader.read(location)

    def close(self) -> None:
        self._end_file()
        self._reader.close()

    def _first_place(self, key: int) -> Place | None:
        row = self._seen.get(key)
        return Place(self._names[(row >> _OFFSET_BITS) - 1], row & (1 << _OFFSET_BITS) - 1) if row else None

    def _original(self, place: Place, digest: str) -> Original | None:
        """The record at that place, if it is still there and its body is the same one, not only in 64 bits."""
        try:
            original = self._reader.original(place)
        except CrawlError:
            return None
        return original if original.digest == digest else None

    def _append(self, data: bytes) -> int:
        """Add to the file; the answer is where. When that fails, nothing of it is left."""
        if self._descriptor < 0:
            self._begin_file()
        offset = self._size
        self._put(data)
        return offset

    def _put(self, data: bytes) -> None:
        written = 0
        try:
            while written < len(data):
                written += os.pwrite(self._descriptor, data[written:], self._size + written)
        except BaseException as error:
            try:
                os.ftruncate(self._descriptor, self._size)
            except OSError:
                self._end_file()  # it ends in half a record, so nothing may follow
            if isinstance(error, OSError):
                raise _trouble(self._directory / self._names[-1], error) from error
            raise
        self._size += len(data)

    def _begin_file(self) -> None:
        try:
            inside(self._directory.parent, self._directory.name).mkdir(parents=True, exist_ok=True)
            name = f"{self._next_number():05}-{secrets.token_hex(4)}.warc.gz"
            flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
            self._descriptor = os.open(self._directory / name, flags, self._mode)
        except OSError as error:
            raise _trouble(self._directory, error) from error
        self._names.append(name)
        self._size = 0
        try:
            self._put(pack(self._records.information(name, time.time())))
        except BaseException:
            self._end_file()
            with suppress(OSError):  # or every try on a full disk would leave an empty file
                os.unlink(self._directory / self._names.pop())
            raise

    def _next_number(self) -> int:
        """One more than the newest file has; two processes may get the same, the random part tells them apart."""
        numbers = (name.partition("-")[0] for name in os.listdir(self._directory) if name.endswith(".warc.gz"))
        return max((int(number) for number in numbers if number.isdecimal()), default=-1) + 1

    def _end_file(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def body_key(digest: int) -> int:
    """The first 64 bits of a sha1, signed."""
    return (digest >> 96) - (digest >> 159 << 64)


def _trouble(path: Path, error: OSError) -> CrawlError:
    kind = StoreFull if error.errno in _NO_ROOM else CrawlError
    return kind(f"cannot write {path}: {error.strerror}")
