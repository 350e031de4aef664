"""Prints constraints that hold pip to the oldest versions that pyproject.toml allows, for `make test-floors`.

Every requirement of the package and of the extras for its users is held to its floor; what only tests need is not.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

PROJECT = Path(__file__).parents[1] / "pyproject.toml"

# Extras for those who work on dowse itself.
NOT_FOR_USERS = frozenset({"test", "check", "docs", "bench", "training"})

_REQUIREMENT = re.compile(r"(?P<name>[\w.-]+)(?:\[[\w,-]+\])?>=(?P<floor>[\d.]+)(?:\s*;\s*(?P<marker>.+))?")


def floors(project: Path = PROJECT) -> Iterator[str]:
    """A constraint for each requirement; 1.0.2 stands for 1.0.2.20240713 too, if there is no other."""
    table = tomllib.loads(project.read_text(encoding="utf-8"))["project"]
    groups = [names for extra, names in table["optional-dependencies"].items() if extra not in NOT_FOR_USERS]
    for line in [*table["dependencies"], *(line for names in groups for line in names)]:
        match = _REQUIREMENT.fullmatch(line)
        if match is None:
            raise ValueError(f"{line} has no floor")
        yield f"{match['name']}=={match['floor']}.*" + (f" ; {match['marker']}" if match["marker"] else "")


if __name__ == "__main__":
    sys.stdout.writelines(f"{line}\n" for line in floors())
