"""Which time of each post is that of the post: it is there in most, says the hour, and does not repeat.

A date of joining repeats with the author. Its words tell it, and so they do the time of an edit (`time_marks.py`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

from dowse.extract.posts.forum_words import POSTED
from dowse.extract.posts.post_parts import Parts, unnumbered
from dowse.extract.posts.time_marks import Mark


def choose_times(parts: Parts, marks: Sequence[Mark], read: dict[int, str]) -> dict[int, Mark]:
    """The time of each block. `read` is what each mark says, by where it stands."""
    by_path: dict[tuple[str, bool, bool], dict[int, Mark]] = defaultdict(dict)
    for mark in marks:
        number = parts.owner.get(mark.spot.index)
        if number is not None and mark.is_edit:
            parts.edits[number].append(mark)
        elif number is not None and mark.spot.index not in parts.quoted:
            if mark.is_membership:
                parts.memberships[number].append(mark)
                if not mark.has_clock:
                    continue  # never the time of a post
            place = unnumbered(parts.paths[mark.spot.index])
            by_path[place, mark.is_loose, mark.is_membership].setdefault(number, mark)
    order = sorted(by_path, key=lambda path: _time_worth(by_path[path], len(parts.blocks), read), reverse=True)
    chosen: dict[int, Mark] = {}
    for path in order:
        for number, mark in by_path[path].items():
            chosen.setdefault(number, mark)
    return chosen


def _time_worth(marks: dict[int, Mark], number: int, read: dict[int, str]) -> float:
    times = [read[mark.spot.index] for _, mark in sorted(marks.items())]
    share = len(times) / number
    distinct = len(set(times)) / len(times)
    ordered = sum(a <= b for a, b in pairwise(times)) / max(1, len(times) - 1) if len(times) > 1 else 1.0
    clock = sum(len(time) > 10 for time in times) / len(times)
    worth = share + 0.5 * clock + 0.4 * distinct * min(1.0, share * 2) + 0.3 * max(ordered, 1 - ordered) * share
    first = next(iter(marks.values()))
    worth += 0.3 if first.stamp or POSTED.match(first.words) else 0.0
    return worth - (1.5 if first.is_membership else 0.0)
