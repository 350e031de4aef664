"""Trains the model of paging links: python -m benchmarks.paging_training writes the one that dowse ships.

    DOWSE_DATA=/path/to/data python -m benchmarks.paging_training [--check]

Needs scikit-learn (`pip install dowse-crawler[bench]`), which crawls do not. The same data give the same model;
`--check` only says whether the shipped one is this.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from benchmarks.cache import Unavailable
from benchmarks.paging_pages import AnnotatedPage, annotated_pages
from dowse.parse.pagination.paging_candidates import base_of, candidates, head_of
from dowse.parse.pagination.paging_features import features_of
from dowse.parse.pagination.paging_model import CLASSES, PagingModel
from dowse.parse.pagination.paging_runs import runs

SHIPPED = Path(__file__).parents[1] / "src" / "dowse" / "parse" / "pagination" / "paging_model.json"
FOLDS = 10
STRENGTH = 1.0
"""How freely the model fits (C)."""

FEWEST_HOSTS = 2
"""On how many hosts a feature must be met."""

OTHERS_WEIGHT = 0.4
"""What a link counts that is not about paging: there are twice as many of them, and most are alike."""

SURE_SCALE = 2.0
"""Features with a ! hold on every site: they are made cheaper for the model than the others."""

DIGITS = 3


class Example(NamedTuple):
    """A candidate with what it is."""

    page: str
    host: str
    features: list[str]
    label: str


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.paging_training", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, say whether the shipped model is this")
    arguments = parser.parse_args()
    try:
        pages = annotated_pages()
    except Unavailable as trouble:
        print(trouble, file=sys.stderr)
        return 2
    packed = msgspec.json.format(msgspec.json.encode(trained(examples(pages))), indent=0)
    if arguments.check:
        is_same = SHIPPED.read_bytes() == packed
        print("the shipped model is this" if is_same else "the shipped model is another")
        return 0 if is_same else 1
    SHIPPED.write_bytes(packed)
    print(f"{SHIPPED.name}: {len(packed):,} bytes, from {len(pages)} pages")
    return 0


def examples(pages: Sequence[AnnotatedPage]) -> list[Example]:
    """The candidates of pages, each with what people say it is."""
    return [example for page in pages for example in _of_page(page)]


def _of_page(page: AnnotatedPage) -> Iterator[Example]:
    found, total, _ = candidates(page.body)
    url = page.url.partition("#")[0]
    for run in runs(page.body, found, base_of(head_of(page.body), url), url):
        for at, candidate in enumerate(run.candidates):
            if candidate.href is not None and (candidate.href[:1] != "#" or candidate.href == "#"):
                label = page.labels.get(candidate.place, CLASSES[0])
                yield Example(page.name, page.host, features_of(run, at, candidate.place / total), label)


def trained(known: Sequence[Example]) -> PagingModel:
    """The model that these examples make."""
    hosts: dict[str, set[str]] = defaultdict(set)
    for example in known:
        for name in example.features:
            hosts[name].add(example.host)
    names = sorted(name for name, where in hosts.items() if len(where) >= FEWEST_HOSTS)
    scales = np.array([SURE_SCALE if name[0] == "!" else 1.0 for name in names])
    columns = {name: column for column, name in enumerate(names)}
    cells = [
        (at, columns[name])
        for at, example in enumerate(known)
        for name in dict.fromkeys(example.features)
        if name in columns
    ]
    places = np.array(cells, np.int32)
    matrix = csr_matrix((scales[places[:, 1]], (places[:, 0], places[:, 1])), shape=(len(known), len(names)))
    labels = np.array([CLASSES.index(example.label) for example in known])
    model = LogisticRegression(C=STRENGTH, max_iter=2000).fit(matrix, labels, sample_weight=_sample_weights(known))
    weights = np.round(model.coef_.T * scales[:, None], DIGITS)
    rows = {name: tuple(map(float, row)) for name, row in zip(names, weights, strict=True) if np.abs(row).max() > 0.02}
    return PagingModel(tuple(round(float(each), DIGITS) for each in model.intercept_), rows)


def _sample_weights(known: Sequence[Example]) -> list[float]:
    """A page of two hundred numbered links must not outvote others."""
    numbered = Counter(example.page for example in known if example.label == "page")
    weights = {"none": OTHERS_WEIGHT}
    return [numbered[each.page] ** -0.5 if each.label == "page" else weights.get(each.label, 1.0) for each in known]


def folds(pages: Sequence[AnnotatedPage], seed: int) -> list[tuple[list[int], list[int]]]:
    """The pages parted by host: each time most of them to train on, and the rest."""
    parts = GroupKFold(FOLDS, shuffle=True, random_state=seed).split(pages, groups=[page.host for page in pages])
    return [(list(map(int, rest)), list(map(int, part))) for rest, part in parts]


if __name__ == "__main__":
    raise SystemExit(main())
