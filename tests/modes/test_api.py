"""The Python API: the same words as the command line, also inside a running event loop."""

from __future__ import annotations

import asyncio
import inspect
import pydoc
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

import dowse
from dowse import page_tools
from dowse.config import dump_job, make_job
from dowse.modes.registry import NAMES, find_mode, modes
from dowse.python import call_keywords
from dowse.store.folder import lock
from tests.crawling import links
from tests.servers import Reply, Site


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
    assert len(dowse.recrawl(tmp_path / "out").pages) == 4
    assert dowse.open(tmp_path / "out").status().stop_reason == "complete"


def test_what_is_not_there_is_said() -> None:
    with pytest.raises(dowse.CrawlMissing, match="there is no crawl in"):
        dowse.open("no/such/folder")
    with pytest.raises(dowse.JobError, match="max_pages"):
        dowse.site("https://example.org/", max_page=3)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"focus\(\) got topic twice"):
        dowse.focus("https://example.org/", "pumps", topic="boilers")  # type: ignore[misc]


def test_a_name_that_is_nearly_right_is_told_the_right_one(site: Site, tmp_path: Path) -> None:
    small_web(site)
    crawl = dowse.site(site.url, delay=0.0, output=tmp_path / "out")
    with pytest.raises(AttributeError, match="did you mean pages"):
        _ = crawl.pagess
    with pytest.raises(dowse.CrawlError, match=r"no table 'pagess'; it has .*pages"):
        crawl.frame("pagess")
    with pytest.raises(dowse.JobError, match="limit: expected a whole number from 1 on, got '3'"):
        crawl.search("links", limit="3")  # type: ignore[arg-type]


def test_public_names_are_there() -> None:
    for name in dowse.__all__:
        assert getattr(dowse, name).__doc__ or name == "__version__"


def test_a_crawl_without_a_page_warns(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match=r"no page could be fetched: http://127.0.0.1:9/: failed, connect; crawl.why"):
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


# A folder that holds a crawl


def held(site: Site, tmp_path: Path) -> str:
    """A folder with a crawl of three pages, and a file of the user's."""
    small_web(site)
    folder = tmp_path / "out"
    dowse.site(site.url, delay=0.0, max_pages=3, output=folder).report()
    (folder / "notes.txt").write_text("mine")
    return str(folder)


def test_a_folder_that_holds_a_crawl_is_refused_in_the_words_of_python(site: Site, tmp_path: Path) -> None:
    folder = held(site, tmp_path)
    with pytest.raises(dowse.CrawlError) as refusal:
        dowse.site(site.url, output=folder)
    assert str(refusal.value) == (
        f"{folder} already holds a crawl: add resume=True to go on with it, or replace=True to remove it first;"
        f" dowse.open('{folder}') reads it"
    )
    with pytest.raises(dowse.JobError, match="replace, resume: a crawl is either removed or gone on with"):
        dowse.site(site.url, output=folder, replace=True, resume=True)


def test_a_crawl_is_gone_on_with_as_it_was_but_for_what_is_said_anew(site: Site, tmp_path: Path) -> None:
    folder = held(site, tmp_path)
    site.pages["/apart"] = "apart"
    fetched = len(site.asked())
    found = dowse.site([site.url, f"{site.url}apart"], output=folder, resume=True, max_pages=0)
    assert len(found.pages) == 5
    assert len(site.asked()) == fetched + 2
    assert (found.job.politeness.delay, found.job.limits.max_pages) == (0.0, 0)
    again = dowse.site(site.url, output=folder, resume=True)
    assert len(again.pages) == 5


def test_the_job_of_a_file_goes_on_as_the_file_says_now(site: Site, tmp_path: Path) -> None:
    small_web(site)
    file = tmp_path / "job.toml"
    for most, pages in ((2, 2), (3, 3), (0, 4)):
        file.write_text(dump_job(make_job("site", site.url, delay=0.0, max_pages=most, output=str(tmp_path / "out"))))
        assert len(dowse.run(file, resume=True).pages) == pages


def test_going_on_begins_a_crawl_where_there_is_none(site: Site, tmp_path: Path) -> None:
    small_web(site)
    assert len(dowse.site(site.url, delay=0.0, output=tmp_path / "out", resume=True).pages) == 4


def test_a_crawl_does_not_go_on_in_another_mode(site: Site, tmp_path: Path) -> None:
    folder = held(site, tmp_path)
    with pytest.raises(dowse.CrawlError, match=r"holds a crawl by site, which cannot go on by files: dowse.resume\("):
        dowse.files(site.url, type="pdf", output=folder, resume=True)


def test_a_rule_crawl_goes_on_by_the_table_it_was_begun_with(site: Site, tmp_path: Path) -> None:
    small_web(site)
    table = tmp_path / "rules.csv"
    table.write_text(f"baseURL,ruleType,fromType,toType,pattern\n{site.url},keep,base,,/a$\n")
    for _ in range(2):
        found = dowse.rules(str(table), output=tmp_path / "out", resume=True)
        assert found.kept["anchor"] == ["to /a"]


