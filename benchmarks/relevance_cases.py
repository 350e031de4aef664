"""The labelled pages that relevance is fitted to (relevance_training.py): what crawls for a topic fetch.

training, development, second, third   manuals, pages judged by reading (judged/)
encyclopedia            four topics in two wordings, two seeds each
subjects                topics of the encyclopedia, labelled by a reader (focus_topics.py)
six queries, areas      a dictionary of algorithms, labelled by area
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import NamedTuple
from unittest.mock import patch
from urllib.parse import quote

import numpy as np
from numpy.typing import NDArray

from benchmarks.focus_topics import subjects
from benchmarks.focus_webs import algorithms, areas, encyclopedia, unpacked
from benchmarks.judged_sets import judged, manual_site
from dowse.core.model import Request, Response
from dowse.fetch.replay import Replayed
from dowse.modes.focus.options import FocusOptions
from dowse.modes.focus.ranker import build_topic
from dowse.parse.page import Page
from dowse.rank.evidence import Rows, page_type, rows_of
from dowse.rank.frames import frames_of
from dowse.rank.learned import LearnedRanker
from dowse.score import background
from dowse.score.language import words_of
from dowse.score.tokens import SCALE
from dowse.score.vocabulary import word_number
from dowse.workflows.replay_sources import HOST, FolderWeb
from dowse.workflows.simulate import simulate_run

Find = Callable[[str], Replayed | None]
SEEN = ("training", "development", "second", "third")
"""The sets of judged manuals that may be looked at."""

HALF = 800
MOST_PAGES = 300

AREAS = {
    "Searching": "searching", "Graphs": "graphs", "Trees": "trees", "Combinatorics": "combinatorics",
    "Automata and State Machines": "automata state machines", "Parallel": "parallel algorithms",
    "Cryptography and Compression": "cryptography, compression", "Numeric Computation": "numeric computation",
    "Computational Geometry": "computational geometry",
}  # fmt: skip


class Case(NamedTuple):
    """A topic on a site: the evidence of the pages a crawl fetched, which are on topic, and which are unsure."""

    kind: str
    group: str
    words: str
    rows: Rows
    truth: NDArray[np.bool_]
    unsure: NDArray[np.bool_]


def all_cases(*, in_context: bool = False) -> Iterator[Case]:
    """Every topic crawled for, with pages read in context or not."""
    crawled = partial(crawled_case, in_context=in_context)
    for name in SEEN:
        for topic in judged(name):
            site = manual_site(topic.manual)
            truth, unsure = ({HOST + quote(path) for path in paths} for paths in (topic.relevant, topic.unsure))
            start = HOST + (site.start or "index.html")
            find = FolderWeb(site.folder).find
            yield crawled(name, topic.manual, topic.topic, find, start, MOST_PAGES, truth, unsure)
    webs = [("encyclopedia", encyclopedia(0)), ("encyclopedia", encyclopedia(1)), ("subjects", subjects())]
    for kind, web in webs:
        for each in web.topics:
            for seed in each.seeds[: 1 if kind == "subjects" else 2]:
                most = min(MOST_PAGES, 2 * len(each.truth))
                yield crawled(kind, each.name, each.words, web.find, seed, most, each.truth)
    web = algorithms()
    for each in web.topics:
        yield crawled("six queries", "Sorting", each.words, web.find, each.seeds[0], HALF, each.truth)
    for area, words in AREAS.items():
        yield crawled("areas", area, words, web.find, web.topics[0].seeds[0], HALF, areas()[area])


def crawled_case(
    kind: str, group: str, words: str, find: Find, seed: str, most: int, truth: set[str], unsure: Collection[str] = (),
    *, in_context: bool = False,
) -> Case:  # fmt: skip
    """Crawl, and take the evidence of pages as it is when they are judged in the end."""
    taken: list[bytes] = []
    judge_anew = LearnedRanker.rejudge

    def rejudge(ranker: LearnedRanker, pages: Sequence[bytes], answers: dict[int, bool]) -> object:
        taken[:] = pages
        return judge_anew(ranker, pages, answers)

    with patch.object(LearnedRanker, "rejudge", rejudge):
        pages = simulate_run(find, [seed], topic=words, by="learned", max_pages=most, context=in_context).pages
    topic = build_topic(FocusOptions(topic=words), reading="context" if in_context else None)
    rows = rows_of(taken, page_type(len(topic.telling), topic.embedder.size))
    rows = frames_of(rows).without(rows)
    urls = [url for url, _ in pages]
    marks = (np.array([url in which for url in urls]) for which in (truth, unsure))
    return Case(kind, group, words, rows, *marks)


def make_background() -> None:
    """How many pages have a word, every site counting the same and the encyclopedia as much as all manuals; and the
    vectors of some pages."""
    topic = build_topic(FocusOptions(topic="everything"))
    language, shares = topic.keywords.language, Counter[str]()
    vectors = []
    folders = [manual_site(name).folder for name in {topic.manual: 0 for set_ in SEEN for topic in judged(set_)}]
    for number, folder in enumerate([unpacked("encyclopedia"), unpacked("algorithms") / "site", *folders]):
        weight, most = (len(folders), 2_000) if not number else (1, 300)
        texts = list(islice(_texts(FolderWeb(folder)), most))
        for text in texts:
            for stem in set(language.stems(words_of(text))):
                shares[stem] += weight / len(texts) / (2 * len(folders) + 1)  # type: ignore[assignment]
        vectors += [topic.embedder.embed_text(text) for text in texts[: 200 if not number else 20]]
    common = sorted((word_number(stem), share) for stem, share in shares.items() if share >= 0.002)
    small = np.clip(np.rint(np.array(vectors) * SCALE), -127, 127).astype(np.int8)
    stems, values = (
        np.array([stem for stem, _ in common], np.uint32),
        np.array([share for _, share in common], np.float16),
    )
    np.savez_compressed(background.FILE, stems=stems, shares=values, pages=small)


def _texts(web: FolderWeb) -> Iterator[str]:
    """What pages say, in an order by chance that is always the same."""
    for url in sorted(web.urls(), key=word_number):
        answer = web.find(url)
        if answer is not None:
            page = Page(Response(Request(url, 0, ""), 200, answer.headers, answer.body, 0.0, 0.0), reads="outline")
            yield f"{page.title} {page.outline.text[:5_000]}"
