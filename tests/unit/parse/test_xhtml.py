"""Pages sent as XML: elements that close themselves are closed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.core.model import Request, Response
from dowse.parse.page import Page, Reads
from dowse.parse.xhtml import as_html

URL = "http://example.org/page"
START = '<html xmlns="http://www.w3.org/1999/xhtml">'


def page_of(body: str | bytes, content_type: str = "application/xhtml+xml", reads: Reads = "tree") -> Page:
    raw = body if isinstance(body, bytes) else body.encode()
    response = Response(Request(URL, 0, "example.org"), 200, {"content-type": content_type}, raw, 0.0, 0.0)
    return Page(response, reads=reads)


def links_of(page: Page) -> list[tuple[str, str]]:
    return [(link.url.removeprefix("http://example.org/"), link.text) for link in page.links]


@pytest.mark.parametrize("reads", ["links", "outline", "tree"])
@pytest.mark.parametrize("content_type", ["application/xhtml+xml", "application/xml", "text/xml; charset=utf-8"])
@pytest.mark.parametrize(
    ("html", "links"),
    [
        ('<head><script src="s.js"/></head><body><a href="x">X</a></body>', [("x", "X")]),
        ('<head><title/></head><body><a href="x">X</a></body>', [("x", "X")]),
        ('<head><style type="a/b" /></head><body><a href="x">X</a></body>', [("x", "X")]),
        ('<body><a id="top"/><p>no <a href="x">X</a></p></body>', [("x", "X")]),
        ('<body><a href="y" title="a > b"/>no<a href="x">X</a></body>', [("y", "a > b"), ("x", "X")]),
        ('<body><iframe src="f"/><textarea/><a href="x">X</a></body>', [("x", "X"), ("f", "")]),
        ('<body><a href="x">X <b/>and<br/> y</a></body>', [("x", "X and y")]),
        ('<body><a href="x"><![CDATA[R&D <b>]]></a></body>', [("x", "R&D <b>")]),
        ('<body><!-- <script/> <a href="no"/> --><a href="x">X</a></body>', [("x", "X")]),
        ('<body><script><![CDATA["<a href=no/>"]]></script><a href="x">X</a></body>', [("x", "X")]),
        ('<body>&nbsp;<p>not <b>well formed<a href="x">X &copy;</a></body>', [("x", "X ©")]),
    ],
)
def test_links(html: str, links: list[tuple[str, str]], content_type: str, reads: Reads) -> None:
    assert links_of(page_of(f"{START}{html}</html>", content_type, reads)) == links


@pytest.mark.parametrize("reads", ["links", "outline", "tree"])
def test_html_stays_html_whatever_its_doctype_says(reads: Reads) -> None:
    html = f'<?xml version="1.0"?><!DOCTYPE html>{START}<script src="s.js"/><a href="x">X</a></html>'
    assert links_of(page_of(html, "text/html", reads)) == []


@pytest.mark.parametrize("charset", ["utf-16", "utf-16-le", "koi8-r", "utf-8"])
def test_charsets(charset: str) -> None:
    html = f'<?xml version="1.0" encoding="{charset}"?>{START}<title/><a href="x">слово</a></html>'
    assert links_of(page_of(html.encode(charset))) == [("x", "слово")]


@pytest.mark.parametrize(
    "html",
    [
        "<p>text</p>",
        "<br/><img src='x'/><META/>",
        "<p title='<a/>'>x</p>",
        "<a href=x/>unquoted, so not XML</a>",
        "<style>a{}<b/></style>",
        "<a <b/",
        "a < b/> c",
    ],
)
def test_what_needs_no_change_has_none(html: str) -> None:
    assert as_html(html.encode()) == html.encode()


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "part",
    ["<a", "<a ", "<a b='", '<a b="', "<a =", "<a/", "<!--", "<![CDATA[", "<script>", "<script/>", "<script ", "</"],
)
def test_the_time_is_linear(part: str) -> None:
    as_html((part * 1_000_000).encode())


@given(st.binary())
def test_any_bytes(body: bytes) -> None:
    as_html(b"<a b=" + body)
    assert page_of(body).trouble == ""
