"""What ten answers of a person change in which pages match, on topics that nothing was fitted to.

    DOWSE_DATA=/path/to/data python -m benchmarks.relevance_answers [--answers 10] [--context]

Every topic is judged by coefficients that its site had no part in (relevance_training.py). Then the page that is least
sure is asked about and answered by its label, one after the other, as `dowse label` does. Pages answered count as well
as those that were not; pages whose label is unsure are never asked about.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from statistics import mean
from unittest.mock import patch

import numpy as np

from benchmarks.relevance_cases import Case, all_cases
from benchmarks.relevance_training import f1_of, left_out_models, signs_of
from dowse.modes.focus.options import FocusOptions
from dowse.modes.focus.ranker import build_topic
from dowse.rank import page_judge, relevance
from dowse.rank.frames import Frames
from dowse.rank.page_judge import PageJudge
from dowse.rank.relevance import BY_MEANING, IN_CONTEXT, Coefficients


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.relevance_answers", description=__doc__)
    parser.add_argument("--answers", type=int, default=10)
    parser.add_argument("--context", action="store_true", help="read likely pages in context")
    asked = parser.parse_args(arguments)
    in_context = asked.context
    cases = list(all_cases(in_context=in_context))
    signs = [signs_of(case, in_context=in_context) for case in cases]
    models = left_out_models(cases, signs, IN_CONTEXT if in_context else BY_MEANING)
    scores: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for case in cases:
        before, after = answered(case, models[case.group], asked.answers, in_context=in_context)
        scores[case.kind].append((before, after))
        print(f"  {case.kind:16}{case.group[:15]:16}{case.words:32}{before:6.2f}{after:6.2f}", flush=True)
    for kind, pairs in scores.items():
        before, after = (mean(values) for values in zip(*pairs, strict=True))
        print(f"{kind:16} {before:.2f}, with {asked.answers} answers {after:.2f}")
    return 0


def answered(case: Case, model: Coefficients, count: int, *, in_context: bool = False) -> tuple[float, float]:
    """F1 without answers and with so many."""
    with patch.object(relevance, "_coefficients", lambda _kind: model):
        judge = PageJudge(build_topic(FocusOptions(topic=case.words), reading="context" if in_context else None))
    with patch.object(page_judge, "frames_of", lambda _rows: Frames()):  # cases are without their frames
        return _asked(case, judge, count)


def _asked(case: Case, judge: PageJudge, count: int) -> tuple[float, float]:
    pages = [row.tobytes() for row in case.rows]
    answers: dict[int, bool] = {}
    found = np.array([each.relevance for each in judge.judge_all(pages, answers)])
    before = f1_of(case, found >= 0.5)
    for _ in range(count):
        doubt = np.abs(found - 0.5)
        doubt[[*answers, *np.flatnonzero(case.unsure)]] = np.inf
        place = int(doubt.argmin())
        if np.isinf(doubt[place]):
            break
        answers[place] = bool(case.truth[place])
        found = np.array([each.relevance for each in judge.judge_all(pages, answers)])
    return before, f1_of(case, found >= 0.5)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
