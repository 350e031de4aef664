"""What a command costs before it does anything: python -m benchmarks.startup [PYTHON]

Processor seconds of a fresh process, the least of some runs; the contenders take turns. `PYTHON` is that of another
environment, to compare two versions of dowse.
"""

from __future__ import annotations

import os
import subprocess
import sys

RUNS = 20
PROGRAMS = {
    "python alone": ["-c", "pass"],
    "import dowse": ["-c", "import dowse"],
    "dowse --version": ["-m", "dowse", "--version"],
    "dowse --help": ["-m", "dowse", "--help"],
    "dowse site --help": ["-m", "dowse", "site", "--help"],
}


def seconds(python: str, words: list[str]) -> float:
    """Processor time of one run."""
    with subprocess.Popen([python, *words], stdout=subprocess.DEVNULL) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, f"{python} {words}"
    return used.ru_utime + used.ru_stime


def main(*pythons: str) -> None:
    for name, words in PROGRAMS.items():
        taken: dict[str, list[float]] = {python: [] for python in pythons}
        for _ in range(RUNS):
            for python, times in taken.items():
                times.append(seconds(python, words))
        print(f"{name:<20}" + "".join(f"{min(times) * 1000:>10.0f} ms" for times in taken.values()))


if __name__ == "__main__":
    main(sys.executable, *sys.argv[1:])
