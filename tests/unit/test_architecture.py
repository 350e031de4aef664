"""The house stays in order: files that are named exist, a mode stays in its folder, and nothing grows too large.

Each guard is a function over texts, so that a made-up one can show that it fails. Lists of exceptions only get shorter:
one that is not needed any more fails too.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from dowse.modes.registry import NAMES

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "dowse"
MODES = "modes/"

PAGES = sorted([*(ROOT / "docs").glob("*.md"), *(ROOT / "docs" / "ways").glob("*.md"), ROOT / "CONTRIBUTING.md"])

FIXED_NAMES = {
    "__init__.py", "bookkeeping.py", "briefing.py", "exhibits.py", "live_outputs.py", "mode.py", "options.py",
    "ranker.py", "results.py", "strategy.py", "tables.py", "view.py",
}  # fmt: skip
"""What files of a mode's folder are called, the same in each."""

MAY_IMPORT = {
    "cli/rule_commands.py": "dowse rules check, import and learn are about rule tables, not crawls of any mode",
    "cli/rule_output.py": "rules are shown as they are written",
    "rule_learning/clicked_links.py": "what is made of clicks is a row of a rule table",
    "rule_learning/evaluation.py": "a table that was learned is tried by the plan that a rule crawl would make of it",
    "rule_learning/seen_pages.py": "what is learned is a rule table",
    "rule_learning/proposals.py": "what is learned is a rule table",
    "rule_learning/pruning.py": "what is learned is a rule table",
    "web/builder_api.py": "rows of a rule table are made on a page",
    "web/builder_pages.py": "the table that is edited has the columns of a rule table",
    "web/builder_values.py": "the rows that are sent have the columns of a rule table",
    "web/named_places.py": "a rule table can be in a database, whose name is read in one way only",
    "web/rule_table_api.py": "rule tables are saved and opened at the places that they can be at",
    "workflows/apply_rules.py": "an instruction is made of rules",
    "workflows/built_tables.py": "a rule table is looked at while it is made",
    "workflows/check_rules.py": "a rule table is tried out by a small crawl by rules",
    "workflows/learn_rules.py": "what is learned is a rule table",
}
"""Files outside of modes/ that import from the folder of one mode, each with its reason."""

MAY_NAME = {
    "cli/demo.py": "the demonstration shows a crawl by rules beside one of the whole site",
    "cli/main.py": "dowse demo is a crawl by rules and takes its options",
    "cli/mirror_command.py": "dowse mirror is a crawl of whole sites and takes its options",
    "cli/rule_commands.py": "dowse rules check and learn are about rule tables, not crawls of any mode",
    "web/demo_site.py": "the demonstration shows a crawl by rules beside one of the whole site",
    "workflows/built_tables.py": "a rule table that is being made is tried out by a small crawl by rules",
    "workflows/check_rules.py": "a rule table is tried out by a small crawl by rules",
    "workflows/exploration.py": "rules are learned from crawls that explore",
    "workflows/fetch_page.py": "one page is asked for with the options of the plainest job",
    "workflows/learn_rules.py": "rules are learned from crawls that explore",
}
"""Files outside of modes/ that ask for a mode by its name, each with its reason."""

MAY_READ_OPTIONS = {
    "workflows/exploration.py": "it looks for the links that the options of its own crawls name",
}
"""Files outside of modes/ that read an option of one mode, each with its reason."""

MOST_LINES = 300
MOST_LINES_OF_A_FUNCTION = 50

WRITTEN_BY_A_PROGRAM = {"python/call_keywords.py"}
"""Files that nobody edits; a line for each option is as long as it has to be."""

LONG_FILES: dict[str, int] = {}
"""Files above the limit, and how long each may be at most. Lower a number when its file has become shorter."""

LONG_FUNCTIONS: dict[str, int] = {}
"""The same for functions, as `folder/file.py function`."""

ONLY_SQLITE = re.compile(
    r"\bOR (?:REPLACE|IGNORE)\b|\browid\b|\bINDEXED BY\b|\bCROSS JOIN\b|\bWITHOUT ROWID\b|\bGLOB\b|\bIS \?|\?\d|"
    r"\b(?:iif|ifnull|instr|printf|round|typeof|strftime|json_\w+|total)\(|\bsum\([^()]*[<>=]|\bPRAGMA\b|\bpragma_|"
    r"\bsqlite_master\b"
)
"""What only SQLite understands, or understands in its own way."""

NUMBERED_STATE = re.compile(r"\bstate (?:=|<>|<|>|<=|>=|IN|NOT IN) ?\(?\d")

