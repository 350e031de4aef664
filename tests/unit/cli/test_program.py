"""The program around its commands: an interrupt is no traceback while they are loaded, and none at the very end."""

from __future__ import annotations

import subprocess
import sys

_RUN = "import sys; from dowse.cli.program import main; sys.argv = ['dowse', '--version']; sys.exit(main())"

_WHILE_LOADING = """
import signal, sys

class Finder:
    def find_spec(self, name, *_rest):
        if name == "dowse.cli.main":
            signal.raise_signal(signal.SIGINT)

sys.meta_path.insert(0, Finder())
"""

_AT_THE_END = """
import atexit, signal

atexit.register(signal.raise_signal, signal.SIGINT)
"""


def run(before: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", f"{before}\n{_RUN}"], capture_output=True, text=True, timeout=60, check=False
    )


def test_an_interrupt_while_it_loads() -> None:
    ended = run(_WHILE_LOADING)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "")


def test_an_interrupt_when_all_is_done_changes_nothing() -> None:
    ended = run(_AT_THE_END)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith("dowse ")
