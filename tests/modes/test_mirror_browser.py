"""A mirror in a real browser with the network off: it looks like the site, and its links work."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

from tests.browsing import tab
from tests.crawling import crawl
from tests.servers import Reply, Site

WIDTHS = "[...document.images].map(image => image.naturalWidth)"


def picture(width: int, red: int, green: int, blue: int) -> Reply:
    """An image of one colour."""
    rows = (b"\0" + bytes((red, green, blue)) * width) * width
    chunks = (b"IHDR" + struct.pack(">IIBBBBB", width, width, 8, 2, 0, 0, 0), b"IDAT" + zlib.compress(rows), b"IEND")
    packed = b"".join(struct.pack(">I", len(part) - 4) + part + struct.pack(">I", zlib.crc32(part)) for part in chunks)
    return Reply(b"\x89PNG\r\n\x1a\n" + packed, headers={"Content-Type": "image/png"})


def typed(text: str | bytes, media_type: str) -> Reply:
    return Reply(text, headers={"Content-Type": media_type})


def colourful(site: Site) -> None:
    """A page that shows something of every kind, and one that it leads to by a redirect."""
    site.pages |= {
        "/": """<!doctype html><title>One</title><base href=/deep/><meta charset=utf-8>
            <meta http-equiv=Content-Security-Policy content="default-src 'self' 'unsafe-inline' data:">
            <link rel=stylesheet href=../style.php?v=1 crossorigin><h1>Gr\u00fc\u00dfe</h1><img src="../a b.png">
            <picture><source srcset="../b.png 1x, ../c.png 2x"><img src=../c.png></picture>
            <img data-src=../late.png class=late><div style="background: url('../d.png')">&nbsp;</div>
            <svg width=40 height=40><image href=../e.png width=40 height=40 /></svg>
            <iframe src=/frame width=120 height=60></iframe><noscript><img src=../n.png></noscript>
            <script src=../s.js></script><a id=next href=/old?x=1>next</a>""",
        "/style.php?v=1": typed(
            b"@charset 'iso-8859-1'; @import url(more.css); h1 { color: rgb(1, 2, 3); background: url(bg.png) }",
            "text/css",
        ),
        "/more.css": typed("h1 { font-size: 50px }", "text/css"),
        "/s.js": typed("const late = document.querySelector('.late'); late.src = late.dataset.src", "text/javascript"),
        "/frame": "<title>Frame</title><img src=f.png>",
        "/old?x=1": Reply(status=301, headers={"Location": "/new"}),
        "/new": typed("<title>Two</title><p>\u0434\u0430".encode("koi8-r"), "text/html; charset=koi8-r"),
    }  # fmt: skip
    colours = {"/a%20b.png": 31, "/b.png": 32, "/c.png": 33, "/late.png": 34, "/d.png": 35, "/e.png": 36, "/f.png": 37}
    for number, (path, width) in enumerate(colours.items()):
        site.pages[path] = picture(width, 30 * number, 255 - 30 * number, 128)
    site.pages["/bg.png"] = picture(10, 200, 220, 255)
    site.pages["/n.png"] = picture(10, 0, 0, 0)


def test_it_looks_like_the_site_and_its_links_work(site: Site, tmp_path: Path) -> None:
    colourful(site)
    found = crawl(tmp_path / "out", site.url, requisites=True)
    found.export("mirror", tmp_path / "mirror")
    with tab() as page:
        page.goto(site.url, wait_until="networkidle")
        live = page.screenshot()
        widths = page.evaluate(WIDTHS)
    requests: list[str] = []
    with tab(offline=True) as page:
        page.on("request", lambda request: requests.append(request.url))
        page.goto((tmp_path / "mirror" / "index.html").as_uri())
        page.wait_for_url("**/127.0.0.1_*/index.html")
        page.wait_for_load_state("networkidle")
        assert page.evaluate(WIDTHS) == widths == [31, 32, 34]
        assert page.evaluate("getComputedStyle(document.querySelector('h1')).fontSize") == "50px"
        assert page.frames[1].evaluate(WIDTHS) == [37]
        assert page.screenshot() == live
        page.click("#next")
        page.wait_for_load_state("networkidle")
        assert page.title() == "Two"
        assert page.inner_text("p") == "\u0434\u0430"
    assert {url.partition(":")[0] for url in requests} <= {"file", "data"}
