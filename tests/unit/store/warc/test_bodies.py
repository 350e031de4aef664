"""Bodies in WARC files: what goes in comes out, other software reads it, and no accident makes a location lie."""

from __future__ import annotations

import gzip
import os
import random
import resource
import runpy
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dowse.core.archive import Location
from dowse.core.duplicates.fingerprint import SeenKeys
from dowse.core.errors import CrawlError, StoreFull
from dowse.core.model import Request
from dowse.store.warc import body_reader, body_writer, gzip_members
from dowse.store.warc.body_reader import BodyReader
from dowse.store.warc.body_writer import WarcArchive
from tests.archiving import FETCHED_AT, TEXT, a_job, answer, found_by_warcio

BINARY = random.Random(1).randbytes(40_000)
LARGE = random.Random(2).randbytes(5_000_000) + bytes(5_000_000)


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[WarcArchive]:
    opened = WarcArchive(tmp_path / "warc", a_job(), ["Accept: text/html"])
    yield opened
    opened.close()


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[BodyReader]:
    with BodyReader(tmp_path / "warc") as opened:
        yield opened


def files(folder: Path) -> list[Path]:
    return sorted((folder / "warc").iterdir())


@pytest.mark.parametrize(
    "body",
    [
        b"", b"x", TEXT.encode(), BINARY, LARGE,
        b"\r\n\r\nHTTP/1.1 200 OK\r\n\r\nWARC/1.1\r\n\r\n", b"\x1f\x8b\x08\x00" * 300,
    ],
    ids=["empty", "one byte", "text", "binary", "10 MB", "like a record", "like gzip"],
)  # fmt: skip
def test_what_was_written_is_read(archive: WarcArchive, reader: BodyReader, tmp_path: Path, body: bytes) -> None:
    first, second = archive.write(answer("http://example.org/before", b"before")), archive.write(answer(body=body))
    found = reader.read(second)
    assert (found.request.url, found.request.host, found.status) == ("http://example.org/", "example.org", 200)
    assert (found.body, found.size, found.address) == (body, len(body), "192.0.2.7")
    assert found.fetched_at == int(FETCHED_AT)
    assert reader.read(first).body == b"before"
    information, *_before, response, request = found_by_warcio(files(tmp_path)[0])
    assert (information.kind, response.kind, request.kind) == ("warcinfo", "response", "request")
    assert (response.body, response.intact) == (body, True)


@pytest.mark.parametrize("status", [200, 301, 404, 503, 299])
def test_the_status_is_kept(archive: WarcArchive, reader: BodyReader, tmp_path: Path, status: int) -> None:
    location = archive.write(answer(status=status, headers={"location": "/there"}))
    assert (reader.read(location).status, reader.read(location).headers["location"]) == (status, "/there")
    assert found_by_warcio(files(tmp_path)[0])[1].status == str(status)


names = st.from_regex(r"[a-z][a-z0-9-]{0,15}", fullmatch=True)
values = st.text(st.characters(max_codepoint=255, exclude_categories=["Cc"]), max_size=40).map(str.strip)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(headers=st.dictionaries(names, values, max_size=8), body=st.binary(max_size=2000))
def test_headers_and_bodies_come_back(
    archive: WarcArchive, reader: BodyReader, headers: dict[str, str], body: bytes
) -> None:
    found = reader.read(archive.write(answer(body=body, headers=headers)))
    assert found.body == body
    assert found.headers == {"content-length": str(len(body)), **headers}


def test_headers_of_the_wire_are_not_claimed_of_the_body(
    archive: WarcArchive, reader: BodyReader, tmp_path: Path
) -> None:
    received = {"content-encoding": "gzip", "transfer-encoding": "chunked", "content-length": "77", "etag": '"a"'}
    location = archive.write(answer(headers=received))
    response = found_by_warcio(files(tmp_path)[0])[1]
    assert response.body == TEXT.encode()
    assert dict(response.headers) == {
        "X-Crawl-content-encoding": "gzip",
        "X-Crawl-transfer-encoding": "chunked",
        "X-Crawl-content-length": "77",
        "etag": '"a"',
        "Content-Length": str(len(TEXT)),
    }
    assert reader.read(location).headers == received


