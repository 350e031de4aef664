"""Every column of a rule table: what is taken, what is refused, and what the message says of it."""

from __future__ import annotations

import json
from collections.abc import Mapping

import msgspec
import pytest

from dowse.core.errors import JobError
from dowse.modes.rules.rule_reading import read_table
from dowse.modes.rules.rule_table import (
    COLUMNS,
    RawRow,
    RawTable,
    Rule,
    RuleTable,
    build_instruction,
    renumbered,
)

FOLLOW = {"baseURL": "https://example.org/", "ruleType": "follow", "fromType": "base", "toType": "top"}
KEEP = {"baseURL": "https://example.org/", "ruleType": "keep", "fromType": "top", "pattern": r"\.pdf$"}


def table(*rows: Mapping[str, object], columns: list[str] | None = None) -> RuleTable:
    names = columns or list(dict.fromkeys(name for row in rows for name in row))
    return read_table(RawTable(names, [RawRow(number, number + 1, row) for number, row in enumerate(rows, 1)]))


def test_a_table_of_two_rules() -> None:
    found = table(FOLLOW, KEEP)
    assert found.rules == (
        Rule(base_url="https://example.org/", rule_type="follow", from_type="base", to_type="top", row=1),
        Rule(base_url="https://example.org/", rule_type="keep", from_type="top", pattern=r"\.pdf$", row=2),
    )
    assert found.problems == ()
    assert found.bases == ("https://example.org/",)
    assert found.from_type("https://example.org/", "top") == found.rules[1:]
    assert found.from_type("https://example.com/", "top") == ()


def test_all_and_nothing_are_no_limit_in_any_case() -> None:
    limits = {"pattern": "all", "id": "ALL", "class": " All ", "tag": "", "filterField": "all", "filterValue": None}
    [follow, _] = table({**FOLLOW, **limits}, KEEP).rules
    assert (follow.pattern, follow.id, follow.class_, follow.tag) == ("", "", "", "")
    assert (follow.filter_field, follow.filter_value) == ("", "")


def test_names_and_cases_as_people_write_them() -> None:
    row = {"Base URL": " https://EXAMPLE.org ", "rule_type": "Follow", "FROMTYPE": "base", "to-type": "top"}
    [follow] = table({**row, "Class": " a   b ", "filter field": "Title", "filterVALUE": "x"}).rules
    assert follow.base_url == "https://example.org/"
    assert follow.rule_type == "follow"
    assert follow.class_ == "a b"
    assert follow.filter_field == "title"


def test_a_rule_is_written_as_it_was_read() -> None:
    rules = table(FOLLOW, {**KEEP, "class": "a b", "filterField": "text", "filterValue": "x, y"}).rules
    assert table(*(rule.cells() for rule in rules)).rules == rules
    assert list(rules[0].cells()) == list(COLUMNS)
    assert rules[0].cells()["pattern"] == "all"


@pytest.mark.parametrize(
    ("column", "value", "says"),
    [
        ("baseURL", "", "write where the crawl starts"),
        ("baseURL", "example", "write it like https://example.org/"),
        ("baseURL", "ftp://example.org/", "write it like https://example.org/"),
        ("baseURL", "https://me:secret@example.org/", "--auth"),
        ("ruleType", "", "neither keep nor follow"),
        ("ruleType", "kepe", "neither keep nor follow"),
        ("fromType", " ", "base for the base URL"),
        ("fromType", "a\nb", "control characters"),
        ("toType", "", "follow needs one"),
        ("pattern", "(", "not a regular expression"),
        ("pattern", "*.pdf", "not a regular expression"),
        ("pattern", r"(?<!x)\.pdf", "without look-around"),
        ("pattern", r"(a)\1", "back references"),
        ("pattern", 7, "is not a text"),
        ("id", "#main", "without #"),
        ("id", "a b", "without # or spaces"),
        ("class", ".list", "without dots"),
        ("tag", "<main>", "write it like main"),
        ("tag", "div.list", "not the name of a tag"),
        ("filterField", "text", "or . for anything"),
        ("filterValue", "text", "say where"),
    ],
)
def test_a_wrong_cell_is_named_with_its_row_column_and_cure(column: str, value: object, says: str) -> None:
    found = table(FOLLOW, KEEP, {**FOLLOW, "toType": "other", column: value}, {**KEEP, "fromType": "other"})
    wrong = {"filterField": "filterValue", "filterValue": "filterField"}.get(column, column)
    [problem] = found.errors
    assert (problem.row, problem.line, problem.column) == (3, 4, wrong)
    assert says in problem.text
    assert str(problem).startswith(f"row 3 (line 4), column {wrong}: ")
    assert [rule.row for rule in found.rules] == [1, 2, 4], "the other rows go on"


