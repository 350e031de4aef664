"""Export of bodies: one WARC file or one WACZ file with all that visits point at, and nothing else."""

from __future__ import annotations

import doctest
import gzip
import json
import random
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from hashlib import sha256
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from dowse.export import cdxj
from dowse.export.cdxj import url_key
from dowse.export.wacz import write_wacz
from dowse.export.warc import write_warc
from dowse.store.warc.body_reader import BodyReader
from dowse.store.warc.body_writer import WarcArchive
from tests.archiving import FETCHED_AT, TEXT, a_job, answer, found_by_warcio

Row = dict[str, Any]


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[BodyReader]:
    with BodyReader(tmp_path / "warc") as opened:
        yield opened


def row(location: str, url: str, **facts: Any) -> Row:
    shown = {"status": 200, "media_type": "text/html", "title": "Ü & Söhne", "label": "", "fetched_at": FETCHED_AT}
    return {"body": location, "url": url, **shown, **facts}


def a_crawl(folder: Path, *, writers: int = 2) -> list[Row]:
    """Pages, a mirror, an error, a redirect and a text file, by several writers, in the order of their files."""
    rows = []
    for writer in range(writers):
        archive = WarcArchive(folder / "warc", a_job())
        for number in range(4):
            url = f"https://www.example.org/{writer}/Page-{number}?b=2&a=1"
            rows.append(row(archive.write(answer(url, f"{TEXT}{url}")), url))
        mirror, there, words = (f"https://example.org/{writer}/{name}" for name in ("mirror", "there", "words"))
        rows.append(row(archive.write(answer(mirror, f"{TEXT}{url}")), mirror))
        gone = f"https://example.org/{writer}/gone"
        rows.append(row(archive.write(answer(gone, "Gone.", 404)), gone, status=404))
        redirect = answer(there, b"", 301, {"location": "/"})
        rows.append(row(archive.write(redirect), there, status=301, media_type=""))
        words_answer = answer(words, "words", headers={"content-type": "text/plain"})
        rows.append(row(archive.write(words_answer), words, media_type="text/plain"))
        archive.write(answer("http://example.org/lost", random.Random(writer).randbytes(5000)))
        archive.close()
    return rows


def exported_warc(rows: list[Row], bodies: BodyReader) -> tuple[bytes, int]:
    stream = BytesIO()
    number = write_warc(rows, bodies, stream, [])
    return stream.getvalue(), number


def exported_wacz(rows: list[Row], bodies: BodyReader) -> bytes:
    stream = BytesIO()
    write_wacz(rows, bodies, stream, [], title="A crawl", main_page="https://www.example.org/0/Page-0?b=2&a=1")
    return stream.getvalue()


def test_one_file_has_what_the_visits_point_at(tmp_path: Path, reader: BodyReader) -> None:
    rows = a_crawl(tmp_path)
    data, number = exported_warc(rows, reader)
    records = found_by_warcio(data)
    answers = [record for record in records if record.kind in ("response", "revisit")]
    assert (number, [record.url for record in answers]) == (16, [row["url"] for row in rows])
    assert [record.kind for record in answers].count("revisit") == 2
    assert {record.intact for record in answers if record.kind == "response"} == {True}
    assert [record.url for record in records if record.kind == "request"] == [record.url for record in answers]
    assert [record.offset for record in records if record.kind == "warcinfo"] == [0, records[17].offset]


def test_a_body_whose_own_visit_was_lost_goes_with_those_that_refer_to_it(tmp_path: Path, reader: BodyReader) -> None:
    archive = WarcArchive(tmp_path / "warc", a_job())
    lost, *kept = [archive.write(answer(f"http://example.org/{number}")) for number in range(4)]
    archive.close()
    data, number = exported_warc([row(location, "") for location in kept], reader)
    records = found_by_warcio(data)
    assert number == 4
    assert [record.url[-1] for record in records[1:]] == list("11223300")
    assert [record.kind for record in records[-2:]] == ["response", "request"]
    assert records[-2].body == TEXT.encode()
    assert exported_warc([row(location, "") for location in (*kept, lost)], reader)[1] == 4


def test_nothing_to_export_is_an_empty_file(reader: BodyReader) -> None:
    assert exported_warc([], reader) == (b"", 0)


def test_a_missing_file_is_named_and_the_others_are_exported(tmp_path: Path, reader: BodyReader) -> None:
    rows = a_crawl(tmp_path)
    gone = sorted((tmp_path / "warc").iterdir())[1]
    gone.unlink()
    lost = [row["url"] for row in rows if gone.name in row["body"].partition(" ")[0]]
    stream, unreadable = BytesIO(), list[str]()
    number = write_warc(rows, reader, stream, unreadable)
    assert 0 < number == len(rows) - len(lost)
    assert len(found_by_warcio(stream.getvalue())) == 2 * number + 1
    assert [line.partition(": ")[0] for line in unreadable] == lost
    assert f"{gone} is missing" in unreadable[0]


def test_the_package_lists_its_files(tmp_path: Path, reader: BodyReader) -> None:
    with zipfile.ZipFile(BytesIO(exported_wacz(a_crawl(tmp_path), reader))) as package:
        described = json.loads(package.read("datapackage.json"))
        assert json.loads(package.read("datapackage-digest.json")) == {
            "path": "datapackage.json",
            "hash": "sha256:" + sha256(package.read("datapackage.json")).hexdigest(),
        }
        listed = {resource["path"]: resource for resource in described["resources"]}
        assert set(package.namelist()) == {*listed, "datapackage.json", "datapackage-digest.json"}
        for path, resource in listed.items():
            content = package.read(path)
            assert resource["hash"] == "sha256:" + sha256(content).hexdigest()
            assert (resource["bytes"], resource["name"]) == (len(content), path.rpartition("/")[2])
            if path.endswith(".gz"):
                assert package.getinfo(path).compress_type == zipfile.ZIP_STORED
    assert (described["profile"], described["wacz_version"], described["title"]) == ("data-package", "1.1.1", "A crawl")
    assert described["mainPageUrl"] == "https://www.example.org/0/Page-0?b=2&a=1"


