"""Judging all pages of a crawl anew, by what is known by now and by what a person said of some of them."""

from __future__ import annotations

import msgspec

from dowse.core.protocols import Ranker
from dowse.store.best_first.answer_table import read_answers
from dowse.store.database import Database

_PAGES = """SELECT task.url, judgement.relevance FROM judgement JOIN task ON task.id = judgement.task
    ORDER BY judgement.id"""
_UPDATE = "UPDATE judgement SET relevance = ?, parts = ? WHERE task = ?"

_encode = msgspec.json.Encoder().encode


def read_pages(connection: Database) -> list[tuple[str, float]]:
    """The pages in the order they came, with their relevance."""
    return connection.execute(_PAGES).fetchall()


def judge_anew(connection: Database, ranker: Ranker) -> list[float]:
    """Write down what pages are now. The answer is their relevance in the order they came; nothing if it stays."""
    rows = connection.execute("SELECT task, evidence FROM judgement ORDER BY id").fetchall()
    places = {task: place for place, (task, _) in enumerate(rows)}
    answered = {places[task]: wanted for task, wanted in read_answers(connection).items() if task in places}
    judged = ranker.rejudge([evidence for _, evidence in rows], answered)
    # Where the ranker has nothing to say there is no verdict for a page, and places has all of them.
    changed = [(each.relevance, _encode(each.parts).decode(), task) for each, task in zip(judged, places, strict=False)]
    connection.executemany(_UPDATE, changed)
    return [each.relevance for each in judged]
