"""What a page says about itself."""

from __future__ import annotations

import pytest

from dowse.core.model import Request, Response
from dowse.parse.links import Link
from dowse.parse.page import LONGEST_TITLE, Page
from dowse.parse.robots_tag import Directives

URL = "http://example.org/docs/page.html"


def page_of(body: str | bytes, headers: dict[str, str] | None = None, product_token: str = "dowse") -> Page:
    raw = body.encode() if isinstance(body, str) else body
    request = Request(url=URL, key_hash=1, host="example.org")
    response = Response(request, 200, headers or {"content-type": "text/html; charset=utf-8"}, raw, 0.0, 0.0)
    return Page(response, product_token)


@pytest.mark.parametrize(
    ("html", "title"),
    [
        ("<title> A  title &amp;\n more </title>", "A title & more"),
        ("<title>first</title><title>second</title>", "first"),
        ("<svg><title>a drawing</title></svg>", ""),
        ("<svg><title>a drawing</title></svg><title>late</title>", "late"),
        ("<template><title>a part</title></template><title>late</title>", "late"),
        ("<template shadowrootmode=open><title>a part</title></template>", ""),
        ("<svg><title/></svg><math><title>a formula</title></math><title>late</title>", "late"),
        ("<p>body<title>in the body</title>", "in the body"),
        ("<title></title>", ""),
        ("<p>none", ""),
        (f"<title>{'x' * 1000}</title>", "x" * LONGEST_TITLE),
    ],
)
def test_title(html: str, title: str) -> None:
    assert page_of(html).title == title


@pytest.mark.parametrize(
    ("html", "base"),
    [
        ("<p>x", URL),
        ("<base href='/other/'>", "http://example.org/other/"),
        ("<base href='sub/'>", "http://example.org/docs/sub/"),
        ("<base href='https://cdn.example.com/a/b'>", "https://cdn.example.com/a/b"),
        ("<base target=_top><base href=/a/><base href=/b/>", "http://example.org/a/"),
        ("<base href='javascript:x'>", URL),
        ("<base href='data:x'>", URL),
        ("<base href='http://[bad'>", URL),
        ("<base href='ftp://example.org/'>", URL),
        ("<base href='#x'>", URL),
        ("<base target=_top>", URL),
        ("<p>x<base href=/late/>", "http://example.org/late/"),
        ("<svg><base href=/no/ /></svg>", URL),
        ("<svg><base href=/no/ /></svg><base href=/late/>", "http://example.org/late/"),
        ("<template><base href=/no/></template>", URL),
        ("<template><p><base href=/no/></template><base href=/late/>", "http://example.org/late/"),
    ],
)
def test_base(html: str, base: str) -> None:
    page = page_of(f"{html}<a href='?x'>x</a>")
    assert page.base.url == base
    assert [link.url for link in page.links] == [f"{base}?x"]


@pytest.mark.parametrize(
    ("html", "header", "expected"),
    [
        ("<p>x", "", Directives()),
        ("<meta name=robots content='noindex'>", "", Directives(noindex=True)),
        ("<META NAME=Robots CONTENT='NOFOLLOW'>", "", Directives(nofollow=True)),
        ("<meta name=robots content=noindex><meta name=robots content=nofollow>", "", Directives(True, True)),
        ("<meta name=dowse content=none>", "", Directives(True, True)),
        ("<meta name=otherbot content=none>", "", Directives()),
        ("<meta name=robots>", "", Directives()),
        ("<p>x", "noindex, nofollow", Directives(True, True)),
        ("<p>x", "otherbot: noindex", Directives()),
        ("<meta name=robots content=nofollow>", "dowse: noindex", Directives(True, True)),
        ("<p>late<meta name=robots content=noindex>", "", Directives(noindex=True)),
        ("<template><meta name=robots content=noindex></template>", "", Directives()),
        ("<svg><metadata><meta name=robots content=noindex /></metadata></svg>", "", Directives(noindex=True)),
    ],
)
def test_robots(html: str, header: str, expected: Directives) -> None:
    headers = {"content-type": "text/html", "x-robots-tag": header} if header else None
    assert page_of(html, headers).robots == expected


