"""The published priority scheme, exactly:

    a newly visited page starts at                                              0
    keywords in its head                                                      +10
    keywords in its links                                                      +8
    keywords in its text                                                       +6
    the keywords found are related in context to those of the seed             +4

The sum is the page's priority, and results are ranked by it. Of pages with the same sum, the one is ranked first that
has the keywords more often, as thousandths of a point; of those, the one that more links lead to, which is looked up
when the results are read (modes/focus/tables.py). In front of it stand the visited-URL test and the
content-matching test with their four cases (core/duplicates/fingerprint.py); the engine makes them for every crawl.

The scheme says first come, first served of what is not visited yet: that is the ranker `breadth` with this as its
scorer (scored.py). As a ranker, this lets a link wait with the priority of the best page it was found on, and what has
the same is served first come, first served. Ties of links were broken too, by frequency on that page and by the pages
that have the link: harvest rates on four topics went from 0.21, 0.14, 0.41 and 0.11 to 0.23, 0.19, 0.23 and 0.09.

"Related in context" is a page where the words beside the keywords share two or more with those beside the keywords of
the seeds, or have words that a dictionary or embeddings relate to the topic (score/related.py), of some weight in sum.
So a homonym of the keyword, among other words, is not related. A seed is related to itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from msgspec.structs import replace

from dowse.core.model import Judged, Task
from dowse.rank.evidence import KEYWORD_PAGE, PLAIN_LEAD, rows_of
from dowse.rank.ranker_state import pack, unpack
from dowse.rank.unlearned_ranker import PlainRanker, better
from dowse.score.language import Language
from dowse.score.related import Related, told
from dowse.score.vocabulary import word_number

HEAD, LINKS, BODY, RELATED = 10.0, 8.0, 6.0, 4.0
FREQUENCY = "frequency"
TIES = 1.0
MOST = HEAD + LINKS + BODY + RELATED + TIES
"""Points that a page has less than, with what breaks ties."""

_OFTEN = 1_000
"""Keywords of a page that count."""

_SHARED = 2
"""Words in common that make a context related."""

_ENOUGH = 0.85
"""What related words must weigh together to make a context related: a synonym, or three words of the definition."""

_SEED_WORD = 0.5
"""What a word beside a seed's keyword tells of the keyword's meaning; two such words tell it."""

_MOST_WORDS = 2_000
_SIZES = (PLAIN_LEAD.itemsize,)


def priority_of(parts: dict[str, float], *, related: bool) -> dict[str, float]:
    """The parts of a page's priority, by the zones its keywords are in."""
    points = {"head": HEAD, "links": LINKS, "body": BODY}
    given = {zone: points[zone] for zone in points if parts.get(zone)}
    if related and given:
        given["related"] = RELATED
    return given


class PriorityRanker(PlainRanker):
    """Ranks links by the priority of the pages they are on."""

    def __init__(self, related: Related, spoken: Language) -> None:
        self._seed_words: set[int] = set()
        self._related = _numbered(related.words, spoken)
        self._undecided = [
            [_numbered(sense.words, spoken) for sense in senses] for senses in related.undecided.values()
        ]
        self._weights = self._related

    def learn(self, task: Task, judged: Judged, lead: bytes) -> Judged:
        often, beside = _read(judged.evidence)
        is_seed = task.depth == 0
        if is_seed and len(self._seed_words) < _MOST_WORDS:
            self._seed_words |= beside
            self._decide()
        parts = priority_of(judged.parts, related=is_seed or self._is_related(beside))
        if parts and often:
            parts[FREQUENCY] = min(often, _OFTEN - 1) / _OFTEN
        return replace(judged, relevance=sum(parts.values()) / MOST, parts=parts)

    def _is_related(self, beside: set[int]) -> bool:
        if len(beside & self._seed_words) >= _SHARED:
            return True
        return sum(self._weights.get(word, 0.0) for word in beside) >= _ENOUGH

    def _decide(self) -> None:
        """Take in the meanings of undecided keywords that the seeds tell."""
        context = dict.fromkeys(self._seed_words, _SEED_WORD)
        self._weights = dict(self._related)
        for senses in self._undecided:
            for number in told(senses, context):
                for word, weight in senses[number].items():
                    self._weights[word] = max(weight, self._weights.get(word, 0.0))

    def follow(self, task: Task, judged: Judged, links: Sequence[int], leads: Sequence[bytes]) -> list[bytes]:
        rows = np.zeros(len(links), PLAIN_LEAD)
        rows["worth"] = sum(points for part, points in judged.parts.items() if part != FREQUENCY)
        return better(leads, rows)

    def explain(self, leads: Sequence[bytes]) -> list[dict[str, float]]:
        return [{"priority of the page it is on": rank} for rank in self.rank(leads)]

    def dump(self) -> bytes:
        return pack(sorted(self._seed_words), _SIZES)

    def load(self, state: bytes) -> None:
        self._seed_words = set(unpack(state, list[int], _SIZES))
        self._decide()


def _read(evidence: bytes) -> tuple[int, set[int]]:
    """How often a page has keywords, and the words beside them."""
    (page,) = rows_of(evidence[: KEYWORD_PAGE.itemsize], KEYWORD_PAGE)
    return int(page["often"]), set(np.frombuffer(evidence[KEYWORD_PAGE.itemsize :], "<u4").tolist())


def _numbered(words: Mapping[str, float], spoken: Language) -> dict[int, float]:
    return {word_number(spoken.stem(word)): weight for word, weight in words.items()}
