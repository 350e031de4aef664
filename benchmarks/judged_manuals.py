"""Pages that match a topic, beside pages judged by reading: precision, recall, steadiness, stopping.

    python -m benchmarks.judged_manuals [--set development] [--topics WORDS ...] [--max-pages N] [--no-context]
        [--json FILE]

Every topic is crawled twice, once for 100 pages and once until the crawl stops by itself (or at --max-pages). Pages
marked unsure are left out of every number but `agreement`. The set `test` is for measuring: whoever looks at single
topics of it to choose how the judgement works has spent it. `development` is for that.

Exit status: 0 the aims are met, 1 they are not, 2 there is nothing to measure with.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from statistics import mean
from urllib.parse import unquote, urlsplit

import msgspec
from msgspec import Struct

import dowse
from benchmarks.cache import Unavailable, scratch
from benchmarks.judged_sets import SETS, Judged, judged, site_for
from benchmarks.server import Server
from benchmarks.sites import Site
from benchmarks.tables import Aim, Cell, Column, Table, as_text, at_least, at_most

EARLY = 100
"""Pages after which the verdicts are compared with those at the end."""
MEAN_F1, WORST_F1, AGREEMENT, REQUESTS, FOUND = 0.85, 0.70, 0.95, 0.5, 0.95

_COLUMNS = [
    Column("topic"),
    *(Column(name, "{:,}") for name in ("relevant", "fetched", "matched")),
    *(Column(name, "{:.2f}") for name in ("precision", "recall", "F1", "agreement")),
    Column("requests", "{:,}"),
    *(Column(name, "{:.2f}") for name in ("of the site", "found")),
    Column("first", "{}"),
]
_NOTES = [
    "`relevant`: pages judged on topic; `fetched`: those of them the crawl got, which recall and F1 are of.",
    f"`agreement`: of the pages that a crawl of {EARLY} pages and the whole one share, how many have the same verdict.",
    "`requests`: until the crawl stopped, and as a part of those for the whole manual; `found`: relevant pages so far.",
    "`first`: place of the first relevant page among all pages by relevance. Unsure pages count in `agreement` only.",
]


class Page(Struct):
    """What a crawl says of a page."""

    path: str
    relevance: float
    matched: bool


class Crawled(Struct):
    """The pages of a crawl in the order they were fetched, what was asked of the server, and why it stopped."""

    pages: list[Page]
    requests: int
    stop_reason: str


class Whole(Struct):
    """All of a manual: the pages that can be reached, and the requests that a crawl of everything takes."""

    pages: frozenset[str]
    requests: int


class Measured(Struct):
    """How one topic went; `first` is 0 where no relevant page was fetched, `of_site` a part of all requests."""

    manual: str
    topic: str
    relevant: int
    fetched: int
    matched: int
    precision: float
    recall: float
    f1: float
    agreement: float
    requests: int
    of_site: float
    found: float
    first: int
    stop_reason: str
    absent: int


def run(_repeats: int = 1) -> Table:
    """The table of the set that nothing is chosen on."""
    return table_of("test", measure(judged("test")))


def measure(topics: Sequence[Judged], most_pages: int = 0, *, in_context: bool = True) -> list[Measured]:
    """Crawl for every topic, with pages read in context or not."""
    results, requests = [], cache(requests_for_all)
    for topic in topics:
        site = site_for(topic)
        with scratch() as home:
            early = crawl(site, topic.topic, home / "early", EARLY, in_context=in_context)
            whole = crawl(site, topic.topic, home / "whole", most_pages, in_context=in_context)
        result = compare(topic, Whole(site.reachable, requests(site)), early, whole)
        results.append(result)
        print(f"  {topic.manual}, {topic.topic}: F1 {result.f1:.2f}", file=sys.stderr, flush=True)
    return results


def crawl(site: Site, topic: str, home: Path, most_pages: int, *, in_context: bool) -> Crawled:
    """One focus crawl of a manual that is served on loopback."""
    with Server(site.folder, home / "server") as server:
        done = dowse.focus(
            server.url + site.start, topic=topic, max_pages=most_pages, context=in_context, output=home / "crawl",
            delay=0.0, bodies=False,
        )  # fmt: skip
        rows = [(row["url"], row["relevance"], row["matched"]) for row in done.crawled]
        reason = done.stop_reason
        done.close()
    pages = [Page(_path(url), relevance or 0.0, bool(matched)) for url, relevance, matched in rows]
    return Crawled(pages, len(server.requests()) - 1, reason)


def requests_for_all(site: Site) -> int:
    """What a crawl of the whole manual asks for, documents and pages that are not there included, as by topic."""
    with scratch() as home:
        with Server(site.folder, home / "server") as server:
            dowse.site(
                server.url + site.start, output=home / "crawl", delay=0.0, bodies=False, sitemaps=False, documents=True,
            ).close()  # fmt: skip
        return len(server.requests()) - 1


def _path(url: str) -> str:
    path = unquote(urlsplit(url).path).lstrip("/")
    return path + "index.html" if not path or path.endswith("/") else path


def compare(topic: Judged, manual: Whole, early: Crawled, whole: Crawled) -> Measured:
    """Verdicts beside judgements. Where nothing is relevant and nothing matched, all is right."""
    relevant = topic.relevant & manual.pages
    pages = [page for page in whole.pages if page.path not in topic.unsure]
    fetched = {page.path for page in pages} & relevant
    matched = {page.path for page in pages if page.matched}
    both = len(matched & fetched)
    precision = both / len(matched) if matched else float(not fetched)
    recall = both / len(fetched) if fetched else float(not matched)
    ranked = sorted(pages, key=lambda page: -page.relevance)
    places = [place for place, page in enumerate(ranked, 1) if page.path in relevant]
    return Measured(
        manual=topic.manual,
        topic=topic.topic,
        relevant=len(relevant),
        fetched=len(fetched),
        matched=len(matched),
        precision=precision,
        recall=recall,
        f1=2 * precision * recall / (precision + recall) if precision + recall else 0.0,
        agreement=_agreement(early.pages, whole.pages),
        requests=whole.requests,
        of_site=whole.requests / manual.requests,
        found=len(fetched) / len(relevant) if relevant else 1.0,
        first=places[0] if places else 0,
        stop_reason=whole.stop_reason,
        absent=len(topic.relevant - relevant),
    )


def _agreement(early: Sequence[Page], whole: Sequence[Page]) -> float:
    later = {page.path: page.matched for page in whole}
    same = [later[page.path] == page.matched for page in early if page.path in later]
    return mean(same) if same else 1.0


def table_of(name: str, results: Sequence[Measured]) -> Table:
    """Topics as rows, their mean as the last, and the aims."""
    absent = sum(each.absent for each in results)
    missing = [f"{absent} pages judged on topic are not in these versions of the packages."] if absent else []
    return Table(
        name="judged_manuals",
        title=f"{len(results)} topics over manuals judged by reading ({name})",
        columns=_COLUMNS,
        rows=[*map(_row, results), _mean_row(results)],
        aims=_aims(results),
        notes=_NOTES + missing,
        highlight="mean",
    )


def _row(each: Measured) -> list[Cell]:
    name = f"{each.manual}: {each.topic}"
    counts: list[Cell] = [name, each.relevant, each.fetched, each.matched]
    rates: list[Cell] = [each.precision, each.recall, each.f1, each.agreement]
    return counts + rates + [each.requests, each.of_site, each.found, each.first or "-"]


def _mean_row(results: Sequence[Measured]) -> list[Cell]:
    numbers = [[cell if not isinstance(cell, str) else 0 for cell in _row(each)[1:-1]] for each in results]
    means: list[Cell] = [round(mean(column)) if at in (0, 1, 2, 7) else mean(column)
                         for at, column in enumerate(zip(*numbers, strict=True))]  # fmt: skip
    leading = sum(each.first == 1 for each in results)
    return ["mean", *means, f"1 in {leading}"]


def _aims(results: Sequence[Measured]) -> list[Aim]:
    return [
        at_least("F1, mean", mean(each.f1 for each in results), MEAN_F1),
        at_least("F1, worst topic", min(each.f1 for each in results), WORST_F1),
        at_least(f"same verdict at {EARLY} pages", mean(each.agreement for each in results), AGREEMENT),
        at_least("relevant pages found", mean(each.found for each in results), FOUND),
        at_most("requests, of the site", mean(each.of_site for each in results), REQUESTS),
    ]


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.judged_manuals", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("--set", choices=SETS, default="test", help="the one to tune on is development")
    parser.add_argument("--topics", nargs="*", metavar="WORDS", help="only topics or manuals of these names")
    parser.add_argument("--max-pages", type=int, default=0, help="end every crawl here; 0 lets it stop by itself")
    parser.add_argument("--no-context", action="store_true", help="read no page in context")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers of every topic")
    asked = parser.parse_args(arguments)
    wanted = set(asked.topics or ())
    try:
        topics = [each for each in judged(asked.set) if not wanted or {each.topic, each.manual} & wanted]
        if not topics:
            parser.error(f"no topic of the set {asked.set} is called that")
        results = measure(topics, asked.max_pages, in_context=not asked.no_context)
    except Unavailable as trouble:
        print(trouble, file=sys.stderr)
        return 2
    table = table_of(asked.set, results)
    print(as_text(table))
    if asked.json:
        asked.json.write_bytes(msgspec.json.encode(results))
    return 0 if all(aim.met for aim in table.aims) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
