"""Focus crawls against real servers: the best links first, results ranked, and what was learned survives a kill."""

from __future__ import annotations

import json
import math
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

import dowse
from dowse import app
from dowse.cli.main import cli
from dowse.config import make_job
from dowse.core.errors import CrawlError, JobError
from dowse.engine.events import Event, Notice, Progress
from dowse.fetch.replay import Replayed
from dowse.modes.focus.live_outputs import GrowingUrls
from dowse.modes.focus.options import RankerName
from dowse.rank import turns
from dowse.store.folder import DATABASE
from dowse.workflows.simulate import simulate, simulate_run
from tests.crawling import check_ledger, opened, path_of
from tests.dictionaries import write_wordnet
from tests.servers import Page, Site

ONE_BY_ONE: dict[str, Any] = {"concurrency": 1, "per_host": 1, "delay": 0.0, "robots": "ignore", "patience": 0}
EVERY_RANKER = RankerName.__args__  # type: ignore[attr-defined]
TOPIC = "sorting, heap"


def web() -> dict[str, str]:
    """Forty pages about sorting and forty about birds, each with links to both kinds, and a hub without a topic."""
    pages: dict[str, str] = {}
    for number in range(40):
        near, next_, far = (number * 7 + 1) % 40, (number + 1) % 40, (number * 11 + 3) % 40
        pages[f"/sort/{number}.html"] = (
            f"<title>Sorting method {number}</title><h1>Sorting</h1><p>How a heap helps to sort list {number}."
            f"<p>See <a href=/sort/{near}.html>another sorting method</a> or <a href=/birds/{far}.html>a bird</a>"
            f"<p><a href=/sort/{next_}.html>Next to sort</a>"
        )
        pages[f"/birds/{number}.html"] = (
            f"<title>Bird {number}</title><p>The nest and the song of a bird, number {number}."
            f"<p>See <a href=/birds/{near}.html>another bird</a> or <a href=/sort/{far}.html>how to sort</a>"
            f"<p><a href=/birds/{next_}.html>Next bird</a>"
        )
    starts = "".join(
        f"<p><a href=/sort/{n}.html>heap sort {n}</a> <a href=/birds/{n}.html>owl {n}</a>" for n in (0, 5, 9)
    )
    pages["/"] = f"<title>Start</title>{starts}"
    return pages


def served() -> Site:
    pages: dict[str, Page] = dict(web())
    return Site(pages)


def focus(directory: Path, *seeds: str, **options: Any) -> dowse.Crawl:
    app.start(make_job("focus", seeds, output=str(directory), **{"topic": TOPIC, **ONE_BY_ONE, **options}))
    return opened(directory)


def order(found: dowse.Crawl) -> list[str]:
    return [path_of(row["url"]) for row in found.crawled]


@pytest.mark.parametrize(
    ("by", "least"),
    [
        ("learned", 25),
        ("semantic", 20),
        ("astar", 25),
        ("shark", 25),
        ("keywords", 25),
        ("priority", 16),
        ("parent", 16),
    ],
)
def test_the_topic_is_crawled_before_the_rest(by: str, least: int, tmp_path: Path) -> None:
    with served() as site:
        found = focus(tmp_path, site.url, by=by, max_pages=30)
    first = order(found)
    assert len(first) == 30
    assert sum(path.startswith("/sort/") for path in first) >= least
    best = [path_of(row["url"]) for row in found.matched]
    assert best[0].startswith("/sort/")
    assert (tmp_path / "urls.txt").read_text().split() == [row["url"] for row in found.matched]
    relevances = [row["relevance"] for row in found.matched]
    assert relevances == sorted(relevances, reverse=True)


