"""A page that is one mail, as archives of mailing lists have it: fields of a head, and the text below it.

From: Ann <ann@example.org>
Date: Tue, 5 Mar 2024 10:00:00 +0000
----
The text, up to the next line or list of links.
"""

from __future__ import annotations

from collections.abc import Sequence

import regex

from dowse.extract.posts.forum_words import FROM
from dowse.extract.posts.page_spots import Spot
from dowse.extract.posts.post_blocks import Block
from dowse.extract.posts.time_marks import Mark

_FIELD = regex.compile(r"[\p{L} -]{2,24}[:\uff1a].*", regex.DOTALL)
_LONGEST_FIELD = 300
_MOST_LEVELS = 4
_LISTS = frozenset({"ul", "ol", "dl", "table", "nav"})


def find_mail(marks: Sequence[Mark]) -> Block | None:
    """The mail of a page; None if there is no head, or there are several."""
    found = {head.index: (head, mark) for mark in marks if (head := _head(mark.spot)) is not None}
    if len(found) != 1:
        return None
    [(head, mark)] = found.values()
    rows = _text_below(head)
    return Block([head, *rows], mark, head) if rows else None


def written_text(block: Block) -> Spot | None:
    """The text of a mail without fields as it was written: all that is neither in it nor a link is a few words."""
    found = [spot for row in block.rows for spot in row.within() if spot.tag == "pre"]
    if block.head is not None or len(found) != 1:
        return None
    rest = sum(row.length - row.linked for row in block.rows) - (found[0].length - found[0].linked)
    return found[0] if rest <= _LONGEST_FIELD else None


def _head(spot: Spot) -> Spot | None:
    """The element around a time that has nothing but fields, one of which says who sent it."""
    around: Spot | None = spot
    for _ in range(_MOST_LEVELS):
        if around is None or around.tag == "body":
            return None
        lines = [child for child in around.children if child.length]
        if len(lines) > 1 and all(map(_is_field, lines)):
            return around if any(FROM.fullmatch(line.text) for line in lines) else None
        around = around.parent
    return None


def _is_field(line: Spot) -> bool:
    return line.length <= _LONGEST_FIELD and _FIELD.fullmatch(line.text) is not None


def _text_below(head: Spot) -> list[Spot]:
    """What stands below the head, or below what holds nothing but the head, up to a line or a list of links."""
    around = head
    while around.parent is not None and around.parent.children[-1] is around and around.parent.tag != "body":
        around = around.parent
    siblings = around.parent.children if around.parent is not None else []
    rows: list[Spot] = []
    for child in siblings:
        if child.index <= around.index:
            continue
        is_end = child.tag == "hr" or (child.tag in _LISTS and 2 * child.linked > child.length)
        if is_end and rows:
            break
        if child.length and not is_end:
            rows.append(child)
    return rows
