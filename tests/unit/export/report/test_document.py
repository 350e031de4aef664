"""The report as a page: well formed, complete in itself, and deaf to what crawled pages say."""

from __future__ import annotations

import base64
import hashlib
import io
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from dowse.core import crawl_numbers as s
from dowse.export.report import headlines
from dowse.export.report.document import write_report
from tests.htmlpages import HtmlPage, check_inert, read_page

ABOUT = s.About("out", ("http://example.org/",), "complete", 1.79e9)
NO_LINKS = s.LinkSample(1, [], np.empty(0, np.int64), np.empty(0, np.int64), 0, [])
NOTHING = s.Survey(
    ledger=[], pages=0, size=0, requests=0, timeline=None, speeds=[], statuses=[], media_types=[], levels=[], hosts=[],
    host_count=0, other_sites=[], other_site_count=0, links=NO_LINKS, records=[], failures=[], slowest=[], largest=[],
    copies=[],
)  # fmt: skip


def filled(text: str = "A title", url: str = "http://example.org/a") -> s.Survey:
    """A survey with something in every chapter, and the given text and URL wherever a page can put one."""
    row = s.PageRow(url, text, 3)
    urls = [url, f"http://example.org/{text}", "http://example.org/b", "http://example.org/c"]
    return s.Survey(
        ledger=[s.LedgerRow("fetched", "", 8), s.LedgerRow("failed", text, 2), s.LedgerRow("duplicate", "mirror", 1)],
        pages=8,
        size=80_000,
        requests=11,
        timeline=s.Timeline(1.79e9, 1.79e9 + 5, 0.1, [s.Interval(0, 7, 0, 2), s.Interval(50, 1, 1, 0)]),
        speeds=[s.Speed(0.01, 7), s.Speed(2.0, 3)],
        statuses=[s.Count("200", 8), s.Count("404", 2)],
        media_types=[s.Count("text/html", 7, 70_000), s.Count(text, 1, 10_000)],
        levels=[s.Level(0, 1, 1), s.Level(1, 9, 7)],
        hosts=[s.HostRow("example.org", 7, 1, 70_000, 0.01), s.HostRow(text, 1, 1, 10_000, 0.5)],
        host_count=2,
        other_sites=[s.Count(text, 4)],
        other_site_count=1,
        links=s.LinkSample(1, urls, np.array([0, 1, 2, 3]), np.array([1, 2, 3, 0]), 40, [row]),
        records=[s.RecordGroup(text, 8, 8, [s.FieldRow("title", 8, 8, text), s.FieldRow(text, 2, 2, [text, 5])])],
        failures=[s.FailureGroup(text, 2, [(url, text, url), (url, "", "")])],
        slowest=[row, row],
        largest=[row, row],
        copies=[s.CopyGroup(url, text, 1, url)],
    )


def page_of(survey: s.Survey, about: s.About = ABOUT) -> HtmlPage:
    stream = io.StringIO()
    write_report(about, survey, stream)
    page = read_page(stream.getvalue())
    check_inert(page)
    return page


def test_every_chapter_has_a_title_that_says_what_is_seen() -> None:
    page = page_of(filled())
    assert page.titles == [
        "11 URLs were discovered; 2 of them failed",
        "8 pages in 5 s, 1.6 a second",
        "Half of the answers came within 10 ms, nine in ten within 2 s",
        "80 % of the URLs asked for answered 200 OK",
        "88 % of the pages are text/html",
        "88 % of the pages are 1 click from a seed",
        "example.org gave 88 % of the pages, 1 more host the rest",
        "0 % of the links stay within their part of the site",
        "A title is linked from 38 % of the pages",
        "The pages link to one other site, A title",
        "8 records of kind A title; A title is missing from 75 % of them",
        "2 URLs failed, all with A title",
        "The slowest page took 3 s, the largest has 3 B",
        "1 page was a copy of another; its links were not followed",
    ]
    assert [link["href"][1:] for link in page.all("a") if link["href"].startswith("#")] == page.chapters
    assert "It is complete: nothing in scope is left to fetch." in page.text
    assert page.all("html") == [{"lang": "en"}]


def test_the_policy_lets_the_style_through_and_nothing_else() -> None:
    page = page_of(filled())
    style = page.source.partition("<style>")[2].partition("</style>")[0]
    checksum = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policies = [meta["content"] for meta in page.all("meta") if "http-equiv" in meta]
    assert policies == [f"default-src 'none'; style-src 'sha256-{checksum}'; base-uri 'none'; form-action 'none'"]


