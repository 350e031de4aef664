"""Options of calls in Python: what is wrong with one is told before anything happens, and in the words of Python."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import dowse
from dowse import page_tools
from tests.crawling import links
from tests.servers import Site


@pytest.fixture
def folder(site: Site, tmp_path: Path) -> str:
    """The folder of a crawl of two pages."""
    site.pages.update({"/": links("/a") + "<h1>Front</h1>", "/a": "<h1>Apples</h1>"})
    dowse.site(site.url, delay=0.0, output=tmp_path / "out").close()
    return str(tmp_path / "out")


@pytest.mark.parametrize("option", ["replace", "resume", "progress"])
@pytest.mark.parametrize("value", ["no", "yes", 1])
def test_what_is_asked_of_a_call_is_true_or_false(site: Site, folder: str, option: str, value: object) -> None:
    wrong: dict[str, Any] = {option: value}
    asked = len(site.asked())
    with pytest.raises(dowse.JobError, match=f"^{option}: expected True or False, got {value!r}"):
        dowse.site(site.url, output=folder, **wrong)
    with pytest.raises(dowse.JobError, match=option):
        dowse.stream(site.url, output=folder, **wrong)
    assert len(dowse.open(folder).pages) == 2
    assert len(site.asked()) == asked


def test_a_crawl_that_goes_on_refuses_them_too(folder: str) -> None:
    for act in (dowse.resume, dowse.retry, dowse.recrawl):
        with pytest.raises(dowse.JobError, match="progress: expected True or False, got 'no'"):
            act(folder, progress="no")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("wrong", "nearest"),
    [("replac", "replace"), ("max_page", "max_pages"), ("outputs", "output"), ("progres", "progress")],
)
def test_an_unknown_option_is_told_with_the_nearest_of_the_call(site: Site, wrong: str, nearest: str) -> None:
    option: dict[str, Any] = {wrong: True}
    with pytest.raises(dowse.JobError, match=f"unknown option {wrong}; did you mean {nearest}\\?"):
        dowse.site(site.url, **option)


def test_an_unknown_option_like_no_other_is_told_with_where_they_are_listed(site: Site, folder: str) -> None:
    wrong: dict[str, Any] = {"qqqqqq": 1}
    with pytest.raises(dowse.JobError, match=r"unknown option qqqqqq; help\(dowse.files\) lists the options"):
        dowse.files(site.url, "pdf", **wrong)
    with pytest.raises(dowse.JobError, match=r"unknown option dropp; did you mean drop\?"):
        dowse.resume(folder, dropp="x")  # type: ignore[call-arg]
    with pytest.raises(dowse.JobError, match=r"unknown option replac; did you mean replace\?"):
        dowse.run("job.toml", replac=True)  # type: ignore[call-arg]
    with pytest.raises(dowse.JobError, match="topic is no key of mode = site, but of focus"):
        dowse.site(site.url, topic="pears")  # type: ignore[call-arg]


def test_fields_are_given_as_a_dictionary_wherever_they_are_given(site: Site, folder: str, tmp_path: Path) -> None:
    found = dowse.site(site.url, delay=0.0, output=tmp_path / "new", extract={"title": "//h1"})
    assert sorted(found.records["title"]) == ["Apples", "Front"]
    assert found.job.extract.extract == ("title=//h1",)
    assert dowse.resume(folder, extract={"title": "//h1"}).job.extract.extract == ("title=//h1",)
    dowse.open(folder).extract(extract={"heading": "//h1"})
    assert sorted(dowse.open(folder).records["heading"]) == ["Apples", "Front"]
    with pytest.raises(dowse.JobError, match="extract: a field is a name and a selector"):
        dowse.site(site.url, extract={"title": 1})  # type: ignore[dict-item]


@pytest.mark.parametrize("option", [{"max_pages": 2}, {"depth": 1}, {"output": "zz"}, {"seeds_from": "list.txt"}])
def test_a_single_page_takes_no_options_of_crawls(site: Site, option: dict[str, Any]) -> None:
    with pytest.raises(dowse.JobError, match=f"{next(iter(option))}: not for a single page"):
        page_tools.fetch(site.url, **option)
    assert not site.asked()


def test_modules_of_the_package_need_no_import_of_their_own() -> None:
    program = "import dowse; print(dowse.page_tools.read('<title>Pears').title, dowse.extending.Format.__name__)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "Pears Format\n"
    lazily = "import dowse, sys; print('dowse.page_tools' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", lazily], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "False\n"
