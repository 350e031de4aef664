"""Words related to a topic: what a dictionary has beside its keywords, and what embeddings have near them.

    synonym 1   derived 0.7   broader, narrower, field 0.5   part, word of the definition 0.3   neighbour 0.4 to 0.8

A keyword may mean several things. Those count that have words in common with the other keywords, with what these mean,
or with the examples (as in Lesk's method); so "java, island" has other relatives than "java, programming". A keyword
that nothing of this tells the meaning of stays undecided, for the words beside it on the seeds to decide.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from typing import Protocol, TypeVar

from msgspec import Struct

from dowse.score.keywords import Term
from dowse.score.language import Language, words_of

WEIGHTS = {
    "synonym": 1.0, "derived": 0.7, "broader": 0.5, "narrower": 0.5, "field": 0.5, "part": 0.3, "definition": 0.3,
}  # fmt: skip
NEIGHBOUR = 0.8
MOST_WORDS = 64
_SENSE_WORDS = 24
_SHORTEST = 3
_DIRECT = 3.0
"""What a keyword or a word of the examples counts in a meaning; one that another keyword's meanings have counts 1."""

_EXAMPLE_WORDS = 60
_CLEAR = 1.0
"""What a meaning must have in common with its context to be told by it."""

_NEARLY = 0.7
"""Meanings with that part of what the best one has are meant too: dictionaries split finely."""

_LENGTH = 16
_FEW = 4
"""Meanings up to which a keyword is a special one; the more it has (work has 34), the less its relatives tell."""

Word = TypeVar("Word", bound=Hashable)


class Meaning(Struct, frozen=True):
    """One of the things a word means: its definition, and words related to it by kind of relation."""

    gloss: str
    relatives: dict[str, tuple[str, ...]]


class Dictionary(Protocol):
    """Where meanings are looked up."""

    def meanings(self, word: str) -> Sequence[Meaning]: ...


class Sense(Struct, frozen=True):
    """One meaning of a keyword: its definition, and the words that go with it."""

    definition: str
    words: dict[str, float]


class Related(Struct, frozen=True):
    """The words related to a topic and how much; and for keywords it does not tell the meaning of, all their senses."""

    words: dict[str, float] = {}
    undecided: dict[str, tuple[Sense, ...]] = {}


class _Entry(Struct, frozen=True):
    """A keyword that is in the dictionary."""

    text: str
    weight: float
    stems: frozenset[str]
    meanings: tuple[Meaning, ...]
    signatures: tuple[frozenset[str], ...]


def related_words(
    terms: Sequence[Term],
    language: Language,
    dictionary: Dictionary | None = None,
    neighbours: Mapping[str, float] | None = None,
    examples: Sequence[str] = (),
) -> Related:
    """`neighbours` are words that embeddings have near the topic, with how near, 0 to 1."""
    own = frozenset(stem for term in terms for stem in term.stems)
    entries = _entries(terms, language, dictionary) if dictionary is not None else []
    shown = Counter(stem for text in examples for stem in _stems([text], language))
    direct = {*own, *(stem for stem, _ in shown.most_common(_EXAMPLE_WORDS))}
    found: list[tuple[str, float]] = [
        (word, NEIGHBOUR * near)
        for word, near in (neighbours or {}).items()
        if dictionary is None or dictionary.meanings(word)
    ]
    undecided: dict[str, tuple[Sense, ...]] = {}
    for entry in entries:
        senses = [_sense(meaning, language, own) for meaning in entry.meanings]
        meant = [0] if len(senses) == 1 else told(entry.signatures, _context(entry, entries, direct))
        found += [(word, weight * entry.weight) for each in meant for word, weight in senses[each].words.items()]
        if not meant:
            undecided[entry.text] = tuple(senses)
    best = sorted(found, key=lambda item: (-item[1], item[0]))
    return Related(dict(_one_a_stem(best, language, own)[:MOST_WORDS]), undecided)


