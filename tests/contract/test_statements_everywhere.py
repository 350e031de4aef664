"""Every statement that is written down whole is one that PostgreSQL understands, also if no crawl here needs it."""

from __future__ import annotations

import ast
import pkgutil
import re
from collections.abc import Iterator
from contextlib import closing
from importlib import import_module
from pathlib import Path

import psycopg

import dowse.modes
import dowse.store
from dowse.store.best_first.answer_table import TABLES as ANSWERS
from dowse.store.bookkeeping import Bookkeeping
from dowse.store.folder import take_over
from dowse.store.postgres.connection import PostgresDatabase
from dowse.store.postgres.dialect import translated
from dowse.store.revisits.revisit_tables import TABLES as REVISITS
from dowse.store.versions import create
from tests.postgres import Server

BEGINNING = re.compile(r"\s*(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH)\s")
APART = {"fts5_index", "watch_book", "sqlite", "rule_databases", "connection", "looking_back"}
"""Modules whose statements are for other databases, or for tables that they make themselves."""
TEMPORARY = re.compile(r"\b(?:FROM|INTO|JOIN) (?:answer|unwanted|found|pg_\w+|_written)\b")


def statements() -> Iterator[tuple[str, str]]:
    """The texts of modules that are statements, as values of names and as they stand in functions."""
    for package in (dowse.store, dowse.modes):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if found.ispkg or found.name.rpartition(".")[2] in APART or ".postgres." in found.name:
                continue
            module = import_module(found.name)
            texts = [value for value in vars(module).values() if isinstance(value, str)]
            tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
            inner = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
            texts += [
                node.value
                for node in ast.walk(tree)
                if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inner
            ]
            for text in dict.fromkeys(texts):
                whole = BEGINNING.match(text) and not text.rstrip().endswith(("=", "(", "WHERE", "AND", ","))
                if whole and "{" not in text and not TEMPORARY.search(text):
                    yield found.name, text


def all_tables() -> Iterator[str]:
    for package in (dowse.store, dowse.modes):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            import_module(found.name)
    pending = [Bookkeeping]
    while pending:
        each = pending.pop()
        pending += each.__subclasses__()
        if each.__module__.startswith("dowse."):
            yield from each.tables if isinstance(each.tables, tuple) else ()
    yield from (*ANSWERS, *REVISITS)


def test_every_statement_is_understood(postgres_server: Server, tmp_path: Path) -> None:
    refused = []
    with closing(take_over(tmp_path / "every", postgres_server.database())) as database:
        assert isinstance(database, PostgresDatabase)
        create(database)
        for statement in dict.fromkeys(all_tables()):
            database.execute(statement)
        found = list(statements())
        for name, text in found:
            query = translated(text, '"every"').text
            try:
                database._connection.execute(b"PREPARE tried AS " + query)
                database._connection.execute("DEALLOCATE tried")
            except psycopg.errors.IndeterminateDatatype:
                pass  # the driver says what type a number has
            except psycopg.Error as error:
                if "|| :task ||" in text:
                    continue  # here, too: a number that is made a text
                refused.append(f"{name}: {str(error).splitlines()[0]}: {' '.join(text.split())[:300]}")
    assert len(found) > 150
    assert refused == []
