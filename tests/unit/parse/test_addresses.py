"""Addresses that are no links, found where somebody asks for them."""

from __future__ import annotations

import pytest

from dowse.core.model import Request, Response
from dowse.parse.page import Page

HTML = """
<a href=/link><img src=/in-link.png alt="In a link"></a>
<img src="/a.jpg" srcset="/a,1.jpg 1x, /a@2.jpg 2x">
<picture><source srcset="/wide.webp 800w, /small.webp 400w"><img src=/plain.jpg></picture>
<video src=/film.mp4 poster=/poster.jpg><source src=/film.webm><track src=/film.vtt></video>
<audio src=/sound.mp3></audio> <embed src=/old.swf> <object data=/thing.pdf></object>
<div data-href="/card" data-settings='{"a": 1}' data-words="two words">Card</div>
<button data-url=" /go ">Go</button> <li data-url=/item>
<button onclick="location.href='/one'; return false">1</button>
<table><tr><td onclick='window.open("/two", "_blank")'>2</td> <tr onclick="window.location = '/three'"></table>
<span onclick="show('/not')">no</span> <span onclick="location.assign(next)">no</span>
<img src="">
"""


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        ("img", "/in-link.png /a.jpg /a,1.jpg /a@2.jpg /plain.jpg"),
        ("picture", "/wide.webp /small.webp /plain.jpg"),
        ("video", "/film.mp4 /film.webm /film.vtt"),
        ("source", "/wide.webp /small.webp /film.webm"),
        ("audio", "/sound.mp3"),
        ("embed", "/old.swf"),
        ("object", "/thing.pdf"),
        ("video[poster]", "/poster.jpg"),
        ("div[data-href]", "/card"),
        ("div[data-settings]", ""),
        ("div[data-words]", ""),
        ("[data-url]", "/go /item"),
        ("button[data-url]", "/go"),
        ("[onclick]", "/one /two /three"),
        ("button[onclick]", "/one"),
    ],
)
def test_a_tag_says_which_addresses_are_meant(tag: str, expected: str) -> None:
    request = Request("http://example.org/here", 1, "example.org")
    page = Page(Response(request, 200, {"content-type": "text/html"}, HTML.encode(), 0.0, 0.0))
    assert [anchor.url.removeprefix("http://example.org") for anchor in page.addresses(tag)] == expected.split()
