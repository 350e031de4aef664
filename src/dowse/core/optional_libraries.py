"""Libraries that not everybody needs: loaded when they are used, and one message where they are not installed."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

from dowse.core.errors import ExtraMissing

DISTRIBUTION = "dowse-crawler"
"""What is installed; the command and the package are called dowse. Another project has that name on PyPI."""

_NOT_YET = {"context": (3, 14), "semantic": (3, 14)}
"""Extras with a library that has no wheel from some Python on."""


def install_command(extra: str) -> str:
    """How to get what an extra brings; the one place where that is written.

    >>> install_command("data")
    "pip install 'dowse-crawler[data]'"
    """
    return ", ".join(filter(None, (_command(extra), _lack(extra))))


def install_line(extra: str, then: str) -> str:
    """The same as a line for a shell, with what comes next.

    >>> install_line("data", "then a new crawl")
    "pip install 'dowse-crawler[data]'  # then a new crawl"
    """
    return f"{_command(extra)}  # {'; '.join(filter(None, (_lack(extra), then)))}"


def _command(extra: str) -> str:
    return f"pip install '{DISTRIBUTION}[{extra}]'"


def _lack(extra: str) -> str:
    """What is to be known of an extra that is not to be had for this Python."""
    is_there = extra not in _NOT_YET or sys.version_info < _NOT_YET[extra]
    return "" if is_there else "with Python 3.11 to 3.13: for this one there is no wheel yet"


def load(module: str, extra: str, purpose: str) -> Any:
    """The module, or an error that says what to install.

    >>> load("no_such_library", "data", "drawing")
    Traceback (most recent call last):
        ...
    dowse.core.errors.ExtraMissing: drawing needs no_such_library: pip install 'dowse-crawler[data]'
    """
    name = module.partition(".")[0]
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name != name:  # it is there, and something that it needs is not
            raise
        raise ExtraMissing(f"{purpose} needs {name}: {install_command(extra)}") from None
