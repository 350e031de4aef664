"""A browser reads the words that HTTP reads, whatever a page says of its charset or does not say."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.crawling import crawl, states
from tests.servers import Reply, Site

GERMAN = "Gr\u00fc\u00dfe aus K\u00f6ln \u2013 5 \u20ac"
ICELANDIC = "\u00deetta er \u00edslenska"
FRAME = "<!doctype html>{}<title>x</title><h1>{}</h1><a href='/p?q=\u00f6'>to</a><script>document.title += '!'</script>"
PLAIN = "text/html"

# The content type, the head of the page, its words and the charset that they are written in.
PAGES = {
    "undeclared": (PLAIN, "", GERMAN, "utf-8"),
    "wrong header": ("text/html; charset=ISO-8859-1", "", GERMAN, "utf-8"),
    "wrong tag": (PLAIN, "<meta charset=latin1>", GERMAN, "utf-8"),
    "not as said": ("text/html; charset=utf-8", "", GERMAN, "cp1252"),
    "legacy": ("text/html; charset=windows-1252", "", GERMAN, "cp1252"),
    "marked": (PLAIN, "", GERMAN, "utf-8-sig"),
    "wide": (PLAIN, "", GERMAN, "utf-16-le"),
    "wider": (PLAIN, "", GERMAN, "utf-32-be"),
}


def answer(name: str) -> Reply:
    kind, head, words, charset = PAGES[name]
    return Reply(FRAME.format(head, words).encode(charset), headers={"Content-Type": kind})


@pytest.mark.parametrize("name", PAGES)
def test_a_browser_reads_the_words_that_http_reads(site: Site, tmp_path: Path, name: str) -> None:
    site.pages |= {"/": answer(name), "/p": "<p>found"}
    ways = {way: crawl(tmp_path / way, site.url, fetch=way, extract="h=//h1") for way in ("http", "browser", "auto")}
    words = PAGES[name][2]
    assert {way: "|".join(row["h"] for row in found.records) for way, found in ways.items()} == dict.fromkeys(
        ways, words
    )
    assert states(ways["browser"]) == states(ways["http"]) == states(ways["auto"])
    declared = {way: {row["url"]: row["declared_charset"] for row in found.pages} for way, found in ways.items()}
    assert declared["browser"] == declared["auto"] == declared["http"]
    assert next(row["title"] for row in ways["browser"].pages if row["url"] == site.url) == "x!"


def test_bytes_that_no_charset_has_are_mended_before_a_browser_sees_them(site: Site, tmp_path: Path) -> None:
    body = FRAME.format("<meta charset=utf-8>", f"{GERMAN} {ICELANDIC}").encode() + "<h2>caf\u00e9</h2>".encode(
        "cp1252"
    )
    site.pages |= {"/": Reply(body, headers={"Content-Type": PLAIN})}
    found = crawl(tmp_path, site.url, fetch="browser", extract=("h=//h1", "c=//h2"), depth=0)
    assert [(row["h"], row["c"]) for row in found.records] == [(f"{GERMAN} {ICELANDIC}", "caf\u00e9")]
