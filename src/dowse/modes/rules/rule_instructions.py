"""Instructions as people and programs write them: JSON, read into rules by the same checks as a table.

    {"baseURL": "", "urlToCrawl": "", "keepRules": [{"pattern": "", "id": "", "class": "", "tag": "",
     "filterField": "", "filterValue": ""}], "followRules": [{"toType": "", ...}], "dropRules": []}

What is left out is no limit. Without `urlToCrawl` the page is that of the base URL, and the other way round.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from dowse.core.errors import JobError
from dowse.modes.rules.rule_reading import read_table
from dowse.modes.rules.rule_table import BASE, COLUMNS, Instruction, RawRow, RawTable, Rule

_KEEP, _FOLLOW, _DROP = "keepRules", "followRules", "dropRules"
_KEYS = ("baseURL", "urlToCrawl", _KEEP, _FOLLOW, _DROP)


Written = str | bytes | Mapping[str, object] | Instruction
"""An instruction: its JSON, what that holds, or one of a crawl."""


class Order(NamedTuple):
    """One page, and the rules to be applied to it."""

    url: str
    rules: Sequence[Rule]


def read_instruction(written: Written) -> Order:
    """The page and the rules of an instruction. Raises JobError, which names what is wrong with it."""
    found = _as_mapping(written)
    unknown = next((key for key in found if key not in _KEYS), None)
    if unknown is not None:
        raise JobError(f"instruction: unknown key {unknown!r}; the keys are {', '.join(_KEYS)}")
    base, url = (str(found.get(key) or "") for key in ("baseURL", "urlToCrawl"))
    base, url = base or url, url or base
    taking = [*_rows(found, _KEEP, "keep", base), *_rows(found, _FOLLOW, "follow", base)]
    rows = [*taking, *_rows(found, _DROP, "drop", base)]
    if not taking:
        raise JobError(f"instruction: it has no rules; give at least one under {_KEEP} or {_FOLLOW}")
    cells = [row for _, row in rows]
    columns = list(dict.fromkeys(name for row in cells for name in row))
    raw = RawTable(columns, [RawRow(number, 0, row) for number, row in enumerate(cells, start=1)])
    try:
        table = read_table(raw)
    except JobError as error:
        raise JobError(f"instruction: {error}") from None
    if table.errors:
        first = table.errors[0]
        raise JobError(f"instruction: {rows[first.row - 1][0]}, {first.column}: {first.text}")
    return Order(url, table.rules)


def _as_mapping(written: Written) -> Mapping[str, object]:
    if isinstance(written, str | bytes):
        try:
            written = msgspec.json.decode(written)
        except msgspec.DecodeError as error:
            raise JobError(f"instruction: not valid JSON: {error}") from None
    found = msgspec.to_builtins(written)
    if not isinstance(found, dict):
        raise JobError("instruction: expected one JSON object with baseURL, keepRules and followRules")
    return found


def _rows(found: Mapping[str, object], key: str, kind: str, base: str) -> Iterator[tuple[str, dict[str, object]]]:
    """The rules of one list as rows of a table, with what each is called in messages."""
    rules = found.get(key) or []
    if not isinstance(rules, list) or not all(isinstance(rule, dict) for rule in rules):
        raise JobError(f'instruction: {key} is a list of rules, such as [{{"pattern": "\\\\.pdf$"}}]')
    for number, rule in enumerate(rules, start=1):
        unknown = next((name for name in rule if name not in COLUMNS), None)
        if unknown is not None:
            raise JobError(f"instruction: {key} {number}: unknown key {unknown!r}; the keys are {', '.join(COLUMNS)}")
        yield f"{key} {number}", {"baseURL": base, **rule, "ruleType": kind, "fromType": BASE}
