"""The manual's page about code of one's own: its files, entry points and commands are run as they stand there."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from dowse.demo import DemoSite
from tests.processes import Ended

PAGE = Path(__file__).parents[2] / "docs" / "extending.md"
ADDRESS = "https://example.org/"
LANGUAGES = ("python", "toml", "console")


class Block(NamedTuple):
    """A block of code of the page."""

    language: str
    text: str


def blocks() -> list[Block]:
    found = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    return [Block(*each) for each in found]


def commands(block: Block) -> Iterator[tuple[str, list[str]]]:
    """Each command of a console, and the lines that it is said to print."""
    for part in block.text.removeprefix("$ ").split("\n$ "):
        command, *lines = part.splitlines()
        yield command, lines


class Workshop:
    """A folder in which the files of the page are, with its entry points installed."""

    def __init__(self, folder: Path, url: str) -> None:
        self.folder = folder
        self.url = url

    def write(self, block: Block) -> None:
        name = re.match(r"# (\w+\.py)\n", block.text)
        assert name is not None, "an example begins with the name of its file"
        (self.folder / name[1]).write_text(block.text.replace(ADDRESS, self.url), encoding="utf-8")

    def install(self, block: Block) -> None:
        for group, points in tomllib.loads(block.text)["project"]["entry-points"].items():
            package = self.folder / f"{group.replace('.', '_')}-1.0.dist-info"
            package.mkdir()
            lines = [f"{name} = {place}" for name, place in points.items()]
            (package / "entry_points.txt").write_text("\n".join([f"[{group}]", *lines, ""]), encoding="utf-8")
            (package / "METADATA").write_text(f"Name: {package.stem}\nVersion: 1.0\n", encoding="utf-8")

    def run(self, command: str) -> Ended:
        words = shlex.split(command.replace(ADDRESS, self.url))
        programs = {"python": [sys.executable], "dowse": [sys.executable, "-m", "dowse"]}
        environment = {
            **os.environ, "PYTHONPATH": str(self.folder), "XDG_STATE_HOME": str(self.folder), "COLUMNS": "120",
        }  # fmt: skip
        done = subprocess.run(
            [*programs.get(words[0], words[:1]), *words[1:]],
            cwd=self.folder, env=environment, capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        return Ended(done.returncode, done.stdout.replace(self.url, ADDRESS), done.stderr)


@pytest.mark.timeout(300)
def test_the_page_does_what_it_says(tmp_path: Path, demo_site: DemoSite) -> None:
    workshop = Workshop(tmp_path, demo_site.url)
    for block in blocks():
        if block.language == "python":
            workshop.write(block)
        elif block.language == "toml":
            workshop.install(block)
        else:
            for command, lines in commands(block):
                ended = workshop.run(command)
                assert ended.code == 0, f"{command}\n{ended.err}"
                place = 0
                for line in lines:
                    place = ended.out.find(line, place)
                    assert place >= 0, f"{command}\n{line!r} is not in\n{ended.out}"


def test_the_page_has_an_example_of_everything() -> None:
    assert {block.language for block in blocks()} == set(LANGUAGES)
    groups = {group for block in blocks() if block.language == "toml"
              for group in tomllib.loads(block.text)["project"]["entry-points"]}  # fmt: skip
    assert groups == {"dowse.extractors", "dowse.formats", "dowse.modes"}
