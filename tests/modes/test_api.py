"""The Python API: the same words as the command line, also inside a running event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

import dowse
from dowse.config import dump_job, make_job
from tests.crawling import links
from tests.servers import Site


def small_web(site: Site) -> None:
    site.pages.update({"/": links("/a", "/b"), "/a": links("/c"), "/b": "b", "/c": "c"})


def test_a_crawl_is_one_call(site: Site, tmp_path: Path) -> None:
    small_web(site)
    crawl = dowse.site(site.url, depth=1, delay=0.0, output=str(tmp_path / "out"))
    assert [page["title"] for page in crawl.pages] == ["links", "links", ""]
    assert len(crawl.links) == 3
    assert {row["state"] for row in crawl.ledger} == {"fetched", "out_of_scope"}
    assert repr(crawl) == f"<dowse crawl {tmp_path / 'out'}: 3 pages>"


def test_it_works_where_an_event_loop_is_running(site: Site, tmp_path: Path) -> None:
    small_web(site)

    async def notebook() -> dowse.Crawl:
        return dowse.site(site.url, delay=0.0, output=str(tmp_path / "out"))

    assert len(asyncio.run(notebook()).pages) == 4


def test_an_error_on_the_other_thread_reaches_the_caller(site: Site, tmp_path: Path) -> None:
    small_web(site)
    dowse.site(site.url, delay=0.0, output=str(tmp_path / "out"))

    async def notebook() -> dowse.Crawl:
        return dowse.site(site.url, delay=0.0, output=str(tmp_path / "out"))

    with pytest.raises(dowse.CrawlError, match="already holds a crawl"):
        asyncio.run(notebook())


def test_a_job_file_and_what_comes_after_it(site: Site, tmp_path: Path) -> None:
    small_web(site)
    file = tmp_path / "job.toml"
    file.write_text(dump_job(make_job("site", site.url, delay=0.0, max_pages=2, output=str(tmp_path / "out"))))
    assert len(dowse.run(str(file)).pages) == 2
    assert len(dowse.resume(str(tmp_path / "out"), max_pages=0).pages) == 4
    assert len(dowse.retry(str(tmp_path / "out")).pages) == 4
    assert len(dowse.recrawl(str(tmp_path / "out")).pages) == 4
    assert dowse.open(str(tmp_path / "out")).status().stop_reason == "complete"


def test_what_is_not_there_is_said() -> None:
    with pytest.raises(dowse.CrawlMissing, match="there is no crawl in"):
        dowse.open("no/such/folder")
    with pytest.raises(dowse.JobError, match="max_pages"):
        dowse.site("https://example.org/", max_page=3)


def test_public_names_are_there() -> None:
    for name in dowse.__all__:
        assert getattr(dowse, name).__doc__ or name == "__version__"


def test_a_crawl_without_a_page_warns(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="no page could be fetched; crawl.ledger tells why"):
        crawl = dowse.site("http://127.0.0.1:9/", output=str(tmp_path / "c"), retries=0)
    assert [row["state"] for row in crawl.ledger] == ["failed"]


@pytest.mark.parametrize("begin", [dowse.site, dowse.files])
def test_whoever_begins_a_crawl_without_a_page_is_warned(
    site: Site, tmp_path: Path, begin: Callable[..., dowse.Crawl]
) -> None:
    options = {"type": "pdf"} if begin is dowse.files else {}
    with pytest.warns(UserWarning, match="no page could be fetched") as said:
        begin(site.at("127.0.0.1", "/nowhere"), output=str(tmp_path / "out"), delay=0.0, **options)
    assert said[0].filename == __file__
