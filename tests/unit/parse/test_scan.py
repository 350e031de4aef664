"""A scan of a page says what its tree says, or nothing."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.core.model import Request, Response
from dowse.demo import DemoSite
from dowse.parse.links import MOST_ELEMENTS, MOST_LINKS
from dowse.parse.page import Page, Reads
from dowse.parse.scan import IS_COMPILED, attribute_value, scan
from tests.compiling import needs_compiler

URL = "http://example.org/docs/page.html"
BOTH: tuple[Reads, Reads] = ("links", "tree")

needs_scan = pytest.mark.skipif(not IS_COMPILED, reason="there was no compiler when dowse was installed")


def page(html: str | bytes, *, reads: Reads, content_type: str = "text/html") -> Page:
    body = html if isinstance(html, bytes) else html.encode()
    response = Response(Request(URL, 0, "example.org"), 200, {"content-type": content_type}, body, 0.0, 0.0)
    return Page(response, reads=reads)


def said(page: Page) -> dict[str, Any]:
    """What a plain crawl asks of a page."""
    return {
        "links": [(link.url, link.text, link.nofollow, link.tag) for link in page.links],
        "title": page.title,
        "robots": page.robots,
        "base": page.base.url,
        "refresh": page.refresh,
        "feeds": page.feeds,
        "canonical": page.canonical,
        "charset": page.charset,
        "declared": page.declared_charset,
        "trouble": page.trouble,
    }


@needs_compiler
def test_it_is_there_where_it_can_be_compiled() -> None:
    assert IS_COMPILED


SCANNED = {
    "nothing": "",
    "a link": '<a href="x.html">Words</a>',
    "upper case": "<A HREF=x.html>Words</A>",
    "quotes": "<a href='a b'>one</a><a href = \"c\" >two</a><a href=d/e>three</a><a\nhref\n=\nf>four</a>",
    "no value": "<a href>one</a><a href=>two</a><a>three</a>",
    "slashes": "<a/href=x/>one</a><br/><a href=y />two</a><a x/href=z>three</a>",
    "first attribute counts": "<a href=x href=y>one</a>",
    "attribute that looks like a tag": '<p title="<a href=no>"><a href=yes>one</a>',
    "odd attribute names": "<a <b =x 'y href=z>one</a>",
    "text in parts": "<a href=x>  one <b>two</b>\n<i>three</i> four</a>",
    "lines": "<a href=x>Annual<br>report<hr>of<BR/>2024</a><a href=y><br>one<b>t</b>wo<br></a>",
    "blocks": "<a href=x><div>one</div><h3>two</h3>three<p>four</p></a><a href=y>a<blockquote>b</blockquote>c</a>",
    "blocks of longer names": "<a href=x><figure>one<figcaption>two</figcaption></figure>three</a>",
    "cells": "<a href=x><table><tr><td>one<td>two<tr><th>three</table>four</a>",
    "choice in a link": "<a href=x>one<select><option>two<option>three</select>four</a>",
    "block behind an ampersand": "<a href=x>R&<div>copy</div></a>",
    "picture": "<a href=x><img alt='A picture' src=p></a><a href=y title=T><img></a><a href=z title=T><img alt=''></a>",
    "picture by its old name": "<a href=x><image alt=picture></a>",
    "picture and words": '<a href=x><img alt="picture"></img> words</a>',
    "picture without words": "<a href=x title=T><img alt=' '></a><a href=y title=T><img alt='&nbsp;'></a>",
    "text ends with what holds the link": "<div><a href=x>one</div>two",
    "whole tags in such a link": "<div><a href=x><br><svg><path/></svg>one</div>two",
    "unknown end tag": "<a href=x></em>one</a>",
    "tag of long ago": "<div><a href=x><keygen>one</div>two",
    "end of a link": "<a href=x>one<a href=y>two</a>three",
    "twice": "<a href=x></a><a href=x>words</a><a href=x>others</a>",
    "twice without fragments": "<a href=x#a>one</a><a href=x#b>two</a><a href=x>three</a><a href='x #c'>four</a>",
    "twice with references": "<a href='x?a&#38;b'>one</a><a href='x?a&#38;c'>two</a><a href='x?a&#38;b'>three</a>",
    "twice, first without words": "<a href=x>&nbsp;</a><a href=x>\u2003</a><a href=x>-</a><a href=x>words</a>",
    "twice, one followed": "<a href=x rel=nofollow>a</a><a href=x>b</a><a href=y>c</a><a href=y rel=nofollow>d</a>",
    "twice, none to be followed": "<a href=x rel=nofollow>one</a><a href=x rel=ugc>two</a>",
    "twice in another spelling": "<a href=x>one</a><a href=./x>two</a><a href=/docs/x>three</a><a href=X>four</a>",
    "many, twice": "".join(f"<a href=p{number % 1500}>words {number}</a>" for number in range(3000)),
    "references": "<a href='?a=1&amp;b=2&copy=3&#x26;d'>R&amp;D&nbsp;x &lt;b&gt;</a>",
    "no references": "<a href=x>a & <b>copy</b> &<b>&</b> c</a>",
    "references outside ASCII": "<a href='?q=caf&eacute;'>caf&eacute;</a>",
    "references to no character": "<title>A&#8;B&#x7F</title><a href='?q=&#1;&#xFFFE;&#0000011;'>a&#8;b</a>",
    "spaces of all kinds": "<a href=x>one\u00a0two\u2003three\r\n\tfour\x0bfive</a>",
    "spaces of ASCII": "<a href=x>one\x0btwo\x1cthree\x1ffour</a>",
    "long text": f"<a href=x>{'word ' * 1000}</a><a href=y>{'ж' * 1000}</a>",
    "fragments": "<a href='#top'>up</a><a href=' #y'>y</a><a href=x#part>x</a><a href='z #part'>z</a>",
    "fragments with a base": "<base href=/b/c><a href='#top'>up</a>",
    "nofollow": "<a href=x rel='NoFollow me'>one</a><a href=y rel=me>two</a><a href=z>three</a>",
    "nofollow by reference": "<a href=x rel='external&#32;nofollow'>1</a><area href=y rel='nofollow&nbsp;ugc'>",
    "followed elsewhere": "<a href=x rel=nofollow>one</a><map><area href=x></map>",
    "followed by a link tag": "<a href=x rel='next nofollow'>one</a><link href=x rel='next nofollow'>",
    "area without words": "<map><area href=x alt=' ' title=T></map>",
    "area": "<map><area href=x alt=One><area href=y title=Two><area href=z rel=nofollow></map>",
    "frame": "<iframe src=x><a href=no></iframe><a href=y>y</a>",
    "next and previous": "<link rel='NEXT' href=2><link rel=prev href=0><link rel=stylesheet href=s>",
    "next by reference": "<link rel='next&#32;up' href=2>",
    "head": "<title>A &amp; B\n C</title><meta name=ROBOTS content='noindex, nofollow'><meta name=dowse content=none>",
    "refresh": "<meta http-equiv=Refresh content='0; url=/there'>",
    "feeds": "<link rel=alternate type=application/rss+xml href=f><link rel=alternate type=text/html href=g>",
    "canonical": "<link rel=canonical><link rel=canonical href=/one><link rel=canonical href=/two>",
    "second title": "<title>One</title><title>Two</title>",
    "comments": "<!-- <a href=no> --><!--><a href=1>1</a><!---><a href=2>2</a><!-- x --!><a href=3>3</a><!-- <a>",
    "bogus comments": "<!x <a href=no>y><?php <a href=no>y></ <a href=no>y></><![CDATA[<a href=no>]]><a href=yes>z</a>",
    "scripts": "<script>'<a href=no>'</script ><a href=yes>1</a><SCRIPT><!-- <a href=no></script><a href=2>2</a>",
    "script in a script": "<script><!-- <script> </script> <a href=no> --></script><a href=yes>1</a>",
    "script behind a comment in a script": "<script><!-- --> '<script>' </script><a href=yes>1</a>",
    "longer end tags": "<style></styles><a href=no></style><script></scripts><a href=no></script><a href=yes>1</a>",
    "content for others": "<noframes><a href=no></noframes><noembed><a href=no></noembed>",
    "style and textarea": "<style><a href=no></style><textarea></a><a href=no></textarea><xmp><a href=no></xmp>",
    "title without an end": "<title>x <a href=no>",
    "not a tag": "<a href=x>1 < 2, a<3</a> <1 <a href=y",
    "end within a tag": "<a href=x>one</",
    "end at a bracket": "<a href=x>one<",
    "drawing": "<a href=x><svg viewBox='0 0 1 1'><path d='M0 0'/><g><use href='#i'></use></g></svg> icon</a>",
    "empty drawing": "<svg/><a href=x>x</a>",
    "choice": "<form><select name=s><option value=1>One<option>Two</select><a href=x>x</a></form>",
    "html of long ago": "<BODY><TABLE><TR><TD><A HREF=x>one</TABLE><UL><LI><A HREF=y>two</A><LI>three",
    "charset by meta": "<meta charset=utf-8><a href='?q=é'>é</a>",
    "charset by the other meta": "<meta http-equiv=content-type content='text/html; charset=UTF-8'>é",
    "ASCII in another charset": "<meta charset=windows-1251><a href='?q=&#x436;'>x</a>",
    "byte order mark": "\ufeff<a href=x>x</a>",
    "byte order mark against meta": "\ufeff<meta charset=koi8-r><a href='?q=ж'>ж</a>",
}


@needs_scan
@pytest.mark.parametrize("html", SCANNED.values(), ids=SCANNED)
def test_it_says_what_the_tree_says(html: str) -> None:
    assert scan(html.encode(), {}) is not None
    assert said(page(html, reads="links")) == said(page(html, reads="tree"))


@needs_scan
def test_nothing_is_parsed_for_it() -> None:
    scanned = page("<title>T</title><a href=x>x</a>", reads="links")
    said(scanned)
    assert "_parsed" not in vars(scanned)


LEFT_TO_THE_TREE = {
    "template": "<template><a href=no></template><a href=yes>x</a>",
    "tags in a template": "<template><title>no</title><base href=/no/><link rel=next href=no></template><title>T",
    "tags in a drawing": "<svg><title>no</title><base href=/no/ /></svg><title>T</title><a href=x>x</a>",
    "frames": "<frameset><frame src=x></frameset>",
    "formulas": "<math><mtext><a href=x></math>",
    "link in a drawing": "<svg><a xlink:href=x></a></svg>",
    "text in a drawing": "<svg><style><a href=x></style></svg>",
    "CDATA in a drawing": "<svg><![CDATA[<a href=no>]]></svg>",
    "end of a paragraph in a drawing": "<svg></p></svg>",
    "markup in a choice": "<select><a href=x>x</select>",
    "plain text": "<plaintext><a href=no>",
    "NUL": "<a href=x\0y>x</a>",
    "base behind a fragment": "<a href='#x'>x</a><base href=/b/>",
    "legacy": "<meta charset=windows-1251><a href='?q=ж'>ж</a>".encode("windows-1251"),
    "no text": b"<a href=x>\xff</a>",
    "charset within a script": "<script><meta charset=koi8-r></script>",
    "script in a link": "<a href=x><script>one</script>two</a>",
    "style in a link": "<a href=x><style>a{}</style>two</a>",
    "textarea in a link": "<a href=x><textarea>one</textarea>two</a>",
    "tag in a reference": "<a href=x>a&<b>copy</b></a>",
    "comment in a reference": "<a href=x>&lt<!-- -->; b</a>",
    "long text of references": f"<a href=x>{'&#1078;' * 190}</a>",
    "space of references": f"<a href=x>{'&nbsp;' * 180}word</a>",
    "escapes": b"\x1b$B8@8l\x1b(B <a href='?q=&#x436;'>\x1b$B8@8l\x1b(B</a>",
    "escapes of a charset": b"<meta charset=iso-2022-jp><a href=x>\x1b$B8@8l\x1b(B</a>",
    "unknown charset first": f"{' ' * 1100}<meta charset=x><meta charset=koi8-r><a href='?q=&#x436;'>x</a>",
    "charset without a semicolon": f"{' ' * 1100}<meta http-equiv=content-type content='text/html charset=koi8-r'>",
    "UTF-16": "<a href=x>x</a>".encode("utf-16"),
}


@needs_scan
@pytest.mark.parametrize("html", LEFT_TO_THE_TREE.values(), ids=LEFT_TO_THE_TREE)
def test_it_leaves_the_rest_to_the_tree(html: str | bytes) -> None:
    assert scan(html if isinstance(html, bytes) else html.encode(), {}) is None
    assert said(page(html, reads="links")) == said(page(html, reads="tree"))


@needs_scan
@pytest.mark.parametrize("content_type", ["text/html; charset=koi8-r", "text/html; charset=utf-8", "text/html"])
@pytest.mark.parametrize("html", ["<a href='?q=ж'>ж</a>", "<a href='?q=&#x436;'>x</a>"])
def test_charsets_of_the_header(html: str, content_type: str) -> None:
    one, other = (page(html, reads=reads, content_type=content_type) for reads in BOTH)
    assert said(one) == said(other)


@needs_scan
def test_the_sample_site(demo_site: DemoSite) -> None:
    bodies = [each.body for each in demo_site.documents.values() if each.media_type.startswith("text/html")]
    assert sum(scan(body, {}) is not None for body in bodies) > 0.9 * len(bodies)
    assert [said(page(body, reads="links")) for body in bodies] == [said(page(body, reads="tree")) for body in bodies]


@needs_scan
def test_too_many_links() -> None:
    html = "".join(f"<a href={number}>x</a>" for number in range(MOST_LINKS + 5))
    scanned = page(html, reads="links")
    assert (len(scanned.links), scanned.links_dropped) == (MOST_LINKS, 5)
    assert scan(b"<a href=x></a>" * (MOST_ELEMENTS + 1), {}) is None


@needs_scan
@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "part", ["<a ", "<a href='", "<!--", "<script>", "</", "<svg>", "<title>", "<a href=x>", "&", "<"]
)
def test_the_time_is_linear(part: str) -> None:
    scan((part * 1_000_000).encode(), {})


PARTS = st.sampled_from(
    [part for html in (*SCANNED.values(), *LEFT_TO_THE_TREE.values()) if isinstance(html, str) and len(html) < 300
     for part in html.replace(">", ">\0").replace("<", "\0<").split("\0") if part]
)  # fmt: skip


@needs_scan
@settings(max_examples=300)
@given(st.lists(PARTS, max_size=25).map("".join))
def test_any_markup_has_the_links_that_its_tree_has(html: str) -> None:
    """Their order and their words may differ where tags are wrongly nested."""
    one, other = said(page(html, reads="links")), said(page(html, reads="tree"))
    assert sorted({(url, *rest) for url, _text, *rest in one.pop("links")}) == sorted(
        {(url, *rest) for url, _text, *rest in other.pop("links")}
    )
    assert one == other


WORDS = st.sampled_from(
    ["word", " ", "R&amp;D", "&nbsp;", "caf\u00e9", "&lt;b&gt;", "1 < 2", "<br>", "<!-- <a href=no> -->", "<img>",
     "<img alt=picture>", "<img alt=' '>", "<svg><path d='M0 0'/></svg>"]
)  # fmt: skip
PHRASES = st.recursive(
    WORDS,
    lambda inner: (
        st.builds("<{0}>{1}</{0}>".format, st.sampled_from(["b", "span", "my-tag", "div", "figure"]), inner)
        | st.lists(inner, max_size=4).map("".join)
    ),
    max_leaves=8,
)
LINKS = st.builds(
    "<a {}{}{}>{}</a>".format,
    st.sampled_from(["href=x", "href='y?a=1&amp;b=2'", 'href="z"', "href=#top", "name=n"]),
    st.sampled_from(["", " rel=nofollow", " rel='me ugc'"]),
    st.sampled_from(["", " title=T", " title=' '"]),
    PHRASES,
)
BLOCKS = st.builds(
    "<{0}>{1}</{0}>".format,
    st.sampled_from(["div", "section"]),
    st.lists(LINKS | PHRASES | st.just("<script>'<a href=no>'</script>"), max_size=5).map("".join),
)


@needs_scan
@settings(max_examples=300)
@given(st.lists(BLOCKS, max_size=6).map("".join))
def test_well_nested_markup_has_the_same_words_too(html: str) -> None:
    assert scan(html.encode(), {}) is not None
    assert said(page(html, reads="links")) == said(page(html, reads="tree"))


@needs_scan
@given(st.binary())
def test_any_bytes(body: bytes) -> None:
    scan(body, {})


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("a&amp;b", "a&b"),
        ("a&ampb", "a&ampb"),
        ("a&amp", "a&"),
        ("a&amp=b", "a&amp=b"),
        ("&copy;=&copy=&copy", "©=&copy=©"),
        ("&notit; &notin;", "&notit; ∉"),
        ("&#65;&#x42;&#67", "ABC"),
        ("&#;&;&", "&#;&;&"),
        ("&unknown;", "&unknown;"),
        ("&#8;&#x0b;&#x7F&#xFDD0;&#65535;", "\x08\x0b\x7f\ufdd0\uffff"),
        ("&#x1234567;&#99999999;", "\ufffd\ufffd"),
    ],
)
def test_values_of_attributes(written: str, value: str) -> None:
    assert attribute_value(written) == value
    read = page(f'<meta name=x content="{written}">', reads="tree")
    assert [meta("content") for meta in read._metas] == [value]
