"""Regular expressions see what strangers write, so none of them may take more than linear time on anything.

Nobody has to register a pattern: all modules are loaded and all their compiled patterns collected, and the source is
looked through for those that are compiled on the way. Each is attacked with strings made of its own parts
(`tests/attacks.py`), by the methods it is used with.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from functools import cache
from types import ModuleType
from typing import Any, NamedTuple

import pytest
import regex

import dowse
from tests.attacks import slow_attack

_METHODS = frozenset({"match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer"})
_ENGINES = frozenset({"re", "regex"})

# Patterns that may be slow, for they read what the user of this machine wrote, or what a library says.
NOT_OF_STRANGERS = {
    "dowse.modes.focus.topic_check._NO_WEIGHT": "keywords of the job",
    "dowse.core.steps._FORM": "steps of the job",
    "dowse.core.steps._TIMES": "steps of the job",
    "dowse.workflows.doctor._REQUIREMENT": "what packages are installed",
    "dowse.extract.field_specs._FIELD": "fields of the job",
}

# Where patterns are made that stand in no source, and what keeps each in bounds.
MADE_ON_THE_WAY = {
    "dowse.core.http_heads": "a name of ours at the start of a line",
    "dowse.engine.twin_comparison": "plain texts, none of which repeats anything",
    "dowse.core.patterns": "the user's: RE2, else regex with a deadline",
    "dowse.extract.selecting.selectors": "the user's: regex with a deadline",
    "dowse.extract.relative_dates": "words of a library, searched in texts whose length has a limit",
    "dowse.rule_learning.explored_pages": "learned from examples, searched in addresses, whose length has a limit",
    "dowse.workflows.watch.notification": "words of the user, each looked for as it is written",
    "dowse.score.snippets": "words of the user, each looked for as it is written",
    "dowse.core.url_patterns": "learned from examples, searched in addresses, whose length has a limit",
    "dowse.rule_learning.next_pages": "learned from examples, searched in addresses, whose length has a limit",
    "dowse.modes.forum.form_types": "learned from examples, searched in addresses, whose length has a limit",
    "dowse.rule_learning.pruning": "learned from examples, searched in addresses, whose length has a limit",
}


class Found(NamedTuple):
    name: str
    pattern: Any
    methods: frozenset[str]


@cache
def _modules() -> tuple[ModuleType, ...]:
    names = [info.name for info in pkgutil.walk_packages(dowse.__path__, "dowse.") if "__main__" not in info.name]
    return tuple(module for name in names if str((module := importlib.import_module(name)).__file__).endswith(".py"))


@cache
def _patterns() -> tuple[Found, ...]:
    """Every pattern of the program, where it was compiled, and how it is used anywhere."""
    found: dict[int, Found] = {}
    used: dict[int, set[str]] = {}
    for module in _modules():
        for name, value in vars(module).items():
            for number, pattern in enumerate(_compiled(value)):
                mark = f"[{number}]" if isinstance(value, tuple | list | dict) else ""
                found.setdefault(id(pattern), Found(f"{module.__name__}.{name}{mark}", pattern, frozenset()))
        for name, method in _uses(module):
            value = vars(module).get(name)
            used.setdefault(id(value), set()).add(method)
    of_modules = [one._replace(methods=frozenset(used.get(id(one.pattern), {"finditer"}))) for one in found.values()]
    inline = [one for module in _modules() for one in _inline(module)]
    return (*of_modules, *inline)


def _compiled(value: object) -> Iterator[object]:
    if isinstance(value, re.Pattern | regex.Pattern):
        yield value
    elif isinstance(value, tuple | list | dict):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _compiled(part)


def _uses(module: ModuleType) -> Iterator[tuple[str, str]]:
    for node in ast.walk(_tree(module)):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.attr in _METHODS:
            yield node.value.id, node.attr


def _inline(module: ModuleType) -> Iterator[Found]:
    """Patterns that stand in a call, such as `re.sub("a+", ...)` in a function."""
    for call in _calls(module):
        text = call.args[0]
        if isinstance(text, ast.Constant) and isinstance(call.func, ast.Attribute) and call.func.attr in _METHODS:
            engine = {"re": re, "regex": regex}[call.func.value.id]  # type: ignore[attr-defined]
            name = f"{module.__name__}:{call.lineno}"
            yield Found(name, engine.compile(text.value), frozenset({call.func.attr}))


def _calls(module: ModuleType) -> Iterator[ast.Call]:
    """Calls of functions that take a pattern first."""
    for node in ast.walk(_tree(module)):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
            continue
        owner = node.func.value
        if isinstance(owner, ast.Name) and owner.id in _ENGINES and node.func.attr in {*_METHODS, "compile"}:
            yield node


@cache
def _tree(module: ModuleType) -> ast.Module:
    return ast.parse(inspect.getsource(module))


@pytest.mark.timeout(300)  # thousands of attacks on each, a few seconds on an idle machine
@pytest.mark.parametrize(
    "found", [one for one in _patterns() if one.name not in NOT_OF_STRANGERS], ids=lambda f: f.name
)
def test_the_time_of_a_pattern_is_linear(found: Found) -> None:
    slow = slow_attack(found.pattern, found.methods)

    assert slow is None, f"{found.name} {sorted(found.methods)}: {slow}"


def test_patterns_that_are_excused_are_there() -> None:
    assert set(NOT_OF_STRANGERS) <= {one.name for one in _patterns()}


def test_no_pattern_is_made_where_nobody_bounds_it() -> None:
    """One that is put together in a function cannot be measured here, so it has to be said what keeps it in bounds."""
    making = set()
    for module in _modules():
        at_top = {id(node) for top in _tree(module).body if isinstance(top, ast.Assign) for node in ast.walk(top)}
        making |= {module.__name__ for call in _calls(module) if id(call) not in at_top and not _is_text(call.args[0])}

    assert making == set(MADE_ON_THE_WAY)


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant)


@pytest.mark.parametrize(
    ("pattern", "method"),
    [
        (re.compile(r"(?:a+)+b"), "match"),
        (re.compile(r"\s+$"), "search"),
        (re.compile(r"<script[^>]*>"), "search"),
        (re.compile(r"x*[xy]*z"), "match"),
        (re.compile(r"/\((?:[A-Z]\(\w*\))*S\(\w+\)(?:[A-Z]\(\w*\))*\)/"), "search"),
        (regex.compile(r"\s+$"), "search"),
        (regex.compile(r"x*[xy]*z"), "match"),
        (regex.compile(r"[^\p{L}]*\d[^\p{L}]*\p{L}{0,3}"), "fullmatch"),
    ],
    ids=str,
)
def test_a_slow_pattern_is_found(pattern: Any, method: str) -> None:
    tries = (slow_attack(pattern, frozenset({method})) for _ in range(5))  # a busy machine may hide it once
    assert any(slow is not None for slow in tries)
