"""A focus crawl that goes on with another topic: stored pages are judged again, links are ranked again."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest
from msgspec import to_builtins

import dowse
from dowse import app
from dowse.engine.events import Event, Notice, Progress, Visited
from dowse.store.best_first.answer_table import leave_answer
from dowse.store.folder import DATABASE
from tests.commands import invoke
from tests.crawling import check_ledger, opened, path_of
from tests.modes.test_focus import ONE_BY_ONE, TOPIC, focus, order, served
from tests.processes import wait_until

BIRDS = "birds, nest"


def kinds(crawl: dowse.Crawl) -> set[str]:
    """What most of the matched pages are about, but for the start page, which names both kinds."""
    counts = Counter(path_of(row["url"]).split("/")[1] for row in crawl.matched)
    return {kind for kind, number in counts.items() if kind and number > max(counts.values()) / 10}


def relevances(crawl: dowse.Crawl) -> dict[str, float]:
    return {path_of(row["url"]): row["relevance"] for row in crawl.crawled}


def test_stored_pages_are_judged_for_the_new_topic_and_nothing_is_asked_for_twice(tmp_path: Path) -> None:
    events: list[Event] = []
    with served() as site:
        before = focus(tmp_path, site.url, max_pages=40)
        assert kinds(before) == {"sort"}
        told = len(site.paths())
        app.resume(tmp_path, events.append, topic=BIRDS)
        after = opened(tmp_path)
        assert len(site.paths()) == told, "the limit on pages was reached before"
    assert kinds(after) == {"birds"}
    assert order(after) == order(before)
    assert to_builtins(after.job.options)["topic"] == BIRDS
    assert (tmp_path / "urls.txt").read_text().split() == [row["url"] for row in after.matched]
    sentences = [event.text for event in events if isinstance(event, Notice)]
    assert "the topic is another now: 40 stored pages to be judged again" in sentences
    assert sum(isinstance(event, Visited) and "judged again" in event.what for event in events) == 40
    assert max((event.rereads for event in events if isinstance(event, Progress)), default=0) <= 40
    check_ledger(after)


def test_the_best_links_for_the_new_topic_are_next(tmp_path: Path) -> None:
    with served() as site:
        focus(tmp_path, site.url, max_pages=20)
        app.resume(tmp_path, topic=BIRDS, max_pages=40)
    new = order(opened(tmp_path))[20:]
    assert sum(path.startswith("/birds/") for path in new) >= 16


def test_pages_are_judged_as_if_the_crawl_had_begun_with_the_topic(tmp_path: Path) -> None:
    """All pages of the site, so that what was fetched is the same."""
    with served() as site:
        focus(tmp_path / "changed", site.url)
        app.resume(tmp_path / "changed", topic=BIRDS)
        focus(tmp_path / "begun", site.url, topic=BIRDS)
    changed, begun = (relevances(opened(tmp_path / name)) for name in ("changed", "begun"))
    assert changed.keys() == begun.keys()
    matched = [{path for path, value in each.items() if value >= 0.5} for each in (changed, begun)]
    assert matched[0] == matched[1]


@pytest.mark.parametrize("by", ["semantic", "astar", "priority", "keywords"])
def test_every_kind_of_ranker_takes_another_topic(by: str, tmp_path: Path) -> None:
    with served() as site:
        focus(tmp_path, site.url, by=by, max_pages=40)
        app.resume(tmp_path, topic="birds, nest, song", max_pages=45)
    after = opened(tmp_path)
    assert kinds(after) == {"birds"}
    assert len(order(after)) == 45


def test_answers_stay_with_the_topic_they_were_given_for(tmp_path: Path) -> None:
    def resumed(topic: str) -> list[str]:
        events: list[Event] = []
        app.resume(tmp_path, events.append, topic=topic)
        return [event.text for event in events if isinstance(event, Notice)]

    def parts() -> dict[str, float]:
        story = opened(tmp_path).why(url)
        assert story is not None
        return dict(story.parts)

    with served() as site:
        crawl = focus(tmp_path, site.url, max_pages=30)
        url = next(row["url"] for row in crawl.crawled if "/sort/" in row["url"])
        crawl.label(url, True)
        sentences = resumed(BIRDS)
        assert "1 answer was for the topic before: set aside until it is the topic again" in sentences
        assert "answered" not in parts()
        assert relevances(opened(tmp_path))[path_of(url)] < 0.5
        opened(tmp_path).label(url, False)
        assert parts() == {"answered": -1.0}
        sentences = resumed(TOPIC)
    assert "1 answer was given for this topic before: in use again" in sentences
    assert parts() == {"answered": 1.0}
    assert relevances(opened(tmp_path))[path_of(url)] == 1


def test_an_answer_left_while_the_crawl_ran_belongs_to_its_topic_too(tmp_path: Path) -> None:
    with served() as site:
        crawl = focus(tmp_path, site.url, max_pages=30)
        url = next(row["url"] for row in crawl.crawled if "/sort/" in row["url"])
        story = crawl.why(url)
        assert story is not None
        leave_answer(tmp_path, story.number, True)
        app.resume(tmp_path, topic=BIRDS)
    assert relevances(opened(tmp_path))[path_of(url)] < 0.5


def test_examples_that_stay_are_not_read_again(tmp_path: Path) -> None:
    first, second = tmp_path / "first.html", tmp_path / "second.html"
    first.write_text("<title>Heaps</title><p>Sorting with a heap, and other methods to sort")
    second.write_text("<title>Owls</title><p>The nest and the song of a bird, such as an owl")
    with served() as site:
        focus(tmp_path / "out", site.url, topic="", like=[str(first)], max_pages=20)
        first.unlink()
        app.resume(tmp_path / "out", topic="sorting", max_pages=30)
        assert kinds(opened(tmp_path / "out")) == {"sort"}
        app.resume(tmp_path / "out", topic="", like=[str(second)], unlike=[str(first)], max_pages=40)
    assert kinds(opened(tmp_path / "out")) == {"birds"}


def test_a_topic_that_says_nothing_changes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with served() as site:
        before = relevances(focus(tmp_path, site.url, max_pages=20))
        result = invoke(capsys, "resume", tmp_path, "--topic", "the")
        assert result.code == 2
        assert "only words that say nothing" in result.err
        result = invoke(capsys, "resume", tmp_path, "--like", tmp_path / "missing.html")
        assert "there is no file" in result.err
    after = opened(tmp_path)
    assert relevances(after) == before
    assert to_builtins(after.job.options)["topic"] == TOPIC


def test_the_command_tells_what_is_done_and_what_is_on_topic_now(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with served() as site:
        focus(tmp_path, site.url, max_pages=20)
        result = invoke(capsys, "resume", tmp_path, "--topic", BIRDS, "--max-pages", "30")
    assert result.code == 0
    assert "the topic is another now: 20 stored pages to be judged again" in result.err
    assert "/birds/" in result.out


def test_pages_without_stored_bodies_are_fetched_again(tmp_path: Path) -> None:
    events: list[Event] = []
    with served() as site:
        focus(tmp_path, site.url, max_pages=20, bodies=False)
        told = len(site.paths())
        app.resume(tmp_path, events.append, topic=BIRDS)
        assert len(site.paths()) == told + 20
    assert [event.text for event in events if isinstance(event, Notice)] == [
        "20 pages without a stored body cannot be judged again as it is; they wait to be fetched again, like links"
    ]
    check_ledger(opened(tmp_path))


def test_a_damaged_body_is_fetched_again_and_the_rest_is_judged(tmp_path: Path) -> None:
    with served() as site:
        focus(tmp_path, site.url, max_pages=20)
        with closing(sqlite3.connect(tmp_path / DATABASE)) as database, database:
            database.execute("UPDATE visit SET body = 'none.warc.gz:0:5' WHERE id = 7")
        told = len(site.paths())
        app.resume(tmp_path, topic=BIRDS)
        assert len(site.paths()) == told + 1
    after = opened(tmp_path)
    assert len(order(after)) == 20
    check_ledger(after)


def test_a_recrawl_for_another_topic_ends_where_stored_bodies_are_gone(tmp_path: Path) -> None:
    """Its pages wait to be visited anyway. Nothing else goes out as long as one of them is to be read."""
    events = 0

    def listen(_event: Event) -> None:
        nonlocal events
        events += 1
        assert events < 5_000, "it reads the same pages again and again"

    with served() as site:
        focus(tmp_path, site.url, max_pages=20)
        for part in (tmp_path / "warc").iterdir():
            part.unlink()
        told = len(site.paths())
        app.recrawl(tmp_path, listen, topic=BIRDS)
        assert len(site.paths()) >= told + 20
    check_ledger(opened(tmp_path))


SLOWLY = """
import sys, time
from dowse import app
from dowse.engine.events import Visited
def slowly(event):
    if isinstance(event, Visited):
        time.sleep(0.05)
