"""The addresses behind the names of mirrored files."""

from __future__ import annotations

import pytest

from dowse.core.mirrored_names import written_address


@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("viewtopic.php%3Ft=5&start=10.html", "viewtopic.php?t=5&start=10"),
        ("viewtopic.php%3ft=5", "viewtopic.php?t=5"),
        ("viewtopic.php@t=5.html", "viewtopic.php?t=5"),
        ("viewtopic3f2a.html?t=5", "viewtopic.html?t=5"),
        ("viewtopic3f2a.html", "viewtopic0000.html"),
        ("12%3Fpage=2.html", "12.html?page=2"),
        ("index.php?topic=5.0;prev_next=next", "index.php?topic=5.0&prev_next=next"),
        ("viewtopic.php?t=5&sid=0123456789abcdef0123456789abcdef", "viewtopic.php?t=5"),
        ("thread-12.html", "thread-12.html"),
        ("topic/2024.html", "topic/2024.html"),
        ("ann@example.org", "ann@example.org"),
        ("", ""),
    ],
)
def test_a_name_is_read_as_the_address_it_was_made_of(name: str, address: str) -> None:
    assert written_address(f"http://a.org/f/{name}") == f"http://a.org/f/{address}"
