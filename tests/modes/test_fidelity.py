"""Archives hold what was sent: letter by letter what the server said, and all that it was asked, but for secrets."""

from __future__ import annotations

import doctest
import gzip
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha1
from io import BufferedReader
from pathlib import Path
from socket import create_server, socket

import pytest
from msgspec.structs import replace

from dowse import app
from dowse.config import make_job
from dowse.core import http_heads
from dowse.core.http_heads import whole, with_header
from dowse.store.warc.body_reader import BodyReader
from dowse.store.warc.body_writer import WarcArchive
from tests.archiving import answer, found_by_warcio
from tests.crawling import crawl

LONG = b"<p>words enough to be worth a reference</p>" * 100


class RawServer:
    """Answers with bytes as they are written here, and keeps the bytes that it was asked with."""

    def __init__(self) -> None:
        self.heads: dict[str, bytes] = {}
        self.bodies: dict[str, bytes] = {}
        self.asked: dict[str, bytes] = {}
        self._listener = create_server(("127.0.0.1", 0))
        self.host = f"127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._serve, daemon=True).start()

    def url(self, path: str = "/") -> str:
        return f"http://{self.host}{path}"

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._talk, args=(connection,), daemon=True).start()

    def _talk(self, connection: socket) -> None:
        with connection, connection.makefile("rb") as lines:
            while head := _head(lines):
                path = head.split(b" ", 2)[1].decode()
                self.asked[path] = head
                known = self.heads.get(path, b"HTTP/1.1 404 Nothing here\r\nContent-Length: 0\r\n\r\n")
                etag = b"If-None-Match" in head
                connection.sendall(b'HTTP/1.1 304 As it was\r\nEtAg: "1"\r\n\r\n' if etag else known)
                connection.sendall(b"" if etag else self.bodies.get(path, b""))

    def close(self) -> None:
        self._listener.close()


def _head(lines: BufferedReader) -> bytes:
    """The next request; nothing when the other side is gone."""
    head = b""
    while line := lines.readline():
        if line == b"\r\n":
            return head
        head += line
    return b""


@pytest.fixture
def server() -> Iterator[RawServer]:
    with closing(RawServer()) as running:
        yield running


HEAD = (
    b"HTTP/1.1 200 All is well\r\nCONTENT-TYPE: text/html\r\nx-Odd:   spaced  \r\nX-Two: 1\r\nx-two: 2\r\n"
    b"Set-Cookie: session=hunter2; Path=/\r\nContent-Length: %d\r\n\r\n"
)


def put(server: RawServer, path: str, body: bytes, head: bytes = HEAD) -> None:
    server.heads[path] = head % len(body) if b"%d" in head else head
    server.bodies[path] = body


def blocks(folder: Path) -> dict[str, dict[str, bytes]]:
    """The blocks of the records of a crawl, by kind and path, as they lie there."""
    found: dict[str, dict[str, bytes]] = {}
    for path in sorted((folder / "warc").glob("*.gz")):
        for record in gzip.decompress(path.read_bytes()).split(b"WARC/1.1\r\n")[1:]:
            fields, _, block = record.partition(b"\r\n\r\n")
            lines = dict(line.split(b": ", 1) for line in fields.split(b"\r\n"))
            if b"WARC-Target-URI" in lines:
                target = "/" + lines[b"WARC-Target-URI"].decode().split("/", 3)[3]
                found.setdefault(lines[b"WARC-Type"].decode(), {})[target] = block[:-4]
    return found


def test_answers_and_requests_are_as_they_were_sent(server: RawServer, tmp_path: Path) -> None:
    put(server, "/", b"<a href=/a>a</a>" + LONG)
    put(server, "/a", b"<a href=/b>b</a>a", HEAD.replace(b"HTTP/1.1", b"HTTP/1.0"))
    put(server, "/b", b"b" + LONG)
    crawl(tmp_path, server.url(), header=["Accept-Language: de"], concurrency=1)
    found = blocks(tmp_path)
    for path in ("/", "/a", "/b"):
        assert found["response"][path] == server.heads[path] + server.bodies[path]
        asked = (
            server.asked[path].replace(b"session=hunter2", b"redacted").replace(b"X-Public: 1", b"X-Public: redacted")
        )
        assert found["request"][path] == asked + b"\r\n"
    assert b"Cookie: redacted" not in found["request"]["/"]
    assert b"Cookie: redacted" in found["request"]["/b"]
    assert b"Accept-Language: de" in found["request"]["/b"]
    assert b"Accept-Encoding: " in found["request"]["/b"]


def test_requests_of_many_pages_are_told_by_what_the_first_was(server: RawServer, tmp_path: Path) -> None:
    plain = HEAD.replace(b"Set-Cookie: session=hunter2; Path=/\r\n", b"")
    put(server, "/", b"".join(b"<a href=/%d?q=%d>x</a>" % (number, number) for number in range(40)), plain)
    for number in range(40):
        put(server, f"/{number}?q={number}", b"%d" % number, plain)
    crawl(tmp_path, server.url())
    found = blocks(tmp_path)["request"]
    assert len(found) == 42, "the pages and robots.txt"
    for path, block in found.items():
        assert block == server.asked[path] + b"\r\n"