def test_a_true_content_length_is_kept_as_it_is(archive: WarcArchive, tmp_path: Path) -> None:
    archive.write(answer(headers={"content-length": str(len(TEXT))}))
    assert found_by_warcio(files(tmp_path)[0])[1].headers == [("content-length", str(len(TEXT)))]


def test_cookies_are_told_apart_and_lines_cannot_be_smuggled_in(
    archive: WarcArchive, reader: BodyReader, tmp_path: Path
) -> None:
    cookies = "a=1; expires=Wed, 21 Oct 2015 07:28:00 GMT; path=/, b=2, c=3"
    location = archive.write(answer(headers={"set-cookie": cookies, "x-odd": "one\r\nx-two: 2\rthree", "": "nameless"}))
    headers = found_by_warcio(files(tmp_path)[0])[1].headers
    assert [value for name, value in headers if name == "set-cookie"] == [
        "a=1; expires=Wed, 21 Oct 2015 07:28:00 GMT; path=/", "b=2", "c=3",
    ]  # fmt: skip
    assert ("x-odd", "one  x-two: 2 three") in headers
    assert b"nameless" not in gzip.decompress(files(tmp_path)[0].read_bytes())
    assert reader.read(location).headers["set-cookie"] == cookies


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("http://example.org/a%20b?q=1&r=%C3%BC", "http://example.org/a%20b?q=1&r=%C3%BC"),
        ("http://example.org/münchen?größe=1", "http://example.org/m%C3%BCnchen?gr%C3%B6%C3%9Fe=1"),
        ("http://example.org/日本語", "http://example.org/%E6%97%A5%E6%9C%AC%E8%AA%9E"),
        ("http://example.org/a b\r\nWARC-Type: x", "http://example.org/a%20b%0D%0AWARC-Type:%20x"),
        ("http://[2001:db8::1]:8080/{a}|b", "http://[2001:db8::1]:8080/{a}|b"),
        ("http://example.org", "http://example.org"),
    ],
)
def test_urls_are_kept_as_the_standard_wants_them(
    archive: WarcArchive, reader: BodyReader, tmp_path: Path, url: str, kept: str
) -> None:
    assert reader.read(archive.write(answer(url))).request.url == kept
    _information, response, request = found_by_warcio(files(tmp_path)[0])
    assert (response.url, request.url) == (kept, kept)


def test_the_file_says_how_it_was_come_by(archive: WarcArchive, tmp_path: Path) -> None:
    archive.write(answer())
    path = files(tmp_path)[0]
    information = found_by_warcio(path)[0]
    assert information.fields["WARC-Filename"] == path.name
    lines = information.body.decode().splitlines()
    assert {"format: WARC File Format 1.1", "robots: obey", "http-header-user-agent: tester/1.0"} < set(lines)
    assert b"software: dowse/" in information.body


def test_request_and_response_belong_together(archive: WarcArchive, tmp_path: Path) -> None:
    request = Request("http://example.org:8080/form?a=1", 1, "example.org:8080", "", "POST", b"q=2", (("X-Mine", "3"),))
    archive.write(answer(request=request))
    _information, response, asked = found_by_warcio(files(tmp_path)[0])
    assert asked.fields["WARC-Concurrent-To"] == response.fields["WARC-Record-ID"]
    assert response.fields["WARC-Date"] == asked.fields["WARC-Date"] == "2023-11-14T22:13:20Z"
    assert response.fields["WARC-IP-Address"] == "192.0.2.7"
    assert asked.body == b"q=2"
    assert dict(asked.headers) == {
        "Host": "example.org:8080", "User-Agent": "tester/1.0", "Accept": "text/html", "X-Mine": "3",
        "Content-Length": "3",
    }  # fmt: skip


