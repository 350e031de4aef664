"""How to get an extra, also where one of its libraries is not to be had."""

from __future__ import annotations

import sys

import pytest

from dowse.core.optional_libraries import install_command, install_line

LATER = ", with Python 3.11 to 3.13: for this one there is no wheel yet"


@pytest.mark.parametrize(
    ("extra", "version", "message"),
    [
        ("context", (3, 13, 1), "pip install 'dowse-crawler[context]'"),
        ("context", (3, 14, 0), f"pip install 'dowse-crawler[context]'{LATER}"),
        ("semantic", (3, 15, 0), f"pip install 'dowse-crawler[semantic]'{LATER}"),
        ("data", (3, 14, 0), "pip install 'dowse-crawler[data]'"),
    ],
)
def test_an_extra_is_named_with_the_python_it_is_for(
    monkeypatch: pytest.MonkeyPatch, extra: str, version: tuple[int, ...], message: str
) -> None:
    monkeypatch.setattr(sys, "version_info", version)
    assert install_command(extra) == message


def test_a_line_for_a_shell_is_no_other_command_where_the_extra_is_not_to_be_had(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 14, 0))
    command, _, comment = install_line("context", "then a new crawl").partition("  # ")
    assert command == "pip install 'dowse-crawler[context]'"
    assert comment == "with Python 3.11 to 3.13: for this one there is no wheel yet; then a new crawl"
