"""The story of a URL that is named in part."""

from __future__ import annotations

from pathlib import Path

import pytest

from dowse.app import Crawl
from dowse.core.errors import JobError, SeveralMeant
from tests.commands import invoke
from tests.crawling import crawl, links
from tests.servers import Site


@pytest.fixture
def found(site: Site, tmp_path: Path) -> Crawl:
    site.pages.update({
        "/": links("/a/index.html", "/b/index.html", "/b/page-7.html", "/b/topics/", "/find?q=x_y", "/find?q=xay"),
        "/a/index.html": "a", "/b/index.html": "b", "/b/page-7.html": "seven", "/b/topics/": "topics",
        "/find": links("http://elsewhere.invalid/contact"),
    })  # fmt: skip
    return crawl(tmp_path, site.url)


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("page-7.html", "/b/page-7.html"),
        ("7.html", "/b/page-7.html"),
        ("a/index.html", "/a/index.html"),
        ("topics", "/b/topics/"),
        ("topics/", "/b/topics/"),
        ("find?q=x_y", "/find?q=x_y"),
        ("/b/page-7.html", "/b/page-7.html"),
    ],
)
def test_a_part_that_one_url_has(found: Crawl, site: Site, text: str, path: str) -> None:
    story = found.why(text)
    assert story is not None
    assert story.url == site.at("127.0.0.1", path)


def test_a_path_is_whole_and_may_be_one_of_another_host(found: Crawl) -> None:
    story = found.why("/contact")
    assert story is not None
    assert (story.url, story.state) == ("http://elsewhere.invalid/contact", "out_of_scope")
    assert found.why("/page-7.html") is None


def test_a_story_is_printed_as_the_command_prints_it(found: Crawl, capsys: pytest.CaptureFixture[str]) -> None:
    story = found.why("page-7.html")
    assert story is not None
    assert invoke(capsys, "why", found.directory, "page-7.html").out == f"{story}\n"
    assert str(story).splitlines()[1] == "  state            fetched"


def test_a_story_in_a_notebook_runs_nothing_of_a_page(site: Site, tmp_path: Path) -> None:
    site.pages.update({"/": '<a href="/b">&lt;img src=x onerror=alert(1)&gt;</a>', "/b": "b"})
    story = crawl(tmp_path, site.url).why("/b")
    assert story is not None
    assert "&lt;img src=x" in story._repr_html_()
    assert "<img" not in story._repr_html_()


def test_several_are_listed(found: Crawl, site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    both = [site.at("127.0.0.1", f"/{folder}/index.html") for folder in "ab"]
    with pytest.raises(SeveralMeant) as several:
        found.why("index.html")
    assert several.value.urls == both
    ended = invoke(capsys, "why", found.directory, "index.html")
    assert (ended.code, ended.out.splitlines()) == (2, both)
    assert ended.err.startswith("dowse: error: 2 URLs end in index.html: ")
    assert invoke(capsys, "why", found.directory, "index.html", "--json").out == ""


def test_what_no_url_has(found: Crawl) -> None:
    assert found.why("none.html") is None
    assert found.why("http://127.0.0.1/index.html") is None
    with pytest.raises(JobError, match="is not a URL"):
        found.why("none at all")
    with pytest.raises(JobError, match="is not a URL"):
        found.why("")
