"""The beginning of a page's text."""

from __future__ import annotations

import pytest

from dowse.core.model import Request, Response
from dowse.parse.beginning import first_strings
from dowse.parse.page import Page


def page(body: str, media_type: str = "text/html") -> Page:
    request = Request("http://site.example/", 0, "site.example")
    return Page(Response(request, 200, {"content-type": media_type}, body.encode(), 0.0, 0.0))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<title>t</title><body> <p>one <b>two</b>\n<td>three", ["one", "two", "three"]),
        ("<p>seen<script>var unseen</script><style>p {}</style><template><p>later</template>", ["seen"]),
        ("<ul><li>Home</li><li>News</li></ul>", ["Home", "News"]),
        ("<frameset><frame src=a></frameset>", []),
        ("", []),
    ],
)
def test_it_is_what_stands_between_the_tags(body: str, expected: list[str]) -> None:
    assert first_strings(page(body), 1_000) == expected


def test_it_ends_soon_after_so_many_characters() -> None:
    strings = first_strings(page("<p>" + "</p><p>".join(f"word {number}" for number in range(5_000))), 1_000)
    assert strings[:2] == ["word 0", "word 1"]
    assert 1_000 <= sum(map(len, strings)) < 2_000


def test_a_page_without_tags_is_cut() -> None:
    assert first_strings(page("plain words " * 100, "text/plain"), 11) == ["plain words"]
