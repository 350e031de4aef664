"""Pages and wishes that are hard on a crawl that keeps data: clear, bounded in time and memory, and nothing is lost."""

from __future__ import annotations

import json
import os
import resource
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from dowse import app
from tests.commands import invoke
from tests.crawling import links, opened, path_of, reasons, states
from tests.processes import dowse, measured, running
from tests.servers import Page, Reply, Site, Step

Capture = pytest.CaptureFixture[str]
FAST = ("--delay", "0", "--per-host", "16", "--retries", "0", "--quiet")
MEGABYTE = 1_000_000
# What Python, the libraries and the buffers of a crawl take before the first page.
IDLE_MEGABYTES = 130

FINE = {f"/fine/{number}": f"<h1>fine {number}</h1>" for number in range(20)}


def with_fine(site: Site, pages: dict[str, Page]) -> None:
    """A site of these pages, and of others that must be fetched all the same."""
    site.pages.update({"/": links(*pages, *FINE), **FINE, **pages})


def records(folder: Path) -> dict[str, dict[str, object]]:
    rows = {path_of(row["url"]): row for row in app.read(folder).records}
    return {path: {name: value for name, value in row.items() if name != "url"} for path, row in rows.items()}


def check_the_fine_ones(folder: Path) -> None:
    """The crawl went on: every good page is there with its record and its body."""
    found = opened(folder)
    assert found.status().stop_reason == "complete"
    kept = records(folder)
    assert {path: kept[path].get("title") for path in FINE} == {path: f"fine {path[6:]}" for path in FINE}
    assert set(FINE) <= {path_of(row["url"]) for row in found.bodies}


def fields(*specs: str) -> tuple[str, ...]:
    return tuple(word for spec in specs for word in ("--extract", spec))


TITLE = fields("title=//h1")


# A page of 50 MB


def large_page(_: object) -> Reply:
    def steps() -> Iterator[Step]:
        yield b"<!doctype html><title>large</title><h1>large</h1>"
        for number in range(1000):
            yield (
                f"<p>paragraph {number} with <a href=/fine/{number % 20}>a link</a>" + "and words " * 49 + "\n"
            ).encode() * 95
        yield b"<h2>the end</h2>"

    return Reply(steps())


def test_a_page_of_50_megabytes_is_refused_at_the_limit(site: Site, tmp_path: Path) -> None:
    with_fine(site, {"/large": large_page})
    ended = measured("site", site.url, "-o", tmp_path / "c", *FAST, *TITLE)
    assert (ended.code, ended.err) == (0, "")
    assert reasons(opened(tmp_path / "c"))["/large"] == "too_large"
    check_the_fine_ones(tmp_path / "c")
    assert ended.seconds < 10
    assert ended.megabytes < IDLE_MEGABYTES + 60, "twice the limit and a little"


def test_a_page_of_50_megabytes_is_read_when_it_may_be(site: Site, tmp_path: Path) -> None:
    with_fine(site, {"/large": large_page})
    limit = ("--max-body", "60000000")
    ended = measured("site", site.url, "-o", tmp_path / "c", *FAST, *limit, *TITLE, *fields("end=//h2"))
    assert (ended.code, ended.err) == (0, "")
    assert records(tmp_path / "c")["/large"] == {"title": "large", "end": "the end"}
    row = next(row for row in opened(tmp_path / "c").pages if row["title"] == "large")
    assert row["size"] > 50 * MEGABYTE
    check_the_fine_ones(tmp_path / "c")
    assert ended.seconds < 40
    assert ended.megabytes < 600


# What is no HTML, and text that no table likes

BINARY: dict[str, tuple[bytes, str]] = {
    # what is sent as text/html: its first bytes, and the state it must end with
    "/noise": (b"", "fetched"),
    "/picture": (b"\xff\xd8\xff\xe0\x00\x10JFIF\x00", "out_of_scope"),
    "/archive": (b"PK\x03\x04\x14\x00", "out_of_scope"),
    "/paper": (b"%PDF-1.7\n\x00", "out_of_scope"),
    "/program": (b"\x7fELF\x02\x01\x01\x00", "fetched"),
    "/zeros": (bytes(100_000), "fetched"),
}


