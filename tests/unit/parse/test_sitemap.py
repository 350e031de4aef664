"""Sitemaps and feeds, read piece by piece."""

from __future__ import annotations

import gzip
import tracemalloc
import zlib
from itertools import repeat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.core.revisits.server_signs import Said
from dowse.parse.inflate import PIECE, Inflater
from dowse.parse.sitemap import SitemapEntry, SitemapReader

NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


def read(data: bytes, step: int = 0, reader: SitemapReader | None = None) -> tuple[list[SitemapEntry], str]:
    reader = reader or SitemapReader()
    step = step or len(data) or 1
    entries: list[SitemapEntry] = []
    for start in range(0, len(data), step):
        entries += reader.feed(data[start : start + step])
    entries += reader.close()
    return entries, reader.error


def urls(document: str | bytes, step: int = 0) -> list[str]:
    entries, error = read(document.encode() if isinstance(document, str) else document, step)
    assert error == ""
    return [entry.url for entry in entries]


def urlset(*locations: str) -> str:
    return f"<urlset {NAMESPACE}>" + "".join(f"<url><loc>{url}</loc></url>" for url in locations) + "</urlset>"


DOCUMENTS: dict[str, tuple[str, list[SitemapEntry]]] = {
    "urlset": (
        f"""<?xml version="1.0" encoding="UTF-8"?>
        <!-- made by hand -->
        <urlset {NAMESPACE}>
          <url><loc> http://a/1 </loc><lastmod>2024-01-01</lastmod><changefreq>daily</changefreq></url>
          <url><lastmod>2024-01-02T10:00:00+00:00</lastmod><loc>http://a/2?x=1&amp;y=2</loc></url>
          <url><loc><![CDATA[http://a/3?x=1&y=2]]></loc></url>
          <url><loc></loc></url><url/>
          <url><loc>/4</loc></url>
        </urlset>""",
        [
            SitemapEntry("http://a/1", "page", Said("2024-01-01", "daily")),
            SitemapEntry("http://a/2?x=1&y=2", "page", Said("2024-01-02T10:00:00+00:00")),
            SitemapEntry("http://a/3?x=1&y=2"),
            SitemapEntry("/4"),
        ],
    ),
    "index": (
        f"""<sitemapindex {NAMESPACE}>
          <sitemap><loc>http://a/1.xml.gz</loc><lastmod>2024-01-01</lastmod></sitemap>
          <sitemap><loc>http://a/2.xml</loc></sitemap>
        </sitemapindex>""",
        [SitemapEntry("http://a/1.xml.gz", "sitemap", Said("2024-01-01")), SitemapEntry("http://a/2.xml", "sitemap")],
    ),
    "any prefix, and images with locations of their own": (
        """<s:urlset xmlns:s="http://www.google.com/schemas/sitemap/0.84" xmlns:image="i" xmlns:xhtml="x">
          <s:url>
            <image:image><image:loc>http://a/picture.png</image:loc></image:image>
            <xhtml:link rel="alternate" hreflang="fr" href="http://a/fr"/>
            <s:loc>http://a/1</s:loc>
          </s:url>
        </s:urlset>""",
        [SitemapEntry("http://a/1")],
    ),
    "RSS 2.0": (
        """<?xml version="1.0"?>
        <!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN" "http://my.netscape.com/rss-0.91.dtd">
        <rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
          <title>News &nbsp; and more &copy;</title><link>http://a/</link>
          <image><url>http://a/logo.png</url><link>http://a/</link></image>
          <item><title>1</title><link>http://a/1</link><pubDate>Mon, 01 Jan 2024 12:00:00 GMT</pubDate></item>
          <item><atom:link rel="self" href="http://a/feed"/><guid>http://a/2</guid></item>
          <item><link></link><guid isPermaLink="false">tag:3</guid></item>
          <item><guid>http://a/guid</guid><link>http://a/4</link><source url="http://b/">b</source></item>
        </channel></rss>""",
        [
            SitemapEntry("http://a/1", "page", Said("Mon, 01 Jan 2024 12:00:00 GMT", is_feed=True)),
            SitemapEntry("http://a/2"),
            SitemapEntry("http://a/4"),
        ],
    ),
    "RSS 1.0": (
        """<rdf:RDF xmlns:rdf="r" xmlns="http://purl.org/rss/1.0/" xmlns:dc="d">
          <channel rdf:about="http://a/"><link>http://a/</link></channel>
          <item rdf:about="http://a/1"><link>http://a/1</link><dc:date>2024-01-01</dc:date></item>
        </rdf:RDF>""",
        [SitemapEntry("http://a/1", "page", Said("2024-01-01", is_feed=True))],
    ),
    "Atom": (
        """<feed xmlns="http://www.w3.org/2005/Atom">
          <link href="http://a/"/><link rel="self" href="http://a/feed"/><updated>2024-02-02</updated>
          <entry><link rel="edit" href="http://a/edit"/><link href="http://a/1?x&amp;y"/>
            <published>2023-01-01</published><updated>2024-01-01</updated>
            <source><link href="http://b/"/></source></entry>
          <entry><link rel="alternate" type="text/html" href="2"/><link rel="enclosure" href="http://a/2.mp3"/></entry>
          <entry><id>urn:3</id></entry>
        </feed>""",
        [SitemapEntry("http://a/1?x&y", "page", Said("2024-01-01", is_feed=True)), SitemapEntry("2")],
    ),
    "plain text": (
        "\ufeffhttp://a/1\r\n\r\n  https://a/2  \n# comment\nHTTP://A/3\rhttp://a/4",
        [SitemapEntry(url) for url in ("http://a/1", "https://a/2", "HTTP://A/3", "http://a/4")],
    ),
}


