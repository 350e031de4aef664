"""Focus crawls whose order and scorer are apart, tests of keywords, links that are dropped, and the case of a visit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import dowse
from dowse import app
from dowse.config import make_job
from dowse.core.errors import JobError
from tests.commands import invoke
from tests.crawling import opened, path_of, reasons, states
from tests.servers import Page, Site

ONE_BY_ONE: dict[str, Any] = {"concurrency": 1, "per_host": 1, "delay": 0.0, "robots": "ignore", "patience": 0}
FILLER = "The nest and the song of birds, told once more. " * 200


def web() -> dict[str, Page]:
    """Twenty pages, some of them on sorting: in the title, in the text, often, once, or not at all."""
    pages: dict[str, Page] = {f"/bird{number}": f"<title>Bird {number}</title>{FILLER}" for number in range(12)}
    pages["/title"] = f"<title>Sorting</title><p>How to sort lists. {FILLER}<a href=/tie1>a</a>"
    pages["/often"] = "<title>Methods</title>" + "<p>First sort the list, then the next." * 40
    pages["/once"] = f"<title>Things</title>{FILLER}<p>I sort my books."
    pages["/tie1"] = f"<title>First</title><p>I sort pens. I sort ink. I sort paper. {FILLER[:200]}"
    pages["/tie2"] = f"<title>Second</title><p>I sort cups. I sort jars. I sort bowls. {FILLER[:200]}"
    rows = "".join(f"<p>{FILLER[:90]}<a href={path}>{path[1:3]}</a>" for path in ["/tie2", *pages])
    pages["/"] = f"<title>Start</title>{rows}"
    return pages


def focus(directory: Path, **options: Any) -> dowse.Crawl:
    with Site(web()) as site:
        seeds, output = [site.url], str(directory)
        app.start(make_job("focus", seeds, output=output, **{"topic": "sort", **ONE_BY_ONE, **options}))
    return opened(directory)


def matched(found: dowse.Crawl) -> list[str]:
    return [path_of(row["url"]) for row in found.matched]


def order(found: dowse.Crawl) -> list[str]:
    return [path_of(row["url"]) for row in found.crawled]


def test_first_come_first_served_and_ranked_by_points(tmp_path: Path) -> None:
    found = focus(tmp_path / "points", by="breadth", score="priority")
    assert order(found) == order(focus(tmp_path / "breadth", by="breadth"))
    assert matched(found) == ["/title", "/often", "/tie1", "/tie2"]
    assert (tmp_path / "points" / "urls.txt").read_text().split() == [row["url"] for row in found.matched]
    story = found.why(next(row["url"] for row in found.matched))
    assert story is not None
    assert {part: points for part, points in story.parts.items() if part != "frequency"} == {"head": 10, "body": 6}


def test_ties_are_broken_by_the_links_that_lead_to_a_page(tmp_path: Path) -> None:
    """The one that more pages link to is first, though the other was fetched before."""
    found = focus(tmp_path, by="breadth", score="priority")
    assert order(found).index("/tie2") < order(found).index("/tie1")
    rows = {path_of(row["url"]): row for row in found.matched}
    assert rows["/tie1"]["relevance"] == rows["/tie2"]["relevance"]
    assert (rows["/tie1"]["in_links"], rows["/tie2"]["in_links"]) == (2, 1)


def test_a_page_that_is_full_of_the_keyword_matches(tmp_path: Path) -> None:
    assert "/often" in matched(focus(tmp_path, by="priority"))


@pytest.mark.parametrize("by", ["breadth", "priority", "learned"])
@pytest.mark.parametrize(
    ("match", "topic", "expected"),
    [
        ("any", "sort, books", {"/title", "/often", "/once", "/tie1", "/tie2"}),
        ("all", "sort, books", {"/once"}),
        ("all", "sort", {"/title", "/often", "/once", "/tie1", "/tie2"}),
    ],
)
def test_the_keyword_test_says_which_pages_match(
    match: str, topic: str, expected: set[str], by: str, tmp_path: Path
) -> None:
    found = focus(tmp_path, by=by, match=match, topic=topic)
    assert len(order(found)) == 18
    assert set(matched(found)) == expected
    assert found.results().facts["matched"] == len(expected)


def test_a_simulation_goes_by_the_same_test(tmp_path: Path) -> None:
    focus(tmp_path / "out")
    labels = tmp_path / "labels.csv"
    rows = [row["url"] for row in opened(tmp_path / "out").crawled if path_of(row["url"]) == "/once"]
    labels.write_text("\n".join(["url", *rows]))
    found = {
        match: dowse.simulate(str(tmp_path / "out"), ["breadth"], topic="sort, books", match=match, truth=labels)[0]
        for match in ("any", "all")
    }
    assert found["any"].precision.value == pytest.approx(1 / 5)
    assert found["all"].precision.value == found["all"].recall.value == 1


def test_links_of_little_worth_are_dropped_with_their_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = focus(tmp_path, by="keywords", least_worth=0.1, topic="title")
    assert states(found) | {"/": "fetched", "/title": "fetched"} == states(found)
    assert {reason for path, reason in reasons(found).items() if path not in ("/", "/title", "/tie1")} == {
        "worth less than 0.1"
    }
    assert set(states(found).values()) == {"fetched", "out_of_scope"}
    assert found.status().stop_reason == "complete"
    done = invoke(capsys, "why", tmp_path, next(row["url"] for row in found.ledger if row["url"].endswith("/bird3")))
    assert "worth less than 0.1" in done.out


def test_other_rules_about_urls_do_not_bring_back_what_the_ranker_dropped(tmp_path: Path) -> None:
    with Site(web()) as site:
        options = {**ONE_BY_ONE, "topic": "title", "by": "keywords", "least_worth": 0.1}
        app.start(make_job("focus", [site.url], output=str(tmp_path), **options))
        before = reasons(opened(tmp_path))
        app.resume(tmp_path, exclude=["/other/"])
    assert "worth less than 0.1" in before.values()
    assert reasons(opened(tmp_path)) == before


@pytest.mark.parametrize("by", ["breadth", "depth"])
def test_depth_is_no_worth(by: str) -> None:
    with pytest.raises(JobError, match="least_worth"):
        make_job("focus", "http://a.example/", topic="sort", by=by, least_worth=0.2)


def test_who_asks_too_much_of_links_is_told_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Site(web()) as site:
        words = ("--topic", "zebra", "--least-worth", "99", "--delay", "0")
        done = invoke(capsys, "focus", site.url, *words, "-o", tmp_path / "out")
    dropped = reasons(opened(tmp_path / "out"))
    number = sum(reason == "worth less than 99" for reason in dropped.values())
    assert done.code == 1
    assert f"{number} links were dropped because of --least-worth 99: give a lower one, or 0" in done.err
    assert "  of the last" not in done.out, "these are all there are"
    assert (
        invoke(capsys, "export", tmp_path / "out", "waiting").err == f"the table waiting of {tmp_path}/out is empty\n"
    )


def test_a_worth_without_parts_is_told_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = focus(tmp_path, by="breadth", max_pages=1)
    done = invoke(capsys, "why", tmp_path, next(row["url"] for row in found.ledger if row["url"].endswith("/bird3")))
    assert "  worth            -" in done.out
    assert "(worth" not in done.out


def test_a_dropped_link_is_looked_at_anew_on_another_page(tmp_path: Path) -> None:
    pages: dict[str, Page] = {
        "/": "<a href=/x>here</a> <p>Or, of another kind: <a href=/heap>heap</a>",
        "/heap": "<title>Heap</title><p>A heap. <a href=/x>another heap</a>",
        "/x": "<title>X</title>",
    }
    with Site(pages) as site:
        job = make_job(
            "focus", site.url, output=str(tmp_path), topic="heap", by="keywords", least_worth=0.3, **ONE_BY_ONE
        )
        app.start(job)
    assert states(opened(tmp_path)) == {"/": "fetched", "/heap": "fetched", "/x": "fetched"}


def test_only_the_best_child_is_inserted(tmp_path: Path) -> None:
    found = focus(tmp_path, by="astar-best-child", topic="title")
    assert order(found)[:2] == ["/", "/title"]
    assert set(reasons(found).values()) == {"", "not the best link of its page"}


def test_each_visit_has_the_case_of_the_two_tests(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pages: dict[str, Page] = {
        "/": "<a href=/a>a</a> <a href=/mirror>b</a> <a href=/news>c</a>",
        "/a": "<p>The same text",
        "/mirror": "<p>The same text",
        "/news": lambda request: f"<p>News of day {request.visit}",
    }
    with Site(pages) as site:
        app.start(make_job("site", site.url, output=str(tmp_path), delay=0.0, robots="ignore"))
        app.recrawl(tmp_path)
        found = opened(tmp_path)
        cases = {}
        for path in ("/a", "/mirror", "/news"):
            story = found.why(site.at("127.0.0.1", path))
            assert story is not None
            cases[path] = [visit["case"] for visit in story.visits]
        told = invoke(capsys, "why", tmp_path, site.at("127.0.0.1", "/news")).out
    assert cases == {"/a": ["new", "same"], "/mirror": ["mirror", "same"], "/news": ["new", "changed"]}
    assert reasons(found) == {"/": "unchanged", "/a": "unchanged", "/mirror": "mirror", "/news": "changed"}
    words = " ".join(told.split())
    assert "new URL, new content" in words
    assert "known URL, new content" in words