def test_no_secret_is_kept_and_a_proxy_is_not_taken_for_the_server(tmp_path: Path) -> None:
    sent = ["Authorization: Basic c2VjcmV0", "X-Shown: 1", "cookie: secret=1"]
    request = Request("http://example.org/", 1, "example.org", headers=(("Cookie", "secret=2"), ("If-None-Match", "e")))
    archive = WarcArchive(tmp_path / "warc", a_job(proxy="http://192.0.2.1:3128", auth="me:secret"), sent)
    archive.write(answer(request=request))
    archive.close()
    _information, response, asked = found_by_warcio(files(tmp_path)[0])
    assert [name for name, _value in asked.headers] == ["Host", "User-Agent", "X-Shown", "If-None-Match"]
    assert "WARC-IP-Address" not in response.fields


def test_machines_without_isal_make_and_read_the_same_files(
    archive: WarcArchive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = archive.write(answer(body=BINARY))
    monkeypatch.setitem(sys.modules, "isal", None)  # importing it fails
    plain = runpy.run_path(str(gzip_members.__file__))
    assert plain["pack"] is not gzip_members.pack
    for module, name in (
        (body_writer, "pack"),
        (body_reader, "pack"),
        (body_reader, "unpacker"),
        (body_reader, "DAMAGE"),
    ):
        monkeypatch.setattr(module, name, plain[name])
    after = archive.write(answer(body=BINARY[::-1]))
    with BodyReader(tmp_path / "warc") as reader:
        assert [reader.read(location).body for location in (before, after)] == [BINARY, BINARY[::-1]]
    monkeypatch.undo()
    with BodyReader(tmp_path / "warc") as reader:
        assert reader.read(after).body == BINARY[::-1]


# The same body again


def test_a_body_is_kept_once(archive: WarcArchive, reader: BodyReader, tmp_path: Path) -> None:
    first = archive.write(answer("http://example.org/a"))
    second = archive.write(answer("http://example.org/b", headers={"x-own": "1"}, status=404, at=FETCHED_AT + 60))
    assert Location.parse(second).original == Location.parse(first).place
    found = reader.read(second)
    assert (found.request.url, found.status, found.body) == ("http://example.org/b", 404, TEXT.encode())
    assert found.headers == {"x-own": "1", "content-length": str(len(TEXT))}
    _information, response, _request, revisit, _request = found_by_warcio(files(tmp_path)[0])
    assert (revisit.kind, revisit.status, revisit.body) == ("revisit", "404", b"")
    assert revisit.fields["WARC-Profile"] == "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
    assert revisit.fields["WARC-Payload-Digest"] == response.fields["WARC-Payload-Digest"]
    assert revisit.fields["WARC-Refers-To"] == response.fields["WARC-Record-ID"]
    assert revisit.fields["WARC-Refers-To-Target-URI"] == "http://example.org/a"
    assert revisit.fields["WARC-Refers-To-Date"] == response.fields["WARC-Date"]


def test_small_bodies_are_repeated(archive: WarcArchive) -> None:
    locations = [archive.write(answer(body=body)) for body in (b"", b"", b"gone", b"gone")]
    assert [Location.parse(location).original for location in locations] == [None] * 4


def test_a_reference_reaches_into_files_that_are_full(
    archive: WarcArchive, reader: BodyReader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(body_writer, "FILE_LIMIT", 2000)
    locations = [
        archive.write(answer(f"http://example.org/{number}", BINARY[: 900 + number % 7])) for number in range(40)
    ]
    assert len(files(tmp_path)) > 3
    assert sum(Location.parse(location).original is not None for location in locations) == 33
    assert [len(reader.read(location).body) for location in locations] == [900 + number % 7 for number in range(40)]


def test_long_headers_of_the_first_copy_are_read_whole(archive: WarcArchive, reader: BodyReader) -> None:
    noise = BINARY[:30_000].hex()
    archive.write(answer("http://example.org/a?" + noise, headers={"x-long": noise}))
    second = archive.write(answer("http://example.org/b"))
    assert Location.parse(second).original is not None
    assert reader.read(second).body == TEXT.encode()


def test_bodies_that_share_64_bits_of_their_digest_are_not_one(
    tmp_path: Path, reader: BodyReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Forgetful(SeenKeys):
        """Takes every digest for the last one."""

        row = 0

        def add(self, _key: int, row: int) -> None:
            self.row = row

        def get(self, _key: int) -> int:
            return self.row

    monkeypatch.setattr(body_writer, "SeenKeys", Forgetful)
    archive = WarcArchive(tmp_path / "warc", a_job())
    locations = [archive.write(answer(body=body)) for body in (BINARY[:1000], BINARY[1000:2000], BINARY[1000:2000])]
    archive.close()
    assert [reader.read(location).body for location in locations] == [
        BINARY[:1000], BINARY[1000:2000], BINARY[1000:2000],
    ]  # fmt: skip
    assert [Location.parse(location).original is None for location in locations] == [True, True, False]


def test_a_first_copy_that_was_deleted_is_not_referred_to(
    archive: WarcArchive, reader: BodyReader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(body_writer, "FILE_LIMIT", 1)
    archive.write(answer())
    files(tmp_path)[0].unlink()
    location = archive.write(answer())
    assert Location.parse(location).original is None
    assert reader.read(location).body == TEXT.encode()


# Files and accidents


def test_nothing_is_made_before_the_first_answer(archive: WarcArchive, tmp_path: Path) -> None:
    archive.close()
    assert not (tmp_path / "warc").exists()


def test_every_writer_has_files_of_its_own(tmp_path: Path, reader: BodyReader) -> None:
    locations: list[str] = []
    for number in range(3):
        one, other = (WarcArchive(tmp_path / "warc", a_job()) for _ in range(2))
        for archive in (one, other, one, other):
            locations.append(archive.write(answer(f"http://example.org/{len(locations)}", BINARY[len(locations) :])))
        one.close()
        other.close()
        assert len(files(tmp_path)) == 2 * (number + 1)
    assert [reader.read(location).request.url[-2:].lstrip("/") for location in locations] == list(map(str, range(12)))
    numbers = [path.name.partition("-")[0] for path in files(tmp_path)]
    assert numbers == ["00000", "00001", "00002", "00003", "00004", "00005"]


def test_a_file_of_another_process_is_never_written_to(
    archive: WarcArchive, reader: BodyReader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    location = archive.write(answer())
    first = files(tmp_path)[0]
    monkeypatch.setattr("dowse.store.warc.body_writer.secrets.token_hex", lambda _size: first.name[6:14])
    monkeypatch.setattr(
        "dowse.store.warc.body_writer.os.listdir", lambda _folder: []
    )  # it was made a moment after we looked
    other = WarcArchive(tmp_path / "warc", a_job())
    with pytest.raises(CrawlError, match="File exists"):
        other.write(answer("http://example.org/other"))
    assert reader.read(location).request.url == "http://example.org/"


WRITER = """
import sys
from pathlib import Path
from random import Random
from dowse.store.warc.body_writer import WarcArchive
from tests.archiving import a_job, answer

archive, chance = WarcArchive(Path(sys.argv[1]), a_job()), Random(3)
for number in range(1_000_000):
    body = chance.randbytes(200_000) if number % 3 else b"the same " * 1000
    location = archive.write(answer(f"http://example.org/{number}", body))
    print(location, sum(body), sep="|", flush=True)
"""


def test_what_a_killed_process_had_written_is_there(tmp_path: Path, reader: BodyReader) -> None:
    writer = subprocess.Popen([sys.executable, "-c", WRITER, tmp_path / "warc"], stdout=subprocess.PIPE, text=True)
    assert writer.stdout is not None
    told = [writer.stdout.readline() for _ in range(50)]
    writer.send_signal(signal.SIGKILL)
    told += writer.stdout.readlines()
    writer.stdout.close()
    assert writer.wait(10) == -signal.SIGKILL
    committed = [line.rstrip("\n").split("|") for line in told if line.endswith("\n")]
    assert len(committed) >= 50
    for number, (location, total) in enumerate(committed):
        found = reader.read(location)
        assert (found.request.url, sum(found.body)) == (f"http://example.org/{number}", int(total))


def test_half_a_record_at_the_end_harms_nothing_else(archive: WarcArchive, reader: BodyReader, tmp_path: Path) -> None:
    whole, broken = archive.write(answer(body=BINARY)), archive.write(answer(body=BINARY[::-1]))
    archive.close()
    path = files(tmp_path)[0]
    place = Location.parse(broken).place
    for size in (place.offset + 20_000, place.offset + 5, place.offset):
        os.truncate(path, size)
        assert reader.read(whole).body == BINARY
        for use in (reader.read, reader.stored):
            with pytest.raises(CrawlError, match=f"{path.name} is damaged.* at byte {place.offset}"):
                use(broken)
    later = WarcArchive(tmp_path / "warc", a_job())
    location = later.write(answer(body=BINARY))
    later.close()
    assert Location.parse(location).place.file != path.name
    assert reader.read(location).body == BINARY


@contextmanager
def files_up_to(size: int) -> Iterator[None]:
    """As if the disk were full: no file may become longer."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_full_disk_loses_nothing(archive: WarcArchive, reader: BodyReader, tmp_path: Path) -> None:
    first = archive.write(answer("http://example.org/first", BINARY))
    path = files(tmp_path)[0]
    size = path.stat().st_size
    for room in (0, 1, 10_000):
        with files_up_to(size + room), pytest.raises(StoreFull, match=path.name):
            archive.write(answer("http://example.org/second", BINARY[::-1]))
        assert path.stat().st_size == size
    second = archive.write(answer("http://example.org/second", BINARY[::-1]))
    assert [reader.read(location).body for location in (first, second)] == [BINARY, BINARY[::-1]]
    assert [record.intact for record in found_by_warcio(path) if record.kind == "response"] == [True, True]


def test_a_disk_that_is_full_from_the_start_is_not_filled_with_empty_files(
    archive: WarcArchive, reader: BodyReader, tmp_path: Path
) -> None:
    for _ in range(3):
        with files_up_to(10), pytest.raises(StoreFull, match="warc"):
            archive.write(answer())
        assert files(tmp_path) == []
    assert reader.read(archive.write(answer())).body == TEXT.encode()


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "warc").write_text("in the way")
    with pytest.raises(CrawlError, match=f"cannot write {tmp_path / 'warc'}: File exists"):
        WarcArchive(tmp_path / "warc", a_job()).write(answer())


def test_a_missing_file_is_named(archive: WarcArchive, reader: BodyReader, tmp_path: Path) -> None:
    location = archive.write(answer())
    path = files(tmp_path)[0]
    path.unlink()
    with pytest.raises(CrawlError, match=f"{path} is missing"):
        reader.read(location)


@pytest.mark.parametrize(
    "location",
    ["", "a.warc.gz", "a.warc.gz:1", "../a.warc.gz:0:1:1", "a/b.warc.gz:0:1:1", "a.warc.gz:0:1:1 ", "a.gz:-1:1:1"],
)
def test_what_is_not_a_location_is_refused(reader: BodyReader, location: str) -> None:
    with pytest.raises(CrawlError, match="does not say where a body is"):
        reader.read(location)


@pytest.mark.parametrize("shift", [-1, 1, 100])
def test_a_location_beside_a_record_is_refused(archive: WarcArchive, reader: BodyReader, shift: int) -> None:
    place, *lengths = Location.parse(archive.write(answer(body=BINARY)))
    with pytest.raises(CrawlError, match="damaged"):
        reader.read(str(Location(place._replace(offset=place.offset + shift), *lengths[:2])))  # type: ignore[arg-type]


def test_other_records_are_not_taken_for_answers(archive: WarcArchive, reader: BodyReader) -> None:
    where = Location.parse(archive.write(answer()))
    for offset in (0, where.place.offset + where.length):
        with pytest.raises(CrawlError, match="damaged"):
            reader.read(str(where._replace(place=where.place._replace(offset=offset))))


def test_any_number_of_files_can_be_read(
    archive: WarcArchive, reader: BodyReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(body_writer, "FILE_LIMIT", 1)
    locations = [archive.write(answer(body=BINARY[:number])) for number in range(40)]
    before = len(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").exists() else 0
    assert [len(reader.read(location).body) for location in locations * 2] == list(range(40)) * 2
    after = len(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").exists() else 0
    assert after - before <= 16
