"""What the reader of pages is trained on (reader_training.py): topics, what would be read of pages, and whether these
are on topic.

    judged/reading_topics.tsv, reading_pages.tsv   2,915 topics over 129 manuals, judged by title, headings and opening
    WordNet                                        kinds of things: whether a noun is one of them, by its gloss

No manual of another set (judged_sets.py) is among these, nor is any page of the encyclopedia: what a crawl makes of
what the reader says is fitted to those sets, and has to see it err as it errs on pages that it never saw.
"""

from __future__ import annotations

import csv
import random
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.judged_sets import FOLDER
from benchmarks.sites import unpacked
from dowse.core.model import Request, Response
from dowse.modes.focus.like_headings import LikeHeadings
from dowse.modes.focus.options import FocusOptions
from dowse.modes.focus.page_context import WORDS_COUNT, PageParts, cut_passages, shown_text
from dowse.modes.focus.page_signs import READ
from dowse.modes.focus.ranker import build_topic
from dowse.parse.page import Page
from dowse.score.topic import Topic
from dowse.score.vectors import nearness

_MOST_ON_TOPIC = 24
_NEAREST, _NEXT, _FAR = 12, 4, 3
"""Pages off topic of each topic: the nearest by their words, some of the next 48, and others."""

_NEXT_UP_TO = 60
_MOST_BYTES = 400_000
_OPENING = 3_000


class Pair(NamedTuple):
    """A topic, what is read of a page, and whether it is on topic; `weight` is how much it counts."""

    topic: str
    shown: str
    is_on_topic: bool
    weight: float


class JudgedTopic(NamedTuple):
    """A topic over a manual, and its pages by number."""

    words: str
    on_topic: frozenset[int]
    unsure: frozenset[int]


def manual_pairs(seed: int) -> Iterator[Pair]:
    """The pairs of all judged topics."""
    chance, pages = random.Random(seed), _pages()
    for manual, topics in _topics().items():
        read = [_read(path) for path in pages[manual]]
        if None in read:
            print(f"{manual}: {read.count(None)} pages are not in this version of the package", file=sys.stderr)
        for topic in topics:
            yield from _pairs_of(topic, read, chance)


def _pairs_of(topic: JudgedTopic, pages: Sequence[Page | None], chance: random.Random) -> Iterator[Pair]:
    built = build_topic(FocusOptions(topic=topic.words))
    parts = PageParts(built, LikeHeadings(built))
    there = {number: page for number, page in enumerate(pages) if page is not None}
    near = {number: _nearness(page, built) for number, page in there.items()}
    off = sorted((near.keys() - topic.on_topic) - topic.unsure, key=lambda number: -near[number])
    between, far = off[_NEAREST:_NEXT_UP_TO], off[_NEXT_UP_TO:]
    chosen = off[:_NEAREST] + chance.sample(between, min(_NEXT, len(between)))
    chosen += chance.sample(far, min(_FAR, len(far)))
    on = sorted(topic.on_topic & near.keys())
    weight = min((8 / max(len(on), 1)) ** 0.5, 2.0)
    for number in chance.sample(on, min(_MOST_ON_TOPIC, len(on))):
        yield Pair(built.phrase, _shown(parts, there[number]), is_on_topic=True, weight=weight)
    for number in chosen:
        yield Pair(built.phrase, _shown(parts, there[number]), is_on_topic=False, weight=1.0)


def _nearness(page: Page, topic: Topic) -> float:
    """How near a page comes to a topic by its words: by its best passage or heading, or as a whole."""
    about, passages = topic.vector(topic.term_weights), cut_passages(page.outline.text[:READ])
    texts = [*passages, *page.outline.headings, f"{page.title} {page.outline.text[:_OPENING]}"]
    near = nearness(topic.embedder.embed(texts), about)
    has = topic.keywords.terms_in([*passages, page.title])
    shares = np.array([topic.keywords.share_of(has.get(place, ())) for place in range(len(passages) + 1)])
    near[: len(passages)] += WORDS_COUNT * shares[:-1]
    return float(near.max() + 0.5 * shares[-1])


def _shown(parts: PageParts, page: Page) -> str:
    headings, passages = parts.headings(page.title, page.outline.headings), parts.passages(page.outline.text[:READ])
    return shown_text(page.title, headings, passages)


