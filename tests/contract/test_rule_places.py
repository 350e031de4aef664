"""Every place a rule table can be at keeps the same promises: what was written is read, however it is spelt."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from itertools import count
from pathlib import Path

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.core.errors import JobError
from dowse.core.patterns import why_not_linear
from dowse.modes.rules import rule_places
from dowse.modes.rules.rule_databases import shown_url
from dowse.modes.rules.rule_files import FORMATS, RuleFile, format_rules, parse_rules
from dowse.modes.rules.rule_places import copy_rules, live_rules, read_rules, shown_place
from dowse.modes.rules.rule_reading import read_table
from dowse.modes.rules.rule_table import COLUMNS, Rule, RuleTable
from tests.postgres import Server

BASE = "https://example.org/"
RULES = (
    Rule(base_url=BASE, rule_type="follow", from_type="base", to_type="größe", pattern="a;b,c|\\d", row=1),
    Rule(base_url=BASE, rule_type="follow", from_type="base", to_type="größe", id='x"y', row=2),
    Rule(base_url=BASE, rule_type="keep", from_type="größe", class_="a b", pattern=r"\.pdf'?$", row=3),
    Rule(base_url=BASE, rule_type="keep", from_type="größe", tag="main", filter_field="text", filter_value="'", row=4),
)
KINDS = ["csv", "json", "toml", "sqlite", "postgresql"]


@pytest.fixture
def place(tmp_path: Path, request: pytest.FixtureRequest) -> Callable[[str], str]:
    """The name of a new place of a kind."""
    numbers = count()

    def make(kind: str) -> str:
        if kind == "postgresql":
            server: Server = request.getfixturevalue("postgres_server")
            return server.database()
        number = next(numbers)
        return f"sqlite:///{tmp_path}/{number}.db" if kind == "sqlite" else f"{tmp_path}/{number}.{kind}"

    return make


@pytest.fixture
def source(tmp_path: Path) -> str:
    path = tmp_path / "source.json"
    RuleFile(str(path)).write(RULES)
    return str(path)


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_written_is_read(kind: str, place: Callable[[str], str], source: str) -> None:
    name = place(kind)
    assert copy_rules(source, name, replace=False) == (4, 0)
    assert read_rules(name) == RuleTable(RULES)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("other", KINDS)
def test_tables_go_from_every_place_to_every_other(
    kind: str, other: str, place: Callable[[str], str], source: str
) -> None:
    first, second = place(kind), place(other)
    copy_rules(source, first, replace=False)
    assert copy_rules(first, second, replace=False) == (4, 0)
    assert read_rules(second).rules == RULES


@pytest.mark.parametrize("kind", KINDS)
def test_adding_leaves_what_is_there_and_replacing_does_not(
    kind: str, place: Callable[[str], str], source: str, tmp_path: Path
) -> None:
    name = place(kind)
    copy_rules(source, name, replace=False)
    more = tmp_path / "more.csv"
    more.write_text(f"baseURL,ruleType,fromType,tag\n{BASE},keep,base,nav\n", encoding="utf-8")
    assert copy_rules(source, name, replace=False) == (0, 4)
    assert copy_rules(str(more), name, replace=False) == (1, 0)
    assert [rule.row for rule in read_rules(name).rules] == [1, 2, 3, 4, 5]
    assert copy_rules(source, name, replace=True) == (4, 0)
    assert read_rules(name).rules == RULES


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_with_an_error_is_not_copied_at_all(kind: str, place: Callable[[str], str], tmp_path: Path) -> None:
    name = place(kind)
    bad = tmp_path / "bad.csv"
    bad.write_text(f"baseURL,ruleType,fromType,pattern\n{BASE},keep,base,a\n{BASE},keep,base,(\n", encoding="utf-8")
    with pytest.raises(JobError, match=r"row 2 \(line 3\), column pattern.*nothing was written"):
        copy_rules(str(bad), name, replace=False)
    with pytest.raises(JobError):
        read_rules(name)


@pytest.mark.parametrize("kind", KINDS)
def test_a_place_without_a_table_says_how_to_make_one(kind: str, place: Callable[[str], str]) -> None:
    with pytest.raises(JobError, match=r"No such file|rules import TABLE"):
        read_rules(place(kind))


WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Zs", "Zl", "Zp"]), min_size=1, max_size=12)
NAMES = WORDS.filter(lambda word: word.lower() != "all" and word[0] not in "#.")
PATTERNS = NAMES.filter(lambda word: not why_not_linear(word))


@given(st.data(), st.sampled_from(FORMATS))
def test_any_rule_survives_any_file(data: st.DataObject, form: str) -> None:
    scope = data.draw(st.sampled_from(["id", "class_", "tag", ""]))
    limits = {scope: data.draw(st.sampled_from(["main", "my-tag"]) if scope == "tag" else NAMES)} if scope else {}
    if data.draw(st.booleans()):
        limits |= {"filter_field": "text", "filter_value": data.draw(PATTERNS)}
    rule = Rule(base_url=BASE, rule_type="follow", from_type="base", to_type=data.draw(NAMES),
                pattern=data.draw(PATTERNS), row=1, **limits)  # fmt: skip
    assert read_table(parse_rules(format_rules([rule], form), form)).rules == (rule,)


# Files as people and spreadsheets write them

ROW = f"{BASE},keep,base,,a"


@pytest.mark.parametrize(
    "text",
    [
        f"baseURL,ruleType,fromType,toType,pattern\n{ROW}\n",
        f"\ufeffbaseURL,ruleType,fromType,toType,pattern\r\n{ROW}\r\n",
        f"\n\nbaseURL;ruleType;fromType;toType;pattern;\n;;;;;\n{ROW.replace(',', ';')};\n\n",
        f"BaseUrl\tRuleType\tfrom_type\tto type\tPATTERN\n{ROW.replace(',', chr(9))}",
        f'"baseURL", "ruleType", "fromType", "toType", "pattern"\n"{BASE}", "keep", "base", "", "a"\n',
    ],
    ids=["plain", "byte order mark", "semicolons and blank lines", "tabs and other cases", "quotes after spaces"],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_csv_in_all_its_spellings(tmp_path: Path, text: str, encoding: str) -> None:
    path = tmp_path / "rules.csv"
    path.write_bytes(text.encode(encoding))
    assert read_rules(str(path)).rules == (Rule(base_url=BASE, rule_type="keep", from_type="base", pattern="a", row=1),)


@pytest.mark.parametrize(
    ("name", "body", "says"),
    [
        ("rules.csv", b"", "no rules"),
        ("rules.csv", b"baseURL,ruleType,fromType\n", "no rules"),
        ("rules.csv", b"baseURL,ruleType,fromType\nhttp://x.org/,keep,base,a,b\n", "line 2 has 5 cells"),
        ("rules.csv", b"what,is,this\n1,2,3\n", "unknown column 'what'"),
        ("rules.csv", b"baseURL\xff", "UTF-8"),
        ("rules.json", b"{", "not valid JSON"),
        ("rules.json", b"[1]", "expected a list of rules"),
        ("rules.json", b'{"rule": []}', "unknown key 'rule'"),
        ("rules.toml", b"a = ", "not valid TOML"),
        ("rules.toml", b"", "no rules"),
        ("rules.txt", b"", "ends in .csv, .json, .toml"),
    ],
)
def test_files_that_are_no_tables(tmp_path: Path, name: str, body: bytes, says: str) -> None:
    path = tmp_path / name
    path.write_bytes(body)
    with pytest.raises(JobError, match=says) as error:
        read_rules(str(path))
    assert str(path) in str(error.value)


def test_an_unknown_kind_of_database(tmp_path: Path) -> None:
    with pytest.raises(JobError, match="mysql: rules can be in"):
        read_rules("mysql://localhost/rules")


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "rules.db").write_bytes(b"not a database, but long enough to look like one" * 50)
    with pytest.raises(JobError, match="not a database"):
        read_rules(f"sqlite:///{tmp_path}/rules.db")


# Databases that others made


def test_a_table_of_other_makers_in_sqlite(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "rules.db")) as connection:
        connection.execute("CREATE TABLE rules (base_url, rule_type, from_type, to_type, class)")
        connection.execute("INSERT INTO rules VALUES (?, 'keep', 'base', NULL, 'a')", (BASE,))
        connection.commit()
    name = f"sqlite:///{tmp_path}/rules.db"
    assert read_rules(name).rules == (Rule(base_url=BASE, rule_type="keep", from_type="base", class_="a", row=1),)
    with pytest.raises(JobError, match="no column pattern"):
        copy_rules(name, name, replace=True)
    assert len(read_rules(name).rules) == 1, "a refused copy leaves what was there"


def test_a_table_of_other_makers_in_postgresql(postgres_server: Server) -> None:
    name = postgres_server.database()
    with psycopg.connect(name) as connection:
        columns = ", ".join(f'"{column}" text' for column in COLUMNS)
        connection.execute(f"CREATE TABLE rules ({columns})".encode())
        connection.execute(
            'INSERT INTO rules ("baseURL", "ruleType", "fromType") VALUES (%s, %s, %s)', (BASE, "keep", "base")
        )
    assert read_rules(name).rules == (Rule(base_url=BASE, rule_type="keep", from_type="base", row=1),)
    assert copy_rules(name, name, replace=True) == (1, 0)


def test_statements_with_the_columns_as_the_manual_writes_them_work(postgres_server: Server, source: str) -> None:
    name = postgres_server.database()
    copy_rules(source, name, replace=False)
    with psycopg.connect(name) as connection:
        connection.execute("UPDATE rules SET toType = 'x' WHERE fromType = 'base' AND number = 1")
        connection.execute("INSERT INTO rules (baseURL, ruleType, fromType) VALUES (%s, 'keep', 'base')", (BASE,))
    found = read_rules(name).rules
    assert found[0].to_type == "x"
    assert found[-1].row == 5


def test_a_server_that_is_not_there_is_named_without_its_password(tmp_path: Path) -> None:
    with pytest.raises(JobError, match=r"^postgresql://me@127.0.0.1:1/x") as error:
        read_rules("postgresql://me:secret@127.0.0.1:1/x")
    assert "secret" not in str(error.value)
    assert shown_place("rules.csv") == "rules.csv"
    assert shown_url("postgresql:///x") == "postgresql:///x"


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_database_can_have_several_tables(
    kind: str, place: Callable[[str], str], source: str, tmp_path: Path
) -> None:
    name = place(kind)
    with pytest.raises(JobError, match=r"has no table papers|there is no such file"):
        read_rules(f"{name}#papers")
    copy_rules(source, f"{name}#papers", replace=False)
    assert read_rules(f"{name}#papers").rules == RULES
    with pytest.raises(JobError, match="has no table rules"):
        read_rules(name)
    copy_rules(source, name, replace=False)
    change(name, "UPDATE papers SET pattern = 'changed'")
    assert {rule.pattern for rule in read_rules(f"{name}#papers").rules} == {"changed"}
    assert read_rules(name).rules == RULES
    assert copy_rules(source, f"{name}#papers", replace=True) == (4, 0)
    assert read_rules(f"{name}#papers").rules == RULES


def test_a_table_of_a_schema(postgres_server: Server, source: str) -> None:
    name = postgres_server.database()
    change(name, "CREATE SCHEMA mine")
    copy_rules(source, f"{name}#mine.papers", replace=False)
    assert read_rules(f"{name}#mine.papers").rules == RULES


# Rules that change


@pytest.fixture(params=["sqlite", "postgresql"])
def live(request: pytest.FixtureRequest, place: Callable[[str], str], source: str) -> tuple[str, str]:
    kind: str = request.param
    name = place(kind)
    copy_rules(source, name, replace=False)
    return kind, name


def change(name: str, statement: str) -> None:
    if name.startswith("sqlite"):
        with closing(sqlite3.connect(name.removeprefix("sqlite:///"))) as connection:
            connection.execute(statement)
            connection.commit()
    else:
        with psycopg.connect(name) as other:
            other.execute(statement.encode())


def test_a_change_is_seen_by_who_asks_next(
    live: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rule_places, "_SHARE", 0)
    _, name = live
    rules = live_rules(name, tmp_path)
    before = rules.current()
    assert before.rules == RULES
    assert rules.current() is before, "nothing changed, nothing is built anew"
    change(name, "UPDATE rules SET pattern = 'changed' WHERE number = 4")
    assert rules.current().rules[3].pattern == "changed"
    change(name, "UPDATE rules SET pattern = '(' WHERE number = 4")
    assert [rule.row for rule in rules.current().rules] == [1, 2, 3]
    assert rules.current().errors[0].row == 4
    change(name, "DELETE FROM rules")
    assert rules.current() == RuleTable(())
    rules.close()


def test_reading_anew_takes_a_small_part_of_the_time(live: tuple[str, str], tmp_path: Path) -> None:
    _, name = live
    rules = live_rules(name, tmp_path)
    reads = 0
    inner = rules._place.read_if_changed

    def counted() -> object:
        nonlocal reads
        reads += 1
        return inner()

    rules._place.read_if_changed = counted  # type: ignore[method-assign,assignment]
    for _ in range(5000):
        rules.current()
    rules.close()
    assert reads < 2500


def test_a_database_that_goes_away_leaves_the_rules_as_they_were(
    postgres_server: Server, source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rule_places, "_SHARE", 0)
    monkeypatch.setattr(rule_places, "_REST", 0.0)
    name = postgres_server.database()
    copy_rules(source, name, replace=False)
    rules = live_rules(name, tmp_path)
    before = rules.current()
    postgres_server.stop()
    try:
        assert rules.current() is before
        assert "goes on with the rules it has" in rules.trouble
    finally:
        postgres_server.start()
    assert rules.current() is before
    assert rules.trouble == ""
    rules.close()
