"""Whether a page changed, or only what changes of itself."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.core.model import Request, Response
from dowse.extract.content_changes import compare_lines, compare_pages, content_lines, is_noise
from dowse.parse.page import Page

NOW = datetime(2024, 3, 6, tzinfo=UTC).timestamp()


def page(body: str, at: float = NOW) -> Page:
    html = f"<html lang=en><title>t</title><body>{body}".encode()
    request = Request("https://example.org/", 1, "example.org")
    return Page(Response(request, 200, {"content-type": "text/html; charset=utf-8"}, html, fetched_at=at, elapsed=0.1))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<p>Today is 4 March 2024, 10:22", "<p>Today is 6 March 2024, 08:12"),
        ("<p>Stand: 4.3.2024", "<p>Stand: 5.3.2024"),
        ("<p>1,204 views", "<p>1,377 views"),
        ("<div>Users online: 12</div>", "<div>Users online: 3</div>"),
        ("<p>閲覧 1204", "<p>閲覧 1300"),
        ("<p>Posted 5 hours ago by Ann", "<p>Posted 2 days ago by Ann"),
        ("<p>vor 3 Stunden", "<p>vor 5 Tagen"),
        ("<p>Request 7fa90bc2d1e4", "<p>Request 19cc04aa3b7d"),
        ("<input type=hidden name=csrf value=a1>", "<input type=hidden name=csrf value=b2>"),
        ("<div class='side-ad'>Buy shoes</div>", "<div class='side-ad'>Fly to Rome</div>"),
        ("<footer>Made in 0.1 s</footer>", "<footer>Made in 0.2 s</footer>"),
        ("<script>var t = 1</script>", "<script>var t = 2</script>"),
        ("<!-- 1 -->", "<!-- 2 -->"),
        ("<p>one  <b>two</b>", "<p>one <i>two</i>"),
    ],
)
def test_what_changes_of_itself_is_no_change(before: str, after: str) -> None:
    assert not compare_pages(page(f"<p>Fish.</p>{before}"), page(f"<p>Fish.</p>{after}")).is_content()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "<p>The committee has 12 members and meets every Monday in town.",
            "<p>The committee has 14 members and meets",
        ),
        ("<p>Price: 10 EUR", "<p>Price: 12 EUR"),
        ("<p>10 views for $5", "<p>10 views for $6"),
        ("<p>Apply by 5 May 2024", "<p>Apply by 12 May 2024"),
        ("<td>open</td><td>3</td>", "<td>closed</td><td>3</td>"),
        ("<p>one", "<p>one<p>two"),
        ("<p>one<p>two", "<p>two"),
        ("<p>Edition 2019 of Windows", "<p>Edition 2020 of Windows"),
        (
            "<table><tr><td><table><tr><td>a<td>b</table></table>",
            "<table><tr><td><table><tr><td>a<td>c</table></table>",
        ),
    ],
)
def test_an_edit_is_a_change(before: str, after: str) -> None:
    assert compare_pages(page(f"<p>Fish.</p>{before}"), page(f"<p>Fish.</p>{after}")).is_content()


def test_a_place_that_is_never_the_same_is_known_again() -> None:
    sayings = [["Sayings", saying, "Fish"] for saying in ("Early birds", "Still waters", "New brooms")]
    first, second = (compare_lines(sayings[at], sayings[at + 1]) for at in range(2))
    assert first.places == second.places
    assert first.is_content()
    assert not second.is_content(frozenset(first.places))
    edited = compare_lines(sayings[1], [*sayings[2], "Nets"])
    assert edited.is_content(frozenset(first.places))


def test_lines_are_those_of_paragraphs_items_and_cells() -> None:
    made = content_lines(page("<h1>A <b>b</b></h1><ul><li>c<li>d <a href=/>e</a></ul><table><tr><td>f<td>g</table>"))
    assert made == ["A b", "c", "d e", "f", "g"]


def test_a_page_of_many_lines_is_compared_in_bounded_time() -> None:
    before = [f"line {number % 7}" for number in range(3_000)]
    after = [f"line {number % 5}" for number in range(3_000)]
    assert compare_lines(before, after).is_content()


def test_long_lines_are_not_looked_at_for_dates() -> None:
    before = [f"{number} of 5 March 2024 and so on. " * 60 for number in range(3_000)]
    after = [line.replace("March", "April") for line in before]
    started = time.process_time()
    assert compare_lines(before, after).added == 3_000
    assert time.process_time() - started < 5.0


@given(
    st.lists(st.sampled_from(["a", "b", "c", "5 views", "6 views"])), st.lists(st.sampled_from(["a", "b", "7 views"]))
)
def test_a_page_is_never_different_from_itself(one: list[str], other: list[str]) -> None:
    assert not compare_lines(one, one)
    assert compare_lines(one, other).is_content() == compare_lines(other, one).is_content()


def test_dates_that_passed_are_noise_and_dates_to_come_are_not() -> None:
    assert is_noise("as of 2024-03-01", "as of 2024-03-02", until="2024-03-07")
    assert not is_noise("until 2024-03-08", "until 2024-03-09", until="2024-03-07")


def test_one_letter_of_a_name_is_content_and_a_random_token_is_not() -> None:
    assert not is_noise("Call sqlite3_sleep() first", "Call sqlite4_sleep() first")
    assert not is_noise("See KRB5_RESPONDER_OTP", "See KRB5_RESPONDER_OTQ")
    assert is_noise("Request id 7fa90bc2d1e4", "Request id 19cc04aa3b7d")
    assert is_noise("token csrf-9f8e7d6c5b", "token csrf-1a2b3c4d5e")
