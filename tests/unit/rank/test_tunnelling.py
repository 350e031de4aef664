"""A made web in which the way to the topic goes through pages that have nothing of it."""

from __future__ import annotations

import pytest

from dowse.fetch.replay import Replayed
from dowse.rank import credit
from dowse.score import semantic
from dowse.workflows.simulate import simulate_run

HOST = "http://made.example"
TOPIC = "sorting, heap"
KINDS = ("cellar", "attic")
LISTS, TRIED = 40, 4
BIRDS = ("wren", "robin", "finch", "heron", "eagle")


def made_web() -> dict[str, str]:
    """A start with two kinds of lists. Those from the cellar say nothing of the topic and list pages about sorting;
    those from the attic have one of its words by chance, and list pages about birds."""
    pages: dict[str, str] = {}
    starts = ""
    for number in range(LISTS):
        named = "sorting, " if number < TRIED else ""
        starts += "".join(f"<p><a href=/{kind}/{number}.html>{named}{kind} {number}</a></p>" for kind in KINDS)
        methods = "".join(
            f"<li><a href=/method/{number}-{each}.html>procedure {each}</a>" for each in range(len(BIRDS))
        )
        birds = "".join(f"<li><a href=/bird/{number}-{each}.html>{bird}</a>" for each, bird in enumerate(BIRDS))
        pages[f"/cellar/{number}.html"] = f"<title>Number {number}</title><p>A list of notes.<ul>{methods}</ul>"
        pages[f"/attic/{number}.html"] = f"<title>Number {number}</title><p>A heap of notes.<ul>{birds}</ul>"
        for each, bird in enumerate(BIRDS):
            pages[f"/method/{number}-{each}.html"] = (
                f"<title>Sorting method {each}</title><p>How a heap is used for sorting the list {number}."
            )
            pages[f"/bird/{number}-{each}.html"] = f"<title>The {bird}</title><p>Nest {number} and song of the {bird}."
    return pages | {"/": f"<title>Start</title>{starts}"}


def fetched_until_found(share: float) -> int:
    """How many pages are fetched until that share of the pages about sorting is."""
    pages = made_web()

    def find(url: str) -> Replayed | None:
        html = pages.get(url.removeprefix(HOST))
        return Replayed(200, {"content-type": "text/html"}, html.encode()) if html is not None else None

    run = simulate_run(find, [HOST + "/"], topic=TOPIC, by="learned", max_pages=0)
    wanted = share * LISTS * len(BIRDS)
    for count, (url, _) in enumerate(run.pages, 1):
        wanted -= "/method/" in url
        if wanted <= 0:
            return count
    raise AssertionError(f"{wanted} of them were never fetched")


def test_dull_pages_that_led_to_good_ones_are_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    if not semantic.is_installed():
        pytest.skip("the extra is not installed; without it both kinds of lists are tried last here, credit or not")
    half, most = fetched_until_found(0.5), fetched_until_found(0.9)
    monkeypatch.setattr(credit, "PASSED_BACK", 0.0)
    assert half < 0.85 * fetched_until_found(0.5)
    assert most < 0.9 * fetched_until_found(0.9)