def test_robots_of_a_job_with_another_name() -> None:
    page = page_of("<meta name=MyBot content=noindex><meta name=dowse content=nofollow>", product_token="MyBot")
    assert page.robots == Directives(noindex=True)


def test_robots_of_what_is_not_html() -> None:
    page = page_of(b"%PDF-1.4", {"content-type": "application/pdf", "x-robots-tag": "noindex"})
    assert page.robots == Directives(noindex=True)


@pytest.mark.parametrize(
    ("html", "canonical"),
    [
        ("<link rel=canonical href=/c>", "http://example.org/c"),
        ("<link rel='shortlink CANONICAL' href=c>", "http://example.org/docs/c"),
        ("<link rel=canonical><link rel=canonical href=/c>", "http://example.org/c"),
        ("<base href=/b/><link rel=canonical href=c>", "http://example.org/b/c"),
        ("<link rel=canonical href='mailto:x'>", None),
        ("<link rel=next href=/c>", None),
    ],
)
def test_canonical(html: str, canonical: str | None) -> None:
    assert page_of(html).canonical == canonical


@pytest.mark.parametrize(
    ("content", "refresh"),
    [
        ("0; url=/next", "http://example.org/next"),
        ("5;URL='/next page'", "http://example.org/next%20page"),
        ('3, url = "/next"rest', "http://example.org/next"),
        ("0;/next", "http://example.org/next"),
        ("0 /next", "http://example.org/next"),
        ("1.5;url=/next", "http://example.org/next"),
        (".5;url=/next", "http://example.org/next"),
        ("  2 ; url=next#x", "http://example.org/docs/next"),
        ("0;url=javascript:x()", None),
        ("30", None),
        ("30;", None),
        ("30; url=", None),
        ("soon; url=/next", None),
        ("url=/next", None),
        ("", None),
    ],
)
def test_refresh(content: str, refresh: str | None) -> None:
    quoted = content.replace('"', "&quot;")
    page = page_of(f'<meta http-equiv=Refresh content="{quoted}">')
    assert page.refresh == refresh
    assert page.links == ([Link(refresh, tag="meta")] if refresh else [])


def test_feeds() -> None:
    page = page_of(
        "<link rel=alternate type=application/rss+xml href=/rss>"
        "<link rel='ALTERNATE home' type='Application/Atom+XML; x=y' href=atom>"
        "<link rel=alternate type=application/rss+xml href=/rss>"
        "<link rel=alternate hreflang=de href=/de><link rel=alternate type=text/html href=/t>"
        "<link rel=alternate type=application/rss+xml href=javascript:x>"
    )
    assert page.feeds == ["http://example.org/rss", "http://example.org/docs/atom"]
    assert page.links == []


def test_text_is_what_a_reader_sees() -> None:
    page = page_of(
        "<title>t</title><style>p {}</style><script>var x</script><p>One  <b>two</b></p><!-- no --><p>three</p>"
    )
    assert page.text.split() == ["One", "two", "three"]


@pytest.mark.parametrize(
    ("html", "language"), [("<html lang=' de-AT '>", "de-AT"), ("<html>", ""), ("<p lang=de>", ""), ("", "")]
)
def test_language(html: str, language: str) -> None:
    assert page_of(html).language == language


TITLE = "<title>ж</title>"


@pytest.mark.parametrize(
    ("body", "content_type", "charset"),
    [
        (TITLE.encode("windows-1251"), "text/html; charset=windows-1251", "windows-1251"),
        (b"<meta charset=koi8-r>" + TITLE.encode("koi8-r"), "text/html", "KOI8-R"),
        (b"<meta charset=koi8-r>" + TITLE.encode("koi8-r"), "text/html; charset=nonsense", "KOI8-R"),
        (f"\ufeff{TITLE}".encode(), "text/html; charset=koi8-r", "UTF-8"),
        (f"\ufeff{TITLE}".encode("utf-16-le"), "text/html", "UTF-16LE"),
        (TITLE.encode(), "text/html", "UTF-8"),
        (b"<?xml version='1.0' encoding='koi8-r'?>" + TITLE.encode("koi8-r"), "text/html", "KOI8-R"),
        (b"<!--" + b" " * 2000 + b"--><meta charset=koi8-r>" + TITLE.encode("koi8-r"), "text/html", "KOI8-R"),
    ],
)
def test_charset(body: bytes, content_type: str, charset: str) -> None:
    page = page_of(body, {"content-type": content_type})
    assert (page.charset, page.title) == (charset, "ж")
    assert page.source.endswith(TITLE)
    assert not page.source.startswith("\ufeff")


