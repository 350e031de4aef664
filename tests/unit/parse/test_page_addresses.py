"""The addresses of a page: each kind is found, and changed where it stands."""

from __future__ import annotations

import time

import pytest

from dowse.parse.page_addresses import Role, change_markup


def found(html: str, *, links: bool = True) -> list[tuple[str, str]]:
    seen: list[tuple[str, str]] = []

    def note(url: str, role: Role) -> None:
        seen.append((role, url))

    assert change_markup(html, note, links=links) == html
    return seen


def changed(html: str) -> str:
    return change_markup(html, lambda url, role: f"/new/{url}")


@pytest.mark.parametrize(
    ("html", "urls"),
    [
        ("<img src=a.png lowsrc=b.png>", ["a.png", "b.png"]),
        ("<IMG SRC = ' a.png '>", ["a.png"]),
        ("<img srcset='a.png 1x, b.png 2x'>", ["a.png", "b.png"]),
        ("<img srcset='a.png, data:image/png;base64,AA== 2x,b.png'>", ["a.png", "data:image/png;base64,AA==", "b.png"]),
        ("<picture><source srcset='a.webp 400w'><img src=a.png></picture>", ["a.webp", "a.png"]),
        ("<img data-src=late.png data-srcset='late2.png 2x'>", ["late.png", "late2.png"]),
        ("<div data-bg=late.png data-src='{\"a\": 1}'>", ["late.png"]),
        ("<link rel='Shortcut Icon' href=i.ico><link rel=stylesheet href=s.css>", ["i.ico", "s.css"]),
        ("<link rel=preload as=image imagesrcset='a.png 1x'>", ["a.png"]),
        ("<script src=s.js></script>", ["s.js"]),
        ("<video src=v.mp4 poster=p.png><track src=t.vtt></video><audio><source src=a.mp3></audio>",
         ["v.mp4", "p.png", "t.vtt", "a.mp3"]),
        ("<iframe src=f.html></iframe><frame src=g.html><object data=o.svg></object><embed src=e.svg>",
         ["f.html", "g.html", "o.svg", "e.svg"]),
        ("<input type=image src=b.png><table background=t.gif>", ["b.png", "t.gif"]),
        ("<svg><image href=i.png /><use xlink:href='sprite.svg#x'/></svg>", ["i.png", "sprite.svg#x"]),
        ("<p style=\"background: url('a.png')\">", ["a.png"]),
        ("<style>p { background: url(a.png) }</style>", ["a.png"]),
        ("<noscript><img src=a.png></noscript>", ["a.png"]),
        ("<iframe srcdoc='&lt;img src=a.png&gt;'></iframe>", ["a.png"]),
    ],
)  # fmt: skip
def test_requisites_are_found(html: str, urls: list[str]) -> None:
    assert sorted(found(html, links=False)) == sorted(("requisite", url) for url in urls)


@pytest.mark.parametrize(
    "html",
    [
        "<!-- <img src=a.png> -->",
        "<script>'<img src=a.png>'</script>",
        "<textarea><img src=a.png></textarea>",
        "<p title='<img src=a.png>'>",
        "<img src=''><img src><img>",
    ],
)
def test_what_is_no_address_is_left_alone(html: str) -> None:
    assert found(html, links=False) == []


def test_the_text_after_an_empty_style_sheet_is_no_style_sheet() -> None:
    assert changed("<style></style>see url(a.png)<style> </style>").endswith("see url(a.png)<style> </style>")


def test_links_are_told_from_requisites() -> None:
    html = (
        "<a href=a.html><area href=b.html><form action=c><q cite=d></q><link rel=next href=e>"
        "<meta http-equiv=Refresh content=\"3; URL='f.html'\"><svg><a xlink:href=g></a></svg>"
    )
    assert found(html) == [("link", url) for url in ("a.html", "b.html", "c", "d", "e", "f.html", "g")]


def test_only_what_changes_is_written_anew() -> None:
    html = "<P  CLASS=x>a &lt; b<A HREF='q?a=1&amp;b=2#c'  title=\"it's\">\r\n&copy;<Img Src=x.png></a><br/>"
    assert changed(html).replace("\r\n", "\n") == (
        '<P  CLASS=x>a &lt; b<a href="/new/q?a=1&amp;b=2#c" title="it\'s">\n&copy;<img src="/new/x.png"></a><br/>'
    )


def test_values_are_escaped_for_where_they_stand() -> None:
    html = "<p style=\"a: url('x.png')\"><img srcset='a.png 1x,b.png 2x'><style>a{b:url(x.png)}</style>"
    new = change_markup(html, lambda url, role: f'"/{url}&')
    assert 'style="a: url(&quot;\\&quot;/x.png&amp;&quot;)"' in new
    assert 'srcset="&quot;/a.png&amp; 1x,&quot;/b.png&amp; 2x"' in new
    assert '<style>a{b:url("\\"/x.png&")}</style>' in new


def test_what_hinders_a_copy_goes() -> None:
    html = (
        "<base href=/x/ target=_top><meta http-equiv=Content-Security-Policy content=\"default-src 'self'\">"
        "<script src=s.js integrity=sha256-x crossorigin></script>"
    )
    assert changed(html) == (
        '<base target="_top"><meta http-equiv="Content-Security-Policy"><script src="/new/s.js"></script>'
    )


def test_a_page_that_is_no_text_stays_as_it_is() -> None:
    assert changed("<p \ud800=1 style='a:url(b)'>") == "<p \ud800=1 style='a:url(b)'>"


def test_a_hostile_page_takes_no_longer_than_its_size() -> None:
    def seconds(size: int) -> float:
        pages = [piece * size for piece in ("<style>", "<noscript>", "<img src='", "<img srcset='a,", "<a href=x ")]
        pages.append("<img srcset='" + "(" * size + "'>")
        pages.append("<style>" + "url(" * size)
        start = time.process_time()
        for page in pages:
            change_markup(page, lambda url, role: None)
        return time.process_time() - start

    seconds(1_000)
    assert seconds(80_000) < 8 * seconds(20_000) + 0.5
