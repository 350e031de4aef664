"""Benchmarks use the parts of dowse directly: each can at least be loaded, whatever was moved or renamed."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "benchmarks"
MODULES = sorted(
    ".".join(path.relative_to(FOLDER.parent).with_suffix("").parts)
    for path in FOLDER.rglob("*.py")
    if path.stem not in ("__init__", "__main__")
)


@pytest.mark.parametrize("name", MODULES)
def test_a_benchmark_can_be_loaded(name: str) -> None:
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        missing = str(error.name).partition(".")[0]
        if missing in ("dowse", "benchmarks"):
            raise
        pytest.skip(f"{missing} comes with an extra for benchmarks or training")
