"""Archiving real pages, beside other writers of WARC: python -m benchmarks.warc FOLDER [PAGES]

Every writer makes a request and a response record a page, with a SHA-1 of the body, one gzip member a record, into a
file in memory, so that no disk is part of the measurement. CPU time of this process, the best of several rounds, the
writers taking turns. `read` is the way back: from a location to status, headers and body.
"""

from __future__ import annotations

import sys
import time
import zlib
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from random import Random
from typing import NamedTuple
from unittest.mock import patch

from benchmarks.cache import Unavailable, scratch
from dowse.config import make_job
from dowse.core.model import Request, Response
from dowse.store.warc import body_reader, body_writer
from dowse.store.warc.body_reader import BodyReader
from dowse.store.warc.body_writer import WarcArchive

PAGES = 2000
ROUNDS = 5
ACCEPT = "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
USER_AGENT = "dowse/0 (benchmark)"
REQUEST_LINES = f"GET / HTTP/1.1\r\nHost: 127.0.0.1:8000\r\nUser-Agent: {USER_AGENT}\r\n{ACCEPT}\r\n\r\n".encode()

Pages = list[Response]


class Measured(NamedTuple):
    """What one round of one writer took: CPU seconds and bytes written; and CPU seconds to read all of it again."""

    writing: float
    size: int
    reading: float = 0.0


def load(folder: Path, count: int) -> Pages:
    """Pages of the folder as a server would have sent them."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    if not paths:
        raise Unavailable(f"{folder} has no files: name a folder with pages")
    chosen = Random(1).sample(paths, min(count, len(paths)))
    return [_answer(path.read_bytes(), f"http://127.0.0.1:8000/{path.relative_to(folder)}") for path in chosen]


def _answer(body: bytes, url: str) -> Response:
    headers = {
        "server": "nginx/1.28.0", "date": "Sun, 15 Nov 2026 09:00:00 GMT", "content-type": "text/html",
        "content-length": str(len(body)), "last-modified": "Sat, 14 Nov 2026 08:00:00 GMT", "connection": "keep-alive",
        "etag": f'"{len(body):x}-{zlib.crc32(body):x}"', "accept-ranges": "bytes",
    }  # fmt: skip
    return Response(Request(url, 0, "127.0.0.1:8000"), 200, headers, body, 1.8e9, 0.01, "127.0.0.1", len(body))


def dowse_writes(pages: Pages) -> Measured:
    with scratch(in_memory=True) as folder:
        archive = WarcArchive(folder, make_job("site", "http://127.0.0.1:8000/", user_agent=USER_AGENT), [ACCEPT])
        start = time.process_time()
        locations = [archive.write(page) for page in pages]
        writing = time.process_time() - start
        archive.close()
        with BodyReader(folder) as reader:
            start = time.process_time()
            for location in locations:
                reader.read(location)
            reading = time.process_time() - start
        return Measured(writing, sum(path.stat().st_size for path in folder.iterdir()), reading)


def dowse_with_zlib_writes(pages: Pages) -> Measured:
    with (
        patch.object(body_writer, "pack", lambda data: zlib.compress(data, 1, 31)),
        patch.object(body_reader, "unpacker", lambda: zlib.decompressobj(31)),
    ):
        return dowse_writes(pages)


def fastwarc_writes(pages: Pages) -> Measured:
    from fastwarc.stream_io import GzipWriter
    from fastwarc.warc import WarcRecord, WarcRecordType

    stream = BytesIO()
    writer = GzipWriter(stream, compression_level=1)
    start = time.process_time()
    for page in pages:
        for kind, block in (
            (WarcRecordType.response, _http(page) + page.body),
            (WarcRecordType.request, REQUEST_LINES),
        ):
            record = WarcRecord()
            record.init_headers(kind)
            record.headers["WARC-Target-URI"] = page.request.url
            record.set_bytes_content(block)
            record.write(writer, checksum_data=kind == WarcRecordType.response)
    writer.close()
    return Measured(time.process_time() - start, len(stream.getvalue()))


def warcio_writes(pages: Pages) -> Measured:
    from warcio.statusandheaders import StatusAndHeaders
    from warcio.warcwriter import WARCWriter

    stream = BytesIO()
    writer = WARCWriter(stream, gzip=True)
    start = time.process_time()
    for page in pages:
        answered = StatusAndHeaders("200 OK", list(page.headers.items()), protocol="HTTP/1.1")
        asked = StatusAndHeaders("GET / HTTP/1.1", [("Host", page.request.host)], is_http_request=True)
        response = writer.create_warc_record(page.request.url, "response", BytesIO(page.body), http_headers=answered)
        request = writer.create_warc_record(page.request.url, "request", http_headers=asked)
        writer.write_request_response_pair(request, response)
    return Measured(time.process_time() - start, len(stream.getvalue()))


def _http(page: Response) -> bytes:
    lines = "".join(f"{name}: {value}\r\n" for name, value in page.headers.items())
    return f"HTTP/1.1 200 OK\r\n{lines}\r\n".encode()


WRITERS: dict[str, Callable[[Pages], Measured]] = {
    "dowse": dowse_writes,
    "dowse, zlib": dowse_with_zlib_writes,
    "fastwarc gzip-1": fastwarc_writes,
    "warcio": warcio_writes,
}


def main(arguments: list[str]) -> None:
    if not arguments:
        raise SystemExit(__doc__)
    pages = load(Path(arguments[0]), int(arguments[1]) if arguments[1:] else PAGES)
    total = sum(len(page.body) for page in pages)
    print(f"{len(pages):,} pages of {total / len(pages) / 1000:.1f} kB on average")
    rounds: dict[str, list[Measured]] = {name: [] for name in WRITERS}
    for _ in range(ROUNDS):
        for name, write in WRITERS.items():
            try:
                rounds[name].append(write(pages))
            except ImportError as error:
                print(f"{name}: {error}; pip install 'dowse-crawler[bench]'", file=sys.stderr)
    print(f"{'writer':16} {'ms/page':>8} {'pages/s':>9} {'MB/s':>7} {'size':>7} {'read ms/page':>13}")
    for name, measured in rounds.items():
        if measured:
            writing = min(one.writing for one in measured) / len(pages)
            reading = min(one.reading for one in measured) / len(pages)
            print(
                f"{name:16} {writing * 1e3:8.3f} {1 / writing:9,.0f} {total / len(pages) / writing / 1e6:7.0f} "
                f"{measured[0].size / total:7.1%} {f'{reading * 1e3:.3f}' if reading else '':>13}"
            )


if __name__ == "__main__":
    main(sys.argv[1:])
