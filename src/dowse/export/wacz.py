"""A crawl's bodies as WACZ 1.1.1: one file that a browser can replay from any web server.

    archive/data.warc.gz        the records, uncompressed by the zip so that any of them can be fetched alone
    indexes/index.cdx.gz, .idx  where in it each URL is
    pages/pages.jsonl           what there is to look at
    datapackage.json            every file above with its size and hash
    datapackage-digest.json     the hash of that list

Nothing is held in memory but one record and one block of the index, so the size of a crawl does not matter.
"""

from __future__ import annotations

import struct
import time
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from hashlib import sha256
from typing import BinaryIO

from msgspec import json

from dowse.core.archive import Bodies
from dowse.core.task_labels import REQUISITE
from dowse.export.cdxj import CdxjIndex
from dowse.export.warc import Row, Writable, copy_records
from dowse.version import VERSION

ARCHIVE = "data.warc.gz"

_DATE_FIELD = 0x5455
"""The number of the field for dates, as Info-ZIP has it."""

_HTML = ("text/html", "application/xhtml+xml")


def write_wacz(
    visits: Iterable[Row], bodies: Bodies, stream: BinaryIO, unreadable: list[str], *, title: str, main_page: str
) -> int:
    """Write one WACZ file; the answer is how many answers are in it. `visits` is gone through three times."""
    number = 0
    with zipfile.ZipFile(stream, "w") as package, closing(CdxjIndex()) as index:
        files = _Files(package)
        with files.adding(f"archive/{ARCHIVE}", zipfile.ZIP_STORED) as archive:
            for record, offset in copy_records(visits, bodies, archive, unreadable):
                index.add(record, ARCHIVE, offset)
                number += 1
        _write_index(index, files)
        with files.adding("pages/pages.jsonl") as pages:
            pages.write(_line({"format": "json-pages-1.0", "id": "pages", "title": "All Pages"}))
            for row in visits:
                if row["status"] == 200 and row["media_type"] in _HTML and row["label"] != REQUISITE:
                    pages.write(_line(_page(row)))
        _write_package(files, title, main_page)
    return number


def _write_index(index: CdxjIndex, files: _Files) -> None:
    name = "index.cdx.gz"
    summary = [f"!meta 0 {json.encode({'format': 'cdxj-gzip-1.0', 'filename': name}).decode()}\n"]
    offset = 0
    with files.adding(f"indexes/{name}", zipfile.ZIP_STORED) as stream:
        for block in index.blocks():
            facts = {"offset": offset, "length": len(block.data), "digest": _hash(block.data)}
            summary.append(f"{block.first} {json.encode(facts).decode()}\n")
            offset += stream.write(block.data)
    with files.adding("indexes/index.idx") as stream:
        stream.write("".join(summary).encode())


def _write_package(files: _Files, title: str, main_page: str) -> None:
    package = {
        "profile": "data-package",
        "wacz_version": "1.1.1",
        "title": title,
        "mainPageUrl": main_page,
        "created": _date(time.time()),
        "software": f"dowse/{VERSION}",
        "resources": files.resources,
    }
    text = json.format(json.encode(package), indent=2)
    with files.adding("datapackage.json") as stream:
        stream.write(text)
    with files.adding("datapackage-digest.json") as stream:
        stream.write(json.encode({"path": "datapackage.json", "hash": _hash(text)}))


class _Files:
    """The files of the package, with their sizes and hashes."""

    def __init__(self, package: zipfile.ZipFile) -> None:
        self._package = package
        self.resources: list[dict[str, str | int]] = []

    @contextmanager
    def adding(self, path: str, compression: int = zipfile.ZIP_DEFLATED) -> Iterator[_Hashed]:
        entry = zipfile.ZipInfo(path, time.gmtime()[:6])
        entry.compress_type = compression
        entry.external_attr = 0o644 << 16
        # The sizes of a file that may be large stand before it, too. Readers by ranges (ReplayWeb.page) look for that
        # only if the directory has further fields of the file, so it gets one: its date.
        entry.extra = struct.pack("<HHBL", _DATE_FIELD, 5, 1, int(time.time()))
        with self._package.open(entry, "w", force_zip64=True) as stream:
            hashed = _Hashed(stream)
            yield hashed
        name = path.rpartition("/")[2]
        self.resources.append({"name": name, "path": path, "hash": hashed.hash, "bytes": hashed.size})


class _Hashed:
    """A file being written."""

    def __init__(self, stream: Writable) -> None:
        self._stream = stream
        self._hash = sha256()
        self.size = 0

    def write(self, data: bytes, /) -> int:
        self._hash.update(data)
        self.size += len(data)
        return self._stream.write(data)

    @property
    def hash(self) -> str:
        return f"sha256:{self._hash.hexdigest()}"


def _page(row: Row) -> dict[str, str]:
    date = _date(row["fetched_at"])
    return {"id": sha256(f"{date} {row['url']}".encode()).hexdigest()[:16], "url": row["url"], "ts": date,
            "title": row["title"]}  # fmt: skip


def _line(value: dict[str, str]) -> bytes:
    return json.encode(value) + b"\n"


def _hash(data: bytes) -> str:
    return f"sha256:{sha256(data).hexdigest()}"


def _date(moment: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(moment))
