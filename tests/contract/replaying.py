"""Stored crawls replayed in a process of its own, told as JSON: the pages in their order, with their relevance.

python -m tests.contract.replaying WORKERS < {"CASE": [MODE, FOLDER, OPTIONS], ...}
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from dowse.config import make_job
from dowse.modes.registry import find_mode
from dowse.workflows.replay_sources import open_web
from dowse.workflows.simulate import replayed


def main() -> None:
    told = {}
    for case, (name, folder, seeds, options) in json.load(sys.stdin).items():
        start = () if find_mode(name).start else seeds
        job = make_job(name, start, **{**options, "output": "simulation", "workers": int(sys.argv[1])})
        told[case] = replayed(job, open_web(Path(folder)).find)
    json.dump(told, sys.stdout)


if __name__ == "__main__":
    main()