@pytest.mark.parametrize("step", [0, 1, 7, 1000])
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_kind_of_list(name: str, packed: bool, step: int) -> None:
    text, entries = DOCUMENTS[name]
    data = text.encode()
    assert read(gzip.compress(data) if packed else data, step) == (entries, "")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "iso-8859-5", "windows-1251", "koi8-r"])
def test_encodings(encoding: str) -> None:
    declaration = f'<?xml version="1.0" encoding="{encoding.removesuffix("-sig")}"?>'
    assert urls((declaration + urlset("http://a/Привет")).encode(encoding), 3) == ["http://a/Привет"]


@pytest.mark.parametrize("encoding", ["shift_jis", "euc-jp", "gb18030", "big5"])
def test_encodings_of_several_bytes(encoding: str) -> None:
    text = f'<?xml version="1.0" encoding="{encoding}"?>' + urlset("http://a/日本")
    assert urls(text.encode(encoding), 1) == ["http://a/日本"]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "hex", "zlib", "rot13", "punycode", "no-such-thing"])
def test_a_false_declaration_is_ignored(encoding: str) -> None:
    assert urls(f'<?xml version="1.0" encoding="{encoding}"?>' + urlset("http://a/é")) == ["http://a/é"]


def test_bytes_that_are_not_utf_8_spoil_only_themselves() -> None:
    assert urls(urlset("http://a/1", "http://a/X").encode().replace(b"X", b"\xe9")) == ["http://a/1", "http://a/\ufffd"]


@pytest.mark.parametrize("step", [0, 1])
@pytest.mark.parametrize(
    ("written", "url"),
    [
        ("http://a/?x=1&y=2", "http://a/?x=1&y=2"),
        ("http://a/?x=1&amp;amp;y=2", "http://a/?x=1&y=2"),
        ("http://a/?x=1&#38;y=2&#x26;z", "http://a/?x=1&y=2&z"),
        ("http://a/?a & b;c&", "http://a/?a & b;c&"),
        ("http://a/&nbsp;x", "http://a/x"),
        (f"http://a/?{'&' * 50}{'x' * 50}&", f"http://a/?{'&' * 50}{'x' * 50}&"),
    ],
)
def test_ampersands_right_and_wrong(written: str, url: str, step: int) -> None:
    assert urls(urlset(written), step) == [url]


@pytest.mark.parametrize(
    "wrong", ["\x00", "\x0b", "\x1f", "\ufffe", "\uffff", "&#0;", "&#11;", "&#xFFFF;", "&#99999999;"]
)
@pytest.mark.parametrize("step", [0, 1, 7])
def test_a_character_that_xml_does_not_allow_is_left_out(wrong: str, step: int) -> None:
    assert urls(urlset("http://e/1", f"http://e/{wrong}2", "http://e/3"), step) == [f"http://e/{n}" for n in (1, 2, 3)]
    assert urls(urlset("http://e/&#x31;&#10;", "http://e/&#0050;"), step) == ["http://e/1", "http://e/2"]