def test_a_crawl_is_replaced_and_what_is_no_crawls_stays(site: Site, tmp_path: Path) -> None:
    folder = held(site, tmp_path)
    before = set((tmp_path / "out" / "warc").iterdir())
    found = dowse.site(site.url, delay=0.0, max_pages=2, output=folder, replace=True)
    assert len(found.pages) == 2
    assert before.isdisjoint((tmp_path / "out" / "warc").iterdir())
    assert sorted(path.name for path in (tmp_path / "out").iterdir() if "crawl." not in path.name) == [
        "notes.txt",
        "warc",
    ]


def test_files_of_the_crawl_before_are_gone(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = links("/a.pdf")
    site.pages["/a.pdf"] = Reply(b"%PDF-1.4", headers={"Content-Type": "application/pdf"})
    dowse.files(site.url, "pdf", delay=0.0, output=tmp_path / "out")
    assert list((tmp_path / "out" / "files").rglob("*.pdf"))
    dowse.site(site.url, delay=0.0, output=tmp_path / "out", replace=True)
    assert not (tmp_path / "out" / "files").exists()
    assert not (tmp_path / "out" / "files.csv").exists()


def test_nothing_is_removed_for_a_job_that_is_wrong(site: Site, tmp_path: Path) -> None:
    folder = held(site, tmp_path)
    with pytest.raises(dowse.JobError):
        dowse.site(site.url, output=folder, replace=True, depth="two")  # type: ignore[arg-type]
    with pytest.raises(dowse.DowseError, match="no-such-rules"):
        dowse.rules("no-such-rules.csv", output=folder, replace=True)
    assert len(dowse.open(folder).pages) == 3


def test_a_crawl_that_runs_is_not_removed(site: Site, tmp_path: Path) -> None:
    folder = held(site, tmp_path)
    with lock(tmp_path / "out"), pytest.raises(dowse.CrawlLocked):
        dowse.site(site.url, output=folder, replace=True)
    assert len(dowse.open(folder).pages) == 3


# What Python's tools see


@pytest.mark.parametrize("name", ["site", "rules", "focus", "files"])
def test_signature_and_help_have_every_option_with_its_type_and_meaning(name: str) -> None:
    function, mode = getattr(dowse, name), find_mode(name)
    parameters = inspect.signature(function).parameters
    settings = {setting.name: setting for setting in mode.settings}
    call = {"output", "replace", "resume", "progress", *([] if mode.start else ["url", "seeds_from"])}
    assert parameters.keys() == settings.keys() | call
    assert all(each.annotation is not inspect.Parameter.empty for each in parameters.values())
    text = " ".join(pydoc.plain(pydoc.render_doc(function)).split())
    for setting in mode.settings:
        if setting.name != mode.start:
            assert parameters[setting.name].default == setting.default
            assert f" {setting.name}: " in text
            assert " ".join(setting.help.split()) in text


def test_types_are_those_of_the_values() -> None:
    parameters = inspect.signature(dowse.focus).parameters
    assert parameters["max_pages"].annotation is int
    assert parameters["dedup"].annotation == Literal["off", "exact", "near"]
    assert parameters["include"].annotation == str | list[str] | tuple[str, ...]
    assert parameters["topic"].kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
    assert parameters["max_pages"].kind is inspect.Parameter.KEYWORD_ONLY


def test_options_that_type_checkers_know_are_those_of_the_modes() -> None:
    for mode in modes():
        if mode.hidden or mode.name not in NAMES:
            continue
        name = mode.name
        assert dowse.__annotations__[name] == f"{name.title()}Function"
        known = getattr(call_keywords, f"{name.title()}Keywords").__annotations__.keys()
        assert {*known, *mode.arguments, mode.start} >= {setting.name for setting in mode.settings}


def test_importing_dowse_loads_no_crawler() -> None:
    heavy = "'msgspec' in sys.modules or 'dowse.app' in sys.modules or 'typing_extensions' in sys.modules"
    code = f"import sys, dowse; dowse.stream, dowse.resume; sys.exit({heavy})"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


if TYPE_CHECKING:  # a mistyped option that type checkers let pass is an ignore that nobody needs, which is an error

    def mistyped() -> None:
        dowse.site("https://example.org/", max_page=3)  # type: ignore[call-arg]
        dowse.site("https://example.org/", max_pages="3")  # type: ignore[arg-type]
        dowse.site("https://example.org/", topic="pears")  # type: ignore[call-arg]
        dowse.focus("https://example.org/", "pears", by="luck")  # type: ignore[arg-type]
        dowse.rules("rules.csv", seeds_from="urls.txt")  # type: ignore[call-arg]
        dowse.resume("out", max_page=3)  # type: ignore[call-arg]
        dowse.stream("https://example.org/", mode="focus", topik="pears")  # type: ignore[call-overload]
        dowse.open("out").extract(tabels=True)  # type: ignore[call-arg]
        page_tools.fetch("https://example.org/", time_out=3)  # type: ignore[call-arg]
