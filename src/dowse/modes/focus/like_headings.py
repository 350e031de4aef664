"""How near headings are to a topic by what their words mean. Those met before are known: pages of a site share many."""

from __future__ import annotations

from collections.abc import Sequence

from dowse.score.topic import Topic

HEADINGS_KEPT = 5_000


class LikeHeadings:
    """Compares headings with one topic."""

    def __init__(self, topic: Topic) -> None:
        self._topic = topic
        self._known: dict[str, float] = {}

    def nearest(self, headings: Sequence[str]) -> list[tuple[str, float]]:
        """Headings, each once, with how near they are; the nearest one first."""
        told = [heading for heading in dict.fromkeys(headings) if heading]
        if new := [heading for heading in told if heading not in self._known]:
            if len(self._known) > HEADINGS_KEPT:
                self._known.clear()
                new = told
            self._known.update(zip(new, self._topic.nearness(self._topic.embedder.embed(new)).tolist(), strict=True))
        return sorted(((heading, self._known[heading]) for heading in told), key=lambda each: -each[1])
