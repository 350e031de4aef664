"""Rules learned from a few random examples, beside tables written by hand: what they keep, and the pages it takes.

    python -m benchmarks.rule_learning [NUMBER ...]      the questions by their numbers, with every table that differs

The examples are drawn at random, with a fixed seed, from what the hand-written table keeps, and is right where that is
known. One question of the learner is answered from that. Both tables are then run as crawls of their own; what the
hand-written one keeps is the truth.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.cache import scratch
from benchmarks.questions import same
from benchmarks.rule_lessons import LESSONS, Given, Lesson
from benchmarks.tables import Aim, Cell, Column, Table, at_least
from dowse import app
from dowse.config import make_job
from dowse.core.errors import CrawlError
from dowse.modes.rules.rule_files import format_rules
from dowse.workflows.learn_rules import Question, learn

EXAMPLES, DRAWS = 3, 10
AIM = 9
"""Of ten draws of three examples each, how many have to end as the hand-written table does."""
ALMOST = 0.99
"""As much of what a table keeps must be right, and as much of what is wanted found, for a result to be the same."""

_QUICKLY: dict[str, Any] = {"delay": 0.0, "per_host": 16, "retries": 0}
_COLUMNS = [
    Column("wanted"),
    Column("weights settled on it"),
    Column("links", "{:,}"),
    Column("same result", "{}"),
    Column("asked", "{}"),
    Column("precision", "{:.1%}"),
    Column("recall", "{:.1%}"),
    Column("pages, learned", "{:.1f}"),
    Column("pages, by hand", "{:,}"),
    Column("explored", "{:.0f}"),
    Column("seconds", "{:.1f}"),
]
_SAME = (
    f"`same result`: draws of {DRAWS} in which the learned table finds {ALMOST:.0%} of what the hand-written one keeps,"
    f" and {ALMOST:.0%} of what it keeps is that. All other numbers are averages."
)


class Score(NamedTuple):
    """How a learned table did, run as a crawl; the pages and seconds it took to learn it; and the table."""

    precision: float
    recall: float
    pages: int
    explored: int
    seconds: float
    table: str
    asked: int = 0

    @property
    def is_same(self) -> bool:
        return min(self.precision, self.recall) >= ALMOST


class Found(NamedTuple):
    """What a table kept, as it is linked by how it is compared, and how many pages it took."""

    kept: dict[str, str]
    pages: int


def run(repeats: int) -> Table:
    rows: list[list[Cell]] = []
    aims: list[Aim] = []
    for lesson in LESSONS:
        row, scores = _measure(lesson)
        rows.append(row)
        right = sum(score.is_same for score in scores)
        print(f"  {lesson.site}, {lesson.asked}: {right} of {DRAWS}", file=sys.stderr, flush=True)
        aims.append(at_least(f"{lesson.site}, {lesson.asked}: same result", right, AIM, "{:.0f}"))
    return Table(
        name="rule_learning",
        title=f"Rules learned from {EXAMPLES} random examples, {DRAWS} draws each",
        columns=_COLUMNS,
        rows=rows,
        aims=aims,
        notes=[
            _SAME,
            "`asked`: draws in which a question was asked; it was answered.",
            "`explored` and `seconds`: pages fetched, and the time taken, to learn the table.",
        ],
        highlight="",
    )


def _measure(lesson: Lesson) -> tuple[list[Cell], list[Score]]:
    with scratch() as home, lesson.given(home) as given:
        truth = _crawl(given.table, home / "truth", lesson)
        drawn = sorted(url for url in truth.kept if given.wanted is None or url in given.wanted)
        chance = random.Random(lesson.asked)
        scores = []
        for number in range(DRAWS):
            examples = [truth.kept[url] for url in chance.sample(drawn, EXAMPLES)]
            scores.append(_learned(lesson, given, examples, truth, home / f"draw-{number}"))
    name = f"{lesson.site}: {lesson.asked}"
    row: list[Cell] = [name, "yes" if lesson.settled else "no", len(truth.kept), sum(each.is_same for each in scores)]
    row += [sum(each.asked for each in scores)]
    row += [_mean([each.precision for each in scores]), _mean([each.recall for each in scores])]
    row += [_mean([each.pages for each in scores]), truth.pages]
    row += [_mean([each.explored for each in scores]), _mean([each.seconds for each in scores])]
    return row, scores


def _crawl(table: str, folder: Path, lesson: Lesson) -> Found:
    folder.mkdir()
    (folder / "rules.csv").write_text(table)
    options = {name: value for name, value in lesson.options.items() if name not in ("scope", "max_pages")}
    rules = str(folder / "rules.csv")
    job = make_job("rules", (), table=rules, output=folder / "crawl", bodies=False, **_QUICKLY, **options)
    summary = app.start(job)
    return Found({same(row["url"]): row["url"] for row in app.read(job.output).kept}, summary.pages)


def _learned(lesson: Lesson, given: Given, examples: Sequence[str], truth: Found, folder: Path) -> Score:
    started = time.perf_counter()
    asked: list[str] = []

    def answer(question: Question) -> bool | None:
        asked.append(question.url)
        return same(question.url) in truth.kept if len(asked) == 1 else None

    try:
        learned = learn(given.start, examples, ask=answer, **_QUICKLY, **lesson.options)
    except CrawlError as trouble:
        return Score(0.0, 0.0, 0, 0, time.perf_counter() - started, str(trouble))
    seconds = time.perf_counter() - started
    table = format_rules(learned.table, "csv")
    found = _crawl(table, folder, lesson)
    right = len(found.kept.keys() & truth.kept.keys())
    notes = table.replace(given.start, "") + f"  from {examples}, asked {asked[:1]}, missing {len(learned.missing)}"
    precision, recall = right / max(len(found.kept), 1), right / len(truth.kept)
    return Score(precision, recall, found.pages, learned.explored, seconds, notes, min(len(asked), 1))


def _mean(values: Sequence[float] | Sequence[int]) -> float:
    return sum(values) / len(values)


def main(arguments: list[str]) -> int:
    for number in map(int, arguments or range(len(LESSONS))):
        row, scores = _measure(LESSONS[number])
        print(*(f"{cell:.3f}" if isinstance(cell, float) else cell for cell in row), flush=True)
        for score in scores:
            if not score.is_same:
                print(f"\nprecision {score.precision:.2f}, recall {score.recall:.2f}, {score.pages} pages,"
                      f" {score.explored} explored\n{score.table}")  # fmt: skip
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