def test_secrets_are_not_in_archives(server: RawServer, tmp_path: Path) -> None:
    put(server, "/", b"<a href=/a>a</a>" + LONG)
    put(server, "/a", LONG + b"a")
    crawl(tmp_path, server.url(), auth="me:hunter2", header=["X-Key: hunter2"], concurrency=1)
    found = blocks(tmp_path)
    assert b"hunter2" not in b"".join(block for kind in found.values() for block in kind.values())
    assert b"\r\nAuthorization: redacted\r\n" in found["request"]["/a"]
    assert b"\r\nX-Key: redacted\r\n" in found["request"]["/a"]
    assert b"\r\nSet-Cookie: session=redacted; Path=/\r\n" in found["response"]["/a"]


def test_what_did_not_change_is_a_revisit(server: RawServer, tmp_path: Path) -> None:
    put(server, "/", LONG, HEAD.replace(b"x-Odd", b'ETag: "1"\r\nx-Odd'))
    crawl(tmp_path, server.url())
    app.recrawl(tmp_path)
    first, again = sorted((tmp_path / "warc").glob("*.gz"))
    original = next(record for record in found_by_warcio(first) if record.kind == "response")
    revisit = next(record for record in found_by_warcio(again) if record.kind == "revisit")
    assert revisit.fields["WARC-Profile"].endswith("/revisit/server-not-modified")
    assert revisit.fields["WARC-Refers-To"] == original.fields["WARC-Record-ID"]
    assert revisit.fields["WARC-Refers-To-Date"] == original.fields["WARC-Date"]
    assert revisit.fields["WARC-Refers-To-Target-URI"] == server.url()
    assert blocks(tmp_path)["revisit"]["/"] == b'HTTP/1.1 304 As it was\r\nEtAg: "1"\r\n\r\n'
    assert b'If-None-Match: "1"' in blocks(tmp_path)["request"]["/"]
    app.recrawl(tmp_path)
    assert len([row for row in app.read(tmp_path).bodies if row["url"] == server.url()]) == 3
    assert len(list(app.read(tmp_path).pages)) == 1
    (row,) = app.read(tmp_path).stored_pages()
    with BodyReader(tmp_path / "warc") as reader:
        assert reader.read(row.location).body == LONG


def test_exported_records_have_digests_of_their_blocks(server: RawServer, tmp_path: Path) -> None:
    put(server, "/", b"<a href=/a>a</a><a href=/gone>x</a>" + LONG, HEAD.replace(b"x-Odd", b'ETag: "1"\r\nx-Odd'))
    put(server, "/a", b"short")
    crawl(tmp_path / "crawl", server.url())
    app.recrawl(tmp_path / "crawl")
    file = tmp_path / "all.warc.gz"
    app.read(tmp_path / "crawl").export("bodies", file)
    records = found_by_warcio(file)
    assert {record.kind for record in records} == {"warcinfo", "response", "request", "revisit"}
    assert all("WARC-Block-Digest" in record.fields for record in records)
    assert all(record.intact or record.kind == "revisit" for record in records)  # of which warcio checks none
    done = subprocess.run([sys.executable, "-m", "warcio.cli", "check", "-v", file], capture_output=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    "sent",
    [
        b"HTTP/1.1 200 OK\nX-A: 1\n\n",
        b"HTTP/1.1 200 OK\r\nX-A: 1\r\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nX-A: 1\r\nX-B: \x00\x1b\x7f\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nno header\r\n folded\r\n: empty\r\n\r\nTrailer: 1\r\n",
        b"HTTP/2 200 \r\nx-a: 1\r\n\r\n",
        b"HTTP/1.1 200\r\n\r\n",
        b"HTTP/1.1  200  OK\r\nX-\xff: \xff\r\n\r\n",
    ],
)
def test_no_head_makes_a_record_that_cannot_be_read(sent: bytes, tmp_path: Path) -> None:
    kept = answer(headers={"x-a": "1"})
    archive = WarcArchive(tmp_path / "warc", make_job("site", "http://example.org/"))
    location = archive.write(replace(kept, head=sent))
    archive.close()
    (path,) = (tmp_path / "warc").iterdir()
    record = found_by_warcio(path)[1]
    assert (record.status, record.body, record.intact) == ("200", kept.body, True)
    assert record.fields.get("WARC-Protocol") == ("h2" if sent.startswith(b"HTTP/2") else None)
    with BodyReader(tmp_path / "warc") as reader:
        read = reader.read(location)
    assert (read.status, read.body) == (200, kept.body)


def test_heads() -> None:
    assert doctest.testmod(http_heads).failed == 0
    assert with_header(b"HTTP/1.1 200\r\nA: 1\r\ncontent-type: x\r\n", "Content-Type", "y") == (
        b"HTTP/1.1 200\r\nA: 1\r\nContent-Type: y\r\n"
    )
    assert whole(b"") == b""
    assert sha1(whole(HEAD)).digest() == sha1(HEAD[:-2]).digest()
