"""Which pages are one article, in which order, and what is said once."""

from __future__ import annotations

from typing import Any

from dowse.core.joined_articles import Joined, joined, own_fields


def part(text: str, *, about: str = "herons", **known: Any) -> dict[str, Any]:
    return {"title": "Herons", "text": text, "about": about, **known}


def one(urls: str, *parts: dict[str, Any]) -> Joined:
    (found,) = joined(urls.split(), parts, "\n")
    return found


def test_numbers_tell_the_order() -> None:
    found = one("b c a", part("two", page=2), part("three", page=3), part("one", page=1))
    assert found.members == [2, 0, 1]
    assert found.fields == {"title": "Herons", "text": "one\ntwo\nthree", "pages": ["a", "b", "c"]}


def test_links_tell_the_order_where_nothing_is_numbered() -> None:
    chain = [part("two", next="c", previous="a"), part("one", next="b"), part("three", previous="b")]
    assert one("b a c", *chain).fields["text"] == "one\ntwo\nthree"
    circle = [part("one", next="b", previous="b"), part("two", next="a", previous="a")]
    assert joined(["a", "b"], circle, "\n") == []  # nobody can say which is the first


def test_a_page_without_a_number_stands_where_its_neighbours_say() -> None:
    found = one("a b c", part("one", next="b"), part("two", page=2, next="c"), part("three", previous="b"))
    assert found.members == [0, 1, 2]


def test_pages_about_other_things_are_apart() -> None:
    pages = [part("one", page=1), part("two", page=2, about="storks")]
    assert joined(["a", "b"], pages, "\n") == []


def test_what_is_missing_is_noted_after_what_was() -> None:
    found = one("a c", part("one", page=1, last=5, note="large"), part("three", page=3))
    assert found.fields["note"] == "large; page 2, 4, 5 of 5 are missing"


def test_of_two_pages_with_one_number_the_first_is_taken() -> None:
    assert one("a b c", part("one", page=1), part("one", page=1), part("two", page=2)).members == [0, 2]


def test_beginnings_and_endings_are_said_once() -> None:
    texts = ["Herons\nintro\nPart 1\nfirst\nby Ann", "Herons\nintro\nPart 2\nsecond\nintro\nby Ann"]
    found = one("a b", *(part(text, page=number) for number, text in enumerate(texts, 1)))
    assert found.fields["text"] == "Herons\nintro\nPart 1\nfirst\nPart 2\nsecond\nintro\nby Ann"


def test_the_fields_of_a_page_are_had_without_its_pager() -> None:
    assert own_fields(part("x", page=1, next="b", previous="a", last=3)) == {"title": "Herons", "text": "x"}
