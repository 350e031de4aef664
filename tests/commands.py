"""The command line within this process: quicker than a process of its own where nothing is killed."""

from __future__ import annotations

from pathlib import Path

import pytest

from dowse.cli.main import main
from tests.processes import Ended


def invoke(capture: pytest.CaptureFixture[str], *words: str | Path) -> Ended:
    """Run a command and take what it printed."""
    code = main([str(word) for word in words])
    out, err = capture.readouterr()
    return Ended(code, out, err)
