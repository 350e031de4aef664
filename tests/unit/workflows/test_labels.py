"""Labels are read in the forms people have them."""

from __future__ import annotations

from pathlib import Path

import pytest

from dowse.core.errors import CrawlError, JobError
from dowse.workflows.labels import read_labels
from dowse.workflows.replay_sources import HOST, open_web


@pytest.mark.parametrize(
    ("text", "urls"),
    [
        ("url,relevant\nhttp://a/,1\nhttp://b/,0\n", {"http://a/"}),
        ("title,url,label\nx,http://a/,yes\ny,http://b/,no\n", {"http://a/"}),
        ("path\trelevant\nhttp://a/\ttrue\n", {"http://a/"}),
        ("url\nhttp://a/\nhttp://b/\n", {"http://a/", "http://b/"}),
        ("http://a/\n\nhttp://b/\n", {"http://a/", "http://b/"}),
        ("url;relevant\nhttp://a/;1\nhttp://b/;no\n", {"http://a/"}),
        ("url,relevance\nhttp://a/,1\nhttp://b/,0\n", {"http://a/"}),
    ],
)
def test_labels(text: str, urls: set[str], tmp_path: Path) -> None:
    file = tmp_path / "labels.csv"
    file.write_text(text)
    assert read_labels(file, str) == urls


@pytest.mark.parametrize("text", ["", "url,relevant\nhttp://a/,0\n"])
def test_labels_without_a_relevant_page_are_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "labels.csv"
    file.write_text(text)
    with pytest.raises(JobError, match="no page is marked as relevant"):
        read_labels(file, str)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("address,good\nhttp://a/,1\n", "there is no column url or path or page; its first line is 'address,good'"),
        ("<html>\n<p>no labels\n", "there is no column url"),
        ("url,relevant\nhttp://a/,1\nhttp://b/,maybe\n", "label 2 is 'maybe'; write 1, yes or true for relevant"),
    ],
)
def test_labels_that_cannot_be_read_are_refused(text: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "labels.csv"
    file.write_text(text)
    with pytest.raises(JobError, match=message):
        read_labels(file, str)


def test_labels_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(JobError, match="No such file"):
        read_labels(tmp_path / "nothing.csv", str)


def test_a_folder_is_a_web(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "index.html").write_text("<p>index")
    (tmp_path / "x %28.html").write_text("<p>odd")
    (tmp_path / "notes.pdf").write_text("no page")
    web = open_web(tmp_path)
    assert sorted(web.urls()) == [f"{HOST}a/index.html", f"{HOST}x%20%2528.html"]
    for url, body in ((f"{HOST}a/", b"<p>index"), (f"{HOST}x%20%2528.html", b"<p>odd")):
        found = web.find(url)
        assert found is not None
        assert found.body == body
    for url in (f"{HOST}none.html", f"{HOST}notes.pdf", f"{HOST}../secret.html", "http://e.org/a/"):
        assert web.find(url) is None
    assert web.address("a/index.html") == f"{HOST}a/index.html"


def test_a_place_without_pages_is_no_web(tmp_path: Path) -> None:
    with pytest.raises(CrawlError, match="neither a crawl nor a folder"):
        open_web(tmp_path)
