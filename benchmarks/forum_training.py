"""Trains the models of forum pages and links: python -m benchmarks.forum_training writes those that dowse ships.

    DOWSE_FORUMS=/path/to/saved python -m benchmarks.forum_training [--check]

Needs scikit-learn (`pip install dowse-crawler[bench]`), which crawls do not. Each folder of the data is a forum of one
software: `pages.jsonl` names the pages with their types. What is printed is measured on each software by models that
were trained on the others.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from sklearn.linear_model import LogisticRegression

from benchmarks.cache import Unavailable
from benchmarks.forum_makes import made_forums
from benchmarks.forum_mirrored import DEVELOPMENT, made
from benchmarks.forum_mirrors.training_pages import training_pages
from benchmarks.forum_pages import SavedForum, saved_forums
from dowse.classify.link_groups import FEATURES as LINK_FEATURES
from dowse.classify.link_groups import link_groups
from dowse.classify.page_structure import PageStructure
from dowse.classify.page_types import FEATURES, ForumModels, Logit, StoredLogit, page_features, stepped
from dowse.modes.forum.url_forms import UrlForms, general
from dowse.parse.page import Page

SHIPPED = Path(__file__).parents[1] / "src" / "dowse" / "classify" / "page_type_model.json"
STRENGTH = 0.3
STEPS = 4
MIRRORED_THREADS = 60
IN_BLOCKS = LINK_FEATURES.index("in blocks")


class Rows(NamedTuple):
    """Examples of one software: numbers, what they are, and how much each counts."""

    software: str
    values: list[list[float]]
    labels: list[str]
    weights: list[float]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.forum_training", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, say whether the shipped models are these")
    arguments = parser.parse_args()
    try:
        forums = training_forums()
    except Unavailable as trouble:
        print(trouble, file=sys.stderr)
        return 2
    links = [link_rows(forum) for forum in forums]
    of_links = Logit(fit(links, LINK_FEATURES))
    pages = [page_rows(forum, of_links) for forum in forums]
    for name, rows in (("pages", pages), ("groups of links", links)):
        for line in left_out(rows):
            print(f"{name:16} {line}")
    packed = msgspec.json.format(msgspec.json.encode(trained(pages, links)), indent=1)
    if arguments.check:
        is_same = SHIPPED.read_bytes() == packed
        print("the shipped models are these" if is_same else "the shipped models are others")
        return 0 if is_same else 1
    SHIPPED.write_bytes(packed)
    print(f"{SHIPPED.name}: {len(packed):,} bytes")
    return 0


def training_forums() -> list[SavedForum]:
    """Saved forums, boards in the manner of the software that is for development, and forums of made-up software."""
    manners = dict.fromkeys(make for make, _, _ in DEVELOPMENT)
    return [*saved_forums(), *(training_pages(made(make, MIRRORED_THREADS)) for make in manners), *made_forums()]


def trained(pages: Sequence[Rows], links: Sequence[Rows]) -> ForumModels:
    """The models that these examples make."""
    return ForumModels(fit(pages, FEATURES), fit(links, LINK_FEATURES))


def page_rows(forum: SavedForum, of_links: Logit) -> Rows:
    """The pages of a forum as numbers. Each type of a software counts the same, and so does each form of its URLs.

    Lists of what each user wrote are left out: they are lists of threads or posts as others are, and only the links to
    them tell that they are not wanted.
    """
    parsed = [(page, page.page()) for page in forum.pages]
    told = [(page, *_features(each, forum, of_links)) for page, each in parsed]
    rows = [(page, row) for page, row, is_list in told if page.type != "other" or not is_list]
    kinds = [(page.type, general(page.url) if page.type == "other" else "") for page, _ in rows]
    pages, forms = Counter(kinds), Counter(kind for kind, _ in set(kinds))
    weights = [1.0 / (pages[kind] * forms[kind[0]]) for kind in kinds]
    return Rows(forum.software, [row for _, row in rows], [page.type for page, _ in rows], weights)


def _features(page: Page, forum: SavedForum, of_links: Logit) -> tuple[list[float], bool]:
    structure = PageStructure(page.tree)
    groups = link_groups(structure, forum.targets(page), general, page.url)
    return page_features(structure, page.tree, groups, of_links), structure.is_dated_list


def link_rows(forum: SavedForum) -> Rows:
    """The groups of links of index pages: wanted, if most of them lead to a board or a thread under its own URL."""
    forms = UrlForms()
    for url in forum.types:
        forms.learn(url)
    values, labels = [], []
    for page in [each for each in forum.pages if each.type == "index"]:
        parsed = page.page()
        for group in link_groups(PageStructure(parsed.tree), forum.targets(parsed), forms.form, page.url):
            # What nobody saved is no page of the forum's own.
            known = [forum.types.get(link.url, "other") for link in group.links]
            wanted = sum(each in ("index", "thread") for each in known) / len(group.links)
            # Further pages, and the way up, are found by other means.
            is_told_otherwise = "page" in known or (wanted and not group.features[IN_BLOCKS])
            if 0.2 < wanted < 0.8 or is_told_otherwise:
                continue
            values.append(group.features)
            labels.append("wanted" if wanted > 0.5 else "unwanted")
    counts = {label: labels.count(label) for label in set(labels)}
    return Rows(forum.software, values, labels, [1.0 / counts[label] for label in labels])


def fit(rows: Iterable[Rows], names: Sequence[str]) -> StoredLogit:
    """A model of these examples."""
    several = [each for each in rows if each.values]
    values = np.array([row for each in several for row in each.values])
    labels = [label for each in several for label in each.labels]
    weights = np.array([weight for each in several for weight in each.weights])
    thresholds = [_thresholds(column) for column in values.T]
    matrix = np.array([stepped(row, thresholds) for row in values])
    model = LogisticRegression(C=STRENGTH * len(labels) / weights.sum(), max_iter=2000)
    model.fit(matrix, labels, sample_weight=weights)
    coefficients, intercepts = model.coef_, model.intercept_
    if len(model.classes_) == 2:
        coefficients = np.vstack([np.zeros_like(coefficients), coefficients])
        intercepts = np.array([0.0, intercepts[0]])
    return StoredLogit(
        [str(each) for each in model.classes_],
        list(names),
        thresholds,
        [[round(float(weight), 4) for weight in row] for row in coefficients],
        [round(float(each), 4) for each in intercepts],
    )


def _thresholds(column: np.ndarray) -> list[float]:
    limits = np.unique(np.round(np.quantile(column, np.linspace(0.02, 0.98, STEPS + 1)), 3))
    return [float(each) for each in limits] if len(limits) > 1 else [float(limits[0]), float(limits[0]) + 1.0]


def left_out(rows: Sequence[Rows]) -> Iterable[str]:
    """How well each software is told by what the others teach."""
    for each in [each for each in rows if not each.software.startswith("made")]:
        others = [other for other in rows if other is not each and other.values]
        if not others or not each.values:
            continue
        names = FEATURES if "index" in each.labels else LINK_FEATURES
        model = Logit(fit(others, names))
        found = [max((told := model.probabilities(row)), key=told.__getitem__) for row in each.values]
        right = sum(one == other for one, other in zip(found, each.labels, strict=True))
        parts = []
        for label in sorted(set(each.labels)):
            own = [one for one, other in zip(found, each.labels, strict=True) if other == label]
            parts.append(f"{label} {sum(one == label for one in own)}/{len(own)}")
        yield f"{each.software:14} {right / len(found):.3f}   {', '.join(parts)}"


if __name__ == "__main__":
    sys.exit(main())
