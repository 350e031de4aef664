"""What URLs have in common, as patterns."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as some

from dowse.core.patterns import why_not_linear
from dowse.core.url_patterns import Address, patterns, shared_beginnings, shared_ending, tightest

HOST = "https://a.org"


@pytest.mark.parametrize(
    ("paths", "among"),
    [
        (["/documents/trade/plan.pdf", "/documents/trade/annex.pdf"], r"/documents/trade/[^/?]+\.pdf$"),
        (["/documents/trade/plan.pdf", "/documents/trade/annex.pdf"], r"/trade/[^/?]+\.pdf$"),
        (["/documents/trade/plan.pdf", "/documents/trade/annex.pdf"], r"\.pdf$"),
        (["/documents/trade/plan.pdf", "/news/trade-fair/annex.pdf"], r"trade.*\.pdf$"),
        (["/x/page-12", "/x/page-13"], r"/x/page-\d+$"),
        (["/item/7", "/item/81"], r"/item/\d+$"),
        (["/2024/05/a.html", "/2023/11/b.html"], r"/\d+/\d+/[^/?]+\.html$"),
        (["/docs/a.html", "/docs/b/c.html"], r"/docs/(.*/)?[^/?]+\.html$"),
        (["/docs/a.html", "/docs/b/c.html"], "/docs/"),
        (["/list?page=2", "/list?page=3"], r"/list\?(.*&)?page=\d+"),
        (["/list?page=2", "/list?page=3"], r"[?&]page=\d+"),
        (["/list?kind=a&page=2", "/list?page=3&kind=a"], r"[?&]kind=a(&|$)"),
        (["/a/", "/b/"], r"/[^/?]+/$"),
        (["/only/this.html"], r"^https://a\.org/only/this\.html$"),
        (["/only/this.html"], r"/only/[^/?]+\.html$"),
        (["/release-3.html"], r"/release-\d+\.html$"),
        (["/a(b)+c.html", "/a(b)+d.html"], r"/a\(b\)\+[^/?]+\.html$"),
    ],
)
def test_patterns(paths: list[str], among: str) -> None:
    texts = [pattern.text for pattern in patterns([HOST + path for path in paths])]
    assert among in texts


def test_other_hosts_share_no_origin() -> None:
    texts = [pattern.text for pattern in patterns(["https://a.org/x/1.pdf", "https://b.org/x/2.pdf"])]
    assert r"/x/\d+\.pdf$" in texts
    assert not [text for text in texts if text.startswith("^")]


def test_saying_more_takes_more() -> None:
    bits = {
        pattern.text: pattern.bits
        for pattern in patterns([f"{HOST}/documents/trade/plan.pdf", f"{HOST}/documents/trade/annex.pdf"])
    }
    assert 0 == bits[""] < bits[r"\.pdf$"] < bits["/trade/"] < bits["/documents/trade/"]
    assert bits[r"/trade/[^/?]+\.pdf$"] < bits[r"/documents/trade/[^/?]+\.pdf$"]


def test_a_word_of_a_long_name_takes_more_than_that_of_a_folder() -> None:
    in_folders = {
        pattern.text: pattern.bits for pattern in patterns([f"{HOST}/trade/one.pdf", f"{HOST}/trade/two.pdf"])
    }["trade"]
    in_names = {
        pattern.text: pattern.bits
        for pattern in patterns([f"{HOST}/a/one-of-many-trade-papers.pdf", f"{HOST}/b/two-trade-papers-more.pdf"])
    }["trade"]
    assert in_folders < in_names


SEGMENT = some.text(some.sampled_from("ab1-_.()+[\\$^*%~é"), max_size=8)
PATHS = some.lists(some.lists(SEGMENT, min_size=1, max_size=4), min_size=1, max_size=4)
QUERY = some.sampled_from(["", "?a=1", "?a=2&b=x", "?b", "?="])


@given(PATHS, QUERY)
def test_every_pattern_matches_all_and_can_be_written_in_a_table(paths: list[list[str]], query: str) -> None:
    urls = [f"{HOST}/{'/'.join(path)}{query}" for path in paths]
    for pattern in patterns(urls):
        assert all(re.search(pattern.text, url) for url in urls)
        assert not why_not_linear(pattern.text)
        assert pattern.bits >= 0


@pytest.mark.parametrize(
    ("one", "other", "are_alike"),
    [
        ("/a/x.html", "/b/y.html", True),
        ("/a/x.html", "/b/y.pdf", False),
        ("/a/x.html", "/y.html", False),
        ("/a/", "/b/", True),
        ("/a/", "/b/c", False),
        ("/l?page=1&q=2", "/l?q=1&page=4", True),
        ("/l?page=1", "/l", False),
    ],
)
def test_shapes(one: str, other: str, are_alike: bool) -> None:
    assert (Address.parse(HOST + one).shape == Address.parse(HOST + other).shape) is are_alike


def test_numbers_and_hosts_that_are_the_same_may_be_chance() -> None:
    urls = [f"{HOST}/a/details-2.html", f"{HOST}/b/details-2.html"]
    assert any("details-2" in pattern.text for pattern in patterns(urls))
    assert not any("details-2" in pattern.text for pattern in patterns(urls, any_number=True))
    assert any(r"a\.org" in pattern.text for pattern in patterns(urls))
    assert not any(r"a\.org" in pattern.text for pattern in patterns(urls, any_host=True))


def test_a_shared_ending_is_a_part_of_the_name() -> None:
    assert shared_ending([f"{HOST}/A_README.html", f"{HOST}/b/C_README.html"]) == r"_README\.html$"
    assert shared_ending([f"{HOST}/README.html", f"{HOST}/README.html"]) == ""
    assert shared_ending([f"{HOST}/AREADME.html", f"{HOST}/BREADME.html"]) == ""
    assert shared_ending([f"{HOST}/a-x.html", f"{HOST}/b-x.pdf"]) == ""
    assert shared_ending([f"{HOST}/a.html", f"{HOST}/b.html"]) == ""
    assert shared_ending([f"{HOST}/A_README.html?v=1", f"{HOST}/B_README.html?v=1"]) == ""


def test_shared_beginnings() -> None:
    assert shared_beginnings([f"{HOST}/x/log-1.html", f"{HOST}/x/log-2.html"]) == ["/x/", "/log-"]
    assert shared_beginnings([f"{HOST}/a.html", f"{HOST}/b.html"]) == []


@pytest.mark.parametrize(
    ("path", "is_like"),
    [("/c/x.html", True), ("/c/x.htm", True), ("/c/x.pdf", False), ("/c/d/x.html", False), ("/x/c/x.html", False)],
)
def test_what_is_like_others_is_as_deep_and_a_page_in_either_spelling(path: str, is_like: bool) -> None:
    like = tightest([f"{HOST}/c/one.html", f"{HOST}/c/two.html"])
    assert (re.search(like, HOST + path) is not None) is is_like


@pytest.mark.parametrize("ending", ["html", "HTML", "Htm"])
def test_pages_are_like_themselves_however_their_ending_is_written(ending: str) -> None:
    urls = [f"{HOST}/c/one.{ending}", f"{HOST}/c/two.{ending}"]
    assert all(re.search(tightest(urls), url) for url in [*urls, f"{HOST}/c/three.htm"])


def test_that_links_are_pages_says_less_than_that_they_are_files_of_one_type() -> None:
    def bits(ending: str) -> float:
        return next(each.bits for each in patterns([f"{HOST}/a.{ending}", f"{HOST}/b.{ending}"])
                    if each.text == rf"\.{ending}$")  # fmt: skip

    assert bits("html") > bits("pdf")
