"""A topic: what the user wants pages to be about, as keywords and as a vector.

It is made of words, of example pages, or of both. Without words, those that the wanted examples have most are the
keywords.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from dowse.score.background import telling
from dowse.score.keywords import Keywords, Term, parse_subjects, parse_topic
from dowse.score.language import Language, words_of
from dowse.score.tokens import Vector
from dowse.score.vectors import Embedder, nearness, unit

_EXAMPLE_TERMS = 12
_UNWANTED = 0.5
_MARKS = re.compile(r'"|\^[\d.]+')
_AS_GOOD = 0.6
"""What a subject must tell beside the one that tells most, to be one that a page may be about: "time" is none beside
"bubble"."""

_ALIKE = 0.9
"""How near a page is to an example that says the same."""


class Example(Struct, frozen=True):
    """The text of a page that is wanted, or is not."""

    text: str
    wanted: bool = True


class Topic:
    """What pages and links are compared with."""

    def __init__(
        self,
        words: str,
        examples: Sequence[Example],
        language: Language,
        embedder: Embedder,
        *,
        in_context: bool = False,
    ) -> None:
        """Raises ValueError if the words say nothing and there is no wanted example."""
        wanted = [example.text for example in examples if example.wanted]
        by_words = words.strip() or not wanted
        terms = parse_topic(words, language) if by_words else _terms_of(wanted, language)
        self.keywords = Keywords(terms, language)
        self.embedder = embedder
        self.term_vectors = embedder.embed([term.text for term in terms])
        self.term_weights = np.array([term.weight for term in terms], np.float32)
        subjects = parse_subjects(words if by_words else "", terms, language)
        self.subjects = [subject.terms for subject in subjects]
        """The terms of each: a page need not be about more than one."""
        self.telling = np.array([term.weight * max(map(telling, term.stems)) for term in terms], np.float32)
        """What each term tells of a page that has it, among all the pages there are."""
        most = [float(self.telling[self._only(subject) > 0].max()) for subject in self.subjects]
        self.subjects_count = [min(1.0, each / (_AS_GOOD * max(most))) for each in most]
        """How much it counts, 0 to 1, that a page is about a subject."""
        self.is_quoted = bool(by_words) and all(len(term.stems) > 1 for term in terms)
        """Whether there is nothing but phrases that are only found as a whole."""
        self.phrase = _MARKS.sub(" ", words).strip() if by_words else " ".join(term.text for term in terms)
        """As it was typed, but for marks that say how words count."""
        counted = [each.text for each, counts in zip(subjects, self.subjects_count, strict=True) if counts == 1]
        self.phrases = counted if len(subjects) > 1 else [self.phrase]
        """The same, for each subject that counts in full."""
        self.in_context = in_context
        """Whether likely pages are read in context of it (sentences.py, page_reader.py)."""
        self._by_words = bool(by_words)
        self._wanted, self._unwanted = (self._vectors_of(examples, wanted=wanted) for wanted in (True, False))
        self._about = self._subject_vectors(np.ones(len(terms)))

    def vector(self, weights: Vector) -> Vector:
        """The topic with its terms weighed like that."""
        parts = [unit(nearness(weights, self.term_vectors.T))] if self._by_words else []
        if len(self._wanted):
            parts.append(unit(self._wanted.mean(axis=0)))
        if len(self._unwanted):
            parts.append(np.float32(-_UNWANTED) * unit(self._unwanted.mean(axis=0)))
        return unit(np.sum(parts, axis=0))

    def nearness(self, vectors: NDArray[Any], weights: NDArray[Any] | None = None) -> Vector:
        """How near vectors are to the topic: to the nearest of its subjects. `weights` are those of its terms beside
        how they were given."""
        about = self._about if weights is None else self._subject_vectors(weights)
        made: Vector = (nearness(vectors, about) * np.array(self.subjects_count, np.float32)).max(axis=-1)
        return made

    def share_of(self, terms: Collection[int]) -> float:
        """How much of its best subject some terms are, 0 to 1."""
        weights, best = self.term_weights, 0.0
        for subject, counts in zip(self.subjects, self.subjects_count, strict=True):
            found = sum(float(weights[term]) for term in subject if term in terms)
            best = max(best, counts * found / float(weights[subject].sum()))
        return best

    def _subject_vectors(self, weights: NDArray[Any]) -> Vector:
        about = [self.vector((self._only(subject) * weights).astype(np.float32)) for subject in self.subjects]
        return np.array(about)

    def _only(self, subject: Sequence[int]) -> Vector:
        """The weights of the terms of a subject, and of phrases of its words."""
        stems = {stem for term in subject for stem in self.keywords.terms[term].stems}
        weights: Vector = np.array(
            [term.weight if stems.issuperset(term.stems) else 0.0 for term in self.keywords.terms], np.float32
        )
        return weights

    def is_unwanted(self, vectors: Vector) -> NDArray[np.bool_]:
        """Which pages say what an example says that is not wanted, and no wanted one does."""
        near = (vectors @ self._unwanted.T).max(axis=1, initial=0.0)
        found: NDArray[np.bool_] = near > np.maximum((vectors @ self._wanted.T).max(axis=1, initial=0.0), _ALIKE)
        return found

    def _vectors_of(self, examples: Sequence[Example], *, wanted: bool) -> Vector:
        rows = [self.embedder.embed_text(each.text) for each in examples if each.wanted is wanted]
        return np.array(rows, np.float32).reshape(-1, self.embedder.size)


def _terms_of(texts: Sequence[str], language: Language) -> tuple[Term, ...]:
    """The words that the examples have most, each example counting the same."""
    counts: Counter[str] = Counter()
    forms: dict[str, str] = {}
    for text in texts:
        words = [word for word in language.telling(words_of(text)) if len(word) > 2 and not word.isdigit()]
        for word in words:
            stem = language.stem(word)
            forms.setdefault(stem, word)
            counts[stem] += 1 / len(words)  # type: ignore[assignment]
    if not counts:
        raise ValueError("the example pages have no words that say anything; give a topic too")
    most = counts.most_common(1)[0][1]
    return tuple(Term((stem,), number / most, forms[stem]) for stem, number in counts.most_common(_EXAMPLE_TERMS))
