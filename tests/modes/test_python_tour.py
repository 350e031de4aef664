"""The tour of Python in the manual: its code is run from top to bottom, and prints what the page says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from dowse.demo import DemoSite

PAGE = Path(__file__).parents[2] / "docs" / "python.md"
ADDRESS = "https://example.org/"
MARK = "--- the end of a block ---"

_BLOCK = re.compile(r"^```python\n(.*?)^```$(?:\n\n^```text\n(.*?)^```$)?", re.DOTALL | re.MULTILINE)


def blocks() -> list[tuple[str, str]]:
    """Each piece of code, and what it is said to print."""
    return _BLOCK.findall(PAGE.read_text(encoding="utf-8"))


@pytest.mark.timeout(300)
def test_the_tour_does_what_it_says(tmp_path: Path) -> None:
    script = tmp_path / "tour.py"
    parts = [f"{code}\nprint({MARK!r})\n" for code, _printed in blocks()]
    with DemoSite() as site:
        script.write_text("\n".join(parts).replace(ADDRESS, site.url), encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-W", "error", str(script)],
            cwd=tmp_path, capture_output=True, text=True, timeout=200, check=False,
            env={**os.environ, "XDG_STATE_HOME": str(tmp_path)},
        )  # fmt: skip
        printed = done.stdout.replace(site.url, ADDRESS)
    assert done.returncode == 0, done.stderr
    for (code, text), out in zip(blocks(), printed.split(f"{MARK}\n")[:-1], strict=True):
        assert out == text, code


def test_all_of_its_code_is_run() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert text.count("```python\n") == len(blocks()) > 12
    assert set(re.findall(r"^```(\w+)$", text, re.MULTILINE)) == {"python", "text"}