@pytest.mark.parametrize("items", ["sitemapindex|sitemap", "urlset|url"])
def test_all_places_of_one_entry_are_given(items: str) -> None:
    root, item = items.split("|")
    places = "".join(f"<loc>http://e/{number}</loc>" for number in range(2_500))
    entries, error = read(f"<{root}><{item}>{places}<lastmod>2024-01-01</lastmod></{item}></{root}>".encode())
    assert error == ""
    assert {entry.url for entry in entries} == {f"http://e/{number}" for number in range(2_500)}
    assert entries[-1].said == Said("2024-01-01")
    assert {entry.kind for entry in entries} == {"sitemap" if item == "sitemap" else "page"}


def test_what_links_of_a_feed_are_relative_to() -> None:
    """RFC 4287, 2: any element may have an `xml:base`, relative to that of the one around it."""
    feed = """<feed xmlns="http://www.w3.org/2005/Atom" xml:base="http://e.org/blog/">
        <link href="elsewhere"/>
        <entry><link href="one"/></entry>
        <entry xml:base="2024/"><link href="two"/></entry>
        <entry xml:base="/old/"><link xml:base="x/" href="../three"/></entry>
        <entry><link href="http://f.org/four"/></entry>
        <entry><link href="http://[half"/></entry>
        <entry><link href="/six"/></entry></feed>"""
    paths = ["e.org/blog/one", "e.org/blog/2024/two", "e.org/old/three", "f.org/four", "[half", "e.org/six"]
    assert urls(feed) == [f"http://{path}" for path in paths]
    assert urls('<feed xml:base="/b/"><entry><link href="one"/></entry></feed>') == ["/b/one"]


def test_white_space_before_the_declaration_does_no_harm() -> None:
    assert urls(" \n" * 2_000 + '<?xml version="1.0"?>' + urlset("http://a/")) == ["http://a/"]


@pytest.mark.parametrize(
    ("data", "found", "error"),
    [
        (urlset("http://a/1").encode()[:-9] + b"<url><loc>http://a/2</url>", 1, "line 1: mismatched tag"),
        (urlset("http://a/1").encode()[:-3], 1, "unclosed token"),
        (b"<urlset>\n<url><loc>http://a/1</loc></url>\n<url><loc>htt", 1, "line 3: no element found"),
        (gzip.compress(urlset(*map(str, range(5_000))).encode())[:-9], 4_999, "the gzip data ends early"),
        (gzip.compress(urlset("http://a/1").encode())[:20] + b"\xff" * 100, 0, "broken gzip data"),
        (b"\x1f\x8b\x00 not gzip at all", 0, "broken gzip data"),
        (b"<!DOCTYPE html><html><body><p>not found", 0, "not a sitemap or feed but <html>"),
        (b"not found", 0, "neither XML nor a list of URLs"),
        (bytes(range(256)) * 10, 0, "neither XML nor a list of URLs"),
        (b" \n", 0, "empty"),
        (b"", 0, "empty"),
    ],
)
def test_what_came_before_the_trouble_is_given(data: bytes, found: int, error: str) -> None:
    for step in (0, 1000):
        entries, message = read(data, step)
        assert error in message
        assert len(entries) >= found
        assert len(entries) <= found + 1


def test_nothing_is_read_after_the_trouble() -> None:
    reader = SitemapReader()
    reader.feed(b"<urlset><url></urlset>" + b" " * 2_000)
    assert reader.finished
    assert reader.feed(urlset("http://a/").encode()) == []
    assert "mismatched" in reader.error


def test_several_gzip_members_and_what_follows_them() -> None:
    whole = urlset("http://a/1", "http://a/2").encode()
    data = gzip.compress(whole[:60]) + gzip.compress(whole[60:]) + b"\0\0garbage"
    for step in (0, 1, 5):
        assert urls(data, step) == ["http://a/1", "http://a/2"]


def test_the_number_of_entries_is_bounded() -> None:
    data = urlset(*map(str, range(20))).encode()
    assert [entry.url for entry in read(data, 7, SitemapReader(max_entries=10))[0]] == [*map(str, range(10))]
    assert read(data, 0, SitemapReader(max_entries=10))[1] == "too many entries"
    assert read(data, 0, SitemapReader(max_entries=20))[1] == ""


