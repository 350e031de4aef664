"""The bodies of a crawl, read: from a location to the answer that `warc/*.warc.gz` has there."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

from dowse.core.archive import Location, Place, Stored
from dowse.core.errors import CrawlError
from dowse.core.model import Request, Response
from dowse.store.inner_paths import inside
from dowse.store.warc.gzip_members import DAMAGE, pack, unpack_start, unpacker
from dowse.store.warc.warc_records import Original, Record, read_original, read_record, with_block_digest

_HEAD = 2048
"""Bytes of a record that are read for its headers, first."""

_FIELDS = 640
"""The same for what stands above these."""

_STEP = 262_144
_OPEN_FILES = 16
_UNREADABLE: tuple[type[Exception], ...] = (*DAMAGE, ValueError, LookupError)


class BodyReader:
    """Reads answers by their locations, also while the crawl runs."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._descriptors: dict[str, int] = {}

    def read(self, location: str) -> Response:
        """The answer as the worker had it; a revisit comes with the body it refers to."""
        where = Location.parse(location)
        record = self._record(where.place, where.length)
        body = record.body
        if where.original is not None:
            body = self._record(where.original, _STEP).body
        return Response(
            request=Request(record.url, 0, urlsplit(record.url).netloc.rpartition("@")[2]),
            status=record.status,
            headers=record.headers,
            body=body,
            fetched_at=datetime.fromisoformat(record.date).timestamp(),
            elapsed=0.0,
            address=record.address,
            size=len(body),
        )

    def stored(self, location: str) -> Stored:
        """The records of a visit as they are handed on: as they lie in their file, with the digests of their blocks."""
        where = Location.parse(location)
        data = self._bytes(where.place, where.length + where.request_length)
        if len(data) != where.length + where.request_length:
            raise self._damage(where.place)
        return _stored(self.head(where.place), data[: where.length], data[where.length :])

    def stored_at(self, place: Place) -> Stored:
        """The same for records of which only the beginning is known: their ends are found by reading them."""
        answer = self._member(place)
        request = self._member(Place(place.file, place.offset + len(answer)))
        return _stored(self.head(place), answer, request)

    def heading(self, file: str) -> bytes:
        """The first record of a file, compressed."""
        return _complete(self._member(Place(file, 0)))

    def head(self, place: Place) -> Record:
        """The headers of an answer; of its body there may be a part or nothing."""
        with self._guarded(place):
            record = read_record(unpack_start(self._bytes(place, _HEAD), 2 * _HEAD))
        return record or self._record(place, _STEP)

    def original(self, place: Place) -> Original:
        """What a revisit says of an answer."""
        with self._guarded(place):
            original = read_original(unpack_start(self._bytes(place, _FIELDS), 2 * _FIELDS))
        if original is None:
            record = self.head(place)
            original = Original(record.identity, record.url, record.date, record.digest)
        return original

    def extent(self, place: Place) -> int:
        """How long an answer and its request are, of which only the beginning is known."""
        answer = self._unpacked(place, _STEP)[1]
        return answer + self._unpacked(Place(place.file, place.offset + answer), _STEP)[1]

    def close(self) -> None:
        while self._descriptors:
            os.close(self._descriptors.popitem()[1])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_trouble: object) -> None:
        self.close()

    def _record(self, place: Place, step: int) -> Record:
        content, _size = self._unpacked(place, step)
        with self._guarded(place):
            record = read_record(content)
        if record is None:
            raise self._damage(place)
        return record

    def _member(self, place: Place) -> bytes:
        _content, size = self._unpacked(place, _STEP)
        return self._bytes(place, size)

    def _unpacked(self, place: Place, step: int) -> tuple[bytes, int]:
        """What is in the gzip member at that place, and how long the member is."""
        member = unpacker()
        parts: list[bytes] = []
        offset = place.offset
        with self._guarded(place):
            while not member.eof and (data := self._bytes(Place(place.file, offset), step)):
                offset += len(data)
                parts.append(member.decompress(data))
        if not member.eof:
            raise self._damage(place)
        return b"".join(parts), offset - len(member.unused_data) - place.offset

    @contextmanager
    def _guarded(self, place: Place) -> Iterator[None]:
        """What cannot be read there is a damaged file, not a mistake of ours."""
        try:
            yield
        except _UNREADABLE as error:
            raise self._damage(place) from error

    def _bytes(self, place: Place, length: int) -> bytes:
        descriptor = self._descriptors.get(place.file)
        try:
            if descriptor is None:
                descriptor = self._open(place.file)
            return os.pread(descriptor, length, place.offset)
        except FileNotFoundError:
            raise CrawlError(f"{self._directory / place.file} is missing, and with it the bodies it held") from None
        except OSError as error:
            raise CrawlError(f"cannot read {self._directory / place.file}: {error.strerror}") from error

    def _open(self, file: str) -> int:
        if len(self._descriptors) >= _OPEN_FILES:
            os.close(self._descriptors.pop(next(iter(self._descriptors))))
        path = inside(self._directory.parent, f"{self._directory.name}/{file}")
        self._descriptors[file] = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        return self._descriptors[file]

    def _damage(self, place: Place) -> CrawlError:
        return CrawlError(f"{self._directory / place.file} is damaged: there is no whole record at byte {place.offset}")


def _stored(head: Record, answer: bytes, request: bytes) -> Stored:
    return Stored(
        url=head.url,
        date=head.date,
        status=head.status,
        media_type=head.headers.get("content-type", "").partition(";")[0].strip(),
        digest=head.digest,
        is_revisit=head.kind == "revisit",
        answer=_complete(answer),
        request=_complete(request),
    )


def _complete(member: bytes) -> bytes:
    try:
        record = unpacker().decompress(member)
    except DAMAGE:
        return member
    complete = with_block_digest(record)
    return member if complete is record else pack(complete)
