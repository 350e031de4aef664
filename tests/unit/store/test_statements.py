"""What holds for every statement of the store."""

from __future__ import annotations

import re
from pathlib import Path

import dowse.store

FOLDER = Path(dowse.store.__file__).parent


def test_no_statement_numbers_its_parameters() -> None:
    """Python 3.14 refuses a sequence of values for these; older ones only warn of it."""
    found = [path.name for path in FOLDER.glob("*.py") if re.search(r"\?\d", path.read_text(encoding="utf-8"))]
    assert found == []
