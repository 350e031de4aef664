"""Paging links of annotated pages: how many are found and how long a page takes, on hosts that were not trained on.

    DOWSE_DATA=/path/to/data python -m benchmarks.paging

Cross-validation over hosts, repeated with other parts. A link is right if its anchor has the annotated kind.
"""

from __future__ import annotations

import sys
from collections import Counter
from math import inf
from statistics import mean, median
from time import thread_time

from benchmarks.cache import Unavailable
from benchmarks.paging_pages import LABELS, AnnotatedPage, annotated_pages
from benchmarks.paging_training import examples, folds, trained
from dowse.parse.pagination.pagination_finding import find_in_markup
from dowse.parse.pagination.paging_model import PagingModel

SEEDS = (0, 1, 2)
ROUNDS = 5
KINDS = ("next", "page", "prev", "first", "last")


def main() -> int:
    try:
        pages = annotated_pages()
    except Unavailable as trouble:
        print(trouble, file=sys.stderr)
        return 2
    print(f"{len(pages)} pages of {len({page.host for page in pages})} hosts, {len(SEEDS)} times by host")
    print(f"{'link':<8}{'annotated':>10}{'precision':>11}{'recall':>9}{'F1':>8}")
    counts: Counter[tuple[str, str]] = Counter()
    for seed in SEEDS:
        for rest, part in folds(pages, seed):
            model = trained(examples([pages[at] for at in rest]))
            for at in part:
                counts += compared(pages[at], model)
    for kind in KINDS:
        right, wrong, missed = (counts[kind, outcome] for outcome in ("right", "wrong", "missed"))
        precision, recall = right / max(1, right + wrong), right / max(1, right + missed)
        score = 2 * right / max(1, 2 * right + wrong + missed)
        print(f"{kind:<8}{(right + missed) // len(SEEDS):>10}{precision:>11.3f}{recall:>9.3f}{score:>8.3f}")
    times = timed(pages)
    bare = [spent for page, spent in zip(pages, times, strict=True) if not page.labels]
    print(f"a page: mean {mean(times):.2f} ms, median {median(times):.2f} ms; without paging {mean(bare):.2f} ms")
    return 0


def compared(page: AnnotatedPage, model: PagingModel) -> Counter[tuple[str, str]]:
    """How many links of each kind were right, wrong and missed."""
    found = {link.place: link.kind for link in find_in_markup(page.body, page.url, model).links if link.place}
    counts: Counter[tuple[str, str]] = Counter()
    for kind in LABELS.values():
        said = {place for place, each in found.items() if each == kind}
        true = {place for place, each in page.labels.items() if each == kind}
        counts[kind, "right"] += len(said & true)
        counts[kind, "wrong"] += len(said - true)
        counts[kind, "missed"] += len(true - said)
    return counts


def timed(pages: list[AnnotatedPage]) -> list[float]:
    """The milliseconds that each page takes: the least of some rounds, so that other programs count less."""
    times = [inf] * len(pages)
    for _ in range(ROUNDS):
        for at, page in enumerate(pages):
            start = thread_time()
            find_in_markup(page.body, page.url)
            times[at] = min(times[at], 1000 * (thread_time() - start))
    return times


if __name__ == "__main__":
    raise SystemExit(main())