MAY_IMPORT_SQLITE = {
    "export/cdxj.py": "it sorts the lines of an index on disk",
    "modes/rules/rule_databases.py": "it reads the databases of users",
    "store/sqlite.py": "it is the driver",
}
"""Files that know the library of SQLite, each with its reason."""

MAY_SPELL = {
    "modes/rules/rule_databases.py": "it reads the databases of users",
    "store/fragments.py": "it is where the few are named that are needed",
    "store/postgres/dialect.py": "it makes functions of these names for PostgreSQL",
    "store/search/fts5_index.py": "it is the index of SQLite, behind a seam of its own",
    "store/sqlite.py": "it is the driver",
}
"""Files with statements that only SQLite understands, each with its reason."""


@cache
def sources() -> dict[str, str]:
    """The text of every source file, by its path from src/dowse."""
    return {path.relative_to(SOURCE).as_posix(): path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.py")}


def is_of_one_mode(path: str) -> bool:
    return path.startswith(MODES) and path.count("/") > 1


# Files that are named exist


def named_files(text: str) -> set[str]:
    return set(re.findall(r"`((?:[\w.-]+/)*[\w-]+\.(?:py|c))`", text))


def exists(name: str) -> bool:
    return name in FIXED_NAMES or any((folder / name).is_file() for folder in (ROOT, SOURCE))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_file_that_a_page_names_exists(page: Path) -> None:
    assert [name for name in sorted(named_files(page.read_text(encoding="utf-8"))) if not exists(name)] == []


def test_a_page_that_names_a_missing_file_is_found() -> None:
    named = named_files(
        "`engine/loop.py` calls `engine/wheel.py`, `parse/_scan.c` and `tests/servers.py`; see `mode.py`"
    )
    assert [name for name in named if not exists(name)] == ["engine/wheel.py"]


def paths_in_comments(text: str) -> set[str]:
    return set(re.findall(r"(?<![\w/.-])((?:[a-z_]+/)+\w+\.py)\b", text))


def test_every_path_in_a_source_file_exists() -> None:
    named = {(path, name) for path, text in sources().items() for name in paths_in_comments(text)}
    assert sorted((path, name) for path, name in named if not exists(name)) == []


def files_in_comments(text: str) -> set[str]:
    return set(re.findall(r"(?<![\w/.-])([a-z_]+\.py)\b(?!:)", text))


def test_every_file_named_in_a_source_file_exists() -> None:
    there = {path.rsplit("/", 1)[-1] for path in sources()}
    named = {(path, name) for path, text in sources().items() for name in files_in_comments(text)}
    assert sorted((path, name) for path, name in named if name not in there) == []


def test_a_path_to_nowhere_in_a_source_file_is_found() -> None:
    assert files_in_comments('"""See urls.py, wheels.py; --follow shop.py:keep."""') == {"urls.py", "wheels.py"}
    named = paths_in_comments('"""See core/urls.py and (core/wheels.py)."""')
    assert [name for name in named if not exists(name)] == ["core/wheels.py"]


# The layers of the manual are those of the contract


def drawn_layers(page: str) -> list[str]:
    drawing = page.partition("\n## Layers\n")[2].partition("\n## ")[0]
    return [re.split(r" {2,}", line.strip())[0] for line in drawing.splitlines() if line.startswith("    ")]


def test_the_layers_are_drawn_as_they_are_checked() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = next(each for each in settings["tool"]["importlinter"]["contracts"] if each["type"] == "layers")["layers"]
    assert drawn_layers((ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")) == layers
    assert drawn_layers("\n## Layers\n\n    cli   commands\n    a | b    parts\n\n## Next\n") == ["cli", "a | b"]


# No two files have one name


def files_of_one_name(paths: Iterable[str]) -> dict[str, list[str]]:
    by_name: dict[str, list[str]] = defaultdict(list)
    for path in paths:
        folder, _, name = path.rpartition("/")
        if name != "__init__.py" and not (is_of_one_mode(path) and name in FIXED_NAMES):
            by_name[name].append(folder)
    return {name: sorted(folders) for name, folders in by_name.items() if len(folders) > 1}


def test_no_two_files_have_one_name() -> None:
    assert files_of_one_name(sources()) == {}


def test_two_files_of_one_name_are_found() -> None:
    paths = [
        "modes/a/mode.py",
        "modes/b/mode.py",
        "modes/mode.py",
        "modes/a/words.py",
        "score/words.py",
        "score/one.py",
    ]
    assert files_of_one_name(paths) == {"words.py": ["modes/a", "score"]}


# A mode stays in its folder


def imported(text: str) -> Iterator[str]:
    """Every module that a file imports, also within functions; a name that is taken from a module counts as one."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{each.name}" for each in node.names)


def importers_of_a_mode(files: Mapping[str, str], names: Collection[str]) -> set[str]:
    packages = {f"dowse.modes.{name}" for name in names}
    return {
        path
        for path, text in files.items()
        if not path.startswith(MODES) and any(".".join(each.split(".")[:3]) in packages for each in imported(text))
    }


def test_nothing_outside_imports_from_the_folder_of_one_mode() -> None:
    assert importers_of_a_mode(sources(), NAMES) == MAY_IMPORT.keys()


@pytest.mark.parametrize(
    "line",
    [
        "import dowse.modes.focus.options",
        "from dowse.modes.focus import options",
        "from dowse.modes import focus",
        "def later():\n    from dowse.modes.focus.options import FocusOptions",
    ],
)
def test_such_an_import_is_found(line: str) -> None:
    assert importers_of_a_mode({"app.py": line, "modes/focus/mode.py": line}, NAMES) == {"app.py"}


def test_what_all_modes_share_may_be_imported() -> None:
    assert not importers_of_a_mode({"app.py": "from dowse.modes.registry import find_mode\nimport dowse.modes"}, NAMES)


def names_of_modes(text: str, names: Collection[str]) -> Iterator[str]:
    """Modes asked for by name: `make_job("focus")`, `find_mode("focus")`, `mode="focus"`, `job.mode == "focus"`."""
    for node in ast.walk(ast.parse(text)):
        asked: list[ast.AST] = []
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            asked = [*node.args[:1]] if called in ("make_job", "find_mode") else []
            asked += [each.value for each in node.keywords if each.arg in ("mode", "name")]
        elif isinstance(node, ast.Compare) and any(is_mode(each) for each in (node.left, *node.comparators)):
            asked = [inner for each in (node.left, *node.comparators) for inner in ast.walk(each)]
        elif isinstance(node, ast.Match) and is_mode(node.subject):
            asked = [each.value for each in ast.walk(node) if isinstance(each, ast.MatchValue)]
        yield from (str(each.value) for each in asked if isinstance(each, ast.Constant) and each.value in names)


def is_mode(expression: ast.expr) -> bool:
    """Whether it is the mode of a job, or its name."""
    if isinstance(expression, ast.Attribute):
        return expression.attr == "mode" or (expression.attr == "name" and is_mode(expression.value))
    return isinstance(expression, ast.Name) and expression.id == "mode"


def those_who_name_a_mode(files: Mapping[str, str], names: Collection[str]) -> set[str]:
    return {path for path, text in files.items() if not path.startswith(MODES) and any(names_of_modes(text, names))}


def test_nothing_outside_asks_for_a_mode_by_name() -> None:
    assert those_who_name_a_mode(sources(), NAMES) == MAY_NAME.keys()


@pytest.mark.parametrize(
    "line",
    [
        'make_job("focus", url)',
        'config.make_job("focus", url)',
        'find_mode("focus")',
        'click.command(cls=JobCommand, mode="focus")',
        'if job.mode == "focus": pass',
        'if crawl.mode.name in ("focus", "files"): pass',
        'match job.mode:\n    case "focus": pass',
    ],
)
def test_such_a_name_is_found(line: str) -> None:
    assert those_who_name_a_mode({"app.py": line, "modes/focus/mode.py": line}, NAMES) == {"app.py"}


def test_other_uses_of_such_a_word_are_not() -> None:
    text = 'make_job(job.mode, ())\nfound.get("rules", [])\nfind_mode(name)\nif kind == "files": pass\nopen(mode="r")'
    assert not those_who_name_a_mode({"app.py": text}, NAMES)


def those_who_read_options(files: Mapping[str, str]) -> set[str]:
    """Files with `job.options.NAME`, or a check of what type `job.options` has."""
    found = set()
    for path, text in files.items():
        for node in ast.walk(ast.parse(text)):
            inner = node.value if isinstance(node, ast.Attribute) else None
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("isinstance", "getattr", "hasattr"):
                inner = node.args[0]
            if isinstance(inner, ast.Attribute) and inner.attr == "options" and not path.startswith(MODES):
                found.add(path)
    return found


def test_nothing_outside_reads_an_option_of_a_mode() -> None:
    assert those_who_read_options(sources()) == MAY_READ_OPTIONS.keys()


@pytest.mark.parametrize(
    "line", ["job.options.topic", "isinstance(self.job.options, FocusOptions)", 'getattr(job.options, "topic")']
)
def test_such_a_reader_is_found(line: str) -> None:
    assert those_who_read_options({"app.py": line, "modes/focus/mode.py": line}) == {"app.py"}
    assert not those_who_read_options({"app.py": "asdict(job.options)\njob.fetch.timeout"})


# Nothing grows too large


def too_long(lengths: Mapping[str, int], limit: int, exceptions: Mapping[str, int]) -> dict[str, str]:
    found = {}
    for name, length in lengths.items():
        if length > exceptions.get(name, limit):
            found[name] = f"has {length} lines, and may have {exceptions.get(name, limit)}"
        elif name in exceptions and length <= limit:
            found[name] = f"has {length} lines now: take it off the list"
    return found | {name: "is not there: take it off the list" for name in exceptions if name not in lengths}


def function_lengths(files: Mapping[str, str]) -> dict[str, int]:
    lengths: dict[str, int] = {}
    for path, text in files.items():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = (node.end_lineno or node.lineno) - node.lineno + 1
                name = f"{path} {node.name}"
                lengths[name] = max(length, lengths.get(name, 0))
    return lengths


def test_files_are_short() -> None:
    lengths = {path: len(text.splitlines()) for path, text in sources().items() if path not in WRITTEN_BY_A_PROGRAM}
    assert too_long(lengths, MOST_LINES, LONG_FILES) == {}


def test_functions_are_short() -> None:
    assert too_long(function_lengths(sources()), MOST_LINES_OF_A_FUNCTION, LONG_FUNCTIONS) == {}


def test_what_is_too_long_is_found() -> None:
    lengths = {"short": 10, "long": 11, "allowed": 20, "grown": 21, "shorter": 10}
    found = too_long(lengths, 10, {"allowed": 20, "grown": 20, "shorter": 20, "gone": 20})
    assert found.keys() == {"long", "grown", "shorter", "gone"}


def test_functions_are_measured_with_those_inside_of_them() -> None:
    inner = "        def two():\n            pass\n"
    text = f"class A:\n    async def one(self):\n{inner}        return two\n\ndef two(): pass\n"
    assert function_lengths({"a.py": text}) == {"a.py one": 4, "a.py two": 2}


# The database is behind its seam; statements name their states, and keep to what other databases have


def those_who_import(module: str, files: Mapping[str, str]) -> set[str]:
    return {path for path, text in files.items() if module in imported(text)}


def test_only_the_driver_knows_the_library_of_the_database() -> None:
    assert those_who_import("sqlite3", sources()) == MAY_IMPORT_SQLITE.keys()
    others = {path for path in those_who_import("psycopg", sources()) if not path.startswith("store/postgres/")}
    assert others == {"modes/rules/rule_databases.py"}
    assert those_who_import("sqlite3", {"a.py": "def later():\n    from sqlite3 import connect"}) == {"a.py"}


def texts_in(source: str) -> Iterator[str]:
    """The texts of a program, and the fixed parts of those it makes; no descriptions."""
    tree = ast.parse(source)
    descriptions = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in descriptions:
            yield node.value


def those_who_write(pattern: re.Pattern[str], files: Mapping[str, str]) -> set[str]:
    return {path for path, source in files.items() if any(map(pattern.search, texts_in(source)))}


def of_the_store() -> dict[str, str]:
    return {path: text for path, text in sources().items() if path.startswith(("store/", MODES))}


def test_statements_name_their_states() -> None:
    assert those_who_write(NUMBERED_STATE, of_the_store()) == set()


def test_statements_keep_to_what_other_databases_have() -> None:
    assert those_who_write(ONLY_SQLITE, of_the_store()) == MAY_SPELL.keys()


@pytest.mark.parametrize(
    ("pattern", "statement"),
    [
        (NUMBERED_STATE, '"SELECT id FROM task WHERE task.state = 0"'),
        (NUMBERED_STATE, 'f"{start} WHERE state IN (0, 1)"'),
        (ONLY_SQLITE, '"INSERT OR REPLACE INTO meta VALUES (?, ?)"'),
        (ONLY_SQLITE, '"SELECT sum(state > 2) FROM task"'),
        (ONLY_SQLITE, 'f"SELECT instr({name}, ?) FROM task"'),
        (ONLY_SQLITE, '"UPDATE task SET url = ?1"'),
    ],
)
def test_a_statement_of_that_kind_is_found(pattern: re.Pattern[str], statement: str) -> None:
    files = {
        "a.py": f"query = {statement}",
        "b.py": f'"""{statement[1:-1]}"""\nquery = "SELECT 1 FROM task WHERE state = ?"',
    }
    assert those_who_write(pattern, files) == {"a.py"}
