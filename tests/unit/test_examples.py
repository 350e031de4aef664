"""The examples in docstrings are true."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import dowse

MODULES = [module.name for module in pkgutil.walk_packages(dowse.__path__, "dowse.") if "__main__" not in module.name]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0
