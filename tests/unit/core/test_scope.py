"""The rules of the scope: each refuses what it should, is named, and comes in its order."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.core.errors import JobError
from dowse.core.job import Limits, ScopeOptions
from dowse.core.model import Request
from dowse.core.scope import NOT_PAGES, Scope
from dowse.core.urls import host_of


def scope(depth: int = -1, named: tuple[str, ...] = ("e.org",), **options: Any) -> Scope:
    return Scope(ScopeOptions(**options), Limits(depth=depth), named)


def request(url: str) -> Request:
    return Request(url=url, key_hash=1, host=host_of(url))


@pytest.mark.parametrize(
    ("options", "path", "refusal"),
    [
        ({}, "", ""),
        ({}, "a/b.html?x=1", ""),
        ({"exclude": (r"\.pdf$",)}, "a.pdf", r"exclude \.pdf$"),
        ({"exclude": ("/x/", "/y/")}, "y/x/", "exclude /x/"),
        ({"exclude": (r"^https://e\.org/$",)}, "", r"exclude ^https://e\.org/$"),
        ({"exclude": ("[?&]sort=",)}, "a?p=1&sort=up", "exclude [?&]sort="),
        ({"include": ("/docs/",)}, "docs/a", ""),
        ({"include": ("/docs/", "/blog/")}, "news/a", "include"),
        ({"url_length": 20}, "a" * 6, ""),
        ({"url_length": 20}, "a" * 7, "length"),
        ({"path_segments": 3}, "a/b/c", ""),
        ({"path_segments": 3}, "a/b/c/", ""),
        ({"path_segments": 3}, "a/b/c/d", "trap: too many segments"),
        ({"path_segments": 3}, "a/b/c?x=/d/e/f", ""),
        ({}, "a/" * 4, ""),
        ({}, "a/a/a/a/a", "trap: repeated path"),
        ({}, "a/b/a/b/a/b", "trap: repeated path"),
        ({"path_repeats": 0}, "a/a", "trap: repeated path"),
        ({"path_repeats": 9}, "a/b/" * 9, "trap: repeated path"),
        ({}, "x?y=" + "a/" * 9, ""),
        ({"parameters": 2}, "a?b=1&c=2", ""),
        ({"parameters": 2}, "a?b=1&c=2&d=3", "trap: too many parameters"),
        ({"parameters": 0}, "a?", ""),
        ({"parameters": 0}, "a?b", "trap: too many parameters"),
    ],
)
def test_rules_on_the_url(options: dict[str, Any], path: str, refusal: str) -> None:
    assert scope(**options).refuse(request(f"https://e.org/{path}")) == refusal


def test_the_first_rule_decides() -> None:
    everything = "https://e.org/" + "x/" * 40 + "a.zip?" + "&".join("abcdefghijklmnop")
    options: dict[str, Any] = {"url_length": 50, "exclude": ("zip",), "include": ("never",)}
    order = []
    for repeal in (
        {"url_length": 2000}, {"exclude": ()}, {"include": ()}, {"skip_extensions": ("rar",)},
        {"path_segments": 99}, {"path_repeats": 99}, {"parameters": 99},
    ):  # fmt: skip
        order.append(scope(**options).refuse(request(everything)))
        options |= repeal
    assert order == [
        "length", "exclude zip", "include", "extension .zip",
        "trap: too many segments", "trap: repeated path", "trap: too many parameters",
    ]  # fmt: skip
    assert scope(**options).refuse(request(everything)) == ""


def test_a_seed_needs_no_include_and_may_look_like_a_file() -> None:
    rules = scope(include=("/docs/",), exclude=("/private/",))
    seed = request("https://e.org/start.zip")
    assert rules.refuse(seed) == "include"
    assert rules.refuse(seed, seed=True) == ""
    assert rules.refuse(request("https://e.org/private/"), seed=True) == "exclude /private/"


@pytest.mark.parametrize(
    ("path", "extension"),
    [
        ("a.zip", ".zip"), ("A.ZIP", ".zip"), ("a.tar.gz", ".gz"), ("a/b.c/d.JPEG", ".jpeg"), ("a.css?v=2", ".css"),
        ("a.pdf;v=1.2", ".pdf"), ("a;b/c.pdf", ".pdf"), ("7z.7z", ".7z"),
    ],
)  # fmt: skip
def test_files_that_are_no_pages(path: str, extension: str) -> None:
    assert scope().refuse(request(f"https://e.org/{path}")) == f"extension {extension}"


@pytest.mark.parametrize(
    "path",
    [
        "", "a", "a.html", "a.htm", "a.shtml", "a.xhtml", "a.php", "a.php5", "a.asp", "a.aspx", "a.jsp", "a.do",
        "a.cgi", "a.pl", "a.xml", "a.rss", "a.txt", "a.md",
        "whois/example.com", "whois/example.net", "v1.2", "release-3.11.7", "zip", ".zip", "a.zip/", "a.zip/index",
        "get?file=a.zip", "wiki/Mr._Smith", "a.", "sitemap.xml.gz", "SITEMAP.XML.GZ", "api/os.path", "list.map",
        "a.html;b.zip",
    ],
)  # fmt: skip
def test_pages_that_may_look_like_files(path: str) -> None:
    assert scope().refuse(request(f"https://e.org/{path}")) == ""


def test_a_host_is_not_an_extension() -> None:
    assert scope().refuse(request("https://files.zip/")) == ""


def test_own_extensions_replace_the_list() -> None:
    rules = scope(skip_extensions=(".PHP", "gz"))
    assert rules.refuse(request("https://e.org/a.php")) == "extension .php"
    assert rules.refuse(request("https://e.org/a.tar.gz")) == "extension .gz"
    assert rules.refuse(request("https://e.org/a.zip")) == ""


def test_no_extension_is_listed_twice() -> None:
    listed = [extension for group in NOT_PAGES.values() for extension in group.split()]
    assert len(listed) == len(set(listed))
    assert all(extension == extension.lower() and extension.isalnum() for extension in listed)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"exclude": ("(",)}, "exclude: '(' is not a regular expression"),
        ({"include": ("a", "[")}, "include: '[' is not a regular expression"),
        ({"skip_extensions": ("tar.gz",)}, "skip_extensions: 'tar.gz' is not a file extension"),
        ({"skip_extensions": (".",)}, "skip_extensions: '.' is not"),
        ({"media_types": ("html",)}, "media_types: 'html' is not a media type"),
        ({"media_types": ("*/html",)}, "media_types: '*/html' is not a media type"),
        ({"media_types": ("text/",)}, "media_types: 'text/' is not a media type"),
    ],
)
def test_a_wrong_option_is_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(JobError) as raised:
        scope(**options)
    assert str(raised.value).startswith(message)


@pytest.mark.parametrize(
    ("reach", "host", "site", "refusal"),
    [
        ("host", "e.org", "e.org", ""),
        ("host", "www.e.org", "e.org", ""),
        ("host", "e.org", "www.e.org", ""),
        ("host", "blog.e.org", "e.org", "host"),
        ("host", "e.org:8080", "e.org", "host"),
        ("host", "wwwe.org", "e.org", "host"),
        ("host", "other.org", "e.org", "host"),
        ("host", "named.org", "e.org", ""),
        ("host", "www.named.org", "e.org", ""),
        ("host", "moved.org", "moved.org", ""),  # a seed that moved takes its site along
        ("domain", "blog.e.org", "www.e.org", ""),
        ("domain", "e.org:8080", "e.org", ""),
        ("domain", "deep.down.named.org", "e.org", ""),
        ("domain", "other.org", "e.org", "domain"),
        ("domain", "a.co.uk", "b.co.uk", "domain"),
        ("domain", "a.github.io", "b.github.io", "domain"),
        ("domain", "127.0.0.1:8000", "127.0.0.1:9000", ""),
        ("domain", "127.0.0.2", "127.0.0.1", "domain"),
        ("any", "other.org", "e.org", ""),
    ],
)
def test_hosts(reach: str, host: str, site: str, refusal: str) -> None:
    rules = scope(scope=reach, named=("named.org",))
    assert [rules.refuse_walk(host, site, 1), rules.refuse_walk(host, site, 1)] == [refusal, refusal]


@pytest.mark.parametrize(
    ("limit", "depth", "refusal"),
    [(-1, 10**6, ""), (0, 0, ""), (0, 1, "depth 0"), (3, 3, ""), (3, 4, "depth 3")],
)
def test_depth(limit: int, depth: int, refusal: str) -> None:
    assert scope(limit).refuse_walk("e.org", "e.org", depth) == refusal
    assert scope(limit).refuse_walk("other.org", "e.org", depth) == "host"


def test_the_memory_of_hosts_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dowse.core.scope.CACHED_WALKS", 10)
    rules = scope(named=("h7.org",))
    answers = [rules.refuse_walk(f"h{number}.org", "e.org", 0) for number in range(100)]
    assert answers == ["" if number == 7 else "host" for number in range(100)]
    assert len(rules._walks) <= 10


@pytest.mark.parametrize(
    ("wanted", "media_type", "refusal"),
    [
        (("text/html",), "text/html", ""),
        (("text/html",), "Text/HTML; charset=utf-8", ""),
        (("TEXT/html",), "text/html", ""),
        (("text/html",), "text/plain", "media type"),
        (("text/html",), "", ""),
        (("text/html",), "unknown", ""),
        (("text/*",), "text/plain", ""),
        (("text/*",), "textile/plain", "media type"),
        (("text/*", "image/png"), "image/png", ""),
        (("text/*", "image/png"), "image/jpeg", "media type"),
        (("*/*",), "application/x-thing", ""),
    ],
)
def test_media_types(wanted: tuple[str, ...], media_type: str, refusal: str) -> None:
    assert scope(media_types=wanted).refuse_media_type(media_type) == refusal


@given(st.lists(st.text("ab./?&=;%-1", max_size=8), max_size=40).map("/".join))
def test_refusals_have_few_names(path: str) -> None:
    names = {
        "", "length", "include", "trap: too many segments", "trap: repeated path", "trap: too many parameters",
        "exclude b1",
    }  # fmt: skip
    rules = scope(exclude=("b1",), include=("a",), skip_extensions=("zip",), url_length=100)
    assert rules.refuse(request(f"https://e.org/{path}")) in names