def told(signatures: Sequence[Collection[Word]], context: Mapping[Word, float]) -> list[int]:
    """Which of several meanings, each given by its words, the words of a context tell to be meant.

    A word that several of the meanings have tells the less; a long list of words has more by chance.
    """
    spread = Counter(word for signature in signatures for word in signature)
    shared = [sum(context[word] / spread[word] for word in each if word in context) for each in signatures]
    scores = [
        value / (len(each) + _LENGTH) ** 0.5 if value >= _CLEAR else 0.0
        for value, each in zip(shared, signatures, strict=True)
    ]
    best = max(scores, default=0.0)
    return [number for number, score in enumerate(scores) if best and score >= _NEARLY * best]


def _entries(terms: Sequence[Term], language: Language, dictionary: Dictionary) -> list[_Entry]:
    """The keywords that are in the dictionary. Two that make one word there ("heat pumps") are looked up as that."""
    most = max(term.weight for term in terms)
    entries: list[_Entry] = []
    for term in terms:
        before = entries[-1] if entries and len(term.stems) == 1 and " " not in entries[-1].text else None
        compound = f"{before.text} {term.text}" if before is not None else ""
        if before is not None and (together := dictionary.meanings(compound)):
            joined = Term((*before.stems, *term.stems), term.weight, compound)
            entries[-1] = _entry(joined, together, most, language)
        elif meanings := dictionary.meanings(term.text):
            entries.append(_entry(term, meanings, most, language))
    covered = {stem for entry in entries if " " in entry.text for stem in entry.stems}
    return [entry for entry in entries if " " in entry.text or not entry.stems <= covered]


def _entry(term: Term, meanings: Sequence[Meaning], most: float, language: Language) -> _Entry:
    stems = frozenset(term.stems)
    signatures = (_stems(_texts(meaning), language) - stems for meaning in meanings)
    weight = term.weight / most * min(1.0, _FEW / len(meanings)) ** 0.5
    return _Entry(term.text, weight, stems, tuple(meanings), tuple(map(frozenset, signatures)))


def _context(entry: _Entry, entries: Sequence[_Entry], direct: Collection[str]) -> dict[str, float]:
    """The words that tell what a keyword means. Those of another one's meanings count by how sure that meaning is."""
    others = [other for other in entries if other != entry]
    context: Counter[str] = Counter()
    for other in others:
        share = 1 / len(other.signatures) / len(others)
        for signature in other.signatures:
            context.update(dict.fromkeys(signature, share))
    return {**context, **dict.fromkeys(direct, _DIRECT)}


def _sense(meaning: Meaning, language: Language, own: Collection[str]) -> Sense:
    """The words of a meaning by weight; words of a compound count half."""
    definition = _definition(meaning.gloss)
    weighed = [(word, WEIGHTS["definition"]) for word in _telling(definition, language)]
    for relation, phrases in meaning.relatives.items():
        for words in (_telling(phrase, language) for phrase in phrases):
            weighed += [(word, WEIGHTS[relation] / min(len(words), 2)) for word in words]
    weighed.sort(key=lambda item: -item[1])
    return Sense(definition, dict(_one_a_stem(weighed, language, own)[:_SENSE_WORDS]))


def _one_a_stem(
    weighed: Iterable[tuple[str, float]], language: Language, own: Collection[str]
) -> list[tuple[str, float]]:
    """The words, best first, without forms of the keywords and of those before."""
    kept: dict[str, tuple[str, float]] = {}
    for word, weight in weighed:
        kept.setdefault(language.stem(word), (word, round(weight, 3)))
    return [item for stem, item in kept.items() if stem not in own]


def _definition(gloss: str) -> str:
    """A definition without the sentences that show its use."""
    return gloss.partition('; "')[0]


def _texts(meaning: Meaning) -> list[str]:
    return [meaning.gloss, *(phrase for phrases in meaning.relatives.values() for phrase in phrases)]


def _telling(text: str, language: Language) -> list[str]:
    return [word for word in language.telling(words_of(text)) if len(word) >= _SHORTEST and not word.isdigit()]


def _stems(texts: Iterable[str], language: Language) -> set[str]:
    return {language.stem(word) for text in texts for word in _telling(text, language)}
