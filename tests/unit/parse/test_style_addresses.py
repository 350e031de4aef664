"""The addresses of a style sheet: those that it loads, and no others."""

from __future__ import annotations

import pytest

from dowse.parse.style_addresses import change_style


def found(sheet: str) -> list[str]:
    seen: list[str] = []
    assert change_style(sheet, seen.append) == sheet
    return seen


@pytest.mark.parametrize(
    ("sheet", "urls"),
    [
        ("a { background: url(a.png) }", ["a.png"]),
        ("a { background: URL( 'a b.png' ) }", ["a b.png"]),
        ('@import "a.css" screen; @IMPORT url(b.css);', ["a.css", "b.css"]),
        ("@font-face { src: url(f.woff2) format('woff2'), url(f.woff) }", ["f.woff2", "f.woff"]),
        (r"a { b: url(a\29 b.png) url(c\(d.png) }", ["a)b.png", "c(d.png"]),
        ("a { b: image-set('a.png' 1x, url(b.png) 2x type('image/png')) }", ["a.png", "b.png"]),
        ("a { content: 'url(no.png)' } /* url(no.png) */", []),
        ("@namespace url(http://www.w3.org/1999/xhtml); a { b: url() }", []),
        ("a { b: url(a.png", []),
        ("/* url(no.png) ", []),
    ],
)
def test_addresses_are_found(sheet: str, urls: list[str]) -> None:
    assert found(sheet) == urls


def test_they_are_changed_where_they_stand() -> None:
    sheet = "@import 'a.css' screen; a { b: url( x.png ) 0 0; c: image-set('d.png' 1x, url(e.png) 2x) }"
    assert change_style(sheet, lambda url: f'n"/{url}') == (
        '@import "n\\"/a.css" screen; a { b: url( "n\\"/x.png" ) 0 0;'
        ' c: image-set("n\\"/d.png" 1x, url("n\\"/e.png") 2x) }'
    )
