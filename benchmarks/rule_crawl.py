"""The figure of the rule-crawler paper again: time, instructions and useful links of crawlers with one target.

All are dowse's engine: by a table of rules, by a topic (dowse focus, and benchmarks/rivals/topic_crawler.py, which was
made for this), and every link of the site. `saved` are the links that a crawl has to show for itself: those that rules
kept; the pages that focus says match, and the documents these link to; those that the topic crawler took; all that the
crawl of every link met. A page is an instruction, as in the paper. Requests are counted by the server.
"""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.cache import scratch
from benchmarks.crawlers import PYTHON
from benchmarks.process import measure
from benchmarks.questions import QUESTIONS, Answer, Question, same
from benchmarks.rivals.topic_crawler import DOCUMENT
from benchmarks.tables import Aim, Cell, Column, Panel, Panels, Table, at_least, at_most
from dowse import app
from dowse.app import Crawl

RULES, FOCUS, TOPIC, EVERYTHING = "dowse by rules", "dowse focus", "by topic", "every link"
_FAST = ("-o", "{out}/crawl", "--delay", "0", "--per-host", "64", "--retries", "0", "--allow-private", "--quiet")
_COMMANDS = {
    RULES: (*PYTHON, "dowse", "rules", "run", "{out}/rules.csv", *_FAST),
    FOCUS: (*PYTHON, "dowse", "focus", "{url}", "--topic", "{topic}", "--scope", "{scope}", *_FAST),
    TOPIC: (*PYTHON, "benchmarks.rivals.topic_crawler", "{url}", "{out}/crawl", "{scope}", "-1", "{words}"),
    EVERYTHING: (*PYTHON, "dowse", "site", "{url}", "--scope", "{scope}", *_FAST),
}
_COLUMNS = [
    Column("crawler"),
    Column("site"),
    Column("requests", "{:,}"),
    Column("instructions", "{:,}"),
    Column("seconds", "{:.2f}"),
    Column("wanted links", "{}"),
    Column("saved links", "{:,}"),
    Column("useful", "{:.1%}"),
    Column("useful if filtered", "{:.1%}"),
]
_PANELS = Panels(
    1,
    [
        Panel(4, "total time in seconds", is_part=True),
        Panel(3, "instructions", is_part=True),
        Panel(7, "useful of saved links"),
    ],
    "four crawlers with one target; time and instructions as parts of the crawl of every link",
)


class Run(NamedTuple):
    """What one crawler did on one site; `matching` are its saved links that a keep rule's pattern would find."""

    seconds: float
    requests: int
    pages: int
    found: int
    saved: int
    matching: int
    answer: Answer

    @property
    def useful(self) -> float:
        return self.found / self.saved


def run(repeats: int) -> Table:
    runs: dict[tuple[str, str], Run] = {}
    for _ in range(repeats):
        for question in QUESTIONS:
            for name in _COMMANDS:
                ran = _once(question, name)
                print(f"  {question.site}, {name}: {ran[:-1]}", file=sys.stderr, flush=True)
                before = runs.get((question.site, name), ran)
                runs[question.site, name] = ran._replace(seconds=min(before.seconds, ran.seconds))
    return Table(
        name="rule_crawl",
        title="Time, instructions and useful links of four crawlers with the same target",
        columns=_COLUMNS,
        rows=[_row(name, question.site, runs[question.site, name]) for question in QUESTIONS for name in _COMMANDS],
        aims=[aim for question in QUESTIONS for aim in _aims(question.site, runs)],
        notes=[
            *(f"{question.site}: {question.asked}" for question in QUESTIONS),
            "useful if filtered: had somebody sorted the saved links by the patterns of the table's keep rules",
            f"best of {repeats} runs" if repeats > 1 else "times are of single runs; everything else is exact",
        ],
        panels=_PANELS,
    )


def _row(name: str, site: str, ran: Run) -> list[Cell]:
    wanted = f"{ran.found:,} of {len(ran.answer.wanted):,}"
    useful = ran.found / ran.matching if ran.matching else 0.0
    return [name, site, ran.requests, ran.pages, ran.seconds, wanted, ran.saved, ran.useful, useful]


def _aims(site: str, runs: dict[tuple[str, str], Run]) -> list[Aim]:
    ours, everything = runs[site, RULES], runs[site, EVERYTHING]
    fewest = ours.answer.find_fewest()
    return [
        at_least(f"{site}: wanted links found", ours.found, len(ours.answer.wanted), "{:,.0f}"),
        at_least(f"{site}: useful among saved links", ours.useful, 0.99, "{:.1%}"),
        at_most(f"{site}: pages, times the {fewest} that nobody can do without", ours.pages / fewest, 1.05, "{:.3f}"),
        at_least(f"{site}: times fewer requests than every link", everything.requests / ours.requests, 10, "{:.1f}"),
    ]


def _once(question: Question, name: str) -> Run:
    with scratch() as home, scratch() as out:
        with question.served(home) as served:
            write_table(out / "rules.csv", served.url, question)
            words = {"url": served.url, "out": str(out), "scope": question.scope, "topic": ", ".join(question.words)}
            command = _filled(_COMMANDS[name], question, words)
            measured = measure(command, out)
        if measured.status:
            raise RuntimeError(f"{name} on {question.site}: status {measured.status}, {measured.output[-500:]}")
        crawl = app.read(out / "crawl")
        saved = {same(url) for url in saved_links(crawl, name)}
        patterns = [re.compile(pattern) for kind, _, pattern, _ in question.rules if kind == "keep"]
        matching = {url for url in saved if any(pattern.search(url) for pattern in patterns)}
        found = saved & served.answer.wanted
        pages = crawl.status().pages
        return Run(measured.seconds, served.requests(), pages, len(found), len(saved), len(matching), served.answer)


def saved_links(crawl: Crawl, name: str, documents: str = DOCUMENT.pattern) -> set[str]:
    """What a crawl has to show for itself; `documents` is a pattern of what focus takes of pages that match."""
    if name == RULES:
        return {row["url"] for row in crawl.kept}
    if name != FOCUS:
        return {row["url"] for row in crawl.ledger}
    matched = {row["url"] for row in crawl.matched}
    linked = {row["target"] for row in crawl.links if row["url"] in matched}
    return matched | {url for url in linked if re.search(documents, url, re.IGNORECASE)}


def _filled(command: Sequence[str], question: Question, values: dict[str, str]) -> list[str]:
    filled: list[str] = []
    for word in command:
        filled += question.words if word == "{words}" else [word.format(**values)]
    return filled


def write_table(file: Path, base: str, question: Question) -> None:
    """Write down the rules of a question for a site."""
    columns = [
        "baseURL",
        "ruleType",
        "fromType",
        "toType",
        "pattern",
        "id",
        "class",
        "tag",
        "filterField",
        "filterValue",
    ]
    with file.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, columns, restval="")
        writer.writeheader()
        for kind, way, pattern, limits in question.rules:
            from_type, _, to_type = way.partition(">")
            row = {"baseURL": base, "ruleType": kind, "fromType": from_type, "toType": to_type, "pattern": pattern}
            for column, value in (limit.split("=", 1) for limit in limits.split(";") if limit):
                row |= {column: value} if column in columns else {"filterField": column, "filterValue": value}
            writer.writerow(row)
