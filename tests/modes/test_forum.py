"""Crawls of forums: every thread once, with its posts, and next to nothing else."""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

import dowse
from dowse import app
from dowse.config import make_job
from tests.crawling import opened
from tests.forum_makes import answers
from tests.forum_pages import Forum, make_forum
from tests.servers import Page, Reply, Request, Site

QUICK: dict[str, Any] = {"delay": 0.0, "retries": 0, "library": False}
MAKES = ("table", "list", "cards")
STARTS = {
    "table": ("index.php", "viewforum.php?f=2", "viewtopic.php?f=1&t=3", "viewtopic.php?p=507", "profile.php?u=3"),
    "list": ("", "topic/x-4/", "topic/x-4/last/", "post/500/", "user/anna/"),
    "cards": ("", "c/b1?page=2", "t/x/4", "u/anna", "about"),
}


def crawl(directory: Path, seed: str, **options: Any) -> dowse.Crawl:
    app.start(make_job("forum", [seed], output=str(directory), **{**QUICK, **options}))
    return opened(directory)


def wasted(forum: Forum, asked: list[str]) -> list[str]:
    return [target for target in asked if forum.kind(target) == "other"]


@pytest.mark.parametrize("make", MAKES)
def test_every_thread_is_fetched_once_and_nothing_else(make: str, tmp_path: Path) -> None:
    forum = make_forum(make)
    with Site(answers(forum)) as site:
        found = crawl(tmp_path / "out", site.url)
    asked = site.paths()
    threads = {forum.thread_of(target) for target in asked} - {None}
    assert threads == set(forum.threads)
    assert len(wasted(forum, asked)) <= 0.02 * len(asked)
    assert max(Counter(asked).values()) == 1
    assert len(list(found.frame("threads"))) == len(forum.threads), "no thread is there under two names"


@pytest.mark.parametrize("make", MAKES)
def test_posts_are_those_of_the_forum_in_their_order(make: str, tmp_path: Path) -> None:
    forum = make_forum(make, threads=30)
    with Site(answers(forum)) as site:
        found = crawl(tmp_path / "out", site.url)
    posts: dict[str, list[str]] = {}
    for row in found.frame("posts"):
        posts.setdefault(row["thread"], []).append(row["text"])
    written = [[text for _, _, text in thread.posts] for thread in forum.threads.values()]
    right = sum(texts in written for texts in posts.values())
    assert right >= 0.9 * len(written)
    assert {row["name"] for row in found.frame("boards")} >= {name for name, _ in forum.boards.values()}


@pytest.mark.parametrize(("make", "start"), [(make, start) for make in MAKES for start in STARTS[make]])
def test_any_page_leads_to_the_entry_page_and_all_threads(make: str, start: str, tmp_path: Path) -> None:
    forum = make_forum(make, threads=40)
    with Site(answers(forum)) as site:
        found = crawl(tmp_path / "out", site.url + start)
    entry = found.results().facts["entry"]
    assert entry.removeprefix(site.url) in ("", "index.php")
    assert {forum.thread_of(target) for target in site.paths()} - {None} == set(forum.threads)
    assert len(wasted(forum, site.paths())) <= 4


def test_patterns_are_learned_and_told(tmp_path: Path) -> None:
    with Site(answers(make_forum("list"))) as site:
        found = crawl(tmp_path / "out", site.url)
    patterns = {(each["kind"], each["pattern"]) for each in found.results().facts["patterns"]}
    assert ("thread", r"/topic/[^/?&]+-\d+/") in patterns
    assert ("index", r"/forum/[^/?&]+-\d+/") in patterns
    assert any(kind == "thread paging" for kind, _ in patterns)


def test_a_second_run_asks_only_for_what_is_new(tmp_path: Path) -> None:
    forum = make_forum("table")
    thread = max(forum.threads.values(), key=lambda each: len(each.posts))
    with Site(answers(forum)) as site:
        crawl(tmp_path / "out", site.url)
        before = len(site.paths())
        latest = max(each.posts[-1][1] for each in forum.threads.values())
        forum.answer(thread.number, "anna", "There is news of this, and it is good.", latest + timedelta(hours=2))
        app.recrawl(tmp_path / "out")
    again = site.paths()[before:]
    assert {forum.thread_of(target) for target in again} - {None} == {thread.number}
    assert len(again) < before / 4
    found = opened(tmp_path / "out")
    texts = {row["text"] for row in found.frame("posts")}
    assert "There is news of this, and it is good." in texts
    (change,) = found.changes(what="thread", kind=["added", "changed"])
    assert forum.thread_of("/" + change["url"].split("/", 3)[3]) == thread.number
    assert "There is news of this, and it is good." in str(change["after"])