def test_a_pattern_that_would_backtrack_for_ever_is_taken_because_it_cannot_here() -> None:
    assert table({**FOLLOW, "pattern": r"(\w+-?)+$"}, KEEP).errors == []


def test_two_scopes_in_one_row() -> None:
    [problem] = table(FOLLOW, KEEP, {**KEEP, "id": "x", "tag": "main"}).errors
    assert (problem.row, problem.column) == (3, "tag")
    assert "id and tag are both set" in problem.text


def test_every_problem_of_a_row_is_told_at_once() -> None:
    found = table(FOLLOW, {**FOLLOW, "toType": "", "pattern": "(", "tag": "?"})
    assert [problem.column for problem in found.errors] == ["toType", "pattern", "tag"]


def test_a_base_without_a_rule_to_begin_with_is_left_out_and_the_others_go_on() -> None:
    other = {**KEEP, "baseURL": "https://example.com/"}
    found = table(FOLLOW, KEEP, other, {**other, "fromType": "Base"})
    assert found.bases == ("https://example.org/",)
    [problem] = found.errors
    assert (problem.row, problem.column) == (3, "fromType")
    assert "https://example.com/" in problem.text


@pytest.mark.parametrize(
    ("columns", "says"),
    [
        ([*FOLLOW, "patern"], "unknown column 'patern'; did you mean pattern?"),
        ([*FOLLOW, "colour"], "unknown column 'colour'; the columns are baseURL"),
        (["baseURL", "fromType"], "there is no column ruleType"),
        ([*FOLLOW, "base_url"], "column baseURL is there twice"),
    ],
)
def test_wrong_columns_are_refused_as_a_whole(columns: list[str], says: str) -> None:
    with pytest.raises(JobError, match=says.replace("?", r"\?")):
        table(FOLLOW, columns=columns)


def test_an_empty_column_at_the_end_is_what_spreadsheets_leave() -> None:
    assert table({**FOLLOW, "": ""}, KEEP).problems == ()


def test_an_empty_table_is_refused() -> None:
    with pytest.raises(JobError, match="no rules"):
        table(columns=list(FOLLOW))


def test_a_duplicated_row_is_left_out_with_a_warning() -> None:
    found = table(FOLLOW, KEEP, {**KEEP, "class": "all"})
    assert len(found.rules) == 2
    assert [str(problem) for problem in found.warnings] == ["row 3 (line 4): the same as row 2; it is left out"]


@pytest.mark.parametrize(
    ("rows", "row", "says"),
    [
        ([FOLLOW, KEEP, {**KEEP, "fromType": "Top"}], 3, "nothing leads to pages of type 'Top'; did you mean top?"),
        ([FOLLOW, KEEP, {**KEEP, "fromType": "elsewhere"}], 3, "nothing leads to pages of type 'elsewhere'"),
        ([FOLLOW, {**KEEP, "fromType": "base"}], 1, "no rule is for pages of type 'top'"),
        ([FOLLOW, {**KEEP, "toType": "x"}], 2, "keep visits no page"),
        ([FOLLOW, KEEP, {**KEEP, "ruleType": "drop", "toType": "x"}], 3, "drop visits no page"),
        ([FOLLOW, KEEP, {**KEEP, "ruleType": "drop", "fromType": "base"}], 3, "so there is none to drop"),
        ([FOLLOW, KEEP, {**FOLLOW, "fromType": "top"}], 3, "leads back to top"),
        ([{**FOLLOW, "toType": "base"}], 1, "leads back to base"),
    ],
)
def test_warnings_leave_the_row_in(rows: list[dict[str, str]], row: int, says: str) -> None:
    found = table(*rows)
    assert found.errors == []
    assert len(found.rules) == len(rows)
    [problem] = found.warnings
    assert problem.row == row
    assert says in problem.text


def test_a_circle_of_two_types_is_told_of_both_rules() -> None:
    there = {**FOLLOW, "fromType": "top", "toType": "next"}
    back = {**FOLLOW, "fromType": "next", "toType": "top"}
    assert [problem.row for problem in table(FOLLOW, there, back).warnings] == [2, 3]


def test_rules_are_numbered_anew() -> None:
    assert [rule.row for rule in renumbered(table(FOLLOW, KEEP).rules[1:])] == [1]


def test_drop_rules_are_in_the_instruction_where_there_are_any() -> None:
    rules = table(FOLLOW, KEEP, {**KEEP, "ruleType": "Drop", "pattern": "/terms"}).rules
    instruction = build_instruction(rules[0].base_url, "http://a.org/b", rules)
    assert [limits.pattern for limits in instruction.drop_rules] == ["/terms"]
    assert len(instruction.joined(instruction).drop_rules) == 2
    plain = build_instruction(rules[0].base_url, "http://a.org/b", rules[:2])
    assert "dropRules" not in json.loads(msgspec.json.encode(plain))
