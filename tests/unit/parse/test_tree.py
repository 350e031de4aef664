"""Hostile markup: the cost stays near the size of the page, and nothing is raised."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random

import pytest
import turbohtml
from hypothesis import given
from hypothesis import strategies as st

from dowse.core.model import Request, Response
from dowse.parse.links import MOST_LINKS
from dowse.parse.page import Page
from dowse.parse.tree import HARMLESS_BYTES, HARMLESS_TAGS, parse_html

LINK = b"<a href=/found>words</a>"
FORMATTING = b"<p>" + b"".join(b"<b a%d>" % number for number in range(600))


def page_of(body: bytes, content_type: str = "text/html") -> Page:
    request = Request(url="http://example.org/docs/page", key_hash=1, host="example.org")
    return Page(Response(request, 200, {"content-type": content_type}, body, 0.0, 0.0))


@contextmanager
def within(seconds: float) -> Iterator[None]:
    start = time.process_time()
    yield
    assert time.process_time() - start < seconds


def read_all(page: Page) -> None:
    for name in ("links", "title", "robots", "refresh", "canonical", "feeds", "language", "charset", "text"):
        getattr(page, name)
    assert page.trouble == ""


def count(page: Page) -> float:
    elements = page.tree.xpath("count(//*)")
    assert isinstance(elements, float)
    return elements


DEEP = {
    "div": b"<div>" * 200_000,
    "b": b"<b>" * 200_000,
    "font": b"<font>" * 200_000,
    "font with attributes": b"".join(b"<font a%d>" % number for number in range(200_000)),
    "table": b"<table>" * 200_000,
    "table cells": b"<table><tr><td>" * 70_000,
    "list items": b"<ul><li>" * 100_000,
    "svg groups": b"<svg>" + b"<g>" * 200_000,
    "buttons": b"<button>" * 200_000,
    "objects": b"<object>" * 200_000,
    "spans closed by p": b"<span>" * 100_000 + b"</p>" * 100_000,
    "crossed tags": b"<b><div>" * 100_000 + b"</b>" * 100_000,
}


@pytest.mark.parametrize("markup", DEEP.values(), ids=DEEP.keys())
def test_deep_nesting_is_read_to_its_end(markup: bytes) -> None:
    with within(10):
        page = page_of(markup + LINK)
        read_all(page)
    assert [link.url for link in page.links] == ["http://example.org/found"]


def test_unclosed_anchors_are_many_links() -> None:
    with within(10):
        page = page_of(b"".join(b"<a href=/%d>" % number for number in range(200_000)))
        read_all(page)
    assert len(page.links) == MOST_LINKS
    assert page.links_dropped == 180_000


def test_a_hundred_thousand_links_are_cut() -> None:
    with within(10):
        page = page_of(b"".join(b"<a href=/%d>link %d</a>\n" % (number, number) for number in range(100_000)))
        read_all(page)
    assert (len(page.links), page.links_dropped) == (MOST_LINKS, 80_000)
    assert page.links[-1].text == f"link {MOST_LINKS - 1}"


@pytest.mark.parametrize(
    "inside", [b"<i></i>" * 1_000_000, b"text " * 2_000_000], ids=["a million elements", "10 MB of text"]
)
def test_anchors_in_anchors_do_not_read_the_same_text_again_and_again(inside: bytes) -> None:
    with within(10):
        page = page_of(b"".join(b"<object><a href=/%d>" % number for number in range(250)) + inside)
        assert len(page.links) == 250


REOPENED: dict[str, Callable[[], bytes]] = {
    "one paragraph after the other": lambda: FORMATTING + b"<p>x" * 300_000,
    "upper case": lambda: FORMATTING.upper() + b"<P>x" * 300_000,
    "a new tag in each": lambda: b"".join(b"<p><font a%d>x" % number for number in range(100_000)),
    "closed paragraphs": lambda: FORMATTING + b"<p>x</p>" * 300_000,
    "no attributes": lambda: b"<p>" + b"<b><b><b><i><i><i><u><u><u><s><s><s><em><em><em>" + b"<p>x" * 1_000_000,
    "UTF-16": lambda: ("\ufeff" + (FORMATTING + b"<p>x" * 100_000).decode()).encode("utf-16-le"),
    "html tags": lambda: b"".join(b"<html a%d>" % number for number in range(100_000)),
    "body tags": lambda: b"<body>" + b"".join(b"<body a%d>" % number for number in range(100_000)),
}


@pytest.mark.parametrize("build", REOPENED.values(), ids=REOPENED.keys())
def test_tags_that_multiply_are_kept_from_it(build: Callable[[], bytes]) -> None:
    markup = build()
    page = page_of(markup)
    with within(15):
        elements = count(page)
        read_all(page)
    assert elements < len(markup)


@pytest.mark.parametrize(
    "markup",
    [(FORMATTING + b"<p>x" * HARMLESS_BYTES)[:HARMLESS_BYTES], FORMATTING + b"<p>x" * (HARMLESS_TAGS - 700)],
    ids=["by size", "by tags"],
)
def test_what_is_not_looked_at_cannot_multiply_by_much(markup: bytes) -> None:
    with within(15):
        assert count(page_of(markup)) < 512 * HARMLESS_TAGS


def test_formatting_of_a_large_sound_page_is_left_alone() -> None:
    page = page_of(b"<p><b class=x>bold</b> and <i>italic</i></p>" * 20_000)
    assert len(page.tree.select("b")) == 20_000
    assert len(page.tree.select("span")) == 0


def test_renamed_tags_keep_links_and_text() -> None:
    page = page_of(FORMATTING + b"<p>x" * 100_000 + b"<p><b><i>bold " + LINK + b"</i></b>")
    assert len(page.tree.select("b")) == 0
    assert [(link.url, link.text) for link in page.links] == [("http://example.org/found", "words")]
    assert page.text.endswith("bold words")


LARGE: dict[str, Callable[[], bytes]] = {
    "no tags": lambda: b"hello world " * 1_700_000,
    "NULs": lambda: b"\0" * 20_000_000,
    "binary": lambda: Random(1).randbytes(20_000_000),
    "control characters": lambda: b"\x01" * 20_000_000,
    "only <": lambda: b"<" * 20_000_000,
    "only &": lambda: b"&" * 20_000_000,
    "an open comment": lambda: b"<!--" + b"x" * 20_000_000,
    "open comments": lambda: b"<!--" * 5_000_000,
    "an open script": lambda: b"<script>" + b"x<" * 10_000_000,
    "an open title": lambda: b"<title>" + b"x " * 10_000_000,
    "an open tag": lambda: b"<" + b"a" * 20_000_000,
    "an open attribute": lambda: b'<a href="' + b"x" * 20_000_000,
    "a million attributes": lambda: (
        b"<a " + b" ".join(b"a%d=1" % number for number in range(1_000_000)) + b" href=x>t</a>"
    ),
    "paragraphs": lambda: b"<p>x" * 5_000_000,
    "one link two million times": lambda: b"<a href=x>" * 2_000_000,
    "legacy charset": lambda: ("привет мир " * 1_700_000).encode("windows-1251"),
    "robots tags": lambda: b"<meta name=robots content=noindex>" * 300_000,
    "a long refresh": lambda: b'<meta http-equiv=refresh content="1;' + b" " * 10_000_000 + b'">',
    "a long rel": lambda: b'<a href=x rel="' + b"nofollow " * 2_000_000 + b'">',
}


@pytest.mark.parametrize("build", LARGE.values(), ids=LARGE.keys())
def test_twenty_megabytes_of_anything_are_read_in_seconds(build: Callable[[], bytes]) -> None:
    page = page_of(build())
    with within(20):
        read_all(page)


def test_nuls_in_a_large_page_do_not_hide_its_links() -> None:
    assert len(page_of(b"\0" * 2_000_000 + LINK).links) == 1


def test_a_large_page_with_a_late_meta_tag_is_read_in_its_charset() -> None:
    page = page_of(b"<html>" + b" " * 1_200_000 + b"<meta charset=koi8-r><title>x</title>")
    assert page.charset == "KOI8-R"


@given(st.binary(max_size=4_000), st.sampled_from(["text/html", "text/html; charset=utf-16", "text/html;charset=big5"]))
def test_any_bytes_are_a_page(body: bytes, content_type: str) -> None:
    read_all(page_of(body, content_type))


TAGS = st.sampled_from(
    [
        *(b"<a href=x>", b"</a>", b"<table>", b"<td>", b"</table>", b"<b>", b"</b>", b"<p>", b"<svg>", b"<title>"),
        *(b"<base href=y>", b"<template>", b"<select>", b"<frameset>", b"<meta charset=", b"<script>", b"<!--"),
        *(b"]]>", b"\0", b"\xff", b"&#0;", b"text"),
    ]
)


@given(st.lists(TAGS, max_size=60).map(b"".join))
def test_any_order_of_tags_is_a_page(body: bytes) -> None:
    read_all(page_of(body))


@pytest.mark.parametrize("error", [MemoryError("no room"), ValueError("bad"), RuntimeError("odd")])
def test_a_parser_that_fails_is_trouble_and_not_an_error(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    sound = turbohtml.parse

    def parse(markup: bytes, **options: object) -> turbohtml.Document:
        if markup:
            raise error
        return sound(markup)

    monkeypatch.setattr(turbohtml, "parse", parse)
    parsed = parse_html(b"<p>x", {})
    assert parsed.trouble == f"{type(error).__name__}: {error}"
    assert parsed.tree.find_all("p") == []
    assert page_of(b"<p>x").trouble == parsed.trouble
