"""Plausible sentences for the sample site: patterns filled with a topic's own words, the same for the same key."""

from __future__ import annotations

from random import Random

from dowse.demo.content import Content, Topic


class Prose:
    """Writes for one subject. The key decides every choice, so a text never changes between runs."""

    def __init__(self, content: Content, topic: Topic, key: str) -> None:
        self._patterns = content.prose
        self._topic = topic
        self._chance = Random(key)

    def sentences(self, part: str, count: int) -> list[str]:
        """That many different sentences of a part ("background", "proposal", "questions" or "heard")."""
        return [self._fill(pattern) for pattern in self._chance.sample(self._patterns[part], count)]

    def paragraph(self, part: str, count: int) -> str:
        return " ".join(self.sentences(part, count))

    def _fill(self, pattern: str) -> str:
        group, other = self._chance.sample(self._topic.groups, 2)
        sentence = pattern.format(
            group=group,
            other=other,
            matter=self._chance.choice(self._topic.matters),
            aim=self._chance.choice(self._topic.aims),
            department=self._topic.department,
            number=self._chance.randrange(6, 60),
        )
        return sentence[0].upper() + sentence[1:]