def test_binary_files_sent_as_html(site: Site, tmp_path: Path) -> None:
    noise = Random(1).randbytes(3 * MEGABYTE)
    with_fine(site, {path: Reply(start + noise) for path, (start, _) in BINARY.items()})
    selectors = fields("title=//h1", "all[]=//*", "word=re:\\w{5,}", "css=css:a[href]@href")
    ended = measured("site", site.url, "-o", tmp_path / "c", *FAST, *selectors)
    assert (ended.code, ended.err) == (0, "")
    found = states(opened(tmp_path / "c"))
    assert {path: found[path] for path in BINARY} == {path: state for path, (_, state) in BINARY.items()}
    check_the_fine_ones(tmp_path / "c")
    assert ended.seconds < 30
    assert ended.megabytes < 600
    for table in ("pages", "records"):
        assert dowse("export", tmp_path / "c", table, "--to", "jsonl", "-f", tmp_path / "rows").code == 0
        assert [json.loads(line) for line in (tmp_path / "rows").read_text(encoding="utf-8").splitlines()]


STRANGE: dict[str, tuple[Page, dict[str, str]]] = {
    # what the page is like: the page, and what its fields must say
    "mixed charsets": (
        Reply("<meta charset=utf-8><h1>Žluťoučký kůň</h1>".encode() + "<p>déjà vu, señor</p>".encode("windows-1252")),
        {"title": "Žluťoučký kůň", "text": "déjà vu, señor", "source": "déjà vu, señor"},
    ),
    "false charset": (
        Reply("<meta charset=utf-8><h1>Übergröße</h1><p>für Füße</p>".encode("windows-1252")),
        {"title": "Übergröße", "text": "für Füße", "source": "für Füße"},
    ),
    "broken bytes": (
        Reply("<meta charset=utf-8><h1>Gruß ж</h1>".encode() + b"<p>ab\xe2\x82 cd</p>"),
        {"title": "Gruß ж", "text": "ab\ufffd cd", "source": "ab\ufffd cd"},
    ),
    "NUL bytes": (
        Reply(b"<h1>a\0b</h1><p title='x\0y'>c\0\0d&#0;</p>"),
        {"title": "ab", "text": "cd\ufffd", "source": "c\0\0d\ufffd", "attribute": "x\ufffdy"},
    ),
    "lone surrogates": (
        "<h1>&#xD800;x</h1><p title='&#xDFFF;'>&#55357;y</p>",
        {"title": "\ufffdx", "text": "\ufffdy", "source": "\ufffdy", "attribute": "\ufffd"},
    ),
    "surrogates as bytes": (
        Reply(b"<meta charset=utf-8><h1>\xc3\xa9\xc3\xa8\xc3\xa0\xed\xa0\x80x</h1><p>y</p>"),
        {"title": "éèà\ufffdx", "text": "y", "source": "y"},
    ),
    "half a pair in UTF-16": (
        Reply(b"\xff\xfe" + "<h1>x".encode("utf-16-le") + b"\x00\xd8" + "</h1><p>y</p>".encode("utf-16-le")),
        {"title": "x\ufffd", "text": "y", "source": "y"},
    ),
    "noncharacters": (
        "<h1>a\uffff\U0010ffff</h1><p>\u202eb\ufeff</p>",
        {"title": "a\uffff\U0010ffff", "text": "\u202eb\ufeff", "source": "\u202eb\ufeff"},
    ),
}


