"""How much a URL has in common with wanted ones."""

from __future__ import annotations

import pytest

from dowse.rank.url_likeness import Likeness

WANT = ("https://a.org/documents/trade/plan-2024.pdf", "https://a.org/documents/trade/annex.pdf")


@pytest.mark.parametrize(
    ("nearer", "farther"),
    [
        ("https://a.org/documents/", "https://a.org/news/"),
        ("https://a.org/documents/trade/", "https://a.org/documents/health/"),
        ("https://a.org/topics/trade/", "https://a.org/topics/health/"),
        ("https://a.org/x", "https://b.org/x"),
        ("https://a.org/trade?page=2", "https://a.org/shop?page=2"),
    ],
)
def test_likeness(nearer: str, farther: str) -> None:
    like = Likeness(WANT)
    assert 3.0 >= like.of(nearer) > like.of(farther) >= 0.0


@pytest.mark.parametrize("url", ["https://a.org/", "https://a.org/?q", "http://a.org:80/x/y/z?a=/b/c"])
def test_every_address_has_a_likeness(url: str) -> None:
    assert 0.0 <= Likeness(()).of(url) <= 3.0
