"""Media types: the header first, the bytes where it is no help."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.parse.media import content_type, is_html, is_xml_links, media_type

PDF = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"
PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
GZIP = b"\x1f\x8b\x08\x00\x00\x00\x00\x00"
ZIP = b"PK\x03\x04\x14\x00"


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("text/html", ("text/html", "")),
        ("TEXT/HTML; Charset=UTF-8", ("text/html", "UTF-8")),
        (" text/html ;charset=utf-8 ", ("text/html", "utf-8")),
        ('text/html;charset="utf-8"', ("text/html", "utf-8")),
        ('text/html;charset="a\\"b"', ("text/html", 'a"b')),
        ("text/html;charset=a;charset=b", ("text/html", "a")),
        ("text/html;charset=;charset=b", ("text/html", "b")),
        ('text/html;charset="";charset=b', ("text/html", "")),
        ("text/html;charset =a;charset=b", ("text/html", "b")),
        ("text/html;;charset=utf-8", ("text/html", "utf-8")),
        ('text/html;x=";charset=a";charset=b', ("text/html", "b")),
        ('text/html;x=";charset=a', ("text/html", "")),
        ("", ("", "")),
        ("text", ("", "")),
        ("text/", ("", "")),
        ("/html", ("", "")),
        ("te xt/html", ("", "")),
        ('\x00\xff;;;,,"', ("", "")),
    ],
)
def test_a_header_is_read_as_the_standard_says(header: str, expected: tuple[str, str]) -> None:
    assert content_type(header) == expected


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("text/html, text/plain", ("text/plain", "")),
        ("text/html;charset=a, text/html", ("text/html", "a")),
        ("text/html;charset=a, text/html;charset=b", ("text/html", "b")),
        ("text/html;charset=a, text/plain, text/html", ("text/html", "")),
        ("text/html, */*", ("text/html", "")),
        ("text/html, rubbish", ("text/html", "")),
        (', "', ("", "")),
    ],
)
def test_the_last_valid_of_several_headers_counts(header: str, expected: tuple[str, str]) -> None:
    assert content_type(header) == expected


@given(st.text(max_size=200))
def test_no_header_is_too_broken(header: str) -> None:
    essence, _ = content_type(header)
    assert essence == essence.lower()
    assert essence.count("/") == (1 if essence else 0)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"<!DOCTYPE html><p>x", "text/html"),
        (b"\n\t <HTML lang=en>", "text/html"),
        (b"<!-- hello --><p>", "text/html"),
        (b"<p>no html tag", "text/html"),
        (b"<pre>p is a tag, pre is not on the list", "text/plain"),
        (b'<?xml version="1.0"?><data/>', "text/xml"),
        (b'<?xml version="1.0"?>\n<!-- c --><rss version="2.0">', "application/rss+xml"),
        (b'<feed xmlns="http://www.w3.org/2005/Atom">', "application/atom+xml"),
        (b'<?xml version="1.0"?><rdf:RDF>', "application/rdf+xml"),
        (b'<?xml version="1.0"?><!DOCTYPE html><html xmlns="x">', "application/xhtml+xml"),
        (b'\xef\xbb\xbf<?xml version="1.0"?><urlset>', "text/xml"),
        (b"<urlset xmlns='x'>", "text/xml"),
        (PDF, "application/pdf"),
        (b"%PDF-1.4 and no binary byte", "application/pdf"),
        (PNG, "image/png"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", "image/jpeg"),
        (b"GIF89a\x01\x00", "image/gif"),
        (b"RIFF\x00\x00\x00\x00WEBPVP8 ", "image/webp"),
        (b"\x00\x00\x00\x20ftypisom", "video/mp4"),
        (GZIP, "application/x-gzip"),
        (ZIP, "application/zip"),
        (b"wOF2\x00\x01\x00\x00", "font/woff2"),
        (b"BMW sells cars", "text/plain"),
        (b"BM\x00\x00\x00\x00", "image/bmp"),
        (b"plain words", "text/plain"),
        (b"", "text/plain"),
        (b"\xfe\xff\x00a\x00b", "text/plain"),
        (b"\x00\x05\x06 nothing known", "application/octet-stream"),
    ],
)
@pytest.mark.parametrize("headers", [{}, {"content-type": "rubbish"}, {"content-type": "application/unknown"}])
def test_without_a_useful_header_the_bytes_decide(headers: dict[str, str], body: bytes, expected: str) -> None:
    assert media_type(headers, body) == expected


@pytest.mark.parametrize(
    ("header", "body", "expected"),
    [
        ("application/octet-stream", b"<!doctype html><p>", "text/html"),
        ("application/octet-stream", PDF, "application/pdf"),
        ("application/octet-stream", b"some words", "application/octet-stream"),
        ("binary/octet-stream", PNG, "image/png"),
        ("text/plain", b"<!doctype html><p>", "text/plain"),
        ("text/plain", ZIP, "application/zip"),
        ("text/plain; charset=utf-8", b"\x00\x01\x02\x03", "application/octet-stream"),
        ("text/plain", b"\xff\xfea\x00b\x00", "text/plain"),
        ("image/png", b"<!doctype html>", "image/png"),
        ("application/rss+xml; charset=utf-8", b"<rss>", "application/rss+xml"),
        ("text/html; charset=utf-8", b"<!doctype html>", "text/html"),
        ("text/html", b"just words", "text/html"),
        ("text/html", b"", "text/html"),
        ("text/html", b"<p>x", "text/html"),
        ("text/html", b'<?xml version="1.0"?><html>', "text/html"),
        ("text/html", b'<?xml version="1.0"?><urlset>', "text/html"),
        ("text/html", b"\xef\xbb\xbf <rss>", "application/rss+xml"),
        ("text/html", PDF, "application/pdf"),
        ("text/html", PNG, "image/png"),
        ("text/html", b"\x01\x02\x03 unknown binary", "text/html"),
    ],
)
def test_bytes_may_correct_a_header_that_is_often_wrong(header: str, body: bytes, expected: str) -> None:
    assert media_type({"content-type": header}, body) == expected


@given(st.binary(max_size=3_000))
def test_any_bytes_have_a_media_type(body: bytes) -> None:
    assert media_type({}, body).count("/") == 1


def test_what_counts_as_html_and_as_a_list_of_links() -> None:
    assert is_html("text/html")
    assert is_html("application/xhtml+xml")
    assert not is_html("text/plain")
    assert is_xml_links("application/atom+xml")
    assert is_xml_links("text/xml")
    assert not is_xml_links("image/svg+xml")
    assert not is_xml_links("text/html")
