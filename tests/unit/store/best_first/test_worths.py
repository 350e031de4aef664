"""What links are worth that wait, and how many of them may be dead."""

from __future__ import annotations

from pathlib import Path

from dowse.store.best_first.worths import read_waiting
from tests.crawling import links
from tests.modes.test_focus import focus
from tests.servers import Page, Reply, Site


def test_a_server_that_is_down_for_a_while_says_nothing_of_its_links(tmp_path: Path) -> None:
    pages: dict[str, Page] = {f"/page/{number}": f"<p>How to sort {number}" for number in range(6)}
    pages |= {f"/down/{number}": Reply(status=500) for number in range(8)}
    gone = [f"/gone/{number}" for number in range(3)]
    with Site({"/": links(*pages, *gone), **pages}) as site:
        crawl = focus(tmp_path, site.url, retries=0)
    assert crawl.status().counts == {"fetched": 7, "failed": 11}
    assert read_waiting(crawl.reader.connection).alive == 7 / 10
