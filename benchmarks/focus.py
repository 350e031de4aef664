"""Focused crawling: harvest rates of all rankers on three labelled webs, and what the default costs.

    DOWSE_DATA=/path/to/data python -m benchmarks.focus [encyclopedia choose confirm matching algorithms points astar
                                                         universities cost]

`choose` and `confirm` are the two halves of the topics of focus_topics.py. The numbers of the default were chosen on
the topics IT and Music, on topics of the encyclopedia labelled by their first sentences, on the half `choose`, and on
the university web; how pages are matched, and how many are read, on the dictionary of algorithms. Chemistry and Food
were not chosen on, but had been seen.

Exit status: 0 the default meets its aims, 1 it does not, 2 there is nothing to measure with.
"""

from __future__ import annotations

import argparse
import sys
import time
from statistics import mean

from benchmarks.cache import Unavailable
from benchmarks.focus_cost import report_cost
from benchmarks.focus_published import DEFAULT, astar, points, six_queries
from benchmarks.focus_topics import HALVES, subjects
from benchmarks.focus_webs import UNIVERSITIES, FocusWeb, Topic, algorithms, encyclopedia, universities
from dowse.core.metrics import score
from dowse.fetch.replay import Replayed
from dowse.modes.focus.options import LIKELY
from dowse.score import semantic
from dowse.workflows.simulate import Run, simulate_run

CLASSIC = ("random", "depth", "breadth", "parent", "priority", "keywords", "shark")
OURS = ("astar", "semantic", "learned")
LEAD = 1.25
"""How many times the best classic rival the default should be."""

# Half of the way from "links of truly relevant parents first" to an oracle that knows the labels of targets.
HALFWAY = {"IT": 0.375, "Music": 0.32, "Chemistry": 0.545, "Food": 0.345}


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.focus", description=__doc__)
    parser.add_argument("parts", nargs="*", default=["encyclopedia", "algorithms", "universities", "cost"])
    parser.add_argument("--seeds", type=int, default=10, help="runs for each topic of the encyclopedia")
    parser.add_argument("--by", default=",".join(CLASSIC + OURS), help="rankers, with commas between them")
    parser.add_argument("--wording", type=int, default=0, help="1 takes the second wording of the topics")
    parser.add_argument("--without-semantic", action="store_true", help="as if the extra were not installed")
    asked = parser.parse_args(arguments)
    if asked.without_semantic:
        semantic.is_installed = lambda: False
    by = asked.by.split(",")
    met = True
    try:
        for part in asked.parts:
            if part == "encyclopedia":
                met &= harvest(encyclopedia(asked.wording), by, asked.seeds)
            elif part in HALVES:
                harvest(subjects(part), by, asked.seeds)
            elif part == "matching":
                for web in (encyclopedia(asked.wording), *map(subjects, HALVES)):
                    matching(web, asked.seeds)
            elif part == "algorithms":
                met &= six_queries(algorithms())
            elif part == "points":
                points(encyclopedia(asked.wording), asked.seeds)
            elif part == "astar":
                astar(encyclopedia(asked.wording), asked.seeds)
            elif part == "universities":
                many_hosts(by)
            else:
                met &= report_cost(encyclopedia())
    except Unavailable as trouble:
        print(trouble, file=sys.stderr)
        return 2
    return 0 if met else 1


def harvest(web: FocusWeb, by: list[str], seeds: int) -> bool:
    """Harvest rates by topic and ranker, budget min(300, 2 x relevant)."""
    print(f"encyclopedia, {seeds} seeds a topic: harvest rate")
    print(f"{'':12}" + "".join(f"{topic.name:>12}" for topic in web.topics))
    rates: dict[str, dict[str, float]] = {}
    for name in by:
        rates[name] = {}
        for topic in web.topics:
            budget = min(300, 2 * len(topic.truth))
            runs = [run(web, topic, [seed], name, budget) for seed in topic.seeds[:seeds]]
            rates[name][topic.name] = mean(score(each.pages, topic.truth, 0).harvest for each in runs)
        print(f"{name:12}" + "".join(f"{rate:12.3f}" for rate in rates[name].values()), flush=True)
    met = True
    if DEFAULT in rates and set(CLASSIC) & rates.keys():
        for topic in web.topics:
            rival = max((name for name in by if name in CLASSIC), key=lambda name: rates[name][topic.name])
            ours, theirs = rates[DEFAULT][topic.name], rates[rival][topic.name]
            half_way = HALFWAY.get(topic.name, 0.0)
            is_met = ours >= LEAD * theirs and ours >= half_way
            met &= is_met
            aim = f", half way to the oracle is {half_way:.3f}" if half_way else ""
            print(f"{topic.name:12}{ours / theirs:6.2f} times {rival}{aim}: {'met' if is_met else 'missed'}")
    print()
    return met


