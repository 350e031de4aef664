"""Fit what makes a page relevant (src/dowse/rank/relevance.py, lessons.py) to labelled pages, and say how well it does
on sites and topics that it was not fitted to.

    DOWSE_DATA=/path/to/data python -m benchmarks.relevance_training [--write] [--background] [--without-semantic]
        [--context] [--wide]

Pages are those that crawls fetch (relevance_cases.py). Every number printed is of topics of a site that coefficients
were not fitted to; in the encyclopedia and in the dictionary, of a topic. `--write` fits them to all, and writes them
into relevance_model.json; those without the extra are written by a run without it, and those of pages read in context
by one with `--context`. What makes a page likely where a topic is wide stays as it is without
`--wide`: it was fitted before there were the 26 subjects of the encyclopedia, and does better there than a fit that has
them. `--background` makes background.npz anew before: how common words are, and what pages are like.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from benchmarks.relevance_cases import Case, all_cases, make_background
from dowse.modes.focus.options import FocusOptions
from dowse.modes.focus.ranker import build_topic
from dowse.rank.lessons import best, learned
from dowse.rank.relevance import (
    BY_MEANING,
    BY_WORDS,
    FILE,
    IN_CONTEXT,
    Coefficients,
    Odds,
    PageRelevance,
    excess,
    probability,
)
from dowse.score import semantic

Numbers = NDArray[np.float64]
WEIGHTS = {
    "encyclopedia": 1.0, "subjects": 0.4, "six queries": 0.5, "areas": 0.25, "development": 1.0, "second": 1.0,
    "third": 1.0, "training": 0.4,
}  # fmt: skip
NARROW = ("training", "development", "second", "third")
"""The sets that tell what makes a page likely where a topic is narrow; what does where it is wide is told by all."""

FREE = ("own text",)
"""What may speak against a page; more of the others never does."""

YES_WEIGHS = 3.0
"""What a page on topic weighs where a topic is wide."""

DOUBT = 3.0
CAUTION = -0.6
"""What is taken off the odds where a topic is narrow. F1 is best if pages match from a probability of 0.35 on, and
0.5 is where they do; so the odds are raised."""


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.relevance_training", description=__doc__)
    for name in ("--write", "--background", "--without-semantic", "--context", "--wide"):
        parser.add_argument(name, action="store_true")
    asked = parser.parse_args(arguments)
    if asked.background:
        make_background()
    if asked.without_semantic:
        semantic.is_installed = lambda: False
    kind, names = ("words", BY_WORDS) if asked.without_semantic else ("meaning", BY_MEANING)
    if asked.context:
        kind, names = "context", IN_CONTEXT
    cases = []
    for case in all_cases(in_context=asked.context):
        cases.append(case)
        print(f"  {case.kind}, {case.words}: {len(case.rows)} pages", file=sys.stderr, flush=True)
    signs = [signs_of(case, in_context=asked.context) for case in cases]
    report(cases, signs, names)
    model = fit(cases, signs, names)
    print(model)
    if asked.write:
        known = msgspec.json.decode(Path(FILE).read_bytes(), type=dict[str, Coefficients])
        if not asked.wide:
            model = replace(model, wide=known[kind].wide)
        told = msgspec.json.encode({**known, kind: model}, order="deterministic")
        Path(FILE).write_bytes(msgspec.json.format(told, indent=1) + b"\n")
    return 0


def signs_of(case: Case, *, in_context: bool = False) -> Numbers:
    """The signs of all pages of a case."""
    judge = PageRelevance(build_topic(FocusOptions(topic=case.words)), in_context=in_context)
    judge.look_around(case.rows)
    return judge.signs(case.rows)


def report(cases: Sequence[Case], signs: Sequence[Numbers], names: Sequence[str]) -> None:
    """What is right for each topic where nothing of its group was fitted to."""
    scores: dict[str, list[float]] = defaultdict(list)
    for case, matched in zip(cases, left_out(cases, signs, names), strict=True):
        said, truth = matched[~case.unsure], case.truth[~case.unsure]
        scores[case.kind].append(f1_of(case, matched))
        told = f"{scores[case.kind][-1]:6.2f}{truth.sum():6} true{said.sum():6} matched of {len(truth)}"
        print(f"  {case.kind:16}{case.group[:15]:16}{case.words:32}{told}", flush=True)
    for kind, values in scores.items():
        print(f"{kind:16} mean {np.mean(values):.3f}, worst {min(values):.2f}")


def f1_of(case: Case, matched: NDArray[np.bool_]) -> float:
    """F1 of the pages said to match, without unsure ones; where there are none and none matched, all is right."""
    said, truth = matched[~case.unsure], case.truth[~case.unsure]
    count = int(said.sum() + truth.sum())
    return 2 * int((said & truth).sum()) / count if count else 1.0


def left_out(cases: Sequence[Case], signs: Sequence[Numbers], names: Sequence[str]) -> list[NDArray[np.bool_]]:
    """Which pages of each case match by coefficients that nothing of its group was fitted to."""
    models, made = left_out_models(cases, signs, names), []
    for case, each in zip(cases, signs, strict=True):
        model = models[case.group]
        own = model.narrow.worths(names), model.wide.worths(names)
        narrow, wide = each @ own[0] + model.narrow.base, each @ own[1] + model.wide.base
        lessons, nearby, share = learned((narrow, wide), case.rows, model, by_meaning="meaning" in names)
        weights = lessons.weights
        odds = weights.usual + weights.narrow * narrow + weights.wide * wide
        odds += weights.like_pages * nearby + weights.shared_words * share
        if names == IN_CONTEXT:
            odds -= weights.narrow / model.own * excess(odds, each)
        made.append(np.asarray(odds >= 0))
    return made


def left_out_models(cases: Sequence[Case], signs: Sequence[Numbers], names: Sequence[str]) -> dict[str, Coefficients]:
    """For each group the coefficients that nothing of it was fitted to."""
    groups = sorted({case.group for case in cases})
    return {group: fit(cases, signs, names, group) for group in groups}


def fit(cases: Sequence[Case], signs: Sequence[Numbers], names: Sequence[str], without: str = "") -> Coefficients:
    """The coefficients that all cases say but those of a group."""
    pairs = [(case, each) for case, each in zip(cases, signs, strict=True) if case.group != without]
    # Context is for narrow topics. If it counts where they are wide, narrow ones seem wide more often: F1 on the second
    # manuals is 0.736 then, and not 0.754; in the encyclopedia it is 0.704, and not 0.676.
    known = len(BY_MEANING)
    wide = fit_signs([(case, each[:, :known]) for case, each in pairs], names[:known], YES_WEIGHS)
    few = [(case, each) for case, each in pairs if case.kind in NARROW and not is_all(case)]
    narrow = fit_signs(few, names, 1.0)
    both = [(case, beside(each @ narrow.worths(names) + narrow.base, case)) for case, each in few]
    worth, usual = regression(*_stacked(both, 1.0))
    rest = (round(float(value), 3) for value in (*worth, usual - CAUTION))
    return Coefficients(narrow, wide, *rest)


def is_all(case: Case) -> bool:
    """Whether a site is about nothing but the topic; what makes its pages likely is not what does elsewhere."""
    return bool(case.truth[~case.unsure].mean() > 0.5)


def beside(own: Numbers, case: Case) -> Numbers:
    """The odds of pages, those of the pages they are like, and those of the best ones."""
    nothing = Odds(0.0, {})
    nearby = learned((own, np.full(len(own), -1.0)), case.rows, Coefficients(nothing, nothing, 1.0, 0.0, 0.0, 0.0))[1]
    return np.column_stack([own, nearby, np.full(len(own), best(own))])


def fit_signs(pairs: Sequence[tuple[Case, Numbers]], names: Sequence[str], yes_weighs: float) -> Odds:
    """What signs are worth, none below 0 but for one that may be."""
    rows, truth, weights = _stacked(pairs, yes_weighs)
    active = list(range(len(names)))
    for _ in names:
        worth, base = regression(rows[:, active], truth, weights)
        wrong = [at for at, value in zip(active, worth, strict=True) if value < 0 and names[at] not in FREE]
        if not wrong:
            break
        active = [at for at in active if at not in wrong]
    return Odds(round(base, 3), {names[at]: round(float(value), 3) for at, value in zip(active, worth, strict=True)})


def _stacked(pairs: Sequence[tuple[Case, Numbers]], yes_weighs: float) -> tuple[Numbers, Numbers, Numbers]:
    """The values, the truth and the weights of all pages."""
    truth = np.concatenate([case.truth for case, _ in pairs]).astype(float)
    weights = np.concatenate([weights_of(case, yes_weighs) for case, _ in pairs])
    return np.concatenate([each for _, each in pairs]), truth, weights


def weights_of(case: Case, yes_weighs: float) -> Numbers:
    """Pages of wide topics count less each, for what matters is how topics fare; unsure ones do not count."""
    many = max(int(case.truth.sum()), 4) if case.truth.any() else 8
    weights = np.where(case.truth, yes_weighs, 1.0) * WEIGHTS[case.kind] * (20 / many) ** 0.5
    return np.where(case.unsure, 0.0, weights)


def regression(signs: Numbers, truth: Numbers, weights: Numbers) -> tuple[Numbers, float]:
    """A logistic regression that doubts large coefficients."""
    middle, spread = signs.mean(axis=0), signs.std(axis=0) + 1e-6
    rows = np.column_stack([(signs - middle) / spread, np.ones(len(signs))])
    found, doubts = np.zeros(rows.shape[1]), np.full(rows.shape[1], DOUBT)
    doubts[-1] = 1e-4
    for _ in range(25):
        chances = probability(rows @ found)
        slope = rows.T @ (weights * (chances - truth)) + doubts * found
        curve = (rows * (weights * chances * (1 - chances))[:, None]).T @ rows + np.diag(doubts)
        step = np.linalg.solve(curve, slope)
        found = found - step
        if np.abs(step).max() < 1e-5:
            break
    worth = found[:-1] / spread
    return worth, float(found[-1] - worth @ middle)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
