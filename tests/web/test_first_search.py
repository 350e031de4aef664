"""Searches on the page while the index is being made."""

from __future__ import annotations

import threading
from pathlib import Path

from _pytest.monkeypatch import MonkeyPatch

from dowse.workflows.fresh_indexes import FreshIndexes
from tests.web_pages import WebPage


def test_a_crawl_whose_index_is_only_begun_says_so(
    looking: WebPage, crawl_ids: dict[str, str], monkeypatch: MonkeyPatch
) -> None:
    release = threading.Event()

    def waiting(_self: FreshIndexes, _directory: Path) -> str:
        release.wait(60)
        return ""

    monkeypatch.setattr(FreshIndexes, "_refresh", waiting)
    try:
        with looking.browser() as client:
            answer = client.get(f"/api/crawls/{crawl_ids['papers']}/search?q=flood")
            assert (answer.status_code, answer.json()["indexing"], answer.json()["found"]) == (200, [0, 0], [])
            page = client.get(f"/crawls/{crawl_ids['papers']}/search?q=flood")
            assert "The index is being made" in page.text
    finally:
        release.set()