HOSTILE = [
    "</title><script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "' onmouseover='alert(1)",
    "</style><style>body{display:none}</style>",
    "<svg onload=alert(1)>",
    "&lt;script&gt;",
    "--><!--",
    "]]><![CDATA[",
    "{{constructor}} ${alert(1)} \\u003cscript>",
    "nul\x00 escape\x1b[31m turned\u202e lone\ud800 \ufffe",
    "\U0001d518\u0301" * 500,
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_texts_of_strangers_stay_texts(text: str) -> None:
    about = s.About(text, (f"http://example.org/{text}", text), text, 1.79e9, {"fields": (text,)})
    page = page_of(filled(text, f"https://example.org/{text}"), about)
    page.source.encode("utf-8")
    assert not {"\x00", "\x1b", "\u202e"} & set(page.source)
    chapters = page_of(filled()).chapters
    assert page.chapters[: len(chapters) - 3] == chapters[: len(chapters) - 3]


@settings(max_examples=60)
@given(st.text(), st.text())
def test_any_text_and_any_url_make_a_page(text: str, url: str) -> None:
    page_of(filled(text, url))


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "JaVaScRiPt:alert(1)", "data:text/html,x", "vbscript:x", "file:///etc", "//evil", ""]
)
def test_only_web_addresses_are_links(url: str) -> None:
    page = page_of(filled(url=url), s.About("out", (url,), "complete", 1.79e9))
    assert page.links == []


def test_a_link_keeps_its_whole_address() -> None:
    url = "http://example.org/" + "a" * 500 + "?q=%22%3E&b='\"<>"
    assert set(page_of(filled(url=url), replace(ABOUT, seeds=(url,))).links) == {url}


# What is not there


def test_a_crawl_of_nothing_has_a_page() -> None:
    page = page_of(NOTHING, s.About("out", (), "killed", 1.79e9))
    assert page.chapters == ["ledger"]
    assert "its process was ended" in page.text


def test_only_failures() -> None:
    failures = [s.FailureGroup("dns", 1, [("http://a.example/", "no such host", "")])]
    failed = replace(NOTHING, ledger=[s.LedgerRow("failed", "dns", 1)], failures=failures)
    page = page_of(failed)
    assert page.chapters == ["ledger", "failures"]
    assert "http://a.example/ no such host" in page.text


def test_records_have_a_chapter_only_if_there_are_some() -> None:
    assert "records-1" in page_of(filled()).chapters
    assert "records-1" not in page_of(replace(filled(), records=[])).chapters


def test_fields_that_no_page_had_are_shown() -> None:
    group = s.RecordGroup("fields", 4, 4, [s.FieldRow("title", 4, 4, "x")])
    about = replace(ABOUT, asked_fields={"fields": ("title", "price")})
    page = page_of(replace(filled(), records=[group]), about)
    assert "4 records of kind fields; price is in none of them" in page.titles
    page = page_of(replace(filled(), records=[]), about)
    assert "No page had any of the fields asked for" in page.titles


def test_the_ledger_adds_up_also_where_reasons_are_many() -> None:
    rows = [s.LedgerRow("out_of_scope", f"extension .{number}", 5) for number in range(100)]
    page = page_of(replace(filled(), ledger=[s.LedgerRow("fetched", "", 8), *rows]))
    assert "92 other reasons 460" in page.text
    assert "all that was discovered 508 100 %" in page.text


def test_the_page_is_small_whatever_is_in_it() -> None:
    long: Any = "x" * 100_000
    page = page_of(filled(long, "http://example.org/" + long), replace(ABOUT, seeds=(long,) * 1000))
    assert len(page.source) < 200_000


@pytest.mark.parametrize(
    ("ledger", "title"),
    [
        ([("fetched", 8), ("duplicate", 1)], "9 URLs were discovered; 1 of them is a copy of another page"),
        ([("fetched", 8), ("duplicate", 2)], "10 URLs were discovered; 2 of them are copies of other pages"),
        ([("fetched", 8), ("out_of_scope", 1)], "9 URLs were discovered; 1 of them lies outside the scope"),
        ([("not_reached", 1)], "1 URL was discovered; it was not reached"),
        ([("fetched", 1)], "1 URL was discovered, and it was fetched"),
    ],
)
def test_a_ledger_in_words(ledger: list[tuple[str, int]], title: str) -> None:
    rows = [s.LedgerRow(state, "", count) for state, count in ledger]
    assert headlines.ledger_title(replace(NOTHING, ledger=rows)) == title


def test_one_thing_is_not_several() -> None:
    assert headlines.copies_title(1) == "1 page was a copy of another; its links were not followed"
    assert headlines.copies_title(2) == "2 pages were copies of others; their links were not followed"
    assert headlines.depth_title([s.Level(0, 1, 1)]) == "The only page is a seed"
    assert headlines.depth_title([s.Level(2, 5, 1)]) == "The only page is 2 clicks from a seed"
    assert headlines.depth_title([s.Level(1, 5, 3)]) == "All pages are 1 click from a seed"
    group = s.RecordGroup("fields", 1, 1, [s.FieldRow("title", 1, 1, "A")])
    assert headlines.record_title(group) == "1 record of kind fields, and every field is filled"
    group = replace(group, fields=[s.FieldRow("title", 0, 0, None)])
    assert headlines.record_title(group) == "1 record of kind fields; title is not in it"