@cache
def _read(path: str) -> Page | None:
    """A page of a Debian package; its path begins with the name of that. A newer version may be without it."""
    package, _, rest = path.partition("/")
    file = unpacked((package,)) / rest
    if not file.exists():
        return None
    body = file.read_bytes()[:_MOST_BYTES]
    answer = Response(Request(f"http://manual.test/{rest}", 1, "manual.test"), 200, {}, body, 0.0, 0.0)
    return Page(answer, kind="text/html", reads="outline")


def _topics() -> dict[str, list[JudgedTopic]]:
    topics: dict[str, list[JudgedTopic]] = defaultdict(list)
    for line in _lines("reading_topics.tsv"):
        on, unsure = (frozenset(map(int, line[name].split())) for name in ("on topic", "unsure"))
        topics[line["manual"]].append(JudgedTopic(line["topic"], on, unsure))
    return topics


def _pages() -> dict[str, list[str]]:
    """The paths of pages by manual, in the order of their numbers."""
    pages: dict[str, list[str]] = defaultdict(list)
    for line in _lines("reading_pages.tsv"):
        pages[line["manual"]].append(line["path"])
    return pages


def _lines(name: str) -> list[dict[str, str]]:
    with (FOLDER / name).open(newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t"))


# Kinds of things


class _Noun(NamedTuple):
    """A set of nouns that mean the same: what it is a kind of or belongs to, and what is told of it."""

    words: list[str]
    above: list[str]
    fields: list[str]
    gloss: str


_KINDS = 1_500
_SMALLEST, _LARGEST = 15, 9_000
"""Nouns of a kind that is taken as a topic."""

_OF_IT, _BESIDE_IT, _OTHERS = 6, 4, 4
_WORDNET_WEIGHS = 0.6


def wordnet_pairs(folder: Path, seed: int) -> Iterator[Pair]:
    """For kinds of things, in the plural mostly, nouns that are one and nouns that are not, near ones among them."""
    chance, nouns = random.Random(seed), _nouns(folder / "data.noun")
    below: dict[str, list[str]] = defaultdict(list)
    for key, noun in nouns.items():
        for above in (*noun.above, *noun.fields):
            below[above].append(key)
    kinds = [key for key in nouns if _is_plain(nouns[key]) and _SMALLEST <= len(_all_below(key, below)) <= _LARGEST]
    for kind in chance.sample(kinds, min(_KINDS, len(kinds))):
        inside, beside = _all_below(kind, below), set[str]()
        for above in nouns[kind].above:
            beside |= _all_below(above, below)
        near, names = sorted(beside - inside - {kind}), nouns[kind].words
        name = chance.choice([names[0], _plural(names[0]), _plural(names[0]), names[-1].lower()])
        for key in chance.sample(sorted(inside), min(_OF_IT, len(inside))):
            yield Pair(name, _told(nouns[key]), is_on_topic=True, weight=_WORDNET_WEIGHS)
        off = chance.sample(near, min(_BESIDE_IT, len(near))) + chance.sample(sorted(nouns), _OTHERS)
        for key in off:
            if key not in inside and key != kind:
                yield Pair(name, _told(nouns[key]), is_on_topic=False, weight=_WORDNET_WEIGHS)


def _nouns(file: Path) -> dict[str, _Noun]:
    made = {}
    for line in file.read_text(encoding="latin-1").splitlines():
        if line.startswith("  "):  # its licence
            continue
        head, _, gloss = line.partition("|")
        fields = head.split()
        count = int(fields[3], 16)
        words = [word.replace("_", " ") for word in fields[4 : 4 + 2 * count : 2]]
        pointers = fields[5 + 2 * count :]
        targets = list(zip(pointers[::4], pointers[1::4], strict=False))
        above, domains = ([to for sign, to in targets if sign in signs] for signs in (("@", "@i"), (";c",)))
        made[fields[0]] = _Noun(words, above, domains, gloss.strip())
    return made


def _is_plain(noun: _Noun) -> bool:
    return noun.words[0].islower() and len(noun.words[0].split()) <= 2


def _all_below(key: str, below: dict[str, list[str]]) -> set[str]:
    found, waiting = set[str](), [key]
    while waiting:
        new = set(below.get(waiting.pop(), ())) - found
        found |= new
        waiting += new
    return found


def _told(noun: _Noun) -> str:
    return shown_text(noun.words[0], [], [f"{', '.join(noun.words[:4])}: {noun.gloss}"])


def _plural(word: str) -> str:
    """Good enough for most.

    >>> _plural("city"), _plural("bird")
    ('cities', 'birds')
    """
    if word.endswith(("s", "x", "ch", "sh")):
        return f"{word}es"
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}s"
