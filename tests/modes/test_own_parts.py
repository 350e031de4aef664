"""Extractors, formats and fetchers of the user: what they get, and what their mistakes cost. The manual's examples of
them are run by test_extending.py."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

import pytest
from msgspec.structs import replace

import dowse
from dowse.extending import Failure, FailureKind, Fetcher, Frame, Page, Record, Request, Response
from tests.commands import invoke
from tests.crawling import FAST, links, path_of, reasons, states
from tests.ruling import follow, write_table
from tests.servers import Site

MODULE = "tests.modes.test_own_parts"


@pytest.fixture
def site(serve: Callable[..., Site]) -> Site:
    return serve({"/": links("/a", "/b"), "/a": "<title>a</title><h1>A</h1>", "/b": "<title>b</title><h1>B</h1>"})


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


class Headings:
    kinds = ("headings",)

    def extract(self, page: Page) -> list[Record]:
        return [Record("headings", str(at), {"text": each.text}) for at, each in enumerate(page.tree.select("h1"))]


class FailsOnA(Headings):
    def extract(self, page: Page) -> list[Record]:
        if page.url.endswith("/a"):
            raise KeyError("a")
        return super().extract(page)


# Extractors


@pytest.mark.parametrize("extractor", [Headings, Headings(), f"{MODULE}:Headings"], ids=["class", "object", "name"])
def test_an_extractor_is_a_class_an_object_or_a_name(site: Site, tmp_path: Path, extractor: Any) -> None:
    crawl = dowse.site(site.url, extractor=extractor, output=str(tmp_path / "out"), **FAST)
    assert [row["text"] for row in crawl.records] == ["A", "B"]
    assert len(crawl.records_of("headings")) == 2
    with pytest.raises(dowse.JobError, match=r"there are no records of kind 'heading'; there are fields, .*, headings"):
        crawl.records_of("heading")


def test_it_is_one_of_several_and_heeds_on(site: Site, tmp_path: Path) -> None:
    options: dict[str, Any] = {"extractor": [Headings], "extract": "title=//title", "on": "/a$"}
    crawl = dowse.site(site.url, **options, output=str(tmp_path / "out"), **FAST)
    assert [path_of(row["url"]) for row in crawl.records] == ["/a", "/a"]
    assert {row["kind"] for row in crawl.records} == {"fields", "headings"}


def test_it_reads_stored_pages_and_its_records_are_replaced(
    site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "out")
    crawl = dowse.site(site.url, output=out, **FAST)
    for _ in range(2):
        crawl.extract(extractor=f"{MODULE}:Headings")
        assert len(crawl.records) == 2
    ended = invoke(capsys, "extract", out)
    assert ended.code == 0, "the crawl knows its extractor, and it is ours"
    assert ended.out.startswith("2 records from ")
    assert len(dowse.resume(out, max_pages=5).records) == 2
    with pytest.raises(
        dowse.CrawlError,
        match=r"/a: extractor FailsOnA: KeyError: 'a' \(test_own_parts.py, line .*; the records are as",
    ):
        crawl.extract(extractor=FailsOnA)
    assert len(crawl.records) == 2


def test_a_mistake_of_an_extractor_costs_its_page(site: Site, tmp_path: Path) -> None:
    out = str(tmp_path / "out")
    with pytest.warns(UserWarning, match="1 page failed in your own code: extractor FailsOnA: KeyError: 'a'"):
        crawl = dowse.site(site.url, extractor=FailsOnA, output=out, **FAST)
    assert reasons(crawl)["/a"] == "callback"
    assert [row["text"] for row in crawl.records] == ["B"]
    assert [row["text"] for row in dowse.retry(out, extractor=Headings).records] == ["B", "A"]


class Returns:
    kinds = ("taken",)
    taken: Any = None

    def extract(self, page: Page) -> Any:
        return self.taken


class Dicts(Returns):
    taken = ({"text": "A"},)


class Nothing(Returns):
    pass


class OtherKind(Returns):
    taken = (Record("other", "", {"text": "A"}),)


class Unkeepable(Returns):
    taken = (Record("taken", "", {"text": object()}),)


@pytest.mark.parametrize(
    ("extractor", "told"),
    [
        (Dicts, r"a list with {'text': 'A'}; it has to be a list of dowse.extending.Record"),
        (Nothing, r"None; it has to return a list of dowse.extending.Record"),
        (OtherKind, r"a record of the kind 'other'; its kinds are taken"),
        (Unkeepable, r"a record whose field 'text' cannot be kept"),
    ],
)
def test_what_an_extractor_must_not_return_is_told_with_its_name(
    site: Site, tmp_path: Path, extractor: type, told: str
) -> None:
    told = rf"extractor {extractor.__name__}: extract\(page\) returned {told}"
    crawl = dowse.site(site.url, output=str(tmp_path / "plain"), **FAST)
    with pytest.raises(dowse.CrawlError, match=told):
        crawl.extract(extractor=extractor)
    with pytest.warns(UserWarning, match=told):
        dowse.site(site.url, extractor=extractor, output=str(tmp_path / "out"), **FAST)


class WantsName(Headings):
    def __init__(self, name: str) -> None:
        self.name = name


class TakesTheKind:
    kinds = ("table",)

    def extract(self, page: Page) -> list[Record]:
        return []


@pytest.mark.parametrize(
    ("extractor", "told"),
    [
        ("headings", r"extractor: no installed package has an extractor headings \(there is none\); name one of your"),
        (f"{MODULE}:MODULE", "is no extractor: it needs kinds = .* and a method extract"),
        (TakesTheKind, "has records of the kind table, which dowse has itself; choose another"),
        (object, "is no extractor"),
        (
            WantsName,
            r"WantsName\(\) failed: .* missing 1 required .*; it is made without arguments, so name an object",
        ),
    ],
)
def test_what_is_no_extractor_is_told_before_the_crawl(tmp_path: Path, extractor: Any, told: str) -> None:
    with pytest.raises(dowse.JobError, match=told):
        dowse.site("http://127.0.0.1:9/", extractor=extractor, output=str(tmp_path / "out"))
    assert not (tmp_path / "out").exists()


def test_worker_processes_have_the_class_and_not_the_object(site: Site, tmp_path: Path) -> None:
    with pytest.raises(dowse.JobError, match=r"extractor: <Headings> of .* cannot be found by other processes"):
        dowse.site(site.url, extractor=Headings(), workers=2, output=str(tmp_path / "out"), **FAST)
    crawl = dowse.site(site.url, extractor=Headings, workers=2, output=str(tmp_path / "out"), **FAST)
    assert len(crawl.records) == 2


# Formats


class Lines:
    tables = ("pages", "records")
    is_binary = True

    def write(self, rows: Frame, stream: BinaryIO) -> int:
        lines = [f"{row['url']}\n".encode() for row in rows]
        stream.writelines(lines)
        return len(lines)


class Broken(Lines):
    def write(self, rows: Frame, stream: BinaryIO) -> int:
        stream.write(b"half")
        raise ValueError("no more")


class Silent(Lines):
    def write(self, rows: Frame, stream: BinaryIO) -> Any:
        stream.write(b"")


@pytest.mark.parametrize("to", [Lines, Lines(), f"{MODULE}:Lines"], ids=["class", "object", "name"])
def test_a_format_is_a_class_an_object_or_a_name(site: Site, tmp_path: Path, to: Any) -> None:
    crawl = dowse.site(site.url, output=str(tmp_path / "out"), **FAST)
    assert crawl.export("pages", tmp_path / "pages.txt", to=to) == 3
    assert len((tmp_path / "pages.txt").read_text().splitlines()) == 3


def test_the_command_takes_a_format_by_its_name(site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dowse.site(site.url, extractor=Headings, output=str(tmp_path / "out"), **FAST)
    words = ("export", tmp_path / "out", "records", "--kind", "headings", "--to", f"{MODULE}:Lines")
    assert invoke(capsys, *words, "-f", tmp_path / "lines").code == 0
    assert len((tmp_path / "lines").read_text().splitlines()) == 2
    ended = invoke(capsys, "export", tmp_path / "out", "ledger", "--to", f"{MODULE}:Lines")
    assert (ended.code, "Lines is for pages, records, not for ledger" in ended.err) == (2, True)
    ended = invoke(capsys, "export", tmp_path / "out", "pages", "--to", "lines")
    assert (ended.code, "not as lines" in ended.err) == (2, True)


@pytest.mark.parametrize(
    ("to", "told"),
    [
        (Broken, r"the format Broken failed: ValueError: no more \(test_own_parts.py, line"),
        (Silent, "the format Silent returned None; write has to return the number of rows"),
        (object(), "is no format: it needs a method write"),
    ],
)
def test_a_format_that_fails_leaves_the_file_as_it_was(site: Site, tmp_path: Path, to: Any, told: str) -> None:
    crawl = dowse.site(site.url, output=str(tmp_path / "out"), **FAST)
    file = tmp_path / "pages.txt"
    file.write_text("mine")
    with pytest.raises(dowse.DowseError, match=told):
        crawl.export("pages", file, to=to)
    assert file.read_text() == "mine"


# Fetchers


class Introduces:
    """Says who asks, and keeps the answers."""

    closed = 0

    def __init__(self, fetcher: Fetcher) -> None:
        self._fetcher = fetcher
        self.statuses: list[int] = []

    async def fetch(self, request: Request, sink: Any = None) -> Response | Failure:
        answer = await self._fetcher.fetch(replace(request, headers=(("X-Who", "me"),)), sink)
        return replace(answer, headers={**answer.headers, "x-seen": "yes"}) if isinstance(answer, Response) else answer

    async def close(self) -> None:
        await self._fetcher.close()  # which dowse does itself
        Introduces.closed += 1


def test_a_fetcher_changes_requests_and_answers(site: Site, tmp_path: Path) -> None:
    Introduces.closed = 0
    crawl = dowse.site(
        site.url, wrap_fetcher=Introduces, on_page=lambda page: {"seen": page.headers["x-seen"]},
        output=str(tmp_path / "out"), **FAST,
    )  # fmt: skip
    assert {row["seen"] for row in crawl.records} == {"yes"}
    assert {request.headers.get("x-who") for request in site.asked() if request.path != "/robots.txt"} == {"me"}
    assert Introduces.closed == 1


class Fails:
    def __init__(self, fetcher: Fetcher) -> None:
        self._fetcher = fetcher

    async def fetch(self, request: Request, sink: Any = None) -> Any:
        if request.url.endswith("/a"):
            raise RuntimeError("not this one")
        if request.url.endswith("/b"):
            return 7
        return await self._fetcher.fetch(request, sink)


def test_the_mistakes_of_a_fetcher_are_failures_of_their_urls(site: Site, tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="2 pages failed in your own code: wrap_fetcher: RuntimeError: not this one"):
        crawl = dowse.site(site.url, wrap_fetcher=Fails, output=str(tmp_path / "out"), **FAST)
    assert states(crawl) == {"/": "fetched", "/a": "failed", "/b": "failed"}
    story = crawl.why("/b")
    assert story is not None
    assert "fetch returned 7; it has to return a Response or a Failure" in story.visits[-1]["detail"]


def test_a_failure_of_a_fetcher_is_one_like_any_other(site: Site, tmp_path: Path) -> None:
    class Offline(Fails):
        async def fetch(self, request: Request, sink: Any = None) -> Any:
            answer = await self._fetcher.fetch(request, sink)
            return Failure(FailureKind.TOO_LARGE, "for me") if request.url.endswith("/a") else answer

    crawl = dowse.site(site.url, wrap_fetcher=Offline, output=str(tmp_path / "out"), **FAST)
    assert reasons(crawl)["/a"] == "too_large"


@pytest.mark.parametrize(
    ("wrap", "told"),
    [
        (lambda fetcher: None, "wrap_fetcher returned None; it has to return an object with the method async fetch"),
        (lambda: None, "wrap_fetcher: TypeError"),
    ],
)
def test_what_is_no_fetcher_is_told(site: Site, tmp_path: Path, wrap: Any, told: str) -> None:
    with pytest.raises(dowse.JobError, match=told):
        dowse.site(site.url, wrap_fetcher=wrap, output=str(tmp_path / "out"), **FAST)


# Elsewhere


def test_a_stored_page_that_is_read_for_another_page_type_is_asked_about_too(site: Site, tmp_path: Path) -> None:
    site.pages |= {"/a": links("/b", "/c"), "/b": links("/a"), "/c": "c"}
    rows = [follow(site.url, "base>one", "/a"), follow(site.url, "one>two", "/b"), follow(site.url, "two>three", "/a"),
            follow(site.url, "three>four", "/c")]  # fmt: skip
    crawl = dowse.rules(
        write_table(tmp_path / "rules.csv", *rows), follow=lambda link: not link.url.endswith("/c"),
        output=str(tmp_path / "out"), **FAST,
    )  # fmt: skip
    assert states(crawl)["/c"] == "out_of_scope"
    assert "/c" not in site.paths()


def test_a_simulation_asks_as_well(site: Site, tmp_path: Path) -> None:
    dowse.site(site.url, output=str(tmp_path / "out"), **FAST)
    labels = tmp_path / "labels.csv"
    labels.write_text("url\n/a\n/b\n", encoding="utf-8")
    for given, found in ({}, 1.0), ({"follow": lambda link: link.url.endswith("/a")}, 0.5):
        options: dict[str, Any] = given
        (simulated,) = dowse.simulate(str(tmp_path / "out"), mode="site", truth=labels, **options)
        assert simulated.found.value == found
