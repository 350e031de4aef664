"""Data that pages hold for machines."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.core.record import Record
from dowse.extract.json_ld import LONGEST_BLOCK, decode_json
from dowse.extract.structured_data import LONGEST_TEXT, MOST_ITEMS, DataExtractor
from tests.unit.extract.pages import page_of


def items_of(body: str | bytes, content_type: str = "text/html; charset=utf-8") -> list[dict[str, Any]]:
    records = DataExtractor().extract(page_of(body, content_type))
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(records), type=list[Record]) == records
    return [record.fields for record in records]


def json_ld(text: str) -> str:
    return f'<script type="application/ld+json">{text}</script>'


@pytest.mark.parametrize(
    ("text", "nodes"),
    [
        ('{"@type": "Book", "name": "A"}', [{"@type": "Book", "name": "A"}]),
        ('{"@context": "https://schema.org", "@type": "Book"}', [{"@type": "Book"}]),
        ('{"@context": "https://other.example", "name": 1}', [{"@context": "https://other.example", "name": 1}]),
        ('[{"name": "A"}, {"name": "B"}, 3]', [{"name": "A"}, {"name": "B"}]),
        (
            '{"@context": "https://schema.org", "@graph": [{"name": "A"}, {"name": "B"}]}',
            [{"name": "A"}, {"name": "B"}],
        ),
        ('{"@graph": {"name": "A"}}', [{"name": "A"}]),
        ('[{"@graph": [{"name": "A"}]}]', [{"name": "A"}]),
        ('{"@type": "http://schema.org/Book"}', [{"@type": "Book"}]),
        ('{"@type": ["https://schema.org/Book", "Product"]}', [{"@type": ["Book", "Product"]}]),
        (
            '{"a": {"b": [1, null, "", {"c": true}]}, "d": null, "e": [], "f": " x "}',
            [{"a": {"b": [1, {"c": True}]}, "f": "x"}],
        ),
        ('{"url": "/a", "kind": "b", "syntax": "c"}', [{"item_url": "/a", "item_kind": "b", "item_syntax": "c"}]),
        ('{"a": 0, "b": false, "c": 1.5}', [{"a": 0, "b": False, "c": 1.5}]),
        # mistakes that are forgiven
        ('{"name": "A",}', [{"name": "A"}]),
        ('{"tags": ["a", "b", ], }', [{"tags": ["a", "b"]}]),
        ('<!-- {"name": "A"} -->', [{"name": "A"}]),
        ('/* a {"b": */ {"name": "A"} // c', [{"name": "A"}]),
        ('//<![CDATA[\n{"name": "A"}\n//]]>', [{"name": "A"}]),
        ('{"name": "A"};', [{"name": "A"}]),
        ('{"name": "a\nb\tc"}', [{"name": "a\nb\tc"}]),
        ('{"url": "http://a.example/*b*/", "x": "a,]",}', [{"item_url": "http://a.example/*b*/", "x": "a,]"}]),
        (
            '{"name": "\\ud800", "b": 123456789012345678901234567890}',
            [{"name": "?", "b": "123456789012345678901234567890"}],
        ),
        # those that are not
        ('{"name": "A"', []),
        ("{'name': 'A'}", []),
        ('{"name": NaN}', []),
        ("", []),
        ('"text"', []),
        ("[" * 10_000, []),
        ('{"a":' * 300 + "1" + "}" * 300, []),
    ],
)
def test_json_ld(text: str, nodes: list[dict[str, Any]]) -> None:
    assert items_of(json_ld(text)) == [{"syntax": "json-ld", **node} for node in nodes]


def test_one_bad_block_does_not_hide_the_others() -> None:
    html = json_ld('{"name": "A"}') + json_ld("oops {") + '<script type="Application/LD+JSON; x">{"name": "B"}</script>'
    assert [item["name"] for item in items_of(html + "<script>{'name': 'C'}</script>")] == ["A", "B"]


@pytest.mark.parametrize("piece", ["/* ", '"\\"', ", ", "// ", "]]>", "<!--", "\\", "{[", ";"])
def test_hostile_blocks_take_linear_time(piece: str) -> None:
    decode_json((piece * LONGEST_BLOCK)[:LONGEST_BLOCK])


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists, max_leaves=20))
@settings(max_examples=50, deadline=None)
def test_valid_json_is_never_mended(value: Any) -> None:
    assert decode_json(msgspec.json.encode(value).decode()) == value


def test_microdata_has_the_shape_of_json_ld() -> None:
    html = """<div itemscope itemtype="http://schema.org/Product" itemid="urn:1" itemref="more">
      <h1 itemprop=name>Kettle <b>
      steel</b></h1><img itemprop=image src="a.png"><img itemprop=image src="/b.png">
      <div itemprop=offers itemscope itemtype="https://schema.org/Offer"><meta itemprop=price content="19.90">
        <link itemprop=availability href="https://schema.org/InStock">
        <time itemprop=until datetime=2026-01-01>soon</time>
      </div><a itemprop=url href="?id=1">x</a><span itemprop="brand maker">Ann</span><i itemprop=empty> </i></div>
      <p id=more><b itemprop=color>red</b></p>"""
    assert items_of(html) == [
        {
            "syntax": "microdata",
            "@type": "Product",
            "@id": "urn:1",
            "name": "Kettle steel",
            "image": ["http://example.org/shop/a.png", "http://example.org/b.png"],
            "offers": {
                "@type": "Offer",
                "price": "19.90",
                "availability": "https://schema.org/InStock",
                "until": "2026-01-01",
            },
            "item_url": "http://example.org/shop/item?id=1",
            "brand": "Ann",
            "maker": "Ann",
            "color": "red",
        }
    ]


def test_rdfa_has_the_shape_of_json_ld() -> None:
    html = """<div vocab="https://schema.org/" typeof="Person"><span property=name>Ann</span>
      <div property=address typeof=PostalAddress><span property=addressLocality>Ghent</span></div></div>"""
    address = {"@type": "PostalAddress", "addressLocality": "Ghent"}
    assert items_of(html) == [{"syntax": "rdfa", "@type": "Person", "name": "Ann", "address": address}]


def test_open_graph_and_its_family_are_one_item() -> None:
    html = """<meta property="og:title" content="A  title"><meta property=og:image content="/1.png">
      <meta property="og:image" content="/2.png"><meta property="og:image" content="/1.png">
      <meta property="og:image:width" content="10"><meta property="article:tag" content=x>
      <meta property="article:tag" content=y><meta name="twitter:card" content=summary><meta property=og:url content="">
      <meta name="OG:Locale" content=de><meta name=description content=none><meta property="product:price" content=5>"""
    assert items_of(html) == [
        {
            "syntax": "opengraph",
            "og:title": "A title",
            "og:image": ["http://example.org/1.png", "http://example.org/2.png"],
            "og:image:width": "10",
            "article:tag": ["x", "y"],
            "twitter:card": "summary",
            "og:locale": "de",
            "product:price": "5",
        }
    ]


def test_items_are_numbered_in_one_order_whatever_their_syntax() -> None:
    html = "<meta property=og:title content=c><p itemscope><i itemprop=n>b</i></p>" + json_ld('{"n": "a"}')
    records = DataExtractor().extract(page_of(html))
    assert [(record.kind, record.key, record.fields["syntax"]) for record in records] == [
        ("data", "0001", "json-ld"),
        ("data", "0002", "microdata"),
        ("data", "0003", "opengraph"),
    ]


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        ("<title>a</title><p>no data", "text/html"),
        (json_ld("{}"), "text/html"),
        ("<div itemscope></div><div itemscope><i itemprop=a></i></div><meta property=og:title>", "text/html"),
        (json_ld('{"name": "A"}'), "text/plain"),
        ("\x89PNG\r\n" + json_ld('{"name": "A"}'), "image/png"),
        ("", "text/html"),
    ],
)
def test_a_page_without_data_has_no_records(body: str, content_type: str) -> None:
    assert items_of(body, content_type) == []


def test_other_scripts_and_charsets() -> None:
    html = json_ld('{"name": "日本語 Żółć"}') + '<p itemscope><b itemprop="имя">Анна</b></p>'
    assert items_of(html) == [{"syntax": "json-ld", "name": "日本語 Żółć"}, {"syntax": "microdata", "имя": "Анна"}]
    sent = json_ld('{"name": "日本語"}').encode("shift_jis")
    assert items_of(sent, "text/html; charset=shift_jis") == [{"syntax": "json-ld", "name": "日本語"}]


REFERENCES = "".join(
    f'<p id=i{n} itemprop=p itemscope itemref="i{n + 1} j{n + 1}"></p>'
    f'<p id=j{n} itemprop=p itemscope itemref="i{n + 1} j{n + 1}"></p>'
    for n in range(40)
)


@pytest.mark.parametrize(
    "body",
    [
        "<div itemscope itemprop=a>" * 50_000,
        "<div vocab=http://schema.org/ typeof=A property=b>" * 5_000 + "x",
        "<div itemscope>" + "<div itemprop=a>" * 500 + "x" * 1_000_000,  # half a gigabyte of text
        REFERENCES + '<p itemscope itemref="i0 j0">',  # 2**40 items
        "<p id=a itemscope itemref=b><b id=b itemprop=x itemscope itemref=a><i itemprop=y>z</i></b></p>",
        "<p id=a itemprop=x>" + "y" * 100_000 + "</p>" + "<p itemscope itemref=a></p>" * 5_000,
    ],
)
def test_hostile_markup_is_bounded(body: str) -> None:
    records = DataExtractor().extract(page_of(body))
    assert len(msgspec.msgpack.encode(records)) < 2_000_000


def test_there_is_a_limit_to_items_and_texts() -> None:
    many = "<p itemscope><i itemprop=n>a</i></p>" * (MOST_ITEMS + 5)
    assert len(items_of(many)) == MOST_ITEMS
    (item,) = items_of(f"<p itemscope><i itemprop=n>{'x' * (LONGEST_TEXT + 5)}</i></p>")
    assert len(item["n"]) == LONGEST_TEXT
