"""The links of a page: which, how often, with which words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.core.model import Request, Response
from dowse.core.urls import resolve
from dowse.demo import DemoSite
from dowse.parse.anchors import AnchorFields
from dowse.parse.link_targets import LONGEST_HREF
from dowse.parse.links import LONGEST_TEXT, MOST_LINKS, Link, Links, Source, collapse, find_links
from dowse.parse.outline import outline_of_tree
from dowse.parse.page import Page
from dowse.parse.tag_paths import placed_links
from dowse.parse.tree import parse_html

URL = "http://example.org/docs/page.html"


def links_of(html: str, url: str = URL, base: str = "", charset: str = "utf-8") -> Links:
    body = html.encode(charset)
    parsed = parse_html(body, {"content-type": f"text/html; charset={charset}"})
    return find_links(parsed.tree, Source(url, base or url, parsed.charset, len(body)))


def found(html: str, url: str = URL, base: str = "", charset: str = "utf-8") -> list[Link]:
    return links_of(html, url, base, charset).found


def urls(html: str, url: str = URL, base: str = "", charset: str = "utf-8") -> list[str]:
    return [link.url for link in found(html, url, base, charset)]


@pytest.mark.parametrize(
    ("href", "expected"),
    [
        ("other.html", ["http://example.org/docs/other.html"]),
        ("../x/", ["http://example.org/x/"]),
        ("/root", ["http://example.org/root"]),
        ("//example.com", ["http://example.com/"]),
        ("https://example.com/a", ["https://example.com/a"]),
        ("?page=2", ["http://example.org/docs/page.html?page=2"]),
        (" \n other.html\t", ["http://example.org/docs/other.html"]),
        ("other.html#part", ["http://example.org/docs/other.html"]),
        ("page.html", [URL]),
        ("other #part", ["http://example.org/docs/other%20"]),
        ("", []),
        ("#part", []),
        (" #part", []),
        ("mailto:a@example.org", []),
        ("tel:+4912345", []),
        ("javascript:void(0)", []),
        ("data:text/html,x", []),
        ("ftp://example.org/", []),
        ("http://[bad", []),
        ("http:?page=2", ["http://example.org/docs/page.html?page=2"]),
        ("ht\ntp:?page=2", ["http://example.org/docs/page.html?page=2"]),
        ("x" * (LONGEST_HREF + 1), []),
        ("x" * LONGEST_HREF, ["http://example.org/docs/" + "x" * LONGEST_HREF]),
    ],
)
def test_an_href_becomes_an_absolute_url_or_nothing(href: str, expected: list[str]) -> None:
    assert urls(f'<a href="{href}">text</a>') == expected


HREF_PARTS = st.sampled_from(
    [
        "..",
        ".",
        "/",
        "\\",
        "a",
        "b.html",
        "?",
        "q=1",
        "#",
        "http:",
        "https://h",
        ":",
        " ",
        "\t",
        "%2e",
        "é",
        "@",
        ";",
        "^",
    ]
)


@given(
    st.lists(HREF_PARTS, max_size=6).map("".join),
    st.sampled_from([URL, "http://h/", "http://h/?a=/b", "https://h/x/y/?q", "http://h/a/b;c=/d"]),
)
def test_links_lead_where_the_standard_says(href: str, url: str) -> None:
    expected = resolve(url, href)
    assert urls(f'<a href="{href}">x', url) in ([expected], [] if expected in (None, url) else [expected])


def test_pages_of_one_folder_keep_their_own_queries_apart() -> None:
    for name in ("one", "two"):
        url = f"http://example.org/f/{name}"
        assert urls("<a href='?x'>x</a><a href=y>y</a>", url) == [f"{url}?x", "http://example.org/f/y"]


def test_a_base_gives_a_target_to_links_that_are_only_a_fragment() -> None:
    base = "http://example.com/other/"
    assert urls("<a href='#a'>x</a><a href=y>y</a><a href=''>z</a>", base=base) == [base, base + "y"]


def test_a_target_comes_once_with_the_first_words_that_there_are() -> None:
    html = "<a href=a></a><a href=b>second</a><a href=a#x> first\n  words </a><a href=./a>later</a>"
    assert found(html) == [
        Link("http://example.org/docs/a", "first words"),
        Link("http://example.org/docs/b", "second"),
    ]


def test_a_link_without_words_counts() -> None:
    assert found("<a href=a></a>") == [Link("http://example.org/docs/a", "")]


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<a href=x><b>bold</b> and <i>more</i></a>", "bold and more"),
        ("<a href=x>\u00a0no\u00a0break\u00a0</a>", "no break"),
        ("<a href=x><img alt=' a  picture ' src=p></a>", "a picture"),
        ("<a href=x>words<img alt=picture></a>", "words"),
        ("<a href=x title='a title'><img src=p></a>", "a title"),
        ("<a href=x title='a title'><img alt='' src=p></a>", "a title"),
        ("<a href=x title='a title'>words</a>", "words"),
        ("<a href=x>Annual<br>report <span>of</span> 20<b>24</b></a>", "Annual report of 2024"),
        ("<a href=x><div>A</div><div>B<p>C</p></div>D</a>", "A B C D"),
        ("<a href=x><ul><li>A<li>B</ul></a>", "A B"),
        ("<a href=x>words<script>code()</script><style>a{}</style></a>", "words"),
        ("<a href=x title='a title'><style>a{}</style><img src=p></a>", "a title"),
        ("<a href=x><svg><style>a{}</style></svg>icon</a>", "icon"),
        (f"<a href=x>{'word<br>' * 1000}</a>", ("word " * 40).strip()),
        ("<area href=x alt='a shape'>", "a shape"),
        ("<iframe src=x title='a frame'></iframe>", "a frame"),
    ],
)
def test_the_words_of_a_link(html: str, text: str) -> None:
    assert [link.text for link in found(html)] == [text]
    page = Page(Response(Request(URL, 1, "example.org"), 200, {"content-type": "text/html"}, html.encode(), 0.0, 0.0))
    assert [AnchorFields().get(anchor, "text") for anchor in page.anchors] == [text]
    assert [placed.link.text for placed in placed_links(page)] == [text]
    assert [place.link.text for place in page.outline.places] == [text]
    assert [place.link.text for place in outline_of_tree(page.tree, page._source).places] == [text]


def test_what_a_frame_shows_where_there_are_none_is_not_its_words() -> None:
    assert found("<iframe src=x title='a frame'>ignored</iframe>")[0].text == "a frame"


@pytest.mark.parametrize("length", [LONGEST_TEXT - 1, LONGEST_TEXT, LONGEST_TEXT + 1, 50_000])
def test_long_words_are_cut(length: int) -> None:
    assert found(f"<a href=x>{'y' * length}</a>")[0].text == "y" * min(length, LONGEST_TEXT)


@given(st.text(max_size=400), st.integers(1, 50))
def test_collapsed_text_is_one_short_line(text: str, limit: int) -> None:
    line = collapse(text, limit)
    assert len(line) <= limit
    assert line == collapse(line, limit)
    assert not {"\n", "\t", "\r"} & set(line)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<area href=x>", [Link("http://example.org/docs/x", tag="area")]),
        ("<frameset><frame src=x></frameset>", [Link("http://example.org/docs/x", tag="frame")]),
        ("<iframe src=x></iframe>", [Link("http://example.org/docs/x", tag="iframe")]),
        ("<link rel=next href=x>", [Link("http://example.org/docs/x", tag="link")]),
        ("<link rel='PREV up' href=x>", [Link("http://example.org/docs/x", tag="link")]),
        ("<svg><a xlink:href=x>t</a></svg>", [Link("http://example.org/docs/x", "t")]),
        ("<svg><a href=x xlink:href=y>t</a></svg>", [Link("http://example.org/docs/x", "t")]),
        ("<a href=x>t</a><iframe src=x></iframe>", [Link("http://example.org/docs/x", "t")]),
        ("<link rel=stylesheet href=x><link rel=icon href=x><link rel=canonical href=x>", []),
        ("<img src=x><script src=x></script><form action=x></form><a name=x>t</a>", []),
        ("<template><a href=x>t</a></template><!-- <a href=x>t</a> -->", []),
        ("<p><template shadowrootmode=open><a href=x>t</a></template>", [Link("http://example.org/docs/x", "t")]),
        ("<iframe></iframe><area><frame>", []),
        ("<area href='#x'>", []),
    ],
)
def test_where_links_are_found(html: str, expected: list[Link]) -> None:
    assert found(html) == expected


@pytest.mark.parametrize(
    ("html", "nofollow"),
    [
        ("<a href=x rel=nofollow>t</a>", True),
        ("<a href=x rel='noopener NOFOLLOW'>t</a>", True),
        ("<a href=x rel=ugc>t</a>", True),
        ("<a href=x rel=sponsored>t</a>", True),
        ("<area href=x rel=nofollow>", True),
        ("<a href=x rel=noopener>t</a>", False),
        ("<a href=x>t</a>", False),
        ("<a href=x rel=nofollow>t</a><a href=x#part>t</a>", False),
        ("<a href=x>t</a><a href=x rel=nofollow>t</a>", False),
        ("<a href=x rel=nofollow>t</a><iframe src=x></iframe>", False),
        ("<a href=x rel=nofollow>t</a><a href=./x rel=ugc>t</a>", True),
        ("<a href='?x' rel=nofollow>t</a>", True),
    ],
)
def test_a_target_is_refused_only_if_all_its_links_are(html: str, nofollow: bool) -> None:
    assert [link.nofollow for link in found(html)] == [nofollow]


def test_only_the_marked_links_of_a_page_are_refused() -> None:
    links = found("<a href=x rel=nofollow>t</a><a href=y>t</a>")
    assert [(link.url[-1], link.nofollow) for link in links] == [("x", True), ("y", False)]


@pytest.mark.parametrize(
    ("charset", "href", "expected"),
    [
        ("utf-8", "/п?q=п", "/%D0%BF?q=%D0%BF"),
        ("windows-1251", "/п?q=п", "/%D0%BF?q=%EF"),
        ("windows-1251", "/?q=п&a=%20&r=a", "/?q=%EF&a=%20&r=a"),
        ("windows-1251", "/?q=日", "/?q=%26%2326085%3B"),
        ("shift_jis", "/?q=表", "/?q=%95\\"),
        ("utf-16le", "/?q=п", "/?q=%D0%BF"),
    ],
)
def test_a_query_is_sent_in_the_charset_of_the_page(charset: str, href: str, expected: str) -> None:
    written = href.encode(charset, "xmlcharrefreplace").decode(charset)
    assert urls(f"<a href='{written}'>x</a>", charset=charset) == [f"http://example.org{expected}"]


def test_a_refused_link_with_a_legacy_query_is_refused() -> None:
    assert found("<a href='/?q=п' rel=nofollow>x</a>", charset="windows-1251")[0].nofollow


def test_the_links_of_a_page_have_a_limit() -> None:
    links = links_of("".join(f"<a href=/{number}>t</a>" for number in range(MOST_LINKS + 5_000)))
    assert [link.url for link in links.found] == [f"http://example.org/{number}" for number in range(MOST_LINKS)]
    assert links.dropped == 5_000


def test_the_limit_counts_targets_and_not_anchors() -> None:
    links = links_of("<a href=/x>t</a>" * (MOST_LINKS + 5_000) + "<a href=/y>t</a>")
    assert [link.url for link in links.found] == ["http://example.org/x", "http://example.org/y"]
    assert links.dropped == 0


def test_anchors_in_anchors_keep_their_words_on_a_page_of_usual_size() -> None:
    html = "<a href=x>outer <object><a href=y>inner</a></object></a>"
    assert [link.text for link in found(html)] == ["outer inner", "inner"]


@pytest.mark.timeout(10)
def test_anchors_in_anchors_are_not_walked_again_and_again() -> None:
    html = "<object><a href=x>" * 250 + "<b></b><br>" * 15_000
    assert len(found(html)) == 1


def test_anchors_lead_where_links_lead(demo_site: DemoSite) -> None:
    for path, document in demo_site.documents.items():
        if not document.media_type.startswith("text/html"):
            continue
        request = Request(demo_site.url[:-1] + path, 1, "127.0.0.1")
        page = Page(Response(request, 200, {"content-type": document.media_type}, document.body, 0.0, 0.0))
        assert dict.fromkeys(anchor.url for anchor in page.anchors) == dict.fromkeys(link.url for link in page.links)
