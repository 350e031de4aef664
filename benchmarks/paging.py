"""Paging links of annotated pages: how many are found and how long a page takes, on hosts that were not trained on.

    DOWSE_DATA=/path/to/data python -m benchmarks.paging

All pages are cut into ten by host, each part asked of a model trained on the rest, three times with other parts. A link
is right if its anchor has the annotated kind. Times are of the processor, the least of some rounds over all pages.

Exit status: 0 the aims are met, 1 they are not, 2 there is nothing to measure with.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from math import inf
from statistics import mean
from time import thread_time

from benchmarks.cache import Unavailable
from benchmarks.paging_pages import LABELS, AnnotatedPage, annotated_pages
from benchmarks.tables import Column, Table, as_text, at_least, at_most
from dowse.parse.pagination.pagination_finding import find_in_markup
from dowse.parse.pagination.paging_model import PagingModel
from dowse.parse.tree import parse_html

SEEDS = (0, 1, 2)
KINDS = {"next": "next", "page": "numbered", "prev": "previous", "first": "first", "last": "last"}
NEXT_F1, PAGE_F1, MILLISECONDS = 0.93, 0.90, 0.5


def main() -> int:
    try:
        table = run()
    except Unavailable as trouble:
        print(trouble, file=sys.stderr)
        return 2
    print(as_text(table))
    return 0 if all(aim.met for aim in table.aims) else 1


def run(repeats: int = 5) -> Table:
    """How many links of each kind are found on hosts never seen."""
    try:
        from benchmarks.paging_training import examples, folds, trained
    except ImportError as error:
        raise Unavailable(f"training needs {error.name}: pip install dowse-crawler[bench]") from error
    pages = annotated_pages()
    counts: Counter[tuple[str, str]] = Counter()
    for seed in SEEDS:
        for rest, part in folds(pages, seed):
            model = trained(examples([pages[at] for at in rest]))
            for at in part:
                counts += compared(pages[at], model)
    rows = [_row(kind, name, counts) for kind, name in KINDS.items()]
    times = timed(pages, repeats)
    bare = mean(spent for page, spent in zip(pages, times, strict=True) if not page.labels)
    trees = mean(timed(pages, repeats, by_tree=True))
    return Table(
        "paging",
        "paging links of real pages on hosts never seen",
        [Column("link"), Column("annotated"), *(Column(name, "{:.3f}") for name in ("precision", "recall", "F1"))],
        rows,
        aims=[
            at_least("next page, F1", float(rows[0][-1]), NEXT_F1, "{:.3f}"),
            at_least("numbered page, F1", float(rows[1][-1]), PAGE_F1, "{:.3f}"),
            at_most("milliseconds a page, mean", mean(times), MILLISECONDS, "{:.2f}"),
        ],
        notes=[
            f"{len(pages)} pages of {len({page.host for page in pages})} hosts, {_size(pages):,} bytes each",
            f"a page without paging {bare:.2f} ms; its tree alone would take {trees:.2f} ms",
        ],
    )


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


def timed(pages: Sequence[AnnotatedPage], rounds: int, *, by_tree: bool = False) -> list[float]:
    """The milliseconds that each page takes; all pages each round, so that nothing is remembered of a page alone."""
    times = [inf] * len(pages)
    for _ in range(rounds):
        for at, page in enumerate(pages):
            start = thread_time()
            if by_tree:
                parse_html(page.body, {"content-type": "text/html; charset=utf-8"})
            else:
                find_in_markup(page.body, page.url)
            times[at] = min(times[at], 1000 * (thread_time() - start))
    return times


def _row(kind: str, name: str, counts: Counter[tuple[str, str]]) -> list[str | int | float]:
    right, wrong, missed = (counts[kind, outcome] for outcome in ("right", "wrong", "missed"))
    score = 2 * right / max(1, 2 * right + wrong + missed)
    return [name, (right + missed) // len(SEEDS), right / max(1, right + wrong), right / max(1, right + missed), score]


def _size(pages: Sequence[AnnotatedPage]) -> int:
    return sum(len(page.body) for page in pages) // len(pages)


if __name__ == "__main__":
    sys.exit(main())
