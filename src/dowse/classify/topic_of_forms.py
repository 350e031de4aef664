"""Forms on a topic or not: a linear support vector machine over their texts, trained from examples.

The training is dual coordinate descent (Hsieh et al., ICML 2008). A few hundred short texts take less than a second, so
that a crawl can train again with every form that it finds. No chance is involved: the texts are gone through in order.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from snowballstemmer import stemmer

from dowse.classify.form_words import words_in
from dowse.parse.forms.form import Form

ROUNDS = 100
STRENGTH = 1.0
MOST_OPTIONS = 50
LONGEST_TEXT = 20_000
_SETTLED = 1e-4
_SHORTEST_WORD = 2

Vector = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class FormTopic:
    """A trained topic: weights of words, and how rare each is among the examples."""

    weights: Mapping[str, float]
    rarities: Mapping[str, float]
    intercept: float

    def margin(self, text: str) -> float:
        """How far a text is on the side of the topic; above 0 it is on topic."""
        vector = _vector(text, self.rarities)
        return self.intercept + sum(value * self.weights.get(word, 0.0) for word, value in vector.items())

    def is_on_topic(self, form: Form) -> bool:
        """Whether a form is on topic."""
        return self.margin(text_of_form(form)) > 0.0


def text_of_form(form: Form) -> str:
    """All that a form says of its subject: headings, labels, names, options; nothing that is typed into it.

    >>> text_of_form(Form("https://example.org/cars", heading="Used cars", text="Make"))
    'Used cars Make cars'
    """
    pieces = [form.heading, form.label, form.text, form.id, form.name, form.css_class]
    for control in form.controls:
        if control.kind != "hidden":
            pieces += [control.name, control.group, *(label.text for label in control.labels)]
            pieces += [option.label for option in control.options[:MOST_OPTIONS]]
    pieces.append(form.action.partition("://")[2].partition("/")[2] or form.url.partition("://")[2].partition("/")[2])
    return " ".join(piece for piece in pieces if piece)


def train_topic(on_topic: Sequence[str], others: Sequence[str]) -> FormTopic:
    """The topic of these texts, as told from the others. Raises ValueError without examples of both."""
    if not on_topic or not others:
        raise ValueError("a topic is told by texts that are on it and texts that are not; one of them is missing")
    rarities = _rarities([*on_topic, *others])
    vectors = [_vector(text, rarities) for text in (*on_topic, *others)]
    signs = [1.0] * len(on_topic) + [-1.0] * len(others)
    # as many votes for each side, however many examples it has
    bounds = [STRENGTH * len(signs) / (2 * len(on_topic if sign > 0 else others)) for sign in signs]
    weights, intercept = _separate(vectors, signs, bounds)
    return FormTopic(weights, rarities, intercept)


def _separate(
    vectors: Sequence[Vector], signs: Sequence[float], bounds: Sequence[float]
) -> tuple[dict[str, float], float]:
    """The plane with the widest margin between two sides. The intercept is a feature that every text has."""
    weights: dict[str, float] = {}
    intercept = 0.0
    multipliers = [0.0] * len(signs)
    lengths = [1.0 + sum(value * value for value in vector.values()) for vector in vectors]
    for _ in range(ROUNDS):
        largest = 0.0
        for place, vector in enumerate(vectors):
            sign = signs[place]
            score = intercept + sum(value * weights.get(word, 0.0) for word, value in vector.items())
            old = multipliers[place]
            new = min(max(old - (sign * score - 1.0) / lengths[place], 0.0), bounds[place])
            step = (new - old) * sign
            if step:
                multipliers[place] = new
                intercept += step
                for word, value in vector.items():
                    weights[word] = weights.get(word, 0.0) + step * value
                largest = max(largest, abs(step))
        if largest < _SETTLED:
            break
    return weights, intercept


def _rarities(texts: Sequence[str]) -> dict[str, float]:
    met = Counter(word for text in texts for word in set(topic_words(text)))
    return {word: 1.0 + math.log((1 + len(texts)) / (1 + number)) for word, number in met.items()}


def _vector(text: str, rarities: Mapping[str, float]) -> dict[str, float]:
    """A text as weights of its words, of length 1; words that no example has say nothing."""
    counts = Counter(word for word in topic_words(text) if word in rarities)
    vector = {word: (1.0 + math.log(number)) * rarities[word] for word, number in counts.items()}
    length = math.sqrt(sum(value * value for value in vector.values())) or 1.0
    return {word: value / length for word, value in vector.items()}


def topic_words(text: str) -> list[str]:
    """The words of a text by their stems, as a topic is told by them."""
    return [_stem(word) for word in words_in(text[:LONGEST_TEXT]) if len(word) >= _SHORTEST_WORD]


@lru_cache(maxsize=20_000)
def _stem(word: str) -> str:
    return str(_ENGLISH.stemWord(word))


_ENGLISH = stemmer("english")
