"""The user's regular expressions: Python's language, linear time, errors that name the place."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.core.errors import JobError
from dowse.core.patterns import Patterns


@pytest.mark.parametrize(
    ("patterns", "text", "first"),
    [
        ((r"\.pdf$",), "https://e.org/a.pdf", r"\.pdf$"),
        ((r"\.pdf$",), "https://e.org/a.pdf?x", ""),
        (("/b/", "/a/"), "https://e.org/a/b/c", "/b/"),  # the job's order, not the text's
        (("(?i)LOGIN", "/a"), "https://e.org/login", "(?i)LOGIN"),
        (("/(?P<n>a)/", "/(?P<n>b)/"), "https://e.org/b/", "/(?P<n>b)/"),  # names may repeat
        ((r"^https://e\.org/(?!private/)",), "https://e.org/public/", r"^https://e\.org/(?!private/)"),
        ((r"^https://e\.org/(?!private/)",), "https://e.org/private/", ""),
        ((r"/(\w)/\1/",), "https://e.org/a/a/", r"/(\w)/\1/"),
        (("/x", r"/(\w)/\1/", "/a/a"), "https://e.org/a/a/", r"/(\w)/\1/"),  # both engines, still in order
        (("/a{,2}b",), "https://e.org/aab", "/a{,2}b"),  # what RE2 would read as text
        ((r"/b\Z",), "https://e.org/b", r"/b\Z"),
    ],
)
def test_first_pattern_that_matches(patterns: tuple[str, ...], text: str, first: str) -> None:
    assert Patterns("exclude", patterns).first(text) == first


@pytest.mark.filterwarnings("ignore:Possible nested set")
def test_what_only_re2_would_call_a_class_is_read_as_python_does() -> None:
    patterns = Patterns("exclude", ("/[[:digit:]]",))
    assert patterns.first("https://e.org/1") == ""
    assert patterns.first("https://e.org/d]") == "/[[:digit:]]"


def test_a_pattern_that_backtracks_for_ever_does_not() -> None:
    patterns = Patterns("exclude", (r"(\w+-?)+$", r"(/[a-z]+)+/x$", r"^(a|a)*!$"))
    # `re` would still be at it when the stars have gone out, and the test's time limit would end it.
    assert patterns.first("https://e.org/" + "a" * 1900 + "!") == ""


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("/[a-", "include: '/[a-' is not a regular expression: unterminated character set at position 1"),
        ("a(b", "include: 'a(b' is not a regular expression: missing ), unterminated subpattern at position 1"),
        ("*.pdf", "include: '*.pdf' is not a regular expression: nothing to repeat at position 0"),
        ("", "include: an empty pattern matches every URL; leave it out"),
    ],
)
def test_what_is_no_pattern_is_refused_by_name_and_position(
    pattern: str, message: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(JobError) as raised:
        Patterns("include", ("/fine", pattern))
    assert str(raised.value) == message
    assert capfd.readouterr() == ("", "")


def test_patterns_for_the_other_engine_are_taken_silently(capfd: pytest.CaptureFixture[str]) -> None:
    Patterns("include", ("a(?=b)", r"(a)\1", "a++"))
    assert capfd.readouterr() == ("", "")


def test_thousands_of_patterns() -> None:
    patterns = Patterns("exclude", [rf"/section{number}/.*\.html$" for number in range(3000)])
    assert patterns.first("https://e.org/section2999/x.html") == r"/section2999/.*\.html$"
    assert patterns.first("https://e.org/section3000/x.html") == ""


def test_more_than_can_be_held_is_refused() -> None:
    with pytest.raises(JobError, match="exclude: these 200 patterns are too large together"):
        Patterns("exclude", [f"x{number}.{{1000}}.{{1000}}.{{1000}}" for number in range(200)])


_PIECES = st.lists(
    st.sampled_from(["a", "b", "/", ".", r"\.", r"\d", "[a-c]", "(a|b)", "b*", "a+", "/?", "$", "^", r"\b"])
)


@given(st.lists(_PIECES.map("".join).filter(bool), min_size=1, max_size=4), st.text("ab/.1", max_size=12))
def test_matches_what_python_would(patterns: list[str], text: str) -> None:
    try:
        expected = next((pattern for pattern in patterns if re.search(pattern, text)), "")
    except re.error:
        return
    assert Patterns("include", patterns).first(text) == expected