app.resume(sys.argv[1], slowly, topic=sys.argv[2])
"""


def test_a_crawl_killed_while_it_judges_again_goes_on_there(tmp_path: Path) -> None:
    with served() as site:
        focus(tmp_path / "killed", site.url)
        focus(tmp_path / "whole", site.url)
        app.resume(tmp_path / "whole", topic=BIRDS)
        with subprocess.Popen([sys.executable, "-c", SLOWLY, str(tmp_path / "killed"), BIRDS]) as crawl:
            wait_until(lambda: 0 < outdated(tmp_path / "killed") < 81)
            os.kill(crawl.pid, signal.SIGKILL)
        left = outdated(tmp_path / "killed")
        assert 0 < left < 81
        story = next(
            story for row in opened(tmp_path / "killed").pages if (story := earlier_story(tmp_path, row["url"]))
        )
        assert f"for an earlier topic ({TOPIC}); judged for the topic of now when the crawl goes on" in " ".join(
            str(story).split()
        )
        events: list[Event] = []
        app.resume(tmp_path / "killed", events.append)
        again = sum(isinstance(event, Visited) and "judged again" in event.what for event in events)
        assert again == left
    killed, whole = (relevances(opened(tmp_path / name)) for name in ("killed", "whole"))
    assert killed == whole


def earlier_story(folder: Path, url: str) -> dowse.Story | None:
    story = opened(folder / "killed").why(url)
    assert story is not None
    return story if story.judged_before else None


def outdated(folder: Path) -> int:
    with closing(sqlite3.connect(folder / DATABASE)) as database:
        try:
            return int(database.execute("SELECT count(*) FROM outdated").fetchone()[0])
        except sqlite3.OperationalError:
            return 0


def test_workers_in_other_processes_judge_again_too(tmp_path: Path) -> None:
    with served() as site:
        focus(tmp_path, site.url, max_pages=30)
        app.resume(tmp_path, topic=BIRDS, workers=2, max_pages=35)
    after = opened(tmp_path)
    assert kinds(after) == {"birds"}
    assert len(order(after)) == 35


def test_python_takes_another_topic(tmp_path: Path) -> None:
    with served() as site:
        dowse.focus(site.url, TOPIC, output=str(tmp_path), max_pages=30, **ONE_BY_ONE)
        crawl = dowse.resume(str(tmp_path), topic=BIRDS)
        assert kinds(crawl) == {"birds"}
        back = dowse.resume(str(tmp_path), topic=TOPIC)
        assert kinds(back) == {"sort"}
