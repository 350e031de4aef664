"""Made webs: with sections that say nothing of what is in them, where pages are missing, with little of a topic."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from dowse.core.model import Judged, Request, Task
from dowse.fetch.replay import Replayed
from dowse.rank import feedback, path_tree
from dowse.rank.evidence import about_type, page_type
from dowse.rank.learned import LearnedRanker
from dowse.score import semantic
from dowse.score.language import language
from dowse.score.topic import Topic
from dowse.score.vectors import Embedder
from dowse.score.vocabulary import HashedWords
from dowse.workflows.simulate import simulate_run

HOST = "http://made.example"
MANUALS = ("amber", "birch", "cedar", "delta")
CHAPTERS = 60
NO_SIGNS = bytes(page_type(1, 1).itemsize - about_type(1, 1).itemsize)
TASK = Task(id=1, request=Request("http://e.org/", 1, "e.org"), site="e.org", depth=0, parent=0)


def manual(name: str) -> dict[str, str]:
    """A manual whose chapters touch the topic a little, more or less alike; only that of `delta` is about it."""
    about = "Sorting a heap" if name == "delta" else "Notes on a list"
    chapters = "".join(f"<li><a href=/{name}/{n}.html>{about}, part {n}</a>" for n in range(CHAPTERS))
    pages = {f"/{name}/": f"<title>{name}</title><ul>{chapters}</ul>"}
    for n in range(CHAPTERS):
        pages[f"/{name}/{n}.html"] = f"<title>{about}, part {n}</title><p>{about}, and which order its items have."
    return pages


def requests(pages: dict[str, str], budget: int) -> list[str]:
    """What is asked for from the start on."""
    asked: list[str] = []

    def find(url: str) -> Replayed | None:
        asked.append(url.removeprefix(HOST))
        html = pages.get(asked[-1])
        return Replayed(200, {"content-type": "text/html"}, html.encode()) if html is not None else None

    simulate_run(find, [HOST + "/"], topic="sorting, heap", by="learned", max_pages=budget)
    return asked


def test_sections_whose_links_say_nothing_are_tried() -> None:
    pages = {"/": "".join(f"<p><a href=/{name}/>{name}</a></p>" for name in MANUALS)}
    for name in MANUALS:
        pages |= manual(name)
    asked = requests(pages, 100)
    assert {f"/{name}/" for name in MANUALS} <= set(asked)
    assert sum(path.startswith("/delta/") for path in asked) > CHAPTERS / 2


def dead_requests() -> int:
    """How many requests go to missing pictures, whose links say more than those to the chapters they are in."""
    chapters = "".join(f"<li><a href=/delta/{n}.html>part {n}</a>" for n in range(CHAPTERS))
    pages = {"/": f"<ul>{chapters}</ul>"}
    for n in range(CHAPTERS):
        picture = f"<a href=/pictures/{n % 7}/{n}.htm>Sorting a heap, picture {n}</a>"
        pages[f"/delta/{n}.html"] = f"<title>Sorting a heap, part {n}</title><p>How a heap is sorted.<p>{picture}"
    return sum(path.startswith("/pictures/") for path in requests(pages, CHAPTERS // 2))


def test_few_requests_go_to_a_section_where_all_pages_are_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    learned = dead_requests()
    monkeypatch.setattr(path_tree.PathTree, "miss", lambda _self, _row: False)
    assert learned < 0.75 * dead_requests()


def test_a_topic_with_few_pages_does_not_move_to_what_is_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    if not semantic.is_installed():
        pytest.skip("needs the extra semantic")
    english = language("en")
    topic = Topic("heap", [], english, Embedder(semantic.EmbeddedWords(), english))

    def nearness() -> float:
        """How near to the topic it has stayed after three pages that have its word and forty that have other ones."""
        ranker = LearnedRanker(topic)
        near, far = (topic.embedder.units(topic.embedder.vocabulary.read([text])) for text in ("heap", "wren robin"))
        for number in range(43):
            is_near = number % 15 == 7
            evidence = bytes([255 * is_near]) + (near if is_near else far).tobytes() + bytes(1) + NO_SIGNS
            ranker.learn(replace(TASK, id=number), Judged(0.0, {}, evidence, b""), b"")
        return float(ranker._feedback.focus @ ranker._feedback.origin)

    stayed = nearness()
    monkeypatch.setattr(feedback, "_LEAST", -1.0)
    assert stayed > 0.95 > nearness()


def test_a_topic_that_nothing_has_to_do_with_stays_a_number() -> None:
    english = language("en")
    source = semantic.EmbeddedWords() if semantic.is_installed() else HashedWords(english)
    topic = Topic("heap", [], english, Embedder(source, english))
    ranker = LearnedRanker(topic)
    against = (-120 * np.sign(ranker._feedback.origin)).astype(np.int8)  # as far from the topic as a page can be
    for number in range(12):
        evidence = bytes(1) + against.tobytes() + bytes(1) + NO_SIGNS
        ranker.learn(replace(TASK, id=number), Judged(0.0, {}, evidence, b""), b"")
    assert np.isfinite(ranker._feedback.focus).all()
