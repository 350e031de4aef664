"""How often the range of what is left to be found has the truth, and how wide it is.

    python -m benchmarks.prospect_range [--sets development second]

Every judged topic that may be looked at is crawled to the end of its manual. Every fifty pages it is noted what is said
to be left (core/saturation.py), and in the end how many pages that came later match by the last verdicts.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple
from unittest.mock import patch

import numpy as np

from benchmarks.judged_sets import judged, manual_site
from benchmarks.relevance_cases import SEEN
from dowse.core import saturation
from dowse.core.patience import Patience
from dowse.core.saturation import Prospect, Waiting
from dowse.fetch.replay import Replayed
from dowse.workflows.replay_sources import HOST, FolderWeb
from dowse.workflows.simulate import simulate_run

EVERY = 50
MOST_PAGES = 700
LINE = 0.5
PATIENCE = Patience(threshold=LINE, ends_by_left=True, has_chances=True)


class Snapshot(NamedTuple):
    """A crawl after some pages: their relevance as it was then, what their links were worth, and what waits."""

    relevances: tuple[float, ...]
    worths: tuple[float, ...]
    waiting: Waiting

    def prospect(self) -> Prospect:
        return saturation.prospect(self.relevances, self.worths, PATIENCE, self.waiting)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.prospect_range", description=__doc__)
    parser.add_argument("--sets", nargs="*", choices=SEEN, default=["development", "second"])
    told: list[tuple[Prospect, int]] = []
    for name in parser.parse_args(arguments).sets:
        for topic in judged(name):
            site = manual_site(topic.manual)
            snapshots, final = crawled(FolderWeb(site.folder).find, HOST + (site.start or "index.html"), topic.topic)
            pairs = [(each.prospect(), sum(value >= LINE for value in final[len(each.worths) :])) for each in snapshots]
            told += pairs
            print(f"  {topic.manual}, {topic.topic}: {summary(pairs)}", flush=True)
    print(summary(told))
    return 0


def crawled(find: Callable[[str], Replayed | None], seed: str, words: str) -> tuple[list[Snapshot], list[float]]:
    """Crawl all that can be reached. Returns the snapshots, and the relevance of all pages in the end."""
    snapshots: list[Snapshot] = []
    estimate = saturation.prospect

    def prospect(
        relevances: Sequence[float], worths: Sequence[float], patience: Patience, waiting: Waiting
    ) -> Prospect:
        if len(relevances) >= EVERY * (len(snapshots) + 1):
            snapshots.append(Snapshot(tuple(relevances), tuple(worths), waiting))
        return estimate(relevances, worths, patience, waiting)._replace(is_known=False)  # so it never stops

    with patch.object(saturation, "prospect", prospect):
        pages = simulate_run(find, [seed], topic=words, by="learned", max_pages=MOST_PAGES, patience=EVERY).pages
    return snapshots, [relevance for _, relevance in pages]


def summary(told: Sequence[tuple[Prospect, int]]) -> str:
    known = [(each, truth) for each, truth in told if each.is_known]
    if not known:
        return f"nothing could be told in {len(told)} cases"
    is_right = [each.least <= truth <= each.most for each, truth in known]
    some = [right for right, (_, truth) in zip(is_right, known, strict=True) if truth]
    where_some = f" ({np.mean(some):.2f} of {len(some)} where something is left)" if some else ""
    wide = np.mean([each.most - each.least for each, _ in known])
    off = np.mean([abs(each.left - truth) for each, truth in known])
    return (
        f"told in {len(known)} of {len(told)}, truth within the range {np.mean(is_right):.2f}{where_some},"
        f" {wide:.1f} wide, off by {off:.1f}"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
