"""Rule tables: which links to keep, which to follow, which to drop, and what kind of page each leads to.

    baseURL   ruleType  fromType  toType    pattern        id   class  tag   filterField  filterValue
    https://  follow    base      topLevel  international  all  list   all
    https://  keep      topLevel            \\.pdf$         all  all    all
    https://  drop      topLevel            /terms         all  all    all

Columns go by their names, whatever the case. "all" and nothing both mean: no limit, and in a `Rule` that is "".
rule_reading.py makes rules of what was found in a file or a database.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

BASE = "base"
"""The page type of a base URL."""

COLUMNS: Mapping[str, str] = {
    "baseURL": "base_url",
    "ruleType": "rule_type",
    "fromType": "from_type",
    "toType": "to_type",
    "pattern": "pattern",
    "id": "id",
    "class": "class_",
    "tag": "tag",
    "filterField": "filter_field",
    "filterValue": "filter_value",
}
"""The columns as people write them, and the fields of `Rule` they become."""

NUMBER = "number"
"""A column that databases have besides: the row's number, which stays its own when other rows go."""

NO_LIMIT = "all"
SCOPES = ("id", "class", "tag")
_PLAIN = re.compile(r"[^a-z0-9]+")

RuleType = Literal["keep", "follow", "drop"]


class Rule(Struct, frozen=True, kw_only=True):
    """One row. "" is no limit; `class_` holds names between single spaces; `row` is its number in the table."""

    base_url: str
    rule_type: RuleType
    from_type: str
    to_type: str = ""
    pattern: str = ""
    id: str = ""
    class_: str = ""
    tag: str = ""
    filter_field: str = ""
    filter_value: str = ""
    row: int = 0

    def cells(self) -> dict[str, str]:
        """The row as it is written in a table."""
        return {
            column: getattr(self, field) or (NO_LIMIT if column in ("pattern", *SCOPES) else "")
            for column, field in COLUMNS.items()
        }


class KeepLimits(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A keep or drop rule inside an instruction; `base_url` is there only if it is not the instruction's."""

    pattern: str
    id: str
    class_: str = field(name="class")
    tag: str
    filter_field: str = field(name="filterField")
    filter_value: str = field(name="filterValue")
    base_url: str = field(name="baseURL", default="")


class FollowLimits(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A follow rule inside an instruction."""

    to_type: str = field(name="toType")
    pattern: str
    id: str
    class_: str = field(name="class")
    tag: str
    filter_field: str = field(name="filterField")
    filter_value: str = field(name="filterValue")
    base_url: str = field(name="baseURL", default="")


class Instruction(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is to be done with one page: all rules for its page types, at once."""

    base_url: str = field(name="baseURL")
    url: str = field(name="urlToCrawl")
    keep_rules: list[KeepLimits] = field(name="keepRules")
    follow_rules: list[FollowLimits] = field(name="followRules")
    drop_rules: list[KeepLimits] = field(name="dropRules", default_factory=list)

    def joined(self, later: Instruction) -> Instruction:
        """This instruction and one that came later, for the same page."""
        keep = self.keep_rules + [_of_base(rule, self, later) for rule in later.keep_rules]
        follow = self.follow_rules + [_of_base(rule, self, later) for rule in later.follow_rules]
        drop = self.drop_rules + [_of_base(rule, self, later) for rule in later.drop_rules]
        return replace(self, keep_rules=keep, follow_rules=follow, drop_rules=drop)


LimitsT = TypeVar("LimitsT", KeepLimits, FollowLimits)


def _of_base(rule: LimitsT, first: Instruction, later: Instruction) -> LimitsT:
    base = rule.base_url or later.base_url
    return replace(rule, base_url="" if base == first.base_url else base)


def build_instruction(base_url: str, url: str, rules: Iterable[Rule]) -> Instruction:
    """The instruction for one page.

    >>> rule = Rule(base_url="http://a.org/", rule_type="keep", from_type="top", pattern=".pdf")
    >>> instruction = build_instruction("http://a.org/", "http://a.org/b", [rule])
    >>> instruction.keep_rules[0].pattern, instruction.keep_rules[0].tag, instruction.follow_rules
    ('.pdf', 'all', [])
    """
    keep: list[KeepLimits] = []
    follow: list[FollowLimits] = []
    drop: list[KeepLimits] = []
    for rule in rules:
        limits = {
            "pattern": rule.pattern or NO_LIMIT,
            "id": rule.id or NO_LIMIT,
            "class_": rule.class_ or NO_LIMIT,
            "tag": rule.tag or NO_LIMIT,
            "filter_field": rule.filter_field,
            "filter_value": rule.filter_value,
            "base_url": "" if rule.base_url == base_url else rule.base_url,
        }
        if rule.rule_type == "follow":
            follow.append(FollowLimits(**limits, to_type=rule.to_type))
        else:
            (keep if rule.rule_type == "keep" else drop).append(KeepLimits(**limits))
    return Instruction(base_url=base_url, url=url, keep_rules=keep, follow_rules=follow, drop_rules=drop)


class Problem(Struct, frozen=True):
    """What is wrong with a table. An error costs the row; a warning only deserves a look."""

    text: str
    row: int = 0
    column: str = ""
    line: int = 0
    is_error: bool = True

    def __str__(self) -> str:
        where = [f"row {self.row}" + (f" (line {self.line})" if self.line else "")] if self.row else []
        if self.column:
            where.append(f"column {self.column}")
        return ": ".join((", ".join(where), self.text)) if where else self.text


class RawRow(NamedTuple):
    """A row as it was found: its number, its line in a file (0 if it has none) and what is in which column."""

    number: int
    line: int
    cells: Mapping[str, object]


class RawTable(NamedTuple):
    """A table as it was found, before anybody looked at it."""

    columns: Sequence[str]
    rows: Sequence[RawRow]


class RuleTable(Struct, frozen=True):
    """The rules that can be used, and what was wrong with the others."""

    rules: tuple[Rule, ...]
    problems: tuple[Problem, ...] = ()

    @property
    def bases(self) -> tuple[str, ...]:
        """The base URLs, in the order of the table."""
        return tuple(dict.fromkeys(rule.base_url for rule in self.rules))

    def from_type(self, base_url: str, name: str) -> tuple[Rule, ...]:
        """The rules for pages of one type under one base URL."""
        return tuple(rule for rule in self.rules if rule.base_url == base_url and rule.from_type == name)

    @property
    def errors(self) -> list[Problem]:
        return [problem for problem in self.problems if problem.is_error]

    @property
    def warnings(self) -> list[Problem]:
        return [problem for problem in self.problems if not problem.is_error]


def plain_column(name: str) -> str:
    """A column's name without case and separators: base_url, "Base URL" and baseURL are one."""
    return _PLAIN.sub("", name.lower())


def match_column(name: str) -> str | None:
    """The column that is meant by a name; None if there is none."""
    return COLUMN_NAMES.get(plain_column(name))


COLUMN_NAMES = {plain_column(column): column for column in (*COLUMNS, NUMBER)}


def renumbered(rules: Iterable[Rule]) -> list[Rule]:
    """The same rules with the numbers of a table that holds nothing else."""
    return [replace(rule, row=number) for number, rule in enumerate(rules, start=1)]
