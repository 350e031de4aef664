"""What a crawl of a forum is measured by: pages told by their addresses, posts compared in order."""

from __future__ import annotations

from typing import Any

import pytest

measures = pytest.importorskip("benchmarks.forum_measures", reason="the benchmarks are not installed")

HOST = "http://forum.test"
TRUTH: dict[str, Any] = {
    "views": [
        {"type": "index", "path": "/", "page": "page", "first": 1},
        {"type": "thread", "path": r"/t/(?P<id>\d+)/(?:(?P<page>\d+)/)?", "page": "page", "first": 1},
    ],
    "times": "minute",
    "threads": [
        {
            "urls": [f"{HOST}/t/7/", f"{HOST}/t/7/2/"],
            "posts": [
                {"author": "anna", "time": "2024-03-01T10:00:30+00:00", "text": "One\ntwo"},
                {"author": "Ivo", "time": "2024-03-01T11:00:00+00:00", "text": "Three"},
            ],
        }
    ],
}


def test_other_ways_to_a_page_are_duplicates_and_a_thread_needs_all_its_pages() -> None:
    urls = [f"{HOST}/", f"{HOST}/t/7/", f"{HOST}/t/7/1/", f"{HOST}/t/7/?sort=old", f"{HOST}/users/anna"]
    part = measures.fetched(urls, TRUTH)
    assert (part.pages, part.useful, part.again, part.threads) == (5, 4, 2, 0)
    assert measures.fetched([*urls, f"{HOST}/t/7/2/"], TRUTH).coverage == 1.0


@pytest.mark.parametrize(
    ("change", "right"),
    [({}, 1), ({"author": "Anna"}, 1), ({"time": "2024-03-01T12:00:00+02:00"}, 1), ({"time": "2024-03-01T12:00:00"}, 0),
     ({"text": "One two three"}, 0), ({"author": "ivo"}, 0), ({"time": None}, 0), ({"thread": f"{HOST}/t/8/"}, 0)],
)  # fmt: skip
def test_a_post_is_right_if_all_of_it_is(change: dict[str, Any], right: int) -> None:
    row = {"thread": f"{HOST}/t/7/2/", "number": 1, "author": "anna", "time": "2024-03-01T10:00:00", "text": "One two"}
    assert measures.posts([row | change], TRUTH)[3:] == (right, 2)
