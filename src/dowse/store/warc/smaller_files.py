"""Archive files without the records that nobody needs any more: the others are copied into a new file as they are."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from dowse.core.archive import Place
from dowse.core.errors import CrawlError, StoreFull
from dowse.store.inner_paths import inside
from dowse.store.warc.body_reader import BodyReader
from dowse.store.warc.gzip_members import pack, unpacker

Needed = dict[int, int]
"""Where the records of a file that are needed begin, and how long each is with its request."""

_STEP = 1 << 20


def size_needed(reader: BodyReader, file: str, needed: Needed) -> int:
    """How large a file of these records alone is."""
    return len(reader.heading(file)) + sum(needed.values()) if needed else 0


def copy_needed(directory: Path, file: str, needed: Needed) -> tuple[str, dict[int, int]]:
    """Write the records into a new file; its name, and where each record is there. It is on disk by then."""
    name = f"{file.partition('-')[0]}-{secrets.token_hex(4)}.warc.gz"
    moved: dict[int, int] = {}
    source = inside(directory, file)
    target = inside(directory, name)
    try:
        mode = source.stat().st_mode & 0o777
        descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
        with os.fdopen(descriptor, "wb") as written, source.open("rb") as read, BodyReader(directory) as reader:
            heading = _renamed(reader.heading(file), file, name)
            written.write(heading)
            for offset, length in sorted(needed.items()):
                moved[offset] = written.tell()
                _copy(read, written, offset, length)
            written.flush()
            os.fsync(written.fileno())
    except OSError as error:
        with suppress(OSError):
            target.unlink(missing_ok=True)
        raise StoreFull(f"cannot write {target}: {error.strerror}") from error
    return name, moved


def _copy(source: BinaryIO, target: BinaryIO, offset: int, length: int) -> None:
    source.seek(offset)
    while length > 0:
        data = source.read(min(length, _STEP))
        if not data:
            raise CrawlError(f"{source.name} is damaged: it ends within a record; nothing was removed from it")
        target.write(data)
        length -= len(data)


def _renamed(heading: bytes, before: str, after: str) -> bytes:
    """The first record of a file, which has its name."""
    return pack(unpacker().decompress(heading).replace(before.encode(), after.encode()))


def sizes(directory: Path) -> dict[str, int]:
    """The archive files that there are, and how large each is."""
    if not directory.is_dir():
        return {}
    return {path.name: path.stat().st_size for path in sorted(directory.glob("*.warc.gz"))}


def with_lengths(reader: BodyReader, file: str, offsets: set[int], needed: Needed) -> None:
    """Add records of which only the beginning is known."""
    for offset in offsets - needed.keys():
        needed[offset] = reader.extent(Place(file, offset))
