"""Pages by the ends of their URLs."""

from __future__ import annotations

import re

import pytest

from dowse.core.url_names import ending_of, is_index, named, told_apart

HOST = "https://a.org"


def test_index_pages() -> None:
    assert [is_index(HOST + path) for path in ("/a/", "/a/index.html", "/index.php?x=1", "/a", "/my-index.html")] == [
        *(True, True, True),
        *(False, False),
    ]


@pytest.mark.parametrize(
    ("paths", "pattern"),
    [
        (["/a/index.html", "/b/index.html"], r"/index\.html$"),
        (["/a/index.html", "/b/toc.html"], r"/(index|toc)\.html$"),
        (["/a/", "/b/"], "/$"),
        (["/a/", "/b/index.html"], r"/(index\.html)?$"),
        (["/a/list", "/b/all.php"], r"/(all\.php|list)$"),
        (["/1", "/2", "/3", "/4", "/5"], ""),
        (["/list?x=1"], ""),
    ],
)
def test_pages_by_their_names(paths: list[str], pattern: str) -> None:
    assert named([HOST + path for path in paths]) == pattern
    assert not pattern or all(re.search(pattern, HOST + path) for path in paths)


def test_what_tells_some_from_others() -> None:
    some_urls = [f"{HOST}/a/b/terms-of-use.html", f"{HOST}/b/terms.html"]
    assert told_apart(some_urls, [f"{HOST}/a/one.html"]) == ["/b/", "terms"]
    assert told_apart([f"{HOST}/s/2"], [f"{HOST}/s/1"]) == []


def test_the_last_segments_of_a_url() -> None:
    assert list(ending_of(f"{HOST}/a/b/index.html")) == [r"/index\.html$", r"/b/index\.html$", r"/a/b/index\.html$"]
    assert next(ending_of(f"{HOST}/a/b/")) == "/b/$"
    assert next(ending_of(f"{HOST}/a/b?c=1")) == r"/b\?c=1$"
