"""What papers on focused crawling publish, as they describe it, beside the default: six queries, points, Adaptive A*.

DOWSE_DATA=/path/to/data python -m benchmarks.focus algorithms points astar
"""

from __future__ import annotations

from statistics import mean
from typing import Any

from benchmarks.focus_webs import FocusWeb, Topic
from dowse.core.metrics import Score, score
from dowse.modes.focus.options import LIKELY
from dowse.rank.scored import LINE
from dowse.workflows.simulate import Run, simulate_run

DEFAULT = "learned"
HALF = 800
"""Pages of the dictionary that the default may read, about half of them; the published crawlers read all."""

PUBLISHED = {
    "time, bubble, sort": ((70, 82), (80, 81)), "sort, quick": ((82, 85), (88, 82)),
    "quick, heap, space": ((77, 84), (85, 81)), "shell, sort, time": ((79, 86), (86, 84)),
    "heap, space, sort": ((76, 84), (85, 83)), "data, sort, time, shell": ((71, 86), (88, 82)),
}  # fmt: skip
"""Precision and recall of the traditional and of the focused crawler that the six queries are from."""

POINTS = (
    ("breadth", "priority"), ("priority", "priority"), ("breadth", "keywords"), ("breadth", "relevance"),
    ("learned", "priority"), ("learned", "relevance"),
)  # fmt: skip
"""Orders and scorers; the first is the one that was published."""

FIRST = 10
"""Results that are shown first."""

ASTAR: dict[str, dict[str, Any]] = {
    "astar": {"by": "astar"},
    "  size given": {"by": "astar", "graph_size": 5_232},
    "  first h 0.5": {"by": "astar", "first_h": 0.5},
    "  f literally": {"by": "astar-literal"},
    "  best child": {"by": "astar-best-child"},
    "breadth": {"by": "breadth"},
}


def six_queries(web: FocusWeb) -> bool:
    """Precision and recall: all pages, pages with any or all of the keywords, and what the default says matches."""
    print("dictionary of algorithms: precision and recall, in per cent, area Sorting as truth")
    names = ("traditional", "published", "any keyword", "all keywords", "published", "default", "pages")
    print(f"{'':24}" + "".join(f"{name:>14}" for name in names))
    met = True
    whole = run(web, web.topics[0], by="breadth")
    for topic in web.topics:
        traditional = score(whole.pages, topic.truth, 0)
        tested = [
            score(run(web, topic, by="breadth", match=match).pages, topic.truth, LINE) for match in ("any", "all")
        ]
        found = run(web, topic, by=DEFAULT, max_pages=HALF)
        ours = score(found.pages, topic.truth, LIKELY)
        first, second = PUBLISHED[topic.name]
        met &= 100 * ours.precision > second[0] and 100 * ours.recall > second[1]
        cells = [_both(traditional), f"{first[0]} / {first[1]}", *map(_both, tested), f"{second[0]} / {second[1]}"]
        cells += [_both(ours), str(ours.pages)]
        print(f"{topic.name:24}" + "".join(f"{cell:>14}" for cell in cells), flush=True)
    print()
    return met


def points(web: FocusWeb, seeds: int) -> None:
    """Of the ten results that are ranked first, how many are relevant, by order and scorer."""
    print(f"encyclopedia, {seeds} seeds a topic: precision of the first {FIRST} results")
    print(f"{'order':12}{'scorer':12}" + "".join(f"{topic.name:>12}" for topic in web.topics))
    for by, scorer in POINTS:
        cells = []
        for topic in web.topics:
            budget = min(300, 2 * len(topic.truth))
            found = [
                run(web, topic, [seed], by=by, score=scorer, max_pages=budget).pages for seed in topic.seeds[:seeds]
            ]
            cells.append(mean(_precision_of_first(pages, topic.truth) for pages in found))
        print(f"{by:12}{scorer:12}" + "".join(f"{cell:12.3f}" for cell in cells), flush=True)
    print()


def astar(web: FocusWeb, seeds: int) -> None:
    """Harvest rates of Adaptive A* and of its literal forms, and how many pages they fetch."""
    print(f"encyclopedia, {seeds} seeds a topic: harvest rate, and pages fetched on the mean")
    print(f"{'':16}" + "".join(f"{topic.name:>12}" for topic in web.topics) + f"{'pages':>12}")
    for name, options in ASTAR.items():
        measured: dict[str, list[Score]] = {topic.name: [] for topic in web.topics}
        for topic in web.topics:
            budget = min(300, 2 * len(topic.truth))
            for seed in topic.seeds[:seeds]:
                pages = run(web, topic, [seed], max_pages=budget, **options).pages
                measured[topic.name].append(score(pages, topic.truth, 0))
        rates = "".join(f"{mean(each.harvest for each in scores):12.3f}" for scores in measured.values())
        fetched = mean(each.pages for scores in measured.values() for each in scores)
        print(f"{name:16}{rates}{fetched:12.0f}", flush=True)
    print()


def run(web: FocusWeb, topic: Topic, seeds: list[str] | None = None, **options: Any) -> Run:
    return simulate_run(web.find, seeds or topic.seeds, **{"topic": topic.words, "max_pages": 0, **options})


def _both(measured: Score) -> str:
    return f"{100 * measured.precision:.0f} / {100 * measured.recall:.0f}"


def _precision_of_first(pages: list[tuple[str, float]], truth: set[str]) -> float:
    best = sorted(pages, key=lambda page: -page[1])[:FIRST]
    return sum(url in truth for url, _ in best) / max(len(best), 1)