def test_results_are_listed_while_the_crawl_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GrowingUrls, "SOONEST", 0.0)
    lists: list[list[str]] = []

    def listen(event: Event) -> None:
        if isinstance(event, Progress) and event.pages > 5:
            lists.append((tmp_path / "urls.txt").read_text().split())

    with served() as site:
        site.latency = 0.02
        job = make_job("focus", site.url, topic=TOPIC, output=str(tmp_path), max_pages=60, **ONE_BY_ONE)
        app.start(job, listen)
    assert lists
    assert all(lists)
    assert set(lists[0]) <= {row["url"] for row in opened(tmp_path).crawled}


@pytest.mark.parametrize("by", EVERY_RANKER)
def test_a_ranker_is_the_same_live_and_simulated(by: str, tmp_path: Path) -> None:
    with served() as site:
        found = focus(tmp_path, site.url, by=by, max_pages=40)
        bodies = {f"{site.url.rstrip('/')}{path}": body for path, body in web().items()}

        def find(url: str) -> Replayed | None:
            body = bodies.get(url)
            return None if body is None else Replayed(200, {"content-type": "text/html"}, body.encode())

        run = simulate_run(find, [site.url], topic=TOPIC, by=by, max_pages=40)
    assert [path_of(url) for url, _ in run.pages] == order(found)
    assert [round(relevance, 4) for _, relevance in run.pages] == [row["relevance"] for row in found.crawled]


@pytest.mark.parametrize("by", ["learned", "astar", "priority"])
def test_a_crawl_of_another_version_is_refused_and_left_as_it_is(by: str, tmp_path: Path) -> None:
    with served() as site:
        before = order(focus(tmp_path / "old", site.url, by=by, max_pages=12))
        with closing(sqlite3.connect(tmp_path / "old" / DATABASE)) as tables, tables:
            tables.execute("UPDATE model SET state = ? WHERE name = 'ranker'", (b"\x81\xa5pages\x0c",))
        with pytest.raises(CrawlError, match="saved by another version of dowse"):
            app.resume(tmp_path / "old", max_pages=20)
    assert order(opened(tmp_path / "old")) == before


@pytest.mark.parametrize("by", ["learned", "astar", "priority"])
def test_a_crawl_that_was_stopped_goes_on_with_what_it_learned(by: str, tmp_path: Path) -> None:
    with served() as site:
        whole = focus(tmp_path / "whole", site.url, by=by, max_pages=45)
        focus(tmp_path / "halves", site.url, by=by, max_pages=20)
        app.resume(tmp_path / "halves", max_pages=45)
    halves = opened(tmp_path / "halves")
    assert order(halves) == order(whole)


def test_a_killed_crawl_goes_on_with_what_it_learned(tmp_path: Path) -> None:
    with served() as site:
        whole = focus(tmp_path / "whole", site.url, max_pages=60)
        site.latency = 0.02
        words = ["focus", site.url, "--topic", TOPIC, "-o", str(tmp_path / "killed"), "--max-pages", "60", "-q"]
        options = ["--concurrency", "1", "--per-host", "1", "--delay", "0", "--robots", "ignore", "--patience", "0"]
        before = len(site.log)
        process = subprocess.Popen([sys.executable, "-m", "dowse", *words, *options])
        end = time.monotonic() + 30
        while len(site.log) < before + 25 and time.monotonic() < end:
            time.sleep(0.01)
        os.kill(process.pid, signal.SIGKILL)
        process.wait(10)
        site.latency = 0.0
        app.resume(tmp_path / "killed")
    killed = opened(tmp_path / "killed")
    assert order(killed) == order(whole)


def test_on_many_hosts_a_crawl_that_was_stopped_goes_on_and_tells_whose_turn_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "_FIRST_LEVEL", 0.5)  # pages here are so relevant that it would take 200 of them
    options: dict[str, Any] = {"scope": "any", "allow_private": True}
    with ExitStack() as stack:
        sites = [stack.enter_context(served()) for _ in range(4)]
        others = "".join(
            f"<p><a href={site.url}{kind}/{n}.html>{kind} {n}</a>"
            for site in sites[1:]
            for kind in ("sort", "birds")
            for n in range(40)
        )
        sites[0].pages["/"] = f"{web()['/']}{others}"
        whole = focus(tmp_path / "whole", sites[0].url, max_pages=60, **options)
        focus(tmp_path / "halves", sites[0].url, max_pages=25, **options)
        app.resume(tmp_path / "halves", max_pages=60)
    urls = [row["url"] for row in whole.crawled]
    assert [row["url"] for row in opened(tmp_path / "halves").crawled] == urls
    stories = [whole.why(url) for url in urls]
    assert any("turn of the baselines" in story.worth for story in stories if story is not None)


