"""URL resolution: tables of what must hold, and the invariants on generated URLs."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.core.urls import LONG_HREF, Base, host_of, registered_domain, resolve, split_credentials
from tests.generated_urls import HREFS, PAGE, SERIALISED


@pytest.mark.parametrize(
    ("href", "expected"),
    [
        # the page itself
        ("", "https://example.org/a/b/page.html?q=1"),
        ("#", "https://example.org/a/b/page.html?q=1"),
        ("#other", "https://example.org/a/b/page.html?q=1"),
        (" \n#other\t", "https://example.org/a/b/page.html?q=1"),
        ("\x00 \x1f", "https://example.org/a/b/page.html?q=1"),
        # relative
        ("next.html", "https://example.org/a/b/next.html"),
        ("./next.html#part", "https://example.org/a/b/next.html"),
        ("../../../../x", "https://example.org/x"),
        ("%2e%2E/x", "https://example.org/a/x"),
        ("?p=2", "https://example.org/a/b/page.html?p=2"),
        ("?", "https://example.org/a/b/page.html?"),
        ("/root/", "https://example.org/root/"),
        ("\\back\\slash", "https://example.org/back/slash"),
        ("  spaced.html\r\n", "https://example.org/a/b/spaced.html"),
        ("new\nline.html", "https://example.org/a/b/newline.html"),
        ("two words.html", "https://example.org/a/b/two%20words.html"),
        ("before #fragment", "https://example.org/a/b/before%20"),
        ("caf\u00e9?q=\u00e9", "https://example.org/a/b/caf%C3%A9?q=%C3%A9"),
        ("a^b?c^d", "https://example.org/a/b/a%5Eb?c^d"),
        ("https:same-scheme.html", "https://example.org/a/b/same-scheme.html"),
        # scheme-relative and absolute
        ("//other.example/x", "https://other.example/x"),
        ("///test", "https://test/"),
        ("\\\\other.example\\x", "https://other.example/x"),
        ("HTTP://EXAMPLE.COM:80/%7euser/../B", "http://example.com/B"),
        ("https://example.com:443", "https://example.com/"),
        ("http://example.com:443/", "http://example.com:443/"),
        ("http://b\u00fccher.example/", "http://xn--bcher-kva.example/"),
        ("http://a.b.c.xn--pokxncvks", "http://a.b.c.xn--pokxncvks/"),
        ("http://0x7f.1/", "http://127.0.0.1/"),
        ("http://[2001:DB8::0:1]/", "http://[2001:db8::1]/"),
        ("http://user:pw@example.com/x", "http://user:pw@example.com/x"),
        # lone surrogates of broken pages
        ("x\ud800y", "https://example.org/a/b/x%EF%BF%BDy"),
        ("x\ud83d\ude00", "https://example.org/a/b/x%F0%9F%98%80"),
        # not for a crawler
        ("mailto:someone@example.org", None),
        ("tel:+49123", None),
        ("javascript:void(0)", None),
        (" JavaScript:alert('x')", None),
        ("data:text/html,hello", None),
        ("ftp://example.org/file", None),
        ("file:///etc/passwd", None),
        ("about:blank", None),
        ("httpx://example.org/", None),
        # not URLs
        ("http://", None),
        ("//", None),
        ("http://[::1/", None),
        ("http://exa mple.org/", None),
        ("http://example.org:99999/", None),
        ("http://1.2.3.256/", None),
        ("http://\ud800/", None),
    ],
)
def test_join(href: str, expected: str | None) -> None:
    assert Base(PAGE).join(href) == expected
    assert resolve(PAGE, href) == expected


@pytest.mark.parametrize(
    ("base", "href", "expected"),
    [
        ("", "HTTP://Example.org", "http://example.org/"),
        ("", "page.html", None),
        ("", "", None),
        ("", "#x", None),
        ("not a url", "http://example.org/", "http://example.org/"),
        ("not a url", "page.html", None),
        ("about:blank", "#x", None),
        ("about:blank", "http://example.org/", "http://example.org/"),
        ("file:///x/", "y.html", None),
        # a host that url-py refuses
        ("http://xn--/a/b", "c", "http://xn--/a/c"),
        ("http://xn--/a/b", "#c", "http://xn--/a/b"),
        ("http://xn--/a/b", "mailto:x@y.example", None),
        ("http://example.org/\ud800", "?x", "http://example.org/%EF%BF%BD?x"),
    ],
)
def test_bases_of_all_kinds(base: str, href: str, expected: str | None) -> None:
    assert resolve(base, href) == expected


def test_base_shows_its_url() -> None:
    assert Base("HTTP://Example.org/x#y").url == "http://example.org/x"
    assert Base("nonsense").url == ""


def test_long_hrefs_are_resolved_like_short_ones() -> None:
    tail = "x" * 2 * LONG_HREF
    assert resolve(PAGE, "/" + tail) == "https://example.org/" + tail
    assert resolve(PAGE, " HTTPS://example.com/" + tail) == "https://example.com/" + tail
    assert resolve(PAGE, tail + ":y") is None
    assert resolve(PAGE, "/" + tail + ":y") == "https://example.org/" + tail + ":y"
    assert resolve(PAGE, " Data:image/png;base64," + tail) is None


def test_long_data_links_cost_next_to_nothing() -> None:
    base, image, text = Base(PAGE), "data:image/png;base64," + "A" * 1_000_000, "/" + "A" * 1_000_000
    assert _seconds(base, image) * 20 < _seconds(base, text)


def _seconds(base: Base, href: str) -> float:
    times = []
    for _ in range(5):
        start = time.perf_counter()
        base.join(href)
        times.append(time.perf_counter() - start)
    return min(times)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://example.org/", "example.org"),
        ("https://example.org/a/b?c=//d", "example.org"),
        ("http://example.org:8080/", "example.org:8080"),
        ("https://[::1]:8080/x", "[::1]:8080"),
        ("http://a/", "a"),
        ("http://user:pw@example.org:81/@x", "example.org:81"),
    ],
)
def test_host_of(url: str, expected: str) -> None:
    assert host_of(url) == expected


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://example.org/a@b", ("http://example.org/a@b", "")),
        ("http://user:pw@example.org:81/a", ("http://example.org:81/a", "user:pw")),
        ("http://us%40er@example.org/", ("http://example.org/", "us@er:")),
        ("https://u:p%3A%2F@example.org/?x://y@z", ("https://example.org/?x://y@z", "u:p:/")),
    ],
)
def test_split_credentials(url: str, expected: tuple[str, str]) -> None:
    assert split_credentials(url) == expected


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("example.org", "example.org"),
        ("www.example.org", "example.org"),
        ("www.example.org:8080", "example.org"),
        ("a.b.example.co.uk", "example.co.uk"),
        ("www.example.org.", "example.org"),
        ("someone.github.io", "someone.github.io"),
        ("x.someone.github.io", "someone.github.io"),
        ("github.io", "github.io"),
        ("co.uk", "co.uk"),
        ("localhost", "localhost"),
        ("localhost:8000", "localhost"),
        ("localhost.", "localhost"),
        ("127.0.0.1", "127.0.0.1"),
        ("127.0.0.1:8000", "127.0.0.1"),
        ("[::1]", "[::1]"),
        ("[2001:db8::1]:8000", "[2001:db8::1]"),
        ("www.xn--85x722f.xn--55qx5d.cn", "xn--85x722f.xn--55qx5d.cn"),
        ("a.b.unlisted", "b.unlisted"),
    ],
)
def test_registered_domain(host: str, expected: str) -> None:
    assert registered_domain(host) == expected


def test_the_public_suffix_list_is_loaded_only_when_asked_for() -> None:
    script = "import sys, dowse.core.urls; print('publicsuffixlist' in sys.modules)"
    answer = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert answer.stdout.strip() == "False"


@given(base=st.one_of(HREFS, SERIALISED, st.just(PAGE)), href=HREFS)
def test_join_never_raises_and_gives_a_url_that_resolves_to_itself(base: str, href: str) -> None:
    joined = resolve(base, href)
    if joined is not None:
        assert joined.isascii()
        assert "#" not in joined
        assert host_of(joined)
        assert resolve(base, joined) == resolve("", joined) == joined