def test_a_broken_charset_costs_only_the_broken_characters() -> None:
    page = page_of(b"<title>caf\xc3\xa9 \xe2\x82</title><a href=x>\xc3\xa9\xf0\x9f link</a>")
    assert (page.title, page.links[0].text, page.charset) == ("café �", "é� link", "UTF-8")


@pytest.mark.parametrize(
    ("body", "content_type", "declared", "charset"),
    [
        (b"<meta charset=' UTF-8 '>caf\xe9", "text/html", "utf-8", "windows-1252"),
        ("<p>café".encode(), "text/html; charset=ISO-8859-1", "iso-8859-1", "UTF-8"),
        (
            b"<meta http-equiv=Content-Type content='text/html; charset=Klingon'>",
            "text/html",
            "klingon",
            "windows-1252",
        ),
        (b"\xef\xbb\xbf<meta charset=koi8-r>", "text/html", "utf-8", "UTF-8"),
        (b"<?xml version='1.0' encoding='koi8-r'?><p>", "text/html", "koi8-r", "KOI8-R"),
        (b"<p>nothing", "text/html", "", "windows-1252"),
        (b"<meta charset=%s>" % (b"x" * 100), "text/html", "x" * 40, "windows-1252"),
    ],
)
def test_what_is_declared_and_what_it_is(body: bytes, content_type: str, declared: str, charset: str) -> None:
    page = page_of(body, {"content-type": content_type})
    assert (page.declared_charset, page.charset) == (declared, charset)


@pytest.mark.parametrize(
    ("body", "content_type", "links"),
    [
        (b"<a href=x>t</a>", "text/html", 1),
        (b"<a href=x>t</a>", "application/xhtml+xml", 1),
        (b"<!doctype html><a href=x>t</a>", "application/octet-stream", 1),
        (b"<?xml version='1.0'?><html><a href='x'>t</a></html>", "application/xml", 1),
        (b"<?xml version='1.0'?><rss><a href='x'>t</a></rss>", "application/xml", 0),
        (b"<a href=x>t</a>", "text/plain", 0),
        (b"%PDF-1.4 <a href=x>t</a>", "application/pdf", 0),
        (b"\x89PNG\r\n\x1a\n\0<a href=x>t</a>", "text/html", 0),
    ],
)
def test_only_html_has_links(body: bytes, content_type: str, links: int) -> None:
    assert len(page_of(body, {"content-type": content_type}).links) == links


def test_a_page_that_is_not_html_is_empty_but_whole() -> None:
    page = page_of("Gruß <a href=x>".encode("latin1"), {"content-type": "text/plain; charset=latin1"})
    assert (page.media_type, page.charset, page.is_html) == ("text/plain", "windows-1252", False)
    assert (page.title, page.links, page.links_dropped, page.trouble) == ("", [], 0, "")
    assert (page.canonical, page.refresh, page.feeds, page.language) == (None, None, [], "")
    assert page.base.url == URL
    assert page.text == "Gruß <a href=x>"
    assert page.source == page.text
    pdf = page_of(b"%PDF-1.4", {"content-type": "application/pdf"})
    assert pdf.text == pdf.source == ""


def test_nothing_is_parsed_before_somebody_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    def parse_html(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr("dowse.parse.page.parse_html", parse_html)
    page = page_of("<p>x")
    assert page.media_type == "text/html"
    with pytest.raises(AssertionError):
        _ = page.links
