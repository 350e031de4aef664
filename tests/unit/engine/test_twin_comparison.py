"""When a page is another one than its twin, and when nobody can tell."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from dowse.config import make_job
from dowse.core.duplicates.twins import Compared, Twin
from dowse.core.model import Request, Response
from dowse.engine.twin_comparison import TwinComparison
from tests.articles import WORDS

OWN = "http://a.example/p?utm_source=b"
TWIN = "http://a.example/p"
JOB = make_job("site", TWIN, delay=0.0)


def response(url: str, body: str) -> Response:
    data = f"<title>p</title>{body}".encode()
    return Response(Request(url, 0, "a.example"), 200, {"content-type": "text/html"}, data, 0.0, 0.0, size=len(data))


def compare(own: str, *twin: str) -> tuple[Compared, int]:
    """What comes of a page, given what its twin says at each visit; and how often that was asked for."""
    answers: Iterator[str] = iter(twin)
    asked: list[Request] = []

    async def fetch(request: Request) -> Response:
        asked.append(request)
        return response(request.url, next(answers))

    comparing = TwinComparison(JOB, fetch, None, "dowse")
    return asyncio.run(comparing.compare(response(OWN, own), Twin(TWIN))), len(asked)


def text(changed: int) -> str:
    """A hundred words, of which the last few are others than those of other pages."""
    return " ".join(WORDS[: 100 - changed] + WORDS[100 : 100 + changed])


@pytest.mark.parametrize("session", ["k{}", "{}", "abcdefgh{}", "a-slug-{}"])
def test_links_are_the_same_under_every_session_id(session: str) -> None:
    def page(visit: int) -> str:
        return text(0) + "".join(f"<a href='/goods/{n}?sid={session.format(visit)}'></a>" for n in range(12))

    compared, asked = compare(page(1), page(2))
    assert (compared.news, asked) == (0, 1)


def test_other_links_are_another_page() -> None:
    own, other = (text(0) + "".join(f"<a href='/{name}/{n}'></a>" for n in range(12)) for name in "ab")
    compared, asked = compare(own, other, other)
    assert compared.news
    assert (asked, compared.size) == (2, 2 * len(f"<title>p</title>{other}"))
    assert compared.asked_at


def test_a_steady_twin_that_says_something_else() -> None:
    assert compare(text(40), text(0), text(0))[0].news


def test_a_twin_that_is_never_the_same_proves_nothing() -> None:
    assert compare(text(40), text(0), text(20))[0].news is None


def test_a_twin_that_is_the_same_only_just_proves_nothing() -> None:
    """By as much as this one changes, the next visit may be beyond the limit."""
    assert compare(text(6), text(0), text(4))[0].news == 0
    assert compare(text(10), text(0), text(4))[0].news is None
    assert compare(text(10), text(0), text(2))[0].news
