"""Blocks of text as numbers: the same for the same words, whatever stands around them."""

from __future__ import annotations

import string

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.core.duplicates.passages import Passages
from dowse.core.model import Request, Response
from dowse.parse.blocks import LONGEST_TEXT, find_passages, packed_passages
from dowse.parse.page import Page

ascii_texts = st.text(alphabet=string.ascii_letters[:6] + string.digits[:2] + " \n.!=", max_size=200)


def test_a_block_is_a_line_and_its_hash_does_not_depend_on_its_place() -> None:
    one = find_passages("Home\n\nsome words here\n  * Contact")
    other = find_passages("Contact\nSome  words\nSOME WORDS HERE\n\nhome")
    assert one.lengths.tolist() == [1, 3, 2]
    assert set(one.blocks.tolist()) & set(other.blocks.tolist()) == {one.blocks[0], one.blocks[1]}


@given(ascii_texts)
def test_words_are_what_stands_between_spaces(text: str) -> None:
    passages = find_passages(text)
    words = text.lower().split()
    assert len(passages.words) == len(words) == passages.lengths.sum()
    assert len(set(passages.words.tolist())) == len(set(words))
    lines = [line for line in text.lower().split("\n") if line.strip()]
    assert passages.lengths.tolist() == [len(line.split()) for line in lines]
    assert len(set(passages.blocks.tolist())) == len({line.strip() for line in lines})


@given(st.text(max_size=100), st.text(max_size=20), st.lists(st.text(max_size=10), max_size=5))
def test_any_text_can_be_packed_and_unpacked(text: str, title: str, hrefs: list[str]) -> None:
    before = find_passages(text, title, hrefs)
    after = Passages.unpack(before.pack())
    assert after.title == before.title
    for one, other in zip(before[1:], after[1:], strict=True):
        assert np.array_equal(np.asarray(one), np.asarray(other))


@pytest.mark.parametrize(
    ("line", "numeric"), [("price 9", True), ("price", False), ("v2", True), ("\u0663 apples", False)]
)
def test_blocks_with_numbers_are_marked(line: str, numeric: bool) -> None:
    found = find_passages(f"first 1\n{line}\nlast 2").blocks
    assert bool(found[1] & np.uint64(1)) is numeric


def test_characters_of_languages_without_spaces_are_words() -> None:
    assert len(find_passages("\u6771\u4eac\u30bf\u30ef\u30fc").words) == 5
    assert len(find_passages("Stra\u00dfe \u00fcber \u0416\u0443\u043a").words) == 3


@pytest.mark.parametrize("text", ["", " \n ", "\ud800", "a" * (LONGEST_TEXT + 10)])
def test_odd_texts(text: str) -> None:
    assert len(find_passages(text).words) == (1 if text.strip() else 0)


def test_a_page_counts_with_its_links_as_they_are_written() -> None:
    body = b"<title>T</title><p>words</p><a href='a.html#x'>a</a><a href='#top'>up</a><a href='a.html'>b</a><a name=x>"
    request = Request("http://h/", 1, "h")
    page = Page(Response(request, 200, {"content-type": "text/html"}, body, 0.0, 0.0))
    links = Passages.unpack(packed_passages(page)).links
    assert len(links) == 2
    assert links[0] == links[1]
