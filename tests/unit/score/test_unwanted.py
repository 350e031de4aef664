"""Examples of what is not wanted."""

from __future__ import annotations

import pytest

from dowse.score.language import language
from dowse.score.topic import Example, Topic
from dowse.score.vectors import Embedder
from dowse.score.vocabulary import HashedWords

ENGLISH = language("en")
BIRDS, HEAPS = "the nest of a wren in spring", "a heap sorts its items"


@pytest.mark.parametrize(
    ("examples", "unwanted"),
    [
        ([], []),
        ([Example(BIRDS, wanted=False)], [BIRDS]),
        ([Example(BIRDS, wanted=False), Example(HEAPS)], [BIRDS]),
        ([Example(BIRDS, wanted=False), Example(BIRDS)], []),
    ],
)
def test_pages_that_say_what_is_not_wanted_are_told(examples: list[Example], unwanted: list[str]) -> None:
    embedder = Embedder(HashedWords(ENGLISH), ENGLISH)
    topic = Topic("notes", examples, ENGLISH, embedder)
    pages = [BIRDS, HEAPS, "a wren sorts a heap of notes"]
    assert [
        page for page, is_it in zip(pages, topic.is_unwanted(embedder.embed(pages)), strict=True) if is_it
    ] == unwanted
