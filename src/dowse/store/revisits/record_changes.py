"""Which records of a page are new, which are gone, and which fields of the others differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

Fields = dict[str, Any]
Keyed = tuple[str, str, Fields]
"""Kind, key and fields of a record."""


class RecordChange(NamedTuple):
    """One record that is not as it was; `before` and `after` have the fields that differ."""

    kind: str
    before: Fields
    after: Fields


def record_changes(before: Sequence[Keyed], after: Sequence[Keyed]) -> Iterator[RecordChange]:
    """Compare the records of two versions of a page.

    Many keys are no more than positions, and one row more moves all behind it. So records that are the same are set
    aside wherever they stand; what is left is compared by its key.
    """
    same = Counter(map(_content, before)) & Counter(map(_content, after))
    gone, new = _left(before, same), _left(after, same)
    for key in [key for key in gone if key in new]:
        one, other = gone.pop(key), new.pop(key)
        names = [name for name in {**one, **other} if one.get(name) != other.get(name)]
        yield RecordChange(
            "changed",
            {name: one[name] for name in names if name in one},
            {name: other[name] for name in names if name in other},
        )
    yield from (RecordChange("removed", fields, {}) for fields in gone.values())
    yield from (RecordChange("added", {}, fields) for fields in new.values())


def _left(records: Sequence[Keyed], same: Counter[str]) -> dict[tuple[str, str], Fields]:
    same = same.copy()
    left: dict[tuple[str, str], Fields] = {}
    for record in records:
        content = _content(record)
        if same[content] > 0:
            same[content] -= 1
        else:
            left[record[0], record[1]] = record[2]
    return left


def _content(record: Keyed) -> str:
    kind, _, fields = record
    return f"{kind} {sorted(fields.items(), key=lambda field: field[0])!r}"