def matching(web: FocusWeb, seeds: int) -> None:
    """Precision of what is matched, how many of the relevant pages fetched are, and F1 of both, by topic."""
    print(
        f"encyclopedia, {seeds} seeds a topic: precision of what is matched, recall of the relevant pages fetched, F1"
    )
    measured: list[list[float]] = []
    for topic in web.topics:
        budget = min(300, 2 * len(topic.truth))
        runs = [run(web, topic, [seed], DEFAULT, budget).pages for seed in topic.seeds[:seeds]]
        measured.append([mean(column) for column in zip(*(matched(pages, topic) for pages in runs), strict=True)])
        print(f"{topic.name:12}" + "".join(f"{value:12.3f}" for value in measured[-1]), flush=True)
    means = [mean(column) for column in zip(*measured, strict=True)]
    print(f"{'mean':12}" + "".join(f"{value:12.3f}" for value in means))
    print(f"{'worst F1':12}{min(values[-1] for values in measured):36.3f}\n")


def matched(pages: list[tuple[str, float]], topic: Topic) -> tuple[float, float, float]:
    """Precision, recall and F1 of the pages that match, beside those that were fetched and are relevant."""
    said = {url for url, relevance in pages if relevance >= LIKELY}
    relevant = {url for url, _ in pages} & topic.truth
    both = len(said & relevant)
    return both / max(len(said), 1), both / max(len(relevant), 1), 2 * both / max(len(said) + len(relevant), 1)


def many_hosts(by: list[str]) -> None:
    """Pages of two universities, from their department pages: relevant ones among 300 pages, and by request."""
    print("universities, 300 pages: harvest rate by pages / relevant pages for each request")
    print(f"{'':24}" + "".join(f"{name:>14}" for name in by))
    rates: dict[str, list[tuple[float, float]]] = {name: [] for name in by}
    for name in UNIVERSITIES:
        web = universities(name)
        for topic in web.topics:
            for each in by:
                rates[each].append(_harvest_by_request(web, topic, each))
            cells = (f"{pages:.3f} / {asked:.3f}" for pages, asked in (rates[each][-1] for each in by))
            print(f"{topic.name:24}" + "".join(f"{cell:>14}" for cell in cells), flush=True)
    means = (tuple(mean(column) for column in zip(*rates[each], strict=True)) for each in by)
    print(f"{'mean':24}" + "".join(f"{f'{pages:.3f} / {asked:.3f}':>14}" for pages, asked in means) + "\n")


def _harvest_by_request(web: FocusWeb, topic: Topic, by: str) -> tuple[float, float]:
    asked: list[str] = []

    def find(url: str) -> Replayed | None:
        asked.append(url)
        return web.find(url)

    pages = simulate_run(find, topic.seeds, topic=topic.words, by=by, max_pages=300, context=False).pages
    measured = score(pages, topic.truth, 0)
    return measured.harvest, measured.harvest * len(pages) / len(asked)


def run(web: FocusWeb, topic: Topic, seeds: list[str], by: str, budget: int) -> Run:
    # Which links are next does not depend on which pages match, and so not on reading in context.
    return simulate_run(web.find, seeds, topic=topic.words, by=by, max_pages=budget, context=False)


if __name__ == "__main__":
    started = time.monotonic()
    status = main(sys.argv[1:])
    print(f"{time.monotonic() - started:.0f} s")
    sys.exit(status)
