"""Rows to rules: what is wrong is a `Problem` that names the row, the column and the cure.

A row with an error is left out and the others are used; a warning leaves the row in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from typing import cast, get_args

from msgspec.structs import astuple

from dowse.core.errors import JobError
from dowse.core.patterns import why_not_linear
from dowse.core.urls import resolve
from dowse.modes.rules.rule_table import (
    BASE,
    COLUMN_NAMES,
    COLUMNS,
    NO_LIMIT,
    NUMBER,
    SCOPES,
    Problem,
    RawTable,
    Rule,
    RuleTable,
    RuleType,
    match_column,
    plain_column,
)

_LIMITS = ("pattern", *SCOPES, "filterField", "filterValue")
_NEEDED = ("baseURL", "ruleType", "fromType")
_TAG = re.compile(r"[A-Za-z][A-Za-z0-9-]*(?:\[[A-Za-z][\w-]*\])?|\[[A-Za-z][\w-]*\]", re.ASCII)
_MOST_NAMED = 5
_UNWRITABLE = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")


def read_table(raw: RawTable, bases: Sequence[str] = ()) -> RuleTable:
    """The rules of a table. Raises JobError where no row can be understood: the columns are wrong or there is none.

    With `bases`, rows of other base URLs are passed over, whatever is wrong with them.
    """
    columns = _match_columns(raw)
    raw = _of_bases(raw, columns, [resolve("", base) or base for base in bases]) if bases else raw
    problems: list[Problem] = []
    rules: dict[tuple[object, ...], Rule] = {}
    for number, line, cells in raw.rows:
        row = _Row(number, line, {columns[name]: value for name, value in cells.items() if name in columns})
        rule = row.read()
        problems += row.problems
        if rule is None:
            continue
        content = astuple(rule)[:-1]
        if content in rules:
            text = f"the same as row {rules[content].row}; it is left out"
            problems.append(Problem(text, number, "", line, is_error=False))
        else:
            rules[content] = rule
    if not raw.rows:
        raise JobError("the table has no rules; write at least one row with a baseURL and fromType base")
    begun, without_base = _with_base(tuple(rules.values()))
    return RuleTable(begun, (*problems, *without_base, *_warnings(begun)))


def _of_bases(raw: RawTable, columns: dict[str, str], bases: list[str]) -> RawTable:
    name = next(name for name, column in columns.items() if column == "baseURL")
    urls = [resolve("", str(row.cells.get(name) or "").strip()) for row in raw.rows]
    there = list(dict.fromkeys(url for url in urls if url))
    missing = [base for base in bases if base not in there]
    if missing:
        more = f" and {len(there) - _MOST_NAMED} more" if len(there) > _MOST_NAMED else ""
        raise JobError(f"no rule is for the base URL {missing[0]}; there are {', '.join(there[:_MOST_NAMED])}{more}")
    return RawTable(raw.columns, [row for row, url in zip(raw.rows, urls, strict=True) if url in bases])


def _match_columns(raw: RawTable) -> dict[str, str]:
    matched: dict[str, str] = {}
    for name in raw.columns:
        column = match_column(name)
        if column is None:
            if not name.strip() and not any(row.cells.get(name) for row in raw.rows):
                continue  # spreadsheets leave empty columns at the end
            near = get_close_matches(plain_column(name), COLUMN_NAMES, n=1)
            cure = f"did you mean {COLUMN_NAMES[near[0]]}?" if near else f"the columns are {', '.join(COLUMNS)}"
            raise JobError(f"unknown column {name!r}; {cure}")
        if column in matched.values():
            raise JobError(f"column {column} is there twice; leave one out")
        matched[name] = column
    missing = [column for column in _NEEDED if column not in matched.values()]
    if missing and matched:
        raise JobError(f"there is no column {missing[0]}; the columns are {', '.join(COLUMNS)}")
    return matched


class _Row:
    """One row while it is read."""

    def __init__(self, number: int, line: int, cells: dict[str, object]) -> None:
        self._number = number
        self._line = line
        self.problems: list[Problem] = []
        self._cells = {column: self._text(column, value) for column, value in cells.items() if column != NUMBER}

    def _text(self, column: str, value: object) -> str:
        if value is None:
            return ""
        if not isinstance(value, str):
            self._error(column, f"{value!r:.60} is not a text; put it between quotes")
            return ""
        if _UNWRITABLE.search(value.strip()):
            self._error(column, f"{value!r:.60} has control characters; write it in one line")
        text = value.strip()
        return "" if column in _LIMITS and text.lower() == NO_LIMIT else text

    def read(self) -> Rule | None:
        """The rule, if nothing is wrong with it."""
        self._types()
        self._links()
        self._filter()
        if any(problem.is_error for problem in self.problems):
            return None
        fields = {field: self._cells.get(column, "") for column, field in COLUMNS.items()}
        rule_type = cast(RuleType, fields.pop("rule_type").lower())
        fields["base_url"] = resolve("", fields["base_url"]) or ""
        fields["class_"] = " ".join(fields["class_"].split())
        fields["tag"] = fields["tag"].lower()
        fields["filter_field"] = fields["filter_field"].lower()
        if rule_type != "follow":
            fields["to_type"] = ""
        return Rule(**fields, rule_type=rule_type, row=self._number)

    def _types(self) -> None:
        base, kind, to_type = self._get("baseURL"), self._get("ruleType"), self._get("toType")
        url = resolve("", base)
        if not base:
            self._error("baseURL", "there is none; write where the crawl starts, such as https://example.org/")
        elif url is None or not url.startswith(("http://", "https://")):
            self._error("baseURL", f"{base!r:.80} is not a web address; write it like https://example.org/")
        elif "@" in url.partition("://")[2].partition("/")[0]:
            self._error("baseURL", "it must not hold a user name or a password; use --auth USER:PASSWORD")
        if kind.lower() not in get_args(RuleType):
            self._error("ruleType", f"{kind!r:.40} is neither keep nor follow nor drop; write one of them")
        if not self._get("fromType"):
            self._error("fromType", "there is none; write the type of the pages it is for, base for the base URL")
        if kind.lower() == "follow" and not to_type:
            self._error("toType", "follow needs one; name the type of the pages that the links lead to")
        if kind.lower() in ("keep", "drop") and to_type:
            self._warn("toType", f"{kind.lower()} visits no page, so {to_type!r:.40} means nothing; leave it empty")

    def _links(self) -> None:
        self._pattern("pattern")
        scopes = [column for column in SCOPES if self._get(column)]
        if len(scopes) > 1:
            self._error(scopes[1], f"{' and '.join(scopes)} are both set; keep one and write all for the other")
        identifier, names, tag = (self._get(column) for column in SCOPES)
        if identifier.startswith("#") or len(identifier.split()) > 1:
            self._error("id", f"{identifier!r:.60} cannot be an id; write one name without # or spaces")
        if any(name.startswith(".") for name in names.split()):
            self._error("class", f"{names!r:.60}: write class names without dots and with spaces between them")
        if tag and not _TAG.fullmatch(tag):
            self._error("tag", f"{tag!r:.60} is not the name of a tag; write it like main or div[data-href]")

    def _filter(self) -> None:
        field, value = self._get("filterField"), self._get("filterValue")
        if field and not value:
            self._error("filterValue", f"there is none for {field!r:.40}; write what to look for, or . for anything")
        if value and not field:
            self._error("filterField", f"there is none; say where {value!r:.40} is to be found: text, title, rel ...")
        self._pattern("filterValue")

    def _pattern(self, column: str) -> None:
        pattern = self._get(column)
        if pattern and (trouble := why_not_linear(pattern)):
            self._error(column, trouble)

    def _get(self, column: str) -> str:
        return self._cells.get(column, "")

    def _error(self, column: str, text: str) -> None:
        self.problems.append(Problem(text, self._number, column, self._line))

    def _warn(self, column: str, text: str) -> None:
        self.problems.append(Problem(text, self._number, column, self._line, is_error=False))


def _with_base(rules: tuple[Rule, ...]) -> tuple[tuple[Rule, ...], list[Problem]]:
    """The rules of those base URLs that have one to begin with."""
    begun = {rule.base_url for rule in rules if rule.from_type == BASE}
    problems: dict[str, Problem] = {}
    for rule in rules:
        if rule.base_url not in begun and rule.base_url not in problems:
            text = f"no rule for {rule.base_url} starts there; give at least one of them fromType {BASE}"
            problems[rule.base_url] = Problem(text, rule.row, "fromType")
    return tuple(rule for rule in rules if rule.base_url in begun), list(problems.values())


def _warnings(rules: tuple[Rule, ...]) -> Iterator[Problem]:
    """Rules that can never fire, pages that no rule is for, and walks in a circle."""
    by_base: dict[str, list[Rule]] = {}
    for rule in rules:
        by_base.setdefault(rule.base_url, []).append(rule)
    for own in by_base.values():
        steps = {(rule.from_type, rule.to_type) for rule in own if rule.rule_type == "follow"}
        reached = _reached(BASE, steps) | {BASE}
        known = {rule.from_type for rule in own}
        kinds = {(rule.from_type, rule.rule_type) for rule in own}
        for rule in own:
            if rule.from_type not in reached:
                yield _warning(rule, "fromType", f"nothing leads to pages of type {rule.from_type!r:.40}", reached)
            elif rule.rule_type == "drop" and (rule.from_type, "keep") not in kinds:
                text = f"no rule keeps links of pages of type {rule.from_type!r:.40}, so there is none to drop"
                yield _warning(rule, "fromType", text, {name for name, kind in kinds if kind == "keep"})
            elif rule.rule_type == "follow" and rule.to_type not in known:
                text = f"no rule is for pages of type {rule.to_type!r:.40}, so they are visited for nothing"
                yield _warning(rule, "toType", text, known)
        for rule in own:
            if rule.rule_type == "follow" and rule.from_type in _reached(rule.to_type, steps) | {rule.to_type}:
                text = f"from {rule.from_type} it leads back to {rule.from_type}, which ends when nothing new is found"
                yield Problem(text, rule.row, "toType", is_error=False)


def _warning(rule: Rule, column: str, text: str, names: Iterable[str]) -> Problem:
    name = getattr(rule, COLUMNS[column])
    near = {other.lower(): other for other in names}.get(name.lower())
    found = [near] if near else get_close_matches(name, sorted(names), n=1)
    cure = f"did you mean {found[0]}?" if found else "look for a misspelt name"
    return Problem(f"{text}; {cure}", rule.row, column, is_error=False)


def _reached(start: str, steps: set[tuple[str, str]]) -> set[str]:
    """The page types that follow rules lead to from one of them."""
    found: set[str] = set()
    waiting = [start]
    while waiting:
        here = waiting.pop()
        new = {there for source, there in steps if source == here} - found
        found |= new
        waiting += new
    return found
