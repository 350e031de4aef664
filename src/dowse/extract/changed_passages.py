"""The text that changed between two versions of a page, word by word.

Lines are compared as extract/content_changes.py compares them: menus, footers, advertisements, and lines in which only
a date or a counter moved are left out. A line that took the place of one that says nearly the same is shown with it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from difflib import SequenceMatcher

from dowse.core.revisits.changes import Passage, Piece
from dowse.extract.content_changes import changed_runs, content_lines, is_noise, latest_day, place_in
from dowse.parse.page import Page

MOST_PASSAGES = 500
"""Lines that are shown of one page."""

_ALIKE = 0.4
"""The share of their words that two lines have in common of which one was made from the other."""

_MOST_PAIRS = 2_500
"""Pairs of lines that are looked at for such lines in one run; in longer ones the lines are new and gone."""

_MOST_WORDS = 250_000
"""The product of the words of two lines above which they are not compared word by word."""

# Where words are written without spaces each letter is one.
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[^\W_\u3040-\u30ff\u3400-\u9fff]+|\s+|.", re.DOTALL)


def changed_passages(before: Page, after: Page, restless: Collection[int] = ()) -> list[Passage]:
    """What differs between two versions; `restless` are places that are never the same."""
    lines = content_lines(before), content_lines(after)
    return list(passages_of(*lines, after.language, after.response.fetched_at, restless))


def passages_of(
    before: Sequence[str],
    after: Sequence[str],
    language: str = "",
    now: float = 0.0,
    restless: Collection[int] = (),
) -> Iterator[Passage]:
    """The same of their lines.

    >>> [passage.pieces for passage in passages_of(["Fish and nets"], ["Fish and large nets"])]
    [(Piece(kind='same', text='Fish and '), Piece(kind='added', text='large '), Piece(kind='same', text='nets'))]
    """
    until = latest_day(now)
    shown = 0
    for start, end, first, last in changed_runs(before, after):
        is_even = end - start == last - first
        for at, to in _paired(before[start:end], after[first:last]):
            one = None if at is None else before[start + at]
            other = None if to is None else after[first + to]
            if one is not None and other is not None:
                if is_noise(one, other, language, until):
                    continue
                if is_even and restless and place_in(before, start, at or 0) in restless:
                    continue
            yield _passage(one, other)
            shown += 1
            if shown == MOST_PASSAGES:
                return


def _paired(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[int | None, int | None]]:
    """The lines of a run, each with the one that was made from it, in their order."""
    if len(before) == len(after):
        yield from zip(range(len(before)), range(len(after)), strict=True)
        return
    at = to = 0
    for one, other in _matches(before, after):
        yield from ((gone, None) for gone in range(at, one))
        yield from ((None, new) for new in range(to, other))
        yield one, other
        at, to = one + 1, other + 1
    yield from ((gone, None) for gone in range(at, len(before)))
    yield from ((None, new) for new in range(to, len(after)))


def _matches(before: Sequence[str], after: Sequence[str]) -> list[tuple[int, int]]:
    """Pairs of lines that are alike, none of which cross."""
    if not before or not after or len(before) * len(after) > _MOST_PAIRS:
        return []
    words = [frozenset(line.split()) for line in after]
    found: list[tuple[int, int]] = []
    next_free = 0
    for place, line in enumerate(before):
        own = frozenset(line.split())
        likeness = [(_overlap(own, words[other]), -other) for other in range(next_free, len(after))]
        best, other = max(likeness, default=(0.0, 0))
        if best >= _ALIKE:
            found.append((place, -other))
            next_free = 1 - other
    return found


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / max(len(one), len(other), 1)


def _passage(before: str | None, after: str | None) -> Passage:
    if before is None:
        return Passage((Piece("added", after or ""),))
    if after is None:
        return Passage((Piece("removed", before),))
    one, other = _WORD.findall(before), _WORD.findall(after)
    if len(one) * len(other) > _MOST_WORDS:
        return Passage((Piece("removed", before), Piece("added", after)))
    return Passage(tuple(_rotated(list(_merged(_pieces(one, other))))))


def _pieces(before: Sequence[str], after: Sequence[str]) -> Iterator[Piece]:
    for kind, start, end, first, last in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "equal":
            yield Piece("same", "".join(before[start:end]))
            continue
        if end > start:
            yield Piece("removed", "".join(before[start:end]))
        if last > first:
            yield Piece("added", "".join(after[first:last]))


def _merged(pieces: Iterator[Piece]) -> Iterator[Piece]:
    """Pieces that are easy to read: words that changed one after the other are one change, not one each."""
    removed = added = ""
    waiting = ""  # space between two changes
    for kind, text in pieces:
        if kind == "same" and (removed or added) and not waiting and text.isspace():
            waiting = text
        elif kind == "same":
            yield from _change(removed, added)
            yield Piece("same", waiting + text)
            removed = added = waiting = ""
        else:
            removed += waiting + (text if kind == "removed" else "")
            added += waiting + (text if kind == "added" else "")
            waiting = ""
    yield from _change(removed, added)
    if waiting:
        yield Piece("same", waiting)


def _rotated(pieces: list[Piece]) -> list[Piece]:
    """Pieces of which none that changed begins with the space that is behind it too: `{+large +}nets`."""
    for place in range(1, len(pieces) - 1):
        (before, head), (kind, text), (after, tail) = pieces[place - 1 : place + 2]
        if before == after == "same" and kind != "same" and text[0] == tail[0] == " ":
            turned = Piece(before, f"{head} "), Piece(kind, f"{text[1:]} "), Piece(after, tail[1:])
            pieces[place - 1 : place + 2] = turned
    return [piece for piece in pieces if piece.text]


def _change(removed: str, added: str) -> Iterator[Piece]:
    if removed:
        yield Piece("removed", removed)
    if added:
        yield Piece("added", added)
