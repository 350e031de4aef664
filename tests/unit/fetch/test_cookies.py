"""Cookies between libcurl and the browser: nothing is lost on the way, and only what is new is handed over."""

from __future__ import annotations

import asyncio

import pycurl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.core.job import FetchOptions
from dowse.fetch.cookies import to_browser, to_line
from dowse.fetch.http import HttpFetcher

TEXT = st.text("abcXYZ019_-.%=&", min_size=1)
LINES = st.tuples(
    st.sampled_from(["example.org\tFALSE", ".example.org\tTRUE", "#HttpOnly_a.example.org\tFALSE", "127.0.0.1\tFALSE"]),
    st.text("abc/", max_size=5).map("/{}".format),
    st.sampled_from(["TRUE", "FALSE"]),
    st.sampled_from(["0", "1999999999"]),
    TEXT,
    TEXT,
).map("\t".join)


@given(LINES)
def test_a_line_comes_back_as_it_went(line: str) -> None:
    assert to_line(to_browser(line)) == line


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("#HttpOnly_.example.org\tTRUE\t/\tTRUE\t0\tsid\tf3", (".example.org", True, True, -1.0)),
        ("example.org\tFALSE\t/\tFALSE\t1999999999\tsid\ta\tb", ("example.org", False, False, 1999999999.0)),
    ],
)
def test_fields_are_told_apart(line: str, expected: tuple[str, bool, bool, float]) -> None:
    cookie = to_browser(line)
    assert (cookie["domain"], cookie["httpOnly"], cookie["secure"], cookie["expires"]) == expected


async def _kept(lines: list[str]) -> list[str]:
    fetcher = HttpFetcher(FetchOptions(user_agent="t"), [])
    fetcher.add_cookie_lines(lines)
    kept = fetcher.cookie_lines()
    await fetcher.close()
    return kept


def test_libcurl_keeps_what_the_browser_says() -> None:
    line = "#HttpOnly_.example.org\tTRUE\t/\tTRUE\t0\tsid\tf3"
    assert asyncio.run(_kept([line])) == [line]


@pytest.mark.parametrize(
    ("sent", "read"),
    [(b"a=caf\xe9", "a\tcaf\xe9"), (b"a=caf\xc3\xa9", "a\tcaf\xe9"), (b"\xff=\xfe", "\xff\t\xfe"), (b"a=1", "a\t1")],
)
def test_a_cookie_of_any_bytes_can_be_read(sent: bytes, read: str) -> None:
    async def kept() -> list[str]:
        fetcher = HttpFetcher(FetchOptions(user_agent="t"), [])
        fetcher._jar().setopt(pycurl.COOKIELIST, b"Set-Cookie: " + sent + b"; Domain=example.org")
        lines = fetcher.cookie_lines()
        fetcher.add_cookie_lines(lines)
        await fetcher.close()
        return lines

    (line,) = asyncio.run(kept())
    assert line.endswith(f"\t{read}")
    assert to_browser(line)["domain"] == ".example.org"