def test_why_tells_the_parts_of_the_score(tmp_path: Path) -> None:
    with served() as site:
        found = focus(tmp_path, site.url, max_pages=30)
        fetched, waiting = next(iter(found.matched)), next(iter(found.waiting))
    story = found.why(fetched["url"])
    assert story is not None
    assert story.relevance == pytest.approx(fetched["relevance"], abs=1e-3)
    assert 1 / (1 + math.exp(-sum(story.parts.values()))) == pytest.approx(story.relevance, abs=2e-3)
    assert sum(story.worth.values()) > 0
    story = found.why(waiting["url"])
    assert story is not None
    assert story.relevance is None
    assert story.worth
    shown = CliRunner().invoke(cli, ["why", str(tmp_path), fetched["url"]]).output
    assert "worth" in shown
    assert "keywords" in shown


def test_examples_say_what_is_wanted(tmp_path: Path) -> None:
    example = tmp_path / "example.html"
    example.write_text(web()["/sort/3.html"])
    with served() as site:
        bird = f"{site.url}birds/1.html"
        found = focus(tmp_path / "out", site.url, topic="", like=[str(example)], unlike=[bird], max_pages=25)
        again = app.resume(tmp_path / "out", max_pages=30)
    assert sum(path.startswith("/sort/") for path in order(found)) >= 18
    assert again.pages == 30


def test_a_crawl_stops_when_nothing_more_is_found(tmp_path: Path) -> None:
    with served() as site:
        found = focus(tmp_path, site.url, by="keywords", patience=20)
    assert found.status().stop_reason == "saturated"
    standing = found.standing()
    assert standing.prospect.matched >= 40
    assert standing.prospect.recall > 0.8
    assert found.status().pages < 81


def test_a_crawl_stops_when_what_is_left_is_dead(tmp_path: Path) -> None:
    papers = "".join(f"<p><a href=/papers/{number}>sorting, paper {number}</a>" for number in range(400))
    with served() as site:
        site.pages["/"] = web()["/"] + papers
        found = focus(tmp_path, site.url, patience=20)
    assert found.status().stop_reason == "saturated"
    assert found.status().counts["failed"] < 250


def test_a_moved_page_keeps_its_lead(tmp_path: Path) -> None:
    pages: dict[str, Page] = {
        "/": "<title>Start</title><a href=/old>heap sorting</a> <a href=/b>birds</a> <a href=/c>more birds</a>",
        "/old": lambda request: _moved(),
        "/new": "<title>Heap sorting</title>sort by a heap",
        "/b": "<title>birds</title>birds",
        "/c": "<title>more birds</title>birds and birds",
    }
    with Site(pages) as site:
        found = focus(tmp_path, site.url, max_pages=2)
    assert order(found) == ["/", "/new"]


def _moved() -> Any:
    from tests.servers import Reply

    return Reply(status=301, headers={"location": "/new"})