def test_pages_are_those_a_person_would_look_at(tmp_path: Path, reader: BodyReader) -> None:
    rows = a_crawl(tmp_path)
    with zipfile.ZipFile(BytesIO(exported_wacz(rows, reader))) as package:
        head, *pages = map(json.loads, package.read("pages/pages.jsonl").splitlines())
    assert head["format"] == "json-pages-1.0"
    looked_at = [row["url"] for row in rows if row["status"] == 200 and not row["url"].endswith("words")]
    assert [page["url"] for page in pages] == looked_at
    assert {(page["ts"], page["title"]) for page in pages} == {("2023-11-14T22:13:20Z", "Ü & Söhne")}
    assert len({page["id"] for page in pages}) == len(pages)


@pytest.mark.parametrize("block", [1, 3, 1000])
def test_every_answer_is_found_through_the_index(
    tmp_path: Path, reader: BodyReader, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    monkeypatch.setattr(cdxj, "BLOCK", block)
    rows = a_crawl(tmp_path)
    with zipfile.ZipFile(BytesIO(exported_wacz(rows, reader))) as package:
        archive = package.read("archive/data.warc.gz")
        index = package.read("indexes/index.cdx.gz")
        head, *summary = package.read("indexes/index.idx").decode().splitlines()
    assert head == '!meta 0 {"format":"cdxj-gzip-1.0","filename":"index.cdx.gz"}'
    assert len(summary) == -(-len(rows) // block)
    lines: list[str] = []
    for entry in summary:
        key, date, facts = entry.split(" ", 2)
        place = json.loads(facts)
        packed = index[place["offset"] : place["offset"] + place["length"]]
        assert place["digest"] == "sha256:" + sha256(packed).hexdigest()
        lines += gzip.decompress(packed).decode().splitlines()
        assert lines[-1 if block == 1 else -((len(lines) - 1) % block + 1)].startswith(f"{key} {date} ")
    assert lines == sorted(lines)
    found = {}
    for line in lines:
        key, date, facts = line.split(" ", 2)
        fields = json.loads(facts)
        assert (key, date, fields["filename"]) == (url_key(fields["url"]), "20231114221320", "data.warc.gz")
        start = int(fields["offset"])
        (record,) = found_by_warcio(archive[start : start + int(fields["length"])])
        assert record.fields["WARC-Payload-Digest"] == fields["digest"]
        found[record.url] = (record.status, fields["mime"])
        assert fields["status"] == record.status
    assert set(found) == {row["url"] for row in rows}
    assert found["https://example.org/1/mirror"] == ("200", "warc/revisit")
    assert found["https://example.org/1/there"] == ("301", "unk")
    assert found["https://example.org/1/words"] == ("200", "text/plain")


@pytest.mark.skipif(find_spec("wacz") is None, reason="py-wacz is not installed")
def test_the_reference_implementation_finds_no_fault(tmp_path: Path, reader: BodyReader) -> None:
    path = tmp_path / "crawl.wacz"
    path.write_bytes(exported_wacz(a_crawl(tmp_path), reader))
    command = [sys.executable, "-W", "ignore", "-m", "wacz.main", "validate", "-f", str(path)]
    validated = subprocess.run(command, capture_output=True, text=True, timeout=50, check=False)
    assert "Validation succeeded" in validated.stdout, validated.stdout + validated.stderr


@pytest.mark.parametrize(
    ("url", "key"),
    [
        # as computed by the Internet Archive's own program
        ("http://example.com", "com,example)/"),
        ("http://WWW2.example.com:80/", "com,example)/"),
        ("https://example.com:80/", "com,example:80)/"),
        ("http://www.example.com/A/B/?b=2&a=1&a", "com,example)/a/b?a&a=1&b=2"),
        ("http://127.0.0.1:8301/x/", "1,0,0,127:8301)/x"),
        ("http://[2001:db8::1]:8080/", "2001:db8::1:8080)/"),
        ("http://example.com./a//b///c/", "com,example)/a/b/c"),
        ("http://example.com/a/%2e%2e/b/../c", "com,example)/c"),
        ("http://example.com/%2541%20b/%C3%BC", "com,example)/a%20b/%c3%bc"),
        ("http://example.com/?a=%26b%3D1", "com,example)/?a=&b=1"),
        ("http://example.com/a?", "com,example)/a"),
        ("http://user:password@example.com/#top", "com,example)/"),
        (f"http://example.com/?x=1&PHPSESSID={'a' * 32}&b=1", "com,example)/?b=1&x=1"),
        (f"http://example.com/(S({'a' * 24}))/X.aspx?y", "com,example)/x.aspx?y"),
        ("http://example.com/?cfid=1&cftoken=2", "com,example)/"),
        ("http://xn--mnchen-3ya.de/", "de,xn--mnchen-3ya)/"),
    ],
)
def test_keys_are_those_that_replay_software_looks_for(url: str, key: str) -> None:
    assert url_key(url) == key


def test_the_example_of_a_key() -> None:
    assert doctest.testmod(cdxj).failed == 0