@pytest.mark.parametrize(("page", "expected"), STRANGE.values(), ids=STRANGE.keys())
def test_strange_text_becomes_values_that_every_format_can_hold(
    site: Site, tmp_path: Path, capsys: Capture, page: Page, expected: dict[str, str]
) -> None:
    with_fine(site, {"/strange": page})
    wanted = fields("title=//h1", "text=//p", "source=re:<p[^>]*>([^<]*)", "attribute=//p/@title")
    assert invoke(capsys, "site", site.url, "-o", tmp_path / "c", *FAST, *wanted).code == 0
    kept = {name: value for name, value in records(tmp_path / "c")["/strange"].items() if value is not None}
    assert kept == expected
    check_the_fine_ones(tmp_path / "c")
    for form in ("csv", "jsonl"):
        exported = invoke(capsys, "export", tmp_path / "c", "records", "--to", form)
        assert (exported.code, exported.err) == (0, "")
        exported.out.encode()  # there is nothing in it that UTF-8 cannot write


# Places that cannot be written to


@pytest.mark.parametrize("table", ["records", "pages"])
def test_an_export_that_cannot_be_written(site: Site, tmp_path: Path, capsys: Capture, table: str) -> None:
    with_fine(site, {})
    assert invoke(capsys, "site", site.url, "-o", tmp_path / "c", *FAST, *TITLE).code == 0
    (tmp_path / "file").write_text("precious", encoding="utf-8")
    for place in (tmp_path / "none" / "rows.csv", tmp_path / "file" / "rows.csv", tmp_path):
        ended = invoke(capsys, "export", tmp_path / "c", table, "-f", place)
        assert (ended.code, ended.out) == (2, "")
        assert f"{place} cannot be written: " in ended.err
        assert ended.err.count("\n") == 1
    assert (tmp_path / "file").read_text(encoding="utf-8") == "precious"


@pytest.mark.parametrize("place", ["file/crawl", "/proc/dowse", "/dev/null/crawl", "locked/crawl"])
def test_a_folder_that_cannot_be_written_is_told_before_the_first_request(
    site: Site, tmp_path: Path, capsys: Capture, place: str
) -> None:
    if place.startswith("locked") and os.geteuid() == 0:
        pytest.skip("nothing is locked for root")
    (tmp_path / "file").write_text("precious", encoding="utf-8")
    (tmp_path / "locked").mkdir(mode=0o500)
    ended = invoke(capsys, "site", site.url, "-o", tmp_path / place, *TITLE)
    assert (ended.code, ended.out, site.log) == (3, "", [])
    assert ended.err.startswith(f"dowse: error: {tmp_path / place} cannot be the folder of a crawl: ")


def test_a_place_for_bodies_that_is_a_file(site: Site, tmp_path: Path) -> None:
    with_fine(site, {})
    folder = tmp_path / "c"
    folder.mkdir()
    (folder / "warc").write_text("precious", encoding="utf-8")
    ended = dowse("site", site.url, "-o", folder, *FAST, *TITLE)
    assert ended.code == 1
    assert f"{folder / 'warc'}: File exists; try again with: dowse retry {folder}\n" in ended.err
    assert ended.err.count("\n") == 1
    assert (folder / "warc").read_text(encoding="utf-8") == "precious"
    (folder / "warc").unlink()
    assert dowse("retry", folder, "--quiet").code == 0
    assert dowse("resume", folder, "--quiet").code == 0
    check_the_fine_ones(folder)