def test_a_thread_that_is_fetched_again_is_no_other_thread(tmp_path: Path) -> None:
    forum = make_forum("table", threads=20)
    short = sorted(forum.threads.values(), key=lambda each: len(each.posts))[:2]
    with Site(answers(forum)) as site:
        crawl(tmp_path / "out", site.url, per_host=1)
        latest = max(each.posts[-1][1] for each in forum.threads.values())
        for hours, thread in enumerate(short, 1):
            forum.answer(
                thread.number,
                "anna",
                f"There is news of {thread.number}, and it is good.",
                latest + timedelta(hours=hours),
            )
        app.recrawl(tmp_path / "out", max_results=1)
    texts = {row["text"] for row in opened(tmp_path / "out").frame("posts")}
    assert {f"There is news of {thread.number}, and it is good." for thread in short} <= texts, (
        "none of them is the one new thread that ends it"
    )


def test_under_a_budget_new_posts_are_found_too(tmp_path: Path) -> None:
    forum = make_forum("table")
    thread = max(forum.threads.values(), key=lambda each: len(each.posts))
    with Site(answers(forum)) as site:
        crawl(tmp_path / "out", site.url)
        before = len(site.paths())
        latest = max(each.posts[-1][1] for each in forum.threads.values())
        forum.answer(thread.number, "anna", "There is news of this, and it is good.", latest + timedelta(hours=2))
        app.recrawl(tmp_path / "out", budget=before // 4)
    assert "There is news of this, and it is good." in {row["text"] for row in opened(tmp_path / "out").frame("posts")}


def test_the_next_forum_of_a_software_begins_with_what_was_learned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    for seed in (1, 2):
        with Site(answers(make_forum("list", seed=seed))) as site:
            found = crawl(tmp_path / f"out{seed}", site.url, library=True)
        assert bool(found.results().facts["from_library"]) == (seed == 2)
    assert (tmp_path / "state" / "dowse" / "forums.json").exists()


def test_a_crawl_of_before_the_table_of_signs_is_read_and_goes_on(tmp_path: Path) -> None:
    """An earlier version made crawls without it."""
    with Site(answers(make_forum("list", threads=20))) as site:
        app.start(make_job("forum", [site.url], output=str(tmp_path / "out"), max_pages=12, **QUICK))
        with closing(sqlite3.connect(tmp_path / "out" / "crawl.db")) as database:
            database.execute("DROP TABLE forum_sign")
            database.commit()
        assert opened(tmp_path / "out").results().facts["patterns"]
        app.resume(tmp_path / "out", max_pages=0)
    assert len(list(opened(tmp_path / "out").frame("threads"))) == 20


def test_a_library_that_cannot_be_read_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    (tmp_path / "dowse").mkdir()
    (tmp_path / "dowse" / "forums.json").write_text("{broken")
    with Site(answers(make_forum("list", threads=10))) as site:
        assert crawl(tmp_path / "out", site.url, library=True).results().facts["threads"] == 10


def test_a_forum_that_answers_every_number_with_the_last_page_ends(tmp_path: Path) -> None:
    forum = make_forum("list")
    make = answers(forum)["*"]
    assert callable(make)

    def endless(request: Request) -> Any:
        number = request.query.get("page", "1")
        if "/topic/" not in request.path:
            return make(request)
        body = str(make(Request("GET", request.path, request.headers, b"", 0)).body)  # type: ignore[union-attr]
        further = "".join(f"<a href='?page={int(number) + each}'>{int(number) + each}</a> " for each in range(1, 4))
        return Reply(body.replace("</main>", f"<p>{further}</p></main>"), headers={"Content-Type": "text/html"})

    pages: dict[str, Page] = {"/robots.txt": Reply("", status=404), "*": endless}
    with Site(pages) as site:
        found = crawl(tmp_path / "out", site.url, max_pages=1000)
    assert len(site.paths()) < 6 * len(forum.threads)
    assert any("the same as another page" in note for note in found.results().notes)


def test_boards_that_ask_for_a_log_in_are_told(tmp_path: Path) -> None:
    forum = make_forum("list")
    make = answers(forum)["*"]
    assert callable(make)
    ask = "<title>Log in</title><h1>Log in</h1><form method=post><input name=u><input type=password name=p></form>"

    def closed(request: Request) -> Any:
        return ask if "-2/" in request.path and request.path.startswith("/forum/") else make(request)

    with Site({"/robots.txt": Reply("", status=404), "*": closed}) as site:
        found = crawl(tmp_path / "out", site.url)
    assert any("asks for a log-in" in note for note in found.results().notes)
    open_threads = {each.number for each in forum.threads.values() if each.board != 2}
    assert open_threads <= {forum.thread_of(target) for target in site.paths()}


def test_a_site_without_a_forum_ends_soon_and_says_so(tmp_path: Path) -> None:
    text = "<title>Fish</title><h1>Fish</h1><p>All about fish, and nothing else.</p><a href=/{}>More</a>"
    pages: dict[str, Page] = {f"/{number or ''}": text.format(number + 1) for number in range(200)}
    with Site(pages) as site:
        found = crawl(tmp_path / "out", site.url)
    assert len(site.paths()) < 40
    assert "no thread was found" in found.results().trouble