def test_the_size_after_decompression_is_bounded() -> None:
    data = gzip.compress(urlset("http://a/").encode() + b" " * 5_000_000)
    assert len(data) < 10_000
    assert read(data, 0, SitemapReader(max_octets=1_000_000))[1] == "too long"
    assert read(data, 0, SitemapReader(max_octets=6_000_000)) == ([SitemapEntry("http://a/")], "")


LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))


@pytest.mark.parametrize(
    "document_type",
    [
        f'<!DOCTYPE urlset [<!ENTITY l0 "ha">{LAUGHS}]>',
        '<!DOCTYPE urlset [<!ENTITY l9 SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE urlset [<!ENTITY % l9 SYSTEM "http://127.0.0.1/x.dtd"> %l9;]>',
    ],
)
def test_entities_are_not_declared_here(document_type: str) -> None:
    document = document_type + urlset("http://a/&l9;")
    assert read(document.encode()) == ([], "declares entities")


def test_a_document_type_elsewhere_is_not_fetched() -> None:
    assert urls('<!DOCTYPE urlset SYSTEM "file:///etc/passwd">' + urlset("http://a/1&l9;")) == ["http://a/1"]


ENDLESS = {
    "a comment": (b"<urlset><!--", b"x", "a tag is too long"),
    "an attribute": (b'<urlset><url a="', b"x", "a tag is too long"),
    "attributes": (b"<urlset><url ", b'a="" ', "a tag is too long"),
    "a tag name": (b"<urlset><", b"x", "a tag is too long"),
    "a location": (b"<urlset><url><loc>", b"x", "no element found"),
    "ampersands": (b"<urlset><url><loc>", b"&" + b"x" * 30, "line 1"),
    "nesting": (b"<urlset>", b"<url>", "nested too deep"),
    "a line": (b"http://a/", b"x", ""),
    "white space": (b" ", b" ", "empty"),
}


@pytest.mark.parametrize("name", ENDLESS)
def test_endless_things_cost_little_memory(name: str) -> None:
    beginning, more, error = ENDLESS[name]
    chunk = more * (PIECE // len(more))
    reader = SitemapReader()
    reader.feed(beginning + chunk)
    tracemalloc.start()
    try:
        for again in repeat(chunk, 100):
            assert reader.feed(again) == []
        assert reader.close() == []
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert error in reader.error
    assert peak < 2_000_000


def test_endless_names_are_refused() -> None:
    reader = SitemapReader()
    reader.feed(b"<urlset>")
    for start in range(0, 100_000, 1_000):
        reader.feed(b"".join(b"<n%d/>" % number for number in range(start, start + 1_000)))
    assert reader.error == "too many different tags"


def test_a_list_that_comes_in_one_piece_is_taken_apart() -> None:
    data = urlset(*(f"http://a/{number}" for number in range(3_000))).encode()
    assert len(data) > 1.5 * PIECE
    assert urls(data) == [f"http://a/{number}" for number in range(3_000)]


TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"], exclude_characters="\ufffe\uffff"))


@given(st.lists(TEXTS.map(lambda text: f"http://a/{text}x"), max_size=20), st.integers(1, 50), st.booleans())
def test_what_is_written_is_read_whatever_the_pieces(locations: list[str], step: int, packed: bool) -> None:
    escaped = [url.replace("&", "&amp;").replace("<", "&lt;") for url in locations]
    data = urlset(*escaped).encode()
    expected = [url.replace("&amp;", "&") for url in locations]
    assert urls(gzip.compress(data) if packed else data, step) == expected


@given(
    st.binary(max_size=300), st.sampled_from([b"", b"<urlset>", b"\x1f\x8b\x08\x00", b"<?xml encoding='", b"\xff\xfe"])
)
def test_no_bytes_are_too_strange_and_pieces_do_not_matter(data: bytes, beginning: bytes) -> None:
    assert read(beginning + data)[0] == read(beginning + data, 5)[0]


@given(st.binary(max_size=200), st.integers(1, 40), st.integers(1, 3 * PIECE))
def test_inflating_gives_back_what_was_packed(data: bytes, step: int, zeros: int) -> None:
    whole = data + bytes(zeros)
    packed = zlib.compress(whole, wbits=31)
    inflater = Inflater(packed=True)
    pieces = [piece for start in range(0, len(packed), step) for piece in inflater.pieces(packed[start : start + step])]
    assert b"".join(pieces) == whole
    assert max(map(len, pieces)) <= PIECE
    assert not inflater.is_open
    assert not inflater.is_broken