# A full disk


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="only Linux limits another process")
def test_a_disk_that_fills_up_with_bodies_and_records(site: Site, tmp_path: Path) -> None:
    # Bodies that do not compress, so that it is their file that grows first.
    pages: dict[str, Page] = {
        f"/large/{number}": f"<h1>large {number}</h1><p>{Random(number).randbytes(10_000).hex()}"
        for number in range(60)
    }
    with_fine(site, pages)
    words = [word for word in FAST if word != "--quiet"]
    with running("site", site.url, "-o", tmp_path / "c", *words, *TITLE) as command:
        resource.prlimit(command.process.pid, resource.RLIMIT_FSIZE, (300_000, resource.RLIM_INFINITY))
        assert command.process.stderr is not None
        line = command.process.stderr.readline()
        assert line.startswith("paused: cannot write ")
        assert line.endswith("; waiting for room (make some, or stop with Ctrl-C)\n")
        asked = len(site.asked())
        resource.prlimit(command.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        assert command.ended().code == 0
    assert asked < len(site.asked()), "it paused before the end"
    assert len(site.asked()) == len(set(site.paths())), "nothing was asked for twice"
    check_the_fine_ones(tmp_path / "c")
    assert {records(tmp_path / "c")[path]["title"] for path in pages} == {f"large {path[7:]}" for path in pages}
    assert len(opened(tmp_path / "c").bodies) == len(pages) + len(FINE) + 2, "they, the start and robots.txt"
    # What is stored can be read: extracting again from the bodies gives the same.
    assert dowse("extract", tmp_path / "c", *fields("again=//h1")).code == 0
    assert {records(tmp_path / "c")[path]["again"] for path in pages} == {f"large {path[7:]}" for path in pages}


# Selectors and patterns

REFUSED: dict[str, tuple[tuple[str, ...], str]] = {
    # what is wrong: the words, and what is said
    "XPath, bracket": (fields("t=//h1["), "--extract: not an XPath: {}at character 8 of 't=//h1[' (its end)"),
    "XPath, name": (fields("t=//h1[no(.)]"), "--extract: not an XPath: {}at character 8 of 't=//h1[no(.)]'"),
    "XPath, variable": (fields("t=//a[$x]"), "--extract: not an XPath: {}at character 7 of 't=//a[$x]'"),
    "CSS": (fields("t=css:a >> b"), "--extract: not CSS: {}at character 10 of 't=css:a >> b'"),
    "CSS, pseudo-class": (fields("t=css:a:nope"), "--extract: not CSS: {}at character 8 of 't=css:a:nope'"),
    "regular expression": (fields("t=re:a(b"), "--extract: not a regular expression: {}at character 9 of 't=re:a(b'"),
    "no selector": (fields("t="), "--extract: expected //XPATH, {}at character 3 of 't=' (its end)"),
    "no field": (fields("//h1"), "--extract: expected NAME=SELECTOR, {}at character 1 of '//h1'"),
    "type": (fields("t:colour=//h1"), "--extract: unknown type 'colour', {}at character 3 of 't:colour=//h1'"),
    "twice": (fields("t=//a", "t=//b"), "--extract: the field t is there twice, at character 1 of 't=//b'"),
    "exclusion": ((*TITLE, "--exclude-from", "title=//h1/["), "--exclude-from: not an XPath: {}at character 12 of"),
    "exclusion, field": ((*TITLE, "--exclude-from", "no=//h1"), "--exclude-from: there is no field no {}at char"),
    "pages": ((*TITLE, "--on", "a(b"), "--on: 'a(b' is not a regular expression: {}at position 1"),
    "scope": (("--include", "[z-a]"), "--include: '[z-a]' is not a regular expression: {}at position 1"),
}  # fmt: skip


@pytest.mark.parametrize(("words", "said"), REFUSED.values(), ids=REFUSED.keys())
def test_a_wrong_selector_is_refused_before_the_crawl_with_its_place(
    site: Site, tmp_path: Path, capsys: Capture, words: tuple[str, ...], said: str
) -> None:
    ended = invoke(capsys, "site", site.url, "-o", tmp_path / "c", *words)
    assert (ended.code, ended.out, ended.err.count("\n")) == (2, "", 1)
    beginning, _, end = said.partition("{}")
    assert ended.err.startswith(f"dowse: error: {beginning}")
    assert end in ended.err
    assert (site.log, (tmp_path / "c").exists()) == ([], False)


# Wishes that explode

HOSTILE_WORD = "a" * 40 + "!"
EXPLOSIVE: dict[str, tuple[tuple[str, ...], str, float]] = {
    # the words, the page they are hard on, and the processor seconds it may take
    "regular expression": (fields("x=re:(a+)+b"), f"<p>{HOSTILE_WORD * 2000}", 15),
    "regular expression, all": (fields("x[]=re:(\\w+-?)+\\$"), f"<p>{(HOSTILE_WORD + ' ') * 2000}", 15),
    "XPath, deep": (fields("x=//*[ancestor::*[descendant::*[ancestor::*]]]"), "<div>" * 500, 10),
    "XPath, wide": (fields("x=//*[count(//*[count(//*) > 0]) > 0]"), "<p>x</p>" * 50_000, 10),
    "XPath, sideways": (fields("x=//*/following::*[preceding::*]"), "<div><p>x</p></div>" * 20_000, 10),
    "XPath, pattern": (fields("x=//p[re:test(., '(a+)+b')]"), f"<p>{HOSTILE_WORD}", 10),
    "CSS": (fields("x=css::has(:has(:has(:has(i))))"), "<div>" * 500, 10),
}


@pytest.mark.parametrize(("words", "markup", "seconds"), EXPLOSIVE.values(), ids=EXPLOSIVE.keys())
def test_a_selector_that_explodes_on_a_hostile_page_costs_seconds(
    site: Site, tmp_path: Path, words: tuple[str, ...], markup: str, seconds: float
) -> None:
    with_fine(site, {f"/hostile/{number}": f"<h1>{number}</h1>{markup}" for number in range(3)})
    ended = measured("site", site.url, "-o", tmp_path / "c", *FAST, *TITLE, *words)
    assert (ended.code, ended.err) == (0, "")
    check_the_fine_ones(tmp_path / "c")
    kept = records(tmp_path / "c")
    assert [kept[f"/hostile/{number}"]["title"] for number in range(3)] == ["0", "1", "2"], "the other fields are there"
    assert ended.seconds < seconds
    assert ended.megabytes < 600


def test_a_pattern_of_urls_that_explodes_is_given_up(site: Site, tmp_path: Path) -> None:
    # Look-around is more than the linear matcher can do.
    with_fine(site, {f"/{number}-{'a' * 60}!": "<h1>x</h1>" for number in range(5)})
    ended = measured("site", site.url, "-o", tmp_path / "c", *FAST, *TITLE, "--on", "fine|(?!x)(?:\\w+-?)+$")
    assert (ended.code, ended.err) == (0, "")
    check_the_fine_ones(tmp_path / "c")
    assert ended.seconds < 15


# Records without measure

HUGE: dict[str, Callable[[], str]] = {
    "nested": lambda: "<div>" * 500 + "word " * 200_000,
    "flat": lambda: "<p>word</p>" * 300_000,
    "one word": lambda: "<p>" + "w" * 5_000_000,
    "attributes": lambda: f'<p title="{"x" * 3_000_000}">' * 3,
}


@pytest.mark.parametrize("markup", HUGE.values(), ids=HUGE.keys())
def test_a_record_has_a_size_that_can_be_kept(site: Site, tmp_path: Path, markup: Callable[[], str]) -> None:
    with_fine(site, {"/huge": f"<h1>huge</h1>{markup()}"})
    wanted = (
        "all[]=//*",
        "joined[, ]=//*",
        "html:html=/html",
        "htmls:html[]=//*",
        "words[]=re:\\w+",
        "titles[]=//@title",
    )
    ended = measured("site", site.url, "-o", tmp_path / "c", *FAST, *TITLE, *fields(*wanted))
    assert (ended.code, ended.err) == (0, "")
    check_the_fine_ones(tmp_path / "c")
    record = records(tmp_path / "c")["/huge"]
    assert record["title"] == "huge"
    sizes = {name: len(json.dumps(value, ensure_ascii=False)) for name, value in record.items()}
    assert max(sizes.values()) < 4 * MEGABYTE
    assert ended.seconds < 40
    assert ended.megabytes < 1000