def test_hosts_share_the_crawl_by_what_their_links_are_worth(tmp_path: Path) -> None:
    dull = Site({f"/{n}": f"<title>Bird {n}</title>birds<a href=/{n + 1}>a bird</a>" for n in range(20)})
    with served() as site, dull:
        site.pages["/"] = f"{web()['/']}<a href={dull.url}0>a bird</a>"
        found = focus(tmp_path, site.url, scope="any", allow_private=True, by="keywords", max_pages=25)
    hosts = [row["url"].split("/")[2] for row in found.crawled]
    assert hosts.count(f"127.0.0.1:{dull.port}") <= 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--topic", ""], "topic: is empty"),
        (["--topic", "the of and"], "only words that say nothing"),
        (["--topic", "sort", "--language", "xx"], "language: 'xx' is not supported"),
        (["--like", "nowhere.html"], "like: there is no file nowhere.html"),
        (["--topic", "sort", "--unlike", "nowhere.html"], "unlike: there is no file nowhere.html"),
        (["--topic", "sort", "--unlike", "ftp://a.example/"], "unlike: 'ftp://a.example/': only http and https"),
        (
            ["--unlike", "bird.html"],
            "unlike: this is what is not wanted; say what is: topic = 'heat pumps', or like = FILE",
        ),
        (["--like", "empty.html"], "like: empty.html is empty; name a page that has words"),
        (["--topic", "sort", "--unlike", "blank.html"], "unlike: blank.html has no text; name a page that has words"),
        (["--like", "stop.html"], "like: the example pages have no words that say anything; give a topic too"),
        (["--topic", "sort", "--by", "magic"], "--by: expected one of"),
    ],
)
def test_bad_input_is_told_and_makes_no_folder(
    words: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    pages = {"empty": "", "blank": "<p></p>", "stop": "<p>the of and", "bird": "<p>birds"}
    for name, text in pages.items():
        (tmp_path / f"{name}.html").write_text(text)
    with served() as site:
        ended = CliRunner().invoke(cli, ["focus", site.url, "-o", str(tmp_path / "out"), *words])
    assert ended.exit_code != 0
    assert message in str(ended.exception or "") + ended.output
    assert not (tmp_path / "out").exists()


def test_a_topic_that_nothing_matches_is_told_with_what_to_try(tmp_path: Path) -> None:
    words = ["focus", "-o", str(tmp_path), "--topic", "xylophone quartets", "--by", "keywords", "--delay", "0", "-q"]
    with served() as site:
        ended = subprocess.run(
            [sys.executable, "-m", "dowse", *words, site.url, "--max-pages", "20"],
            capture_output=True,
            text=True,
            check=False,
        )
    assert ended.returncode != 0
    assert "no page matches the topic" in ended.stderr
    assert "start from a page that is about the topic" in " ".join(ended.stderr.split())
    assert "or go on with more --max-pages" in " ".join(ended.stderr.split())
    check_ledger(app.read(tmp_path))


def test_what_to_try_names_the_best_page_and_the_extra_that_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dowse.score.semantic.is_installed", lambda: False)
    pages: dict[str, Page] = {
        "/": b"<title>Start</title><a href=/sort>Sort</a>",
        "/sort": b"<title>Sort</title><p>How to sort a list",
    }
    with Site(pages) as site:
        crawl = focus(tmp_path, site.url, topic="sort", threshold=1.0)
    trouble = crawl.results().trouble
    assert re.search(r"the best page has a relevance of [01]\.\d{3}: http://\S+/sort;", trouble)
    assert "pip install 'dowse-crawler[context]'; give a --threshold below 1, or --match any" in trouble
    assert "--max-pages" not in trouble, "all of the site was fetched"


def test_a_site_crawl_has_no_topic(tmp_path: Path) -> None:
    with served() as site:
        app.start(make_job("site", site.url, output=str(tmp_path), delay=0.0, max_pages=3))
    found = app.read(tmp_path)
    assert "relevance" not in found.pages.columns
    with pytest.raises(dowse.CrawlError, match="has no topic"):
        _ = found.matched


def test_simulate_and_evaluate(tmp_path: Path) -> None:
    labels = tmp_path / "labels.csv"
    with served() as site:
        focus(tmp_path / "out", site.url, by="breadth", max_pages=81)
        relevant = [f"{site.url}sort/{number}.html" for number in range(40)]
        labels.write_text("url\n" + "\n".join(relevant))
        words = ["simulate", str(tmp_path / "out"), "--by", "breadth,keywords,learned", "--topic", TOPIC]
        plot = tmp_path / "curves.html"
        ended = CliRunner().invoke(cli, [*words, "--truth", str(labels), "--max-pages", "30", "--plot", str(plot)])
    assert ended.exit_code == 0, ended.output
    lines = {line.split()[0]: line.split()[1:] for line in ended.output.splitlines()}
    assert float(lines["learned"][0]) > float(lines["breadth"][0]) + 0.2
    assert "<polyline" in plot.read_text()
    assert "http:" not in plot.read_text()
    assert "https:" not in plot.read_text()
    ended = CliRunner().invoke(cli, [*words, "--truth", str(labels), "--max-pages", "30", "--json"])
    told = json.loads(ended.stdout)
    assert (told["topic"], told["max_pages"]) == (TOPIC, 30)
    assert [each["by"] for each in told["rankers"]] == ["breadth", "keywords", "learned"]
    assert told["rankers"][2]["harvest"]["value"] == pytest.approx(float(lines["learned"][0]), abs=0.001)
    ended = CliRunner().invoke(cli, ["evaluate", str(tmp_path / "out"), "--truth", str(labels)])
    assert "harvest rate 0.494, 1.000 of all" in ended.output
    assert "precision 0.976, recall 1.000" in ended.output


def test_a_simulation_tells_how_far_it_is(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<title>Heaps</title><p>Sorting by a heap")
    told: list[tuple[int, int]] = []

    def tell(done: int, total: int) -> None:
        told.append((done, total))

    simulate(tmp_path, ["breadth,learned"], told=tell, topic="sorting", max_pages=5)
    assert told == sorted(told)
    assert told[-1] == (10, 10)
    assert (5, 10) in told


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--by", ""], "by: names no ranker"),
        (["--topic", " "], "topic: is empty"),
        (["--topic", "photosynthesis"], "no page of .* is relevant"),
    ],
)
def test_a_simulation_that_can_say_nothing_is_refused(words: list[str], message: str, tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<title>Heaps</title><p>Sorting by a heap")
    with pytest.raises(JobError, match=message):
        cli(["simulate", str(tmp_path), "--topic", "sorting", "--by", "breadth", *words], standalone_mode=False)


def test_labels_of_other_pages_are_refused(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<title>Heaps</title><p>Sorting by a heap")
    labels = tmp_path / "labels.csv"
    labels.write_text("url\nhttp://elsewhere.example/a.html\n")
    with pytest.raises(JobError, match=r"truth: of 1 URL in .*labels\.csv none is among the pages of"):
        dowse.simulate(str(tmp_path), ["breadth"], topic="sorting", truth=labels)


def test_the_table_of_a_simulation_fits_a_terminal(tmp_path: Path) -> None:
    with served() as site:
        focus(tmp_path, site.url, by="breadth", max_pages=60)
        seeds = [word for number in (0, 5, 11) for word in ("--seeds", f"{site.url}sort/{number}.html")]
        words = ["simulate", str(tmp_path), "--by", "random,priority", "--topic", TOPIC, "--max-pages", "20"]
        told = CliRunner().invoke(cli, [*words, *seeds]).output.splitlines()
    head, *rows = [line for line in told if line.startswith(("by", "random", "priority"))]
    assert max(map(len, told)) <= 80
    assert "±" in rows[0]
    for name in ("harvest rate", "area", "found", "precision", "recall"):
        place = head.index(name)
        assert all(row[place].isdigit() and row[place - 1] == " " for row in rows)


def test_a_job_without_a_topic_is_refused() -> None:
    with pytest.raises(JobError, match="topic: is empty"):
        dowse.focus("http://127.0.0.1:1/")


@pytest.mark.parametrize("change", [{"language": "de"}, {"by": "shark"}])
def test_what_pages_are_judged_by_cannot_be_changed_on_the_way(change: dict[str, Any], tmp_path: Path) -> None:
    with served() as site:
        focus(tmp_path, site.url, max_pages=5)
        with pytest.raises(JobError, match="cannot be changed"):
            app.resume(tmp_path, **change)
        assert app.resume(tmp_path, max_pages=8, threshold=0.5).pages == 8


JAVA: dict[str, Page] = {
    "/": "<title>Java</title><p>Java <a href=/beans>one</a> <a href=/island>two</a>",
    "/beans": "<title>A cup</title><p>A beverage: java from roasted beans",
    "/island": "<title>A map</title><p>South of Borneo is Java, in Indonesia",
}


@pytest.mark.parametrize(
    ("options", "related"),
    [
        ({"topic": "java, coffee"}, {"/": 4, "/beans": 4}),
        ({"topic": "java, island"}, {"/": 4, "/island": 4}),
        ({"topic": "java, island", "related": False}, {"/": 4}),
        ({"topic": "java, island", "language": "de"}, {"/": 4}),
        ({"topic": "java"}, {"/": 4}),
    ],
)
def test_related_words_are_told_and_kept(
    options: dict[str, Any], related: dict[str, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WNSEARCHDIR", str(write_wordnet(tmp_path / "wordnet")))
    monkeypatch.setattr("dowse.score.semantic.is_installed", lambda: False)
    told: list[str] = []
    with Site(JAVA) as site:
        job = make_job("focus", site.url, output=str(tmp_path / "out"), by="priority", **{**ONE_BY_ONE, **options})
        app.start(replace(job, limits=replace(job.limits, max_pages=1)), lambda event: told.append(_notice(event)))
        monkeypatch.delenv("WNSEARCHDIR")
        app.resume(tmp_path / "out", max_pages=3)
    found = opened(tmp_path / "out")
    stories = {path_of(row["url"]): found.why(row["url"]) for row in found.crawled}
    parts = {path: story.parts for path, story in stories.items() if story is not None}
    assert {path: each["related"] for path, each in parts.items() if "related" in each} == related
    notices = [text for text in told if text]
    if options.get("related", True) and "language" not in options:
        assert notices
        assert all("related words" in text or "several meanings" in text for text in notices)
    else:
        assert not notices


def _notice(event: Event) -> str:
    return event.text if isinstance(event, Notice) else ""


def test_a_damaged_dictionary_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write_wordnet(tmp_path / "wordnet")
    (folder / "data.noun").write_text("")
    monkeypatch.setenv("WNSEARCHDIR", str(folder))
    words = ["focus", "-o", str(tmp_path / "out"), "--topic", "java", "--by", "priority", "--delay", "0", "-q"]
    with Site(JAVA) as site:
        ended = CliRunner().invoke(cli, [*words, site.url])
        assert ended.exit_code != 0
        assert "are damaged at 'java'" in str(ended.exception or "") + ended.output
        assert not (tmp_path / "out").exists()
        assert CliRunner().invoke(cli, [*words, site.url, "--no-related"]).exit_code == 0


@pytest.mark.timeout(60)
@pytest.mark.parametrize("by", ["learned", "keywords"])
def test_a_retry_ends_and_leaves_what_waits(by: str, tmp_path: Path) -> None:
    pages = web()
    with Site() as site:
        site.pages.update({path: html for path, html in pages.items() if path != "/sort/5.html"})
        focus(tmp_path, site.url, by=by, max_pages=10)
        before = opened(tmp_path).status().counts
        site.pages["/sort/5.html"] = pages["/sort/5.html"]
        app.retry(tmp_path)
    after = opened(tmp_path).status().counts
    assert before["failed"] == 1
    assert "failed" not in after
    assert after["fetched"] == 11, after
    assert sum(after.values()) >= sum(before.values()) > 11


@pytest.mark.timeout(60)
def test_a_crawl_ends_where_its_hosts_have_had_all_their_pages(tmp_path: Path) -> None:
    with Site() as site:
        site.pages.update(web())
        focus(tmp_path, site.url, host_pages=7)
    assert opened(tmp_path).status().counts["fetched"] == 7
