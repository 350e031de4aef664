"""Names of files: no two that a disk would take for one, and none that changes."""

from __future__ import annotations

import unicodedata
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.modes.files.bookkeeping import NamedFiles
from dowse.store.best_first.leads import Leads
from dowse.store.folder import connect_memory

PDF = "application/pdf"


def names(urls: list[str], media_type: str = PDF) -> list[str]:
    connection = connect_memory()
    files = NamedFiles()
    for statement in (*Leads.tables, *files.tables):
        connection.execute(statement)
    files.load(connection)
    for number, url in enumerate([*urls, *urls]):  # each comes twice, the second time changed
        files.add(number % len(urls), url, media_type)
    return [name for (name,) in connection.execute("SELECT name FROM file ORDER BY task")]


def check(given_names: list[str]) -> None:
    folded = {unicodedata.normalize("NFC", name).casefold() for name in given_names}
    assert len(folded) == len(given_names)
    folders = {name.rsplit("/", depth)[0] for name in folded for depth in range(1, name.count("/") + 1)}
    assert not folders & folded


@pytest.mark.parametrize(
    "paths",
    [
        ["d/Report.pdf", "d/report.pdf", "d/REPORT.pdf"],
        ["D/a.pdf", "d/a.pdf"],
        ["a", "a.pdf"],
        ["a.pdf", "a.pdf/b.pdf", "A.pdf/c.pdf"],
        ["a.pdf_/b.pdf", "a.pdf", "a.pdf/b.pdf"],
    ],
)
def test_no_two_files_are_one_on_any_disk(paths: list[str]) -> None:
    for order in permutations(paths):
        found = names([f"http://a.example/{path}" for path in order])
        check(found)
        assert found[0] == f"a.example/{order[0]}" + ("" if order[0].endswith(".pdf") else ".pdf")


def test_http_and_https_are_two_files() -> None:
    check(names(["http://a.example/a.pdf", "https://a.example/a.pdf"]))


@given(st.lists(st.text("aA./_ ßé", min_size=1, max_size=6), unique=True, min_size=1, max_size=8))
def test_names_stay_apart_whatever_comes(paths: list[str]) -> None:
    check(names([f"http://a.example/{path}" for path in paths]))
