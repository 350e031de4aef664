"""The ranker of a crawl for files: groups of tag paths, the link classifier, and the order that comes of them."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from dowse.core.model import Failure, FailureKind, Judged, Outcome, Request, Response, Task
from dowse.modes.files.bandit_arms import MOST, Arms
from dowse.modes.files.link_classes import FILE, NEITHER, PAGE, LinkClasses
from dowse.modes.files.ranker import FilesRanker
from dowse.modes.files.strategy import FilesStrategy
from dowse.modes.files.wanted_files import Wanted
from dowse.parse.page import Page
from dowse.parse.tag_paths import placed_links
from dowse.score.trigrams import trigram_counts

WANTED = Wanted(["pdf"], [])


def page(url: str, html: str) -> Page:
    return Page(Response(Request(url, 0, "a.example"), 200, {"content-type": "text/html"}, html.encode(), 0.0, 0.0))


def task(url: str) -> Task:
    return Task(1, Request(url, 0, "a.example"), "a.example", depth=1)


def judged(url: str, html: str) -> Judged:
    found = FilesStrategy(WANTED).judge(page(url, html), task(url)).judged
    assert found is not None
    return found


def visit(ranker: FilesRanker, url: str, html: str, lead: bytes) -> list[bytes]:
    """Let the ranker learn a page that has come; the answer is the leads of its links, all of them new."""
    learned = ranker.learn(task(url), judged(url, html), lead)
    links = len(placed_links(page(url, html)))
    return ranker.follow(task(url), learned, range(links), [b""] * links)


def test_tag_paths_hold_ids_and_classes_but_no_numbers() -> None:
    html = "<main id=content><ul class='list files-12 x y'><li><a href=/a.pdf>A</a></ul></main><a href=/b>B</a>"
    placed = placed_links(page("http://a.example/", html))
    assert [(each.link.url[16:], each.link.text, each.path) for each in placed] == [
        ("/a.pdf", "A", "main#content>ul.list.files-0.x>li>a"),
        ("/b", "B", "a"),
    ]


def test_the_first_place_of_a_link_counts_and_words_come_from_any() -> None:
    html = "<p><a href=/a rel=nofollow></a></p><div><a href=/a>Words</a></div>"
    ((link, path),) = placed_links(page("http://a.example/", html))
    assert (link.text, link.nofollow, path) == ("Words", False, "p>a")


def test_trigrams_are_counted_for_each_text_alone() -> None:
    together = trigram_counts(["/a/b.html", "", "/c/d.pdf", "x"], 64)
    alone = np.concatenate([trigram_counts([text], 64) for text in ("/a/b.html", "", "/c/d.pdf", "x")])
    assert (together == alone).all()
    assert together.sum(1).tolist() == [9, 0, 8, 1]
    assert trigram_counts([], 64).shape == (0, 64)


def test_like_paths_are_one_group() -> None:
    arms = Arms()
    first = arms.group("div.page>div.row>main#content>section#intro>ul.files>li>p>a")
    assert arms.group("div.page>div.row>main#content>section#more>ul.files>li>p>a") == first
    assert arms.group("div.page>nav.menu>ul>li>a.top") != first
    assert arms.group("") == 0


def test_there_are_never_more_groups_than_can_be_kept() -> None:
    arms = Arms()
    numbers = {arms.group(">".join(f"{letter}{number}" for letter in "abcdef")) for number in range(2 * MOST)}
    assert max(numbers) == MOST - 1


def test_a_group_that_brings_files_is_worth_more_and_one_seldom_tried_is_worth_a_try() -> None:
    arms = Arms()
    good, dull, new = (arms.group(path) for path in ("main>ul.files>a", "nav>b>a", "aside>p>i>a"))
    for _ in range(20):
        arms.reward(good, 3.0)
        arms.reward(dull, 0.0)
    numbers = np.array([good, dull, new])
    means, bonuses = arms.means(numbers), arms.bonuses(numbers)
    assert means[0] > means[2] > means[1]
    assert bonuses[2] > bonuses[0] == pytest.approx(bonuses[1])
    before = arms.means(numbers)[0]
    for _ in range(50):
        arms.reward(good, 0.0)
    assert arms.means(numbers)[0] < before / 2


def test_the_classifier_learns_what_urls_are() -> None:
    classes = LinkClasses(64)
    urls = {PAGE: "/articles/{}.html", FILE: "/download?id={}", NEITHER: "/_sources/{}.txt"}

    def features(kind: int, number: int) -> np.ndarray:
        counts = trigram_counts([urls[kind].format(number)], 64).astype(np.float32)
        unit: np.ndarray = (counts / np.sqrt((counts * counts).sum()))[0]
        return unit

    for number in range(30):
        for kind in urls:
            classes.learn_class(features(kind, number), 0, kind)
    for kind in urls:
        shares = classes.predict(features(kind, 99)[None], np.array([0], np.uint8))[0]
        assert shares.argmax() == kind
        assert shares.sum() == pytest.approx(1)


def test_files_go_first_and_then_pages_like_those_that_had_files() -> None:
    ranker = FilesRanker(WANTED)
    menu = "".join(f"<nav class=menu><a href=/menu/{n}.html>m{n}</a></nav>" for n in range(20))
    tables = "".join(f"<table class=years><tr><td><a href=/years/{n}.html>y{n}</a></table>" for n in range(20))
    leads = visit(ranker, "http://a.example/", f"{menu}{tables}<a href=/x.pdf>x</a>", b"")
    ranks = ranker.rank(leads)
    assert ranks.index(max(ranks)) == 40
    for number in range(8):
        visit(ranker, f"http://a.example/menu/{number}.html", "<p>nothing", leads[number])
        files = f"<a href=/{number}a.pdf>a</a><a href=/{number}b.pdf>b</a>"
        visit(ranker, f"http://a.example/years/{number}.html", files, leads[20 + number])
    ranks = ranker.rank(leads)
    assert min(ranks[28:40]) > max(ranks[8:20])
    (parts,) = ranker.explain([leads[30]])
    assert sum(parts.values()) == pytest.approx(ranks[30], abs=1e-3)
    assert [name for name in parts if name.startswith("group ")] == ["group 2, tr>td>a"]


def test_what_is_neither_goes_last() -> None:
    ranker = FilesRanker(WANTED)
    texts = "".join(f"<p><a href=/_sources/{n}.txt>source</a>" for n in range(30))
    leads = visit(ranker, "http://a.example/", f"{texts}<p><a href=/b.html>page</a>", b"")
    for number in range(20):
        url = f"http://a.example/_sources/{number}.txt"
        failure = Failure(FailureKind.MEDIA_TYPE, "text/plain")
        assert ranker.miss(Outcome(task=task(url), fetched_at=0.0, failure=failure), leads[number]) is None
    ranks = ranker.rank(leads)
    assert ranks[25] < -50 < ranks[30]
    assert "neither" in ranker.explain([leads[25]])[0]


@pytest.mark.parametrize(
    ("outcome", "is_result"),
    [
        ({"media_type": "application/pdf"}, True),
        ({"media_type": "text/plain"}, False),
        ({"unchanged": True}, False),
        ({"failure": Failure(FailureKind.TIMEOUT)}, False),
        ({"failure": Failure(FailureKind.HTTP, status=404)}, False),
    ],
)
def test_only_a_wanted_file_is_a_result(outcome: dict[str, object], is_result: bool) -> None:
    made = Outcome(task=task("http://a.example/get"), fetched_at=0.0, **outcome)  # type: ignore[arg-type]
    assert (FilesRanker(WANTED).miss(made, b"") is not None) is is_result


def test_what_was_learned_can_be_saved_and_loaded() -> None:
    ranker, again = FilesRanker(WANTED), FilesRanker(WANTED)
    html = "<ul><li><a href=/a/1.html>1</a><li><a href=/b/2.pdf>2</a></ul>"
    leads = visit(ranker, "http://a.example/", html, b"")
    visit(ranker, "http://a.example/a/1.html", "<a href=/c.pdf>c</a>", leads[0])
    again.load(ranker.dump())
    assert again.rank(leads) == ranker.rank(leads)
    assert again.dump() == ranker.dump()
    assert len(msgspec.msgpack.encode(ranker.dump())) < 100_000


def test_all_that_waits_is_ranked_anew_the_less_often_the_more_waits() -> None:
    few, many = FilesRanker(WANTED), FilesRanker(WANTED)
    visit(few, "http://a.example/", "<a href=/1.html>1</a>", b"")
    visit(many, "http://a.example/", "".join(f"<a href=/{n}.html>{n}</a>" for n in range(3_000)), b"")
    due = [[], []]  # type: list[list[int]]
    for number in range(60):
        for at, ranker in enumerate((few, many)):
            visit(ranker, f"http://a.example/{number}.html", "<p>nothing", b"")
            due[at].append(ranker.due())
    assert sum(most > 1_000 for most in due[0]) == 3
    assert sum(most > 1_000 for most in due[1]) == 1
    assert 0 in due[0]
