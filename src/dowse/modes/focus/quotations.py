"""The lines of a page that say most of a topic, for a person who is asked what the page is."""

from __future__ import annotations

from textwrap import wrap

from dowse.core.phrasing import shortened
from dowse.score.keywords import Keywords

MOST_LINES = 2
_ROWS = 2
"""Rows that a long line may fill: a person has to see what a sentence is about."""

_BEFORE = 24
"""Characters of a long line that stay before the first word of the topic."""

_SENTENCE = 40
"""What is shorter may be a heading or a link; sentences tell more."""


def lines_about(text: str, keywords: Keywords, width: int) -> list[str]:
    """The lines of a text that have most of the keywords, in their order, each cut around the first to a few rows of a
    width; its first sentence if no line has any."""
    lines = list(dict.fromkeys(" ".join(line.split()) for line in text.splitlines()))
    found = keywords.terms_in(lines)
    if not found:  # what the page begins with tells at least what it is about
        return _rows(next((line for line in lines if len(line) >= _SENTENCE), ""), width)
    ranked = sorted(found, key=lambda at: (-keywords.share_of(found[at]), len(lines[at]) < _SENTENCE, at))
    cut = [_cut(lines[at], keywords, _ROWS * width) for at in sorted(ranked[:MOST_LINES])]
    return [row for line in cut for row in _rows(line, width)]


def _rows(line: str, width: int) -> list[str]:
    cut = shortened(line, _ROWS * width)  # of a text without spaces the wrapping alone drops a whole row
    return wrap(cut, width, max_lines=_ROWS, placeholder=" …")


def _cut(line: str, keywords: Keywords, width: int) -> str:
    if len(line) <= width:
        return line
    _, hits = keywords.hits(line)
    start = min(hits[0].start - _BEFORE, len(line) - width + 1)
    if start <= 0:
        return shortened(line, width)
    start = line.find(" ", start, hits[0].start) + 1 or hits[0].start
    return shortened(f"…{line[start:]}", width)
